// The list of moves with variations, comments, and game records in and out.

import { $, download, h, say } from "./dom.js";
import { GameTree, toAddress } from "./tree.js";

export class Moves {
  constructor(table, view) {
    Object.assign(this, { table, view });
    table.addEventListener("change", () => this.draw());
    const actions = {
      "open-file": () => $("#file").click(),
      "save-file": () => this.save(),
      paste: () => this.paste(),
      share: () => this.share(),
      "delete-branch": () => this.remove(),
      "to-start": () => table.step(-1e6),
      back: () => table.step(-1),
      on: () => table.step(1),
      "to-end": () => table.step(1e6),
    };
    for (const [id, action] of Object.entries(actions)) $(`#${id}`).addEventListener("click", action);
    $("#file").addEventListener("change", (event) => this.take(event.target.files[0]));
    $("#comment").addEventListener("input", (event) => {
      table.tree.node.comment = event.target.value;
      table.save();
    });
    this.dropping();
  }

  draw() {
    const { tree } = this.table;
    const last = tree.line().length - 1;
    $("#move-number").textContent = `${tree.node.number} of ${tree.nodes[tree.line()[last].id].number}`;
    $("#comment").value = tree.node.comment;
    $("#delete-branch").disabled = tree.current === 0;
    $("#back").disabled = $("#to-start").disabled = tree.current === 0;
    $("#on").disabled = $("#to-end").disabled = !tree.node.children.length;
    $("#moves").replaceChildren(
      tree.nodes[0].children.length ? this.branch(tree.nodes[0]) : h("p", { class: "hint" }, "No moves yet."),
    );
    const here = $("#moves .here"); // scrollIntoView would move the whole page on a phone
    if (here) $("#moves").scrollTop = here.offsetTop - $("#moves").offsetTop - $("#moves").clientHeight / 2;
  }

  // The moves after a node: the first child goes on in the same line, others are indented.
  branch(start) {
    const { tree } = this.table;
    const place = h("span", {});
    let node = start;
    while (node.children.length) {
      const [first, ...others] = node.children.map((id) => tree.nodes[id]);
      place.append(this.move(first));
      for (const other of others) place.append(h("span", { class: "branch" }, this.move(other), this.branch(other)));
      node = first;
    }
    return place;
  }

  move(node) {
    const { tree } = this.table;
    const name = node.move === null ? "set-up" : node.move.length > 11 ? `${node.move.slice(0, 10)}…` : node.move;
    const button = h(
      "button",
      {
        type: "button",
        class: node.id === tree.current ? "here" : "",
        title: node.comment || node.move,
        "aria-current": node.id === tree.current ? "true" : undefined,
        onclick: () => this.table.go(node.id),
      },
      node.comment ? `${name}*` : name,
    );
    return h("span", { class: "step" }, h("span", { class: "number" }, `${node.number}.`), button, " ");
  }

  remove() {
    this.table.tree.remove(this.table.tree.current);
    this.table.show();
  }

  // --------------------------------------------------------------------------------------------------------- records

  async read(text, name = "") {
    try {
      const record = await this.table.net.ask("read", { text, game: this.table.tree.game });
      const tree = GameTree.fromRecord(record);
      if (await this.table.open(tree)) {
        say(`${name || "The game"} has ${record.nodes.length - 1} moves. ${record.warnings.join(" ")}`);
        document.querySelector("#tab-analyse").click();
      }
    } catch (problem) {
      say(problem.message, "error");
    }
  }

  async take(file) {
    if (!file) return;
    if (file.size > 900000) return say("The file is larger than the server takes (900 kB).", "error");
    // As SGF names its own encoding, read bytes as Latin-1 where they are not UTF-8.
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      text = new TextDecoder("latin1").decode(bytes);
    }
    $("#file").value = "";
    await this.read(text, file.name);
  }

  async save() {
    const { tree, board } = this.table;
    try {
      const { sgf } = await this.table.net.ask("write", {
        game: tree.game,
        nodes: tree.forSgf(),
        black: tree.names[0],
        white: tree.names[1],
        result: sgfResult(tree, board),
      });
      download(`${board.name}.sgf`, sgf);
    } catch (problem) {
      say(problem.message, "error");
    }
  }

  paste() {
    const dialog = $("#paste-dialog");
    $("#paste-text").value = "";
    dialog.returnValue = "";
    dialog.onclose = () => dialog.returnValue === "read" && this.read($("#paste-text").value);
    dialog.showModal();
  }

  async share() {
    const address = toAddress(this.table.tree, this.view());
    history.replaceState(null, "", address);
    try {
      await navigator.clipboard.writeText(address);
      say("The link to this position was copied.");
    } catch {
      say("The link to this position is in the address bar.");
    }
  }

  dropping() {
    let inside = 0;
    const files = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
    const show = (by) => {
      inside = Math.max(0, inside + by);
      $("#drop-hint").hidden = !inside;
    };
    addEventListener("dragenter", (event) => files(event) && (event.preventDefault(), show(1)));
    addEventListener("dragleave", (event) => files(event) && show(-1));
    addEventListener("dragover", (event) => files(event) && event.preventDefault());
    addEventListener("drop", (event) => {
      if (!files(event)) return;
      event.preventDefault();
      show(-inside);
      this.take(event.dataTransfer.files[0]);
    });
  }
}

function sgfResult(tree, board) {
  const result = tree.end?.result ?? "";
  const side = board.players.findIndex((name) => result.startsWith(`${name}+`));
  if (side < 0) return tree.recorded ?? "";
  return `${"BW"[side]}+${result.endsWith("resign") ? "R" : result.endsWith("time") ? "T" : ""}`;
}
