// A board drawn from the server's layout: cells or lines, stones, and whatever lies over them.

import { h, s } from "./dom.js";
import { colour, ink, mix } from "./palette.js";

const HEXAGON = [0, 1, 2, 3, 4, 5].map((k) => [
  Math.sin((Math.PI * k) / 3) / Math.sqrt(3),
  Math.cos((Math.PI * k) / 3) / Math.sqrt(3),
]);
const SQUARE = [
  [-0.5, -0.5],
  [0.5, -0.5],
  [0.5, 0.5],
  [-0.5, 0.5],
];
let boards = 0;

export class BoardView {
  // `hooks`: pick(point), hover(point or null).
  constructor(place, hooks = {}) {
    this.place = place;
    this.hooks = hooks;
    this.key = `b${boards++}`;
    this.focused = 0;
  }

  setBoard(board) {
    this.board = board;
    const { xy, marks, borders, shape } = board;
    const bare = [...xy, ...borders.flatMap(([, path]) => path)];
    const edge = (of, k) =>
      Math.min(
        ...bare.map((spot) => of * spot[k]),
        ...marks.map((mark) => of * mark[k] + 0.3 - (k ? 0 : 0.09 * mark[2].length)),
      ) - 0.65;
    const [left, top, right, bottom] = [edge(1, 0), edge(1, 1), -edge(-1, 0), -edge(-1, 1)];
    this.box = [left, top, right - left, bottom - top];
    this.layers = {};
    const names = ["ground", "heat", "grid", "territory", "stones", "marks", "candidates", "preview", "hits"];
    for (const name of names) this.layers[name] = s("g", { class: `layer-${name}` });
    this.svg = s(
      "svg",
      {
        viewBox: this.box.join(" "),
        class: `board ${shape} game-${board.name}`,
        role: "group",
        "aria-label": `Board of ${board.game}`,
      },
      this.gradients(),
      ...Object.values(this.layers),
    );
    this.layers.ground.append(...this.ground());
    this.layers.grid.append(...this.grid());
    this.hits = xy.map((spot, point) => this.hit(spot, point));
    this.layers.hits.append(...this.hits);
    this.focused = Math.min(this.focused, xy.length - 1);
    this.hits[this.focused]?.setAttribute("tabindex", "0");
    // Without a limit, a board of nine points would fill the window.
    this.svg.style.maxWidth = `${Math.min(900, 105 * this.box[2])}px`;
    this.place.replaceChildren(this.svg);
    this.svg.addEventListener("pointerleave", () => this.hooks.hover?.(null));
  }

  gradients() {
    const { colours } = this.board;
    return s(
      "defs",
      {},
      colours.map((base, player) =>
        s(
          "radialGradient",
          { id: `${this.key}-stone${player}`, cx: "0.35", cy: "0.3", r: "0.8" },
          s("stop", { offset: "0", "stop-color": mix(base, "#ffffff", player && base > "#e" ? 0.9 : 0.38) }),
          s("stop", { offset: "0.55", "stop-color": base }),
          s("stop", { offset: "1", "stop-color": mix(base, "#000000", 0.22) }),
        ),
      ),
      s(
        "linearGradient",
        { id: `${this.key}-wood`, x1: "0", y1: "0", x2: "1", y2: "1" },
        s("stop", { offset: "0", class: "wood-light" }),
        s("stop", { offset: "1", class: "wood-dark" }),
      ),
    );
  }

  outline([x, y], scale = 1) {
    const corners = this.board.shape === "hexagon" ? HEXAGON : SQUARE;
    return corners.map(([dx, dy]) => `${(x + dx * scale).toFixed(3)},${(y + dy * scale).toFixed(3)}`).join(" ");
  }

  ground() {
    const [x, y, width, height] = this.box;
    const { shape, borders, colours, xy } = this.board;
    const wood = shape === "point";
    const parts = [];
    if (wood) parts.push(s("rect", { x, y, width, height, rx: 0.25, fill: `url(#${this.key}-wood)`, class: "wood" }));
    for (const [player, path] of borders)
      parts.push(
        s("polyline", {
          points: path.map((spot) => spot.join(",")).join(" "),
          class: "border",
          stroke: player >= 0 ? colours[player] : "#8a8a8a",
        }),
      );
    if (!wood) parts.push(...xy.map((spot) => s("polygon", { points: this.outline(spot), class: "cell" })));
    return parts;
  }

  grid() {
    const { lines, xy, dots, marks } = this.board;
    return [
      ...lines.map(([a, b]) => s("line", { x1: xy[a][0], y1: xy[a][1], x2: xy[b][0], y2: xy[b][1], class: "line" })),
      ...dots.map((point) => s("circle", { cx: xy[point][0], cy: xy[point][1], r: 0.09, class: "dot" })),
      ...marks.map(([x, y, text]) => s("text", { x, y: y + 0.12, class: "mark" }, text)),
    ];
  }

  hit(spot, point) {
    const target =
      this.board.shape === "point"
        ? s("circle", { cx: spot[0], cy: spot[1], r: 0.5 })
        : s("polygon", { points: this.outline(spot) });
    target.setAttribute("class", "hit");
    target.setAttribute("role", "button");
    target.setAttribute("tabindex", "-1");
    target.dataset.point = this.board.names[point];
    target.addEventListener("click", () => this.pick(point));
    target.addEventListener("pointerenter", () => this.hooks.hover?.(point));
    target.addEventListener("focus", () => this.hooks.hover?.(point));
    target.addEventListener("keydown", (event) => this.keydown(event, point));
    return target;
  }

  pick(point) {
    this.focus(point, false);
    this.hooks.pick?.(point);
  }

  focus(point, really = true) {
    this.hits[this.focused]?.setAttribute("tabindex", "-1");
    this.focused = point;
    this.hits[point].setAttribute("tabindex", "0");
    if (really) this.hits[point].focus();
  }

  // The nearest point in the direction of an arrow key, or null.
  beside(point, key) {
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    const [x, y] = this.board.xy[point];
    let best = null;
    let least = Infinity;
    this.board.xy.forEach(([ox, oy], other) => {
      const along = (ox - x) * dx + (oy - y) * dy;
      const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
      if (along > 0.2 && aside <= along + 0.01 && along + 2 * aside < least) [best, least] = [other, along + 2 * aside];
    });
    return best;
  }

  keydown(event, point) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      this.pick(point);
    } else if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      event.stopPropagation();
      const next = this.beside(point, event.key);
      if (next !== null) this.focus(next);
    }
  }

  // ---------------------------------------------------------------------------------------------------------- stones

  stone(point, player, attributes = {}) {
    const [x, y] = this.board.xy[point];
    const fill = player === 2 ? "#8a8a8a" : `url(#${this.key}-stone${player})`;
    if (this.board.pieces)
      return s("polygon", {
        points: this.outline([x, y], 1),
        fill: this.board.colours[player] ?? fill,
        class: "tile",
        ...attributes,
      });
    const radius = this.board.shape === "point" ? 0.475 : 0.4;
    return s("circle", { cx: x, cy: y, r: radius, fill, class: `stone stone${player}`, ...attributes });
  }

  // Draw a position: {owners, last, to_move}, `dead` points, `legal` set of points that can be clicked.
  setPosition(position, { dead = [], legal = new Set(), showLegal = false } = {}) {
    const { names, players } = this.board;
    const parts = [];
    const owner = (point) => ({ ".": -1, "#": 2 })[position.owners[point]] ?? Number(position.owners[point]);
    const deadSet = new Set(dead);
    names.forEach((name, point) => {
      const who = owner(point);
      if (who >= 0) parts.push(this.stone(point, who, deadSet.has(point) ? { opacity: 0.45 } : {}));
      const state =
        who < 0 ? (legal.has(point) ? "empty" : "empty, not playable") : who === 2 ? "blocked" : players[who];
      this.hits[point].setAttribute("aria-label", `${name}, ${state}`);
      this.hits[point].classList.toggle("legal", legal.has(point));
    });
    if (this.board.pieces) parts.push(...this.pieceEdges(owner));
    this.layers.stones.replaceChildren(...parts);
    const marks = deadSet.size ? dead.map((point) => this.cross(point)) : [];
    if (position.last.length) marks.push(...this.lastMark(position.last, owner));
    if (showLegal)
      for (const point of legal)
        if (owner(point) < 0)
          marks.push(
            s("circle", { cx: this.board.xy[point][0], cy: this.board.xy[point][1], r: 0.07, class: "legal-dot" }),
          );
    this.layers.marks.replaceChildren(...marks);
  }

  lastMark(last, owner) {
    const { xy, pieces, colours } = this.board;
    return last.map((point) => {
      const who = owner(point);
      const tone = who >= 0 && who < 2 ? ink(colours[who]) : "#c62828";
      const [x, y] = xy[point];
      return pieces
        ? s("circle", { cx: x, cy: y, r: 0.11, fill: tone, opacity: 0.8, class: "last" })
        : s("circle", { cx: x, cy: y, r: 0.2, fill: "none", stroke: tone, "stroke-width": 0.08, class: "last" });
    });
  }

  // A thin light line between tiles of one colour would hide where a piece ends, so edges to other squares are drawn.
  pieceEdges(owner) {
    const { xy } = this.board;
    const at = new Map(xy.map(([x, y], point) => [`${x},${y}`, point]));
    const parts = [];
    xy.forEach(([x, y], point) => {
      const who = owner(point);
      if (who < 0) return;
      const sides = [
        [-1, 0, -0.5, -0.5, -0.5, 0.5],
        [1, 0, 0.5, -0.5, 0.5, 0.5],
        [0, -1, -0.5, -0.5, 0.5, -0.5],
        [0, 1, -0.5, 0.5, 0.5, 0.5],
      ];
      for (const [dx, dy, x1, y1, x2, y2] of sides) {
        const other = at.get(`${x + dx},${y + dy}`);
        if (other === undefined || owner(other) !== who)
          parts.push(
            s("line", {
              x1: x + x1,
              y1: y + y1,
              x2: x + x2,
              y2: y + y2,
              class: "piece-edge",
              stroke: mix(this.board.colours[who] ?? "#888888", "#000000", 0.45),
            }),
          );
      }
    });
    return parts;
  }

  cross(point) {
    const [x, y] = this.board.xy[point];
    const r = 0.2;
    return s("path", {
      d: `M${x - r},${y - r}L${x + r},${y + r}M${x - r},${y + r}L${x + r},${y - r}`,
      class: "dead-mark",
    });
  }

  // -------------------------------------------------------------------------------------------------------- overlays

  // `heat`: Map of point -> {share 0…1, opacity, title}.
  setHeat(heat, palette) {
    const parts = [];
    for (const [point, { share, opacity = 0.85, title }] of heat) {
      const spot = this.board.xy[point];
      const look = { fill: colour(palette, share), "fill-opacity": opacity.toFixed(2), class: "heat" };
      const cell =
        this.board.shape === "point"
          ? s("rect", { x: spot[0] - 0.48, y: spot[1] - 0.48, width: 0.96, height: 0.96, rx: 0.12, ...look })
          : s("polygon", { points: this.outline(spot, 0.98), ...look });
      cell.append(s("title", {}, title));
      parts.push(cell);
    }
    this.layers.heat.replaceChildren(...parts);
  }

  // `owners`: mean owner by point, 1 for player 0; drawn as small squares in the middle of the points.
  setTerritory(owners) {
    const parts = (owners ?? []).map((value, point) => {
      const [x, y] = this.board.xy[point];
      const size = 0.42 * Math.sqrt(Math.abs(value));
      if (size < 0.1) return null;
      return s("rect", {
        x: x - size / 2,
        y: y - size / 2,
        width: size,
        height: size,
        fill: this.board.colours[value > 0 ? 0 : 1],
        class: "territory",
      });
    });
    this.layers.territory.replaceChildren(...parts.filter(Boolean));
  }

  // `candidates`: [{point, value, visits, share, best}]; drawn as discs with the value and, below it, the visits.
  setCandidates(candidates) {
    const parts = candidates.map(({ point, top, below, share, best }) => {
      const [x, y] = this.board.xy[point];
      const fill = colour("viridis", 0.25 + 0.75 * share);
      const label = { x, "text-anchor": "middle", fill: ink(fill), class: "candidate-text" };
      return s(
        "g",
        { class: best ? "candidate best" : "candidate" },
        s("circle", { cx: x, cy: y, r: 0.46, fill, class: "candidate-disc" }),
        s("text", { ...label, y: below ? y + 0.02 : y + 0.1, "font-size": 0.32, "font-weight": 700 }, top),
        below ? s("text", { ...label, y: y + 0.28, "font-size": 0.2 }, below) : null,
      );
    });
    this.layers.candidates.replaceChildren(...parts);
  }

  // A line of moves as numbered ghost stones: [{points, player}].
  setLine(line) {
    const parts = [];
    const seen = new Set();
    line.forEach(({ points, player }, at) => {
      for (const point of points) parts.push(this.stone(point, player, { opacity: 0.8 }));
      const first = points[0];
      if (first === undefined || seen.has(first)) return;
      seen.add(first);
      const [x, y] = this.board.xy[first];
      parts.push(
        s("text", { x, y: y + 0.14, class: "line-number", fill: ink(this.board.colours[player]) }, String(at + 1)),
      );
    });
    this.layers.candidates.setAttribute("opacity", line.length ? "0.12" : "1");
    this.layers.preview.replaceChildren(...parts);
  }

  // Points that a move would occupy; `good` says whether it is legal.
  setPreview(points, player, good, dots = []) {
    const parts = dots.map((point) =>
      s("circle", { cx: this.board.xy[point][0], cy: this.board.xy[point][1], r: 0.1, class: "legal-dot" }),
    );
    parts.push(
      ...points.map((point) =>
        this.stone(point, player, { opacity: good ? 0.7 : 0.3, class: good ? "preview good" : "preview bad" }),
      ),
    );
    if (!good && points.length) parts.push(...points.map((point) => this.cross(point)));
    this.layers.preview.replaceChildren(...parts);
  }

  // The point under a place of the window, for dragging; null outside.
  pointAt(x, y) {
    const target = document.elementFromPoint(x, y);
    const at = this.hits.indexOf(target);
    return at >= 0 ? at : null;
  }
}

export function legend(palette, low, high, text) {
  const id = `legend-${palette}-${boards++}`;
  const steps = Array.from({ length: 11 }, (_, k) =>
    s("stop", { offset: k / 10, "stop-color": colour(palette, k / 10) }),
  );
  return h(
    "div",
    { class: "legend" },
    h("span", {}, text),
    h("span", { class: "number" }, low),
    s(
      "svg",
      { viewBox: "0 0 120 12", width: 120, height: 12, role: "img", "aria-label": `Scale from ${low} to ${high}` },
      s("defs", {}, s("linearGradient", { id }, steps)),
      s("rect", { width: 120, height: 12, rx: 3, fill: `url(#${id})` }),
    ),
    h("span", { class: "number" }, high),
  );
}
