// A tray of pieces for games such as Blokus Duo: choose, turn, flip, drag to the board, see where it would lie.

import { h, s } from "./dom.js";
import { mix } from "./palette.js";

const normal = (cells) => {
  const top = Math.min(...cells.map(([row]) => row));
  const left = Math.min(...cells.map(([, column]) => column));
  return cells.map(([row, column]) => [row - top, column - left]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
};
const key = (points) => [...points].sort((a, b) => a - b).join(" ");

export class Tray {
  // `view`: the board; `play(move)`: makes a move; `ready()`: whether a person is to move.
  constructor(place, view, play, ready) {
    Object.assign(this, { place, view, play, ready, chosen: null, cells: [] });
    this.turned = new Map(); // piece -> cells as last turned
  }

  // Show the pieces of a position, or nothing where a game has none.
  show(position) {
    this.place.hidden = !position.tray.length;
    this.position = position;
    if (this.place.hidden) return;
    const mine = position.tray[position.to_move];
    if (this.chosen && !(this.chosen in mine)) this.chosen = null;
    this.moves = new Map(position.legal.map(([move, ...points]) => [key(points), move]));
    this.playable = new Set();
    const shapes = new Map();
    for (const [, ...points] of position.legal)
      shapes.set(this.shapeKey(points.map((point) => this.place2(point))), true);
    for (const [name, cells] of Object.entries(mine))
      if (this.orientations(cells).some((one) => shapes.has(this.shapeKey(one)))) this.playable.add(name);
    this.draw();
  }

  place2(point) {
    const [x, y] = this.view.board.xy[point];
    return [y, x];
  }

  shapeKey(cells) {
    return normal(cells).join(";");
  }

  orientations(cells) {
    const found = [];
    let now = cells;
    for (let turn = 0; turn < 8; turn++) {
      now = turn === 4 ? cells.map(([row, column]) => [row, -column]) : now.map(([row, column]) => [column, -row]);
      found.push(normal(now));
    }
    return found;
  }

  draw() {
    const { colours, players } = this.view.board;
    const player = this.position.to_move;
    const pieces = Object.entries(this.position.tray[player]).reverse();
    const others = Object.entries(this.position.tray[1 - player]).reverse();
    this.place.replaceChildren(
      h(
        "div",
        { class: "tray-head" },
        h("h3", {}, `${players[player]}: ${pieces.length} pieces left`),
        h(
          "div",
          { class: "tray-tools" },
          h(
            "button",
            {
              type: "button",
              id: "rotate",
              title: "Turn the piece (R)",
              disabled: !this.chosen,
              onclick: () => this.turn(),
            },
            "⟳ Turn",
          ),
          h(
            "button",
            {
              type: "button",
              id: "flip",
              title: "Flip the piece (F)",
              disabled: !this.chosen,
              onclick: () => this.flip(),
            },
            "⇋ Flip",
          ),
        ),
      ),
      h(
        "div",
        { class: "pieces", role: "group", "aria-label": `Pieces of ${players[player]}` },
        pieces.map(([name, cells]) => this.piece(name, this.turned.get(name) ?? cells, colours[player])),
      ),
      h("p", { class: "tray-other" }, `${players[1 - player]}: ${others.length} pieces left`),
    );
  }

  picture(cells, fill, unit = 9) {
    const rows = Math.max(...cells.map(([row]) => row)) + 1;
    const columns = Math.max(...cells.map(([, column]) => column)) + 1;
    return s(
      "svg",
      {
        viewBox: `-0.1 -0.1 ${columns + 0.2} ${rows + 0.2}`,
        width: columns * unit,
        height: rows * unit,
        "aria-hidden": "true",
      },
      cells.map(([row, column]) =>
        s("rect", {
          x: column,
          y: row,
          width: 1,
          height: 1,
          rx: 0.12,
          fill,
          stroke: mix(fill, "#000000", 0.4),
          "stroke-width": 0.08,
        }),
      ),
    );
  }

  piece(name, cells, fill) {
    const usable = this.playable.has(name) && this.ready();
    const button = h(
      "button",
      {
        type: "button",
        class: "piece",
        "data-piece": name,
        "aria-label": `Piece ${name}, ${cells.length} squares`,
        "aria-pressed": String(this.chosen === name),
        disabled: !usable,
        onclick: () => this.choose(name),
      },
      this.picture(normal(cells), fill),
    );
    button.addEventListener("pointerdown", (event) => usable && this.drag(event, name, fill));
    return button;
  }

  choose(name) {
    this.chosen = name;
    this.cells = normal(this.turned.get(name) ?? this.position.tray[this.position.to_move][name]);
    this.draw();
    this.place.querySelector(`[data-piece="${name}"]`)?.focus({ preventScroll: true });
    this.hover(this.at ?? null);
  }

  drop() {
    if (!this.chosen) return;
    this.chosen = null;
    this.draw();
    this.view.setPreview([], 0, true);
  }

  change(cells) {
    this.cells = normal(cells);
    this.turned.set(this.chosen, this.cells);
    this.draw();
    this.hover(this.at ?? null);
    this.ghost?.replaceChildren(this.picture(this.cells, this.view.board.colours[this.position.to_move], this.unit()));
  }

  turn() {
    if (this.chosen) this.change(this.cells.map(([row, column]) => [column, -row]));
  }

  flip() {
    if (this.chosen) this.change(this.cells.map(([row, column]) => [row, -column]));
  }

  // The points that the chosen piece covers with its middle square on a point; null off the board.
  covered(point) {
    const [y, x] = this.place2(point);
    const middle = this.cells[Math.floor(this.cells.length / 2)];
    this.byPlace ??= new Map();
    if (this.byPlace.board !== this.view.board) {
      this.byPlace = new Map(this.view.board.xy.map(([px, py], at) => [`${py},${px}`, at]));
      this.byPlace.board = this.view.board;
    }
    return this.cells.map(([row, column]) => this.byPlace.get(`${y + row - middle[0]},${x + column - middle[1]}`));
  }

  hover(point) {
    this.at = point;
    if (!this.chosen || this.place.hidden) return;
    const player = this.position.to_move;
    const shape = this.shapeKey(this.cells);
    const middle = this.cells[Math.floor(this.cells.length / 2)];
    const dots = [];
    for (const [, ...points] of this.position.legal) {
      const cells = points.map((one) => this.place2(one));
      if (this.shapeKey(cells) !== shape) continue;
      const [top, left] = [Math.min(...cells.map(([row]) => row)), Math.min(...cells.map(([, column]) => column))];
      dots.push(this.view.board.xy.findIndex(([x, y]) => y === top + middle[0] && x === left + middle[1]));
    }
    const covered = point === null ? [] : this.covered(point);
    const inside = covered.filter((one) => one !== undefined);
    const good = inside.length === covered.length && this.moves.has(key(inside));
    this.view.setPreview(inside, player, good, dots);
  }

  // A click on the board: place the chosen piece there, if it fits.
  pick(point) {
    if (!this.chosen) return "Choose a piece from the tray first.";
    const covered = this.covered(point);
    const move = covered.includes(undefined) ? undefined : this.moves.get(key(covered));
    if (move === undefined)
      return "The piece does not fit there: it must touch a corner of your own pieces, and no side.";
    this.chosen = null;
    this.play(move);
    return "";
  }

  unit() {
    return (this.view.svg.getBoundingClientRect().width / this.view.box[2]) * 0.98;
  }

  drag(event, name, fill) {
    if (event.button) return;
    const start = [event.clientX, event.clientY];
    const move = (now) => {
      if (!this.ghost && Math.hypot(now.clientX - start[0], now.clientY - start[1]) < 6) return;
      if (!this.ghost) {
        this.choose(name);
        this.ghost = h("div", { class: "ghost" }, this.picture(this.cells, fill, this.unit()));
        document.body.append(this.ghost);
      }
      now.preventDefault();
      const middle = this.cells[Math.floor(this.cells.length / 2)];
      const unit = this.unit();
      this.ghost.style.left = `${now.clientX - (middle[1] + 0.5) * unit}px`;
      this.ghost.style.top = `${now.clientY - (middle[0] + 0.5) * unit}px`;
      this.hover(this.view.pointAt(now.clientX, now.clientY));
    };
    const end = (now) => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      if (!this.ghost) return;
      this.ghost.remove();
      this.ghost = null;
      const point = this.view.pointAt(now.clientX, now.clientY);
      if (point !== null) this.pick(point);
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
  }
}
