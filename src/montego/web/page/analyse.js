// Analysing: searches of the position on the table, what they found, and what they say about the whole game.

import { $, h, say } from "./dom.js";
import { browse } from "./browse.js";
import { histogram } from "./charts.js";
import { considered, drawGraph } from "./findings.js";
import { HEATS, NEEDS_MAPS, VALUE, VISITS } from "./heat.js";
import { SpecForm } from "./spec.js";

export class Analyse {
  // `redraw()` draws the board again; `bounds` are the server's.
  constructor(table, redraw, bounds) {
    Object.assign(this, {
      table,
      redraw,
      bounds,
      running: {},
      found: {},
      maps: null,
      line: [],
      heat: "none",
      palette: "viridis",
      labels: true,
      compare: false,
      board: "a",
      seconds: 20,
    });
    this.specs = { a: "uct(rave=silver, c=0.2)", b: "uct" };
    this.build();
    table.addEventListener("change", () => this.moved());
    table.addEventListener("board", () => this.stopAll());
  }

  // ------------------------------------------------------------------------------------------------------ the panel

  build() {
    const { kinds } = this.table;
    const form = (slot) =>
      new SpecForm(kinds, "player", this.specs[slot], (text) => this.setSpec(slot, text), {
        first: ["rave", "c", "playout"],
        label: "Player",
      });
    this.forms = { a: form("a"), b: form("b") };
    const select = (id, options, now, changed) =>
      h(
        "select",
        { id, onchange: (event) => changed(event.target.value) },
        options.map(([value, name]) => h("option", { value, selected: value === now }, name)),
      );
    $("#analyse-side").replaceChildren(
      h(
        "section",
        { class: "card" },
        h(
          "div",
          { class: "card-head" },
          h(
            "button",
            {
              type: "button",
              id: "analysis-toggle",
              class: "primary",
              title: "Start or stop (Space)",
              onclick: () => this.toggle(),
            },
            "Start analysis",
          ),
          h(
            "label",
            { class: "check", for: "analysis-seconds" },
            "for",
            h("input", {
              id: "analysis-seconds",
              type: "number",
              min: 1,
              max: this.bounds.search_seconds,
              value: this.seconds,
              onchange: (event) => (this.seconds = Number(event.target.value) || 20),
            }),
            "s",
          ),
        ),
        h(
          "div",
          { class: "row" },
          h(
            "div",
            {},
            h("label", { for: "heat" }, "Heat map"),
            select("heat", HEATS, this.heat, (value) => this.setHeat(value)),
          ),
          h(
            "div",
            {},
            h("label", { for: "palette" }, "Palette"),
            select(
              "palette",
              [
                ["viridis", "viridis"],
                ["cividis", "cividis"],
              ],
              this.palette,
              (value) => this.set({ palette: value }),
            ),
          ),
        ),
        h(
          "div",
          { class: "row" },
          h(
            "label",
            { class: "check" },
            h("input", {
              type: "checkbox",
              id: "labels",
              checked: this.labels,
              onchange: (event) => this.set({ labels: event.target.checked }),
            }),
            "values on the board",
          ),
          h(
            "label",
            { class: "check" },
            h("input", { type: "checkbox", id: "compare", onchange: (event) => this.setCompare(event.target.checked) }),
            "two settings side by side",
          ),
        ),
        h("details", { id: "analysis-settings" }, h("summary", {}, "Settings of the search"), this.forms.a.element),
        h(
          "details",
          { id: "analysis-settings-b", hidden: true },
          h("summary", {}, "Settings of the second search"),
          this.forms.b.element,
        ),
      ),
      h(
        "section",
        { class: "card" },
        h(
          "div",
          { class: "card-head" },
          h("h2", {}, "Win rate"),
          h("button", { type: "button", id: "review", onclick: () => this.review() }, "Review the game"),
        ),
        h("div", { id: "graph" }),
        h("div", { id: "mistakes" }),
      ),
      h("section", { class: "card" }, h("h2", {}, "Moves considered"), h("div", { id: "considered" })),
      h("section", { class: "card" }, h("h2", {}, "Scores of the playouts"), h("div", { id: "histogram" })),
      h(
        "section",
        { class: "card" },
        h(
          "div",
          { class: "card-head" },
          h("h2", {}, "Tree"),
          h("button", { type: "button", id: "browse", onclick: () => browse(this) }, "Look into the tree"),
        ),
        h("div", { id: "tree" }),
      ),
    );
  }

  set(changes) {
    Object.assign(this, changes);
    this.redraw();
  }

  setSpec(slot, text) {
    this.specs[slot] = text;
    if (this.running[slot]) this.search(slot);
  }

  setHeat(heat) {
    this.heat = heat;
    if (NEEDS_MAPS.includes(heat) && !this.maps) this.askMaps();
    this.redraw();
  }

  setCompare(on) {
    this.compare = on;
    $("#analysis-settings-b").hidden = !on;
    if (!on) this.stop("b");
    else if (this.running.a) this.search("b");
    this.draw();
  }

  // -------------------------------------------------------------------------------------------------------- searching

  get active() {
    return !!(this.running.a || this.running.b);
  }

  toggle() {
    if (this.active) this.stopAll();
    else this.start();
  }

  start() {
    this.search("a");
    if (this.compare) this.search("b");
  }

  stop(slot) {
    if (this.running[slot]) this.table.net.tell("stop", { slot });
    this.running[slot] = null;
    this.drawToggle();
  }

  stopAll() {
    this.stop("a");
    this.stop("b");
  }

  async search(slot) {
    const { table } = this;
    if (table.position?.over) return this.stop(slot);
    const mark = {};
    const node = table.tree.node;
    this.running[slot] = mark;
    this.drawToggle();
    this.draw();
    const show = (found) => {
      if (this.running[slot] !== mark || node !== table.tree.node || found.type === "waiting") return;
      this.found[slot] = found;
      this.note(node, found);
      this.draw();
    };
    try {
      const found = await table.net.ask(
        "analyse",
        {
          ...table.tree.message(node.id),
          player: this.specs[slot],
          slot,
          seconds: Math.min(this.seconds, this.bounds.search_seconds),
          maps: true,
        },
        show,
      );
      show(found);
      if (this.running[slot] === mark && found.maps) this.maps = found.maps;
    } catch (problem) {
      if (this.running[slot] === mark && this.table.net.connected && !/replaced|stopped/.test(problem.message))
        say(problem.message, "error");
    }
    if (this.running[slot] === mark) {
      this.running[slot] = null;
      this.drawToggle();
      this.draw();
    }
  }

  // Remember the win rate of player 0 for the graph, once it can be believed.
  note(node, found) {
    const best = found.moves[0];
    if (!best || best[VALUE] === null || best[VISITS] < 100) return;
    node.value = node.position.to_move === 0 ? best[VALUE] : 1 - best[VALUE];
    node.best = found.move;
  }

  async askMaps() {
    const node = this.table.tree.node;
    try {
      const answer = await this.table.net.ask("maps", {
        ...this.table.tree.message(),
        player: this.specs.a,
        slot: this.active ? "b" : "a",
      });
      if (node !== this.table.tree.node) return;
      this.maps = answer.maps;
      this.redraw();
    } catch (problem) {
      say(problem.message, "error");
    }
  }

  // Another position is on the table.
  moved() {
    if (this.at !== this.table.tree.node) {
      this.at = this.table.tree.node;
      this.found = {};
      this.maps = null;
      this.line = [];
      $("#tree").replaceChildren();
      if (!$("#analyse-side").hidden) {
        if (this.active && !this.table.position.pending) this.start();
        else if (NEEDS_MAPS.includes(this.heat) && !this.table.position.pending) this.askMaps();
      } else this.stopAll();
      if (this.table.position?.pending) this.at = null;
    }
    this.draw();
  }

  // ----------------------------------------------------------------------------------------------------------- review

  async review() {
    const { table } = this;
    if (this.reviewing) {
      table.net.tell("stop", { slot: "review" });
      return;
    }
    const { tree } = table;
    const line = tree.line();
    if (line.length < 2) return say("There is no game to review yet: play or open one.");
    this.reviewing = true;
    $("#review").textContent = "Stop the review";
    const take = ({ opinions }) => {
      if (table.tree !== tree) return;
      for (const one of opinions) {
        const before = line[one.number - 1];
        if (!before) continue;
        if (one.value !== null) before.value = one.to_move === 0 ? one.value : 1 - one.value;
        before.best = one.best;
        before.expected = one.line;
        if (line[one.number]) line[one.number].loss = one.is_mistake ? one.loss : 0;
      }
      this.drawGraph();
    };
    try {
      const spec = this.specs.a.startsWith("uct") ? this.specs.a : "uct(rave=silver)";
      take(
        await table.net.ask(
          "review",
          { ...tree.message(line.at(-1).id), player: withPlayouts(spec, 1500), slot: "review", seed: 1 },
          take,
        ),
      );
      say("The review is complete.");
    } catch (problem) {
      if (!/stopped/.test(problem.message)) say(problem.message, "error");
    }
    this.reviewing = false;
    $("#review").textContent = "Review the game";
  }

  // --------------------------------------------------------------------------------------------------------- drawing

  drawToggle() {
    const button = $("#analysis-toggle");
    button.textContent = this.active ? "Stop analysis" : "Start analysis";
    button.setAttribute("aria-pressed", String(this.active));
  }

  draw() {
    if ($("#analyse-side").hidden || !this.table.board) return;
    const panels = (this.compare ? ["a", "b"] : ["a"]).map((slot) => considered(this, slot));
    $("#considered").replaceChildren(h("div", { class: this.compare ? "pair" : "" }, panels));
    const scores = this.found[this.board]?.scores ?? this.found.a?.scores ?? [];
    $("#histogram").replaceChildren(
      scores.length
        ? histogram(scores, this.table.board.players, this.table.board.colours)
        : h("p", { class: "hint" }, "Start the analysis to see how the playouts end."),
    );
    this.drawGraph();
    this.redraw();
  }

  // Show the line that the search expects after a move; null for none.
  async follow(slot, move) {
    this.followed = move;
    if (move === null) return this.set({ line: [] });
    const found = this.found[slot];
    if (found && move === found.move) return this.set({ line: found.line });
    try {
      const answer = await this.table.net.ask("explore", { slot, game: this.table.tree.game, line: [move] });
      if (this.followed === move) this.set({ line: answer.line });
    } catch {
      if (this.followed === move) this.set({ line: [move] });
    }
  }

  drawGraph() {
    drawGraph(this);
  }

  // Go to a position and show the line that the review expected there.
  async visit(node) {
    await this.table.go(node.id);
    this.set({ line: node.expected ?? [] });
  }
}

function withPlayouts(spec, playouts) {
  const inside = spec.match(/^(\w+)\((.*)\)$/);
  const rest = (inside?.[2] ?? "")
    .split(/,\s*(?![^(]*\))/)
    .filter((part) => part && !/^(playouts|seconds)\s*=/.test(part));
  return `${inside?.[1] ?? spec}(${[`playouts=${playouts}`, ...rest].join(", ")})`;
}
