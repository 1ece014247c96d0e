// The game on the table: what Play and Analyse share. Everything they show follows from here.

import { say } from "./dom.js";
import { GameTree } from "./tree.js";

const STORE = "montego.table";

export class Table extends EventTarget {
  constructor(net, kinds) {
    super();
    Object.assign(this, { net, kinds, board: null, position: null, dead: null, scored: null });
    this.tree = new GameTree("go(size=9)");
    this.request = 0;
  }

  changed(what = "change") {
    this.dispatchEvent(new Event(what));
  }

  // Put a game on the table. The board is asked for with the first position.
  async open(tree) {
    const before = this.tree;
    try {
      const answer = await this.net.ask("position", { ...tree.message(), board: true });
      this.tree = tree;
      this.board = answer.board;
      tree.game = answer.game;
      this.take(tree.node, answer);
      this.changed("board");
      this.changed();
      this.save();
      return true;
    } catch (problem) {
      this.tree = before;
      say(problem.message, "error");
      return false;
    }
  }

  take(node, answer) {
    node.position = answer;
    if (node === this.tree.node) {
      this.position = answer;
      this.dead = this.scored = null;
    }
  }

  // Look at another node.
  async go(id) {
    if (!this.tree.nodes[id]) return;
    this.tree.go(id);
    await this.show();
  }

  async show() {
    const tree = this.tree;
    const node = tree.node;
    const request = ++this.request;
    try {
      const answer = node.position ?? (await this.net.ask("position", tree.message(node.id)));
      if (this.tree !== tree) return;
      this.take(node, answer);
      if (request === this.request) this.changed();
      this.save();
    } catch (problem) {
      if (this.net.connected) tree.remove(node.id);
      say(problem.message, "error");
      if (node.parent >= 0 && this.net.connected) await this.go(node.parent);
    }
  }

  // Make a legal move. The stone is shown at once, the rest (captures, the next legal moves) follows from the server.
  async play(move, position = null) {
    const before = this.position;
    const legal = before.legal.find(([name]) => name === move);
    if (!legal) return false;
    const node = this.tree.add(this.tree.current, move);
    this.tree.go(node.id);
    this.tree.end = null;
    if (position) this.take(node, position);
    if (!node.position) {
      const owners = [...before.owners];
      for (const point of legal.slice(1)) owners[point] = String(before.to_move);
      this.position = {
        ...before,
        owners: owners.join(""),
        last: legal.slice(1),
        legal: [],
        to_move: 1 - before.to_move,
        pending: true,
      };
      this.changed();
    }
    const slow = setTimeout(() => say("Compiling the rules of the game, which is done once on each machine …"), 1200);
    await this.show();
    clearTimeout(slow);
    return true;
  }

  step(by) {
    const line = this.tree.line();
    const at = line.indexOf(this.tree.node);
    const to = Math.max(0, Math.min(line.length - 1, at + by));
    return to === at ? Promise.resolve() : this.go(line[to].id);
  }

  // The moves of the current position without a point on the board: pass, swap.
  plainMoves() {
    return (this.position?.legal ?? []).filter((entry) => entry.length === 1).map(([move]) => move);
  }

  legalPoints() {
    if (this.board.pieces) return new Set();
    return new Set((this.position?.legal ?? []).filter((entry) => entry.length === 2).map(([, point]) => point));
  }

  moveAt(point) {
    return this.position.legal.find((entry) => entry.length === 2 && entry[1] === point)?.[0];
  }

  get over() {
    return !!this.position && (this.position.over || this.ended);
  }

  // A resignation or a lost clock at the current node.
  get ended() {
    return this.tree.end && this.tree.end.node === this.tree.current;
  }

  get result() {
    if (this.ended) return this.tree.end.result;
    if (this.scored) return this.scored.result;
    return this.position?.result ?? "";
  }

  // ---------------------------------------------------------------------------------------------------- dead stones

  async score(dead = null) {
    const node = this.tree.node;
    try {
      const body = dead === null ? {} : { dead: dead.map((point) => this.board.names[point]) };
      const answer = await this.net.ask("score", { ...this.tree.message(), ...body });
      if (node !== this.tree.node) return;
      this.dead = answer.dead;
      this.scored = answer;
      this.changed();
    } catch (problem) {
      say(problem.message, "error");
    }
  }

  // Mark a chain of stones as dead or alive again.
  toggleDead(point) {
    const { owners } = this.position;
    if (owners[point] === ".") return;
    const near = this.board.names.map(() => []);
    for (const [a, b] of this.board.lines) {
      near[a].push(b);
      near[b].push(a);
    }
    const chain = new Set([point]);
    for (const one of chain) for (const other of near[one]) if (owners[other] === owners[point]) chain.add(other);
    const dead = new Set(this.dead ?? []);
    const was = dead.has(point);
    for (const one of chain)
      if (was) dead.delete(one);
      else dead.add(one);
    this.score([...dead]);
  }

  // --------------------------------------------------------------------------------------------------------- storage

  save() {
    try {
      localStorage.setItem(STORE, JSON.stringify(this.tree.save()));
    } catch {
      // a private window or a full disk: the game lives as long as the page
    }
  }

  static stored() {
    try {
      const saved = JSON.parse(localStorage.getItem(STORE));
      return saved ? GameTree.restore(saved) : null;
    } catch {
      return null;
    }
  }
}
