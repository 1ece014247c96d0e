// Playing: who sits where, whose turn it is, what the players think, and the dialog for a new game.

import { $, count, h, percent, say } from "./dom.js";
import { Clock } from "./clock.js";
import { askForGame, HUMAN } from "./newgame.js";
import { levels } from "./spec.js";
import { GameTree } from "./tree.js";

const SLOTS = ["first", "second"];
const SEATS = "montego.seats";

export class Play {
  constructor(table, view) {
    Object.assign(this, { table, view, thinking: null, hint: null, paused: true });
    this.seats = [HUMAN, { kind: "engine", spec: "uct(playouts=500, rave=silver)" }];
    try {
      this.seats = JSON.parse(localStorage.getItem(SEATS)) ?? this.seats;
    } catch {
      // nothing stored
    }
    this.clock = new Clock({ kind: "none", main: 0, period: 0, count: 0 });
    table.addEventListener("change", () => this.draw());
    setInterval(() => this.tick(), 100);
    for (const [id, action] of Object.entries({
      "new-game": () => askForGame(this),
      undo: () => this.undo(),
      redo: () => this.table.step(1),
      "hint-button": () => this.giveHint(),
      resign: () => this.resign(),
      score: () => this.table.score(),
      "move-now": () => this.toggle(),
      "to-analyse": () => document.querySelector("#tab-analyse").click(),
    }))
      $(`#${id}`).addEventListener("click", action);
  }

  seat(player) {
    return this.seats[player];
  }

  get humanToMove() {
    const { position } = this.table;
    return (
      !!position &&
      !this.table.over &&
      !position.pending &&
      !this.thinking &&
      this.seat(position.to_move).kind === "human"
    );
  }

  // ---------------------------------------------------------------------------------------------------------- moving

  // A person clicks a point of the board.
  async pick(point) {
    const { table } = this;
    if (table.scored && table.position.over) {
      table.toggleDead(point);
      return;
    }
    if (this.thinking) return;
    const move = table.moveAt(point);
    if (!move) {
      if (!table.over) say(`${table.board.names[point]} cannot be played now.`);
      return;
    }
    await this.made(move);
  }

  // A person has decided on a move.
  async made(move) {
    const player = this.table.position.to_move;
    this.hint = null;
    this.clock.moved(player);
    if (await this.table.play(move)) this.goOn();
  }

  // Let whoever is to move continue: a player thinks, a person's clock runs.
  goOn() {
    const { table } = this;
    this.paused = false;
    if (table.over) {
      this.clock.stop();
      if (table.position.over && table.board.ends_by_passing && !table.ended) table.score();
      this.draw();
      return;
    }
    const player = table.position.to_move;
    if (this.clock.on) this.clock.run(player);
    if (this.seat(player).kind === "engine") this.think();
    else {
      const only = table.position.legal.length === 1 && table.position.legal[0][0] === "pass";
      if (only && !table.board.ends_by_passing) say(`${table.board.players[player]} can only pass.`);
      this.draw();
    }
  }

  async think() {
    const { table } = this;
    const { tree, position } = table;
    const node = tree.node;
    const player = position.to_move;
    const started = { node, player, slot: SLOTS[player], progress: null };
    this.thinking = started;
    this.draw();
    const slow = setTimeout(
      () =>
        started.progress ??
        (this.thinking === started && say("Preparing the player: its code is compiled once on each machine …")),
      1500,
    );
    try {
      const body = {
        ...tree.message(),
        player: this.seat(player).spec,
        slot: started.slot,
        resigns: true,
        discard: false,
      };
      const clock = this.clock.message();
      if (clock) body.clock = clock;
      const answer = await table.net.ask("choose", body, (progress) => {
        if (this.thinking !== started) return;
        started.progress = progress;
        this.drawThoughts(progress);
      });
      clearTimeout(slow);
      if (this.thinking !== started) return;
      this.thinking = null;
      this.clock.moved(player);
      if (answer.move === null) {
        tree.end = { node: node.id, result: answer.result };
        table.changed();
        table.save();
        this.goOn();
        return;
      }
      if (answer.expects !== null) node.value = player === 0 ? answer.expects : 1 - answer.expects;
      if (await table.play(answer.move, answer.position)) {
        if (answer.analysis) this.drawThoughts(answer.analysis);
        if (!this.paused) this.goOn();
      }
    } catch (problem) {
      if (this.thinking !== started) return;
      this.thinking = null;
      this.paused = true;
      this.clock.stop();
      say(problem.message, "error");
      this.draw();
    }
  }

  // Forget what is being thought about.
  halt() {
    if (this.thinking) this.table.net.tell("stop", { slot: this.thinking.slot });
    this.thinking = null;
    this.paused = true;
    this.clock.stop();
    this.draw();
  }

  // "Move now" while a player thinks; otherwise let the player to move go on.
  toggle() {
    if (this.thinking) this.table.net.tell("stop", { slot: this.thinking.slot });
    else if (!this.table.over) {
      const player = this.table.position.to_move;
      if (this.seat(player).kind === "human") {
        this.seats = this.seats.map((seat, k) =>
          k === player
            ? { kind: "engine", spec: this.seats[1 - player].spec || levels(this.table.board)[1][1] }
            : HUMAN,
        );
        this.store();
      }
      this.goOn();
    }
  }

  undo() {
    this.halt();
    this.hint = null;
    this.table.tree.end = null;
    const engines = this.seats.filter((seat) => seat.kind === "engine").length;
    const path = this.table.tree.path();
    let back = 1;
    if (engines === 1) {
      // back to where the person was to move
      while (
        back < path.length - 1 &&
        path.at(-1 - back).position &&
        this.seat(path.at(-1 - back).position.to_move).kind === "engine"
      )
        back++;
    }
    return this.table.step(-back);
  }

  resign() {
    const { table } = this;
    if (table.over) return;
    const player = this.thinking ? 1 - this.thinking.player : table.position.to_move;
    this.halt();
    table.tree.end = { node: table.tree.current, result: `${table.board.players[1 - player]}+resign` };
    table.changed();
    table.save();
  }

  async giveHint() {
    const { table } = this;
    if (table.over || this.thinking) return;
    const node = table.tree.node;
    const engine = this.seats.find((seat) => seat.kind === "engine")?.spec ?? levels(table.board)[1][1];
    say("Looking for a good move …");
    try {
      const show = (found) => {
        if (node !== table.tree.node) return;
        this.hint = found.type === "waiting" ? null : found;
        table.changed();
      };
      show(await table.net.ask("analyse", { ...table.tree.message(), player: engine, slot: "a", seconds: 2 }, show));
      say(`Hint: ${this.hint?.move} (${percent(this.hint?.moves[0]?.[2])})`);
    } catch (problem) {
      say(problem.message, "error");
    }
  }

  tick() {
    if (!this.clock.on || !this.table.board) return;
    for (const player of [0, 1]) $(`#clock${player}`).textContent = this.clock.text(player);
    const running = this.clock.running;
    if (running !== null && this.clock.lost(running) && !this.table.over) {
      const { table } = this;
      this.halt();
      table.tree.end = { node: table.tree.current, result: `${table.board.players[1 - running]}+time` };
      table.changed();
    }
  }

  // --------------------------------------------------------------------------------------------------------- drawing

  draw() {
    const { table } = this;
    const { board, position } = table;
    if (!board || !position) return;
    for (const player of [0, 1]) {
      const seat = this.seat(player);
      $(`#seat${player}`).classList.toggle("turn", !table.over && position.to_move === player);
      $(`#seat${player} .who`).textContent = board.players[player];
      $(`#seat${player} .what`).classList.toggle("recorded", !!table.tree.names[player]);
      $(`#seat${player} .what`).textContent = table.tree.names[player] || (seat.kind === "human" ? "you" : seat.spec);
      $(`#seat${player} .stone-sign`).style.background = board.colours[player];
      $(`#clock${player}`).hidden = !this.clock.on;
      $(`#clock${player}`).textContent = this.clock.text(player);
    }
    if (this.clock.on && this.seats.every((seat) => seat.kind === "human")) $("#seat0 .what").textContent ||= "you";
    $("#status").textContent = this.status();
    $("#move-now").textContent = this.thinking
      ? "Move now"
      : this.seats.every((seat) => seat.kind === "engine") && this.paused
        ? "Continue"
        : "Let the engine move";
    $("#move-now").disabled = table.over;
    $("#undo").disabled = table.tree.current === 0;
    $("#redo").disabled = !table.tree.node.children.length;
    $("#resign").disabled = $("#hint-button").disabled = table.over;
    $("#score").hidden = !board.ends_by_passing;
    if (!this.thinking && table.tree.current === 0) $("#thoughts").textContent = "";
  }

  status() {
    const { table } = this;
    const { board, position } = table;
    if (table.ended || (position.over && !table.scored)) return `Game over: ${table.result}`;
    if (table.scored && position.over) return `Game over: ${table.result}. Click stones to mark them as dead or alive.`;
    if (table.scored) return `As it stands: ${table.result}`;
    const name = board.players[position.to_move];
    if (position.pending) return "…";
    if (this.thinking) return `${name} is thinking …`;
    return this.seat(position.to_move).kind === "human"
      ? `${name} to move`
      : `${name} to move: press “Continue” or “Let the engine move”`;
  }

  drawThoughts(found) {
    if (found.type === "waiting") {
      $("#thoughts").textContent = `Waiting for a free thread: ${found.running} searches are running.`;
      return;
    }
    const best = found.moves[0];
    $("#thoughts").replaceChildren(
      h("b", {}, found.move),
      best && best[2] !== null ? ` ${percent(best[2])} · ` : " · ",
      `${count(found.playouts)} playouts, ${count(found.speed)}/s`,
      found.line.length > 1 ? h("span", { class: "pv" }, found.line.slice(0, 8).join(" ")) : "",
    );
  }

  // ---------------------------------------------------------------------------------------------------- a new game

  store() {
    try {
      localStorage.setItem(SEATS, JSON.stringify(this.seats));
    } catch {
      // as above
    }
  }

  async begin(game, seats, control) {
    this.halt();
    this.hint = null;
    this.seats = seats;
    this.store();
    this.clock = new Clock(control);
    if (await this.table.open(new GameTree(game))) this.goOn();
  }
}
