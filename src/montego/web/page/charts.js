// Pictures of numbers: win rate over a game, scores of playouts, scores and tests of matches, ratings.

import { h, s } from "./dom.js";

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

function frame(width, height, label) {
  return s("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": label });
}

const path = (points) => points.map(([x, y], k) => `${k ? "L" : "M"}${x.toFixed(1)},${y.toFixed(1)}`).join("");

// Player 0's win rate after each move: [{number, value or null, loss}]; `at` is where the game is looked at.
export function winRateGraph(entries, at, players, pick) {
  const [width, height, left, bottom, top] = [560, 150, 34, 18, 8];
  const last = Math.max(1, entries.length - 1);
  const x = (k) => left + (k / last) * (width - left - 8);
  const y = (value) => top + (1 - value) * (height - top - bottom);
  const known = entries
    .map((entry, k) => [k, entry.value])
    .filter(([, value]) => value !== null && value !== undefined);
  const svg = frame(width, height, `Win rate of ${players[0]} over the game`);
  for (const value of [0, 0.25, 0.5, 0.75, 1]) {
    svg.append(
      s("line", { x1: left, x2: width - 8, y1: y(value), y2: y(value), class: value === 0.5 ? "axis" : "rule" }),
    );
    if (value !== 0.25 && value !== 0.75)
      svg.append(s("text", { x: left - 5, y: y(value) + 4, class: "tick end" }, `${100 * value}`));
  }
  if (known.length) {
    const line = known.map(([k, value]) => [x(k), y(value)]);
    const area = [...line, [line.at(-1)[0], y(0)], [line[0][0], y(0)]];
    svg.append(s("path", { d: path(area) + "Z", class: "area" }), s("path", { d: path(line), class: "curve" }));
    if (line.length < 12) svg.append(...line.map(([cx, cy]) => s("circle", { cx, cy, r: 3, class: "spot" })));
  }
  entries.forEach((entry, k) => {
    if (entry.loss > 0.1 && entry.value !== null)
      svg.append(
        s("circle", { cx: x(k), cy: y(entry.value ?? 0.5), r: 3 + 6 * Math.min(1, entry.loss), class: "mistake" }),
      );
  });
  svg.append(s("line", { x1: x(at), x2: x(at), y1: top, y2: height - bottom, class: "cursor" }));
  const step = [1, 2, 5, 10, 20, 50, 100].find((one) => last / one <= 12) ?? 200;
  for (let k = 0; k <= last; k += step) svg.append(s("text", { x: x(k), y: height - 4, class: "tick" }, String(k)));
  const find = (event) => {
    const box = svg.getBoundingClientRect();
    return clamp(
      Math.round((((event.clientX - box.left) / box.width) * width - left) / ((width - left - 8) / last)),
      0,
      last,
    );
  };
  svg.addEventListener("click", (event) => pick(find(event)));
  svg.classList.add("pickable");
  return svg;
}

// Playouts by final score, from player 0's perspective: [[low, count]].
export function histogram(scores, players, colours) {
  const [width, height, bottom] = [560, 110, 20];
  const svg = frame(width, height, "Scores at the end of the playouts");
  if (!scores.length) return svg;
  const sorted = [...scores].sort((a, b) => a[0] - b[0]);
  const gap = Math.min(...sorted.slice(1).map(([low], k) => low - sorted[k][0]), 1e9);
  const wide = Number.isFinite(gap) && gap < 1e9 ? gap : 1;
  const [low, high] = [sorted[0][0], sorted.at(-1)[0] + wide];
  const most = Math.max(...sorted.map(([, many]) => many));
  const x = (value) => 8 + ((value - low) / (high - low)) * (width - 16);
  for (const [from, many] of sorted) {
    const size = (many / most) * (height - bottom - 6);
    svg.append(
      s(
        "rect",
        {
          x: x(from) + 0.5,
          width: Math.max(1, x(from + wide) - x(from) - 1),
          y: height - bottom - size,
          height: size,
          class: "bar",
          fill: from + wide / 2 > 0 ? colours[0] : colours[1],
        },
        s("title", {}, `${from} to ${from + wide}: ${many}`),
      ),
    );
  }
  if (low < 0 && high > 0) svg.append(s("line", { x1: x(0), x2: x(0), y1: 2, y2: height - bottom, class: "cursor" }));
  svg.append(
    s("text", { x: 8, y: height - 5, class: "tick start" }, `${players[1]} +${-low}`),
    s("text", { x: width - 8, y: height - 5, class: "tick end" }, `${players[0]} +${high}`),
  );
  return svg;
}

// A curve with a band: rows [x, value, low, high] or [x, value]; horizontal `rules` with labels.
export function curve(rows, { label, low, high, rules = [], unit = (value) => value, xLabel = "" }) {
  const [width, height, left, bottom, top] = [560, 170, 44, 30, 10];
  const svg = frame(width, height, label);
  const end = Math.max(1, rows.at(-1)?.[0] ?? 1);
  const values = rows.flatMap((row) => row.slice(1));
  const [from, to] = [Math.min(low, ...values), Math.max(high, ...values)];
  const x = (value) => left + (value / end) * (width - left - 10);
  const y = (value) => top + (1 - (value - from) / (to - from || 1)) * (height - top - bottom);
  for (const [value, text] of rules)
    svg.append(
      s("line", { x1: left, x2: width - 10, y1: y(value), y2: y(value), class: "rule strong" }),
      s("text", { x: left - 5, y: y(value) + 4, class: "tick end" }, text),
    );
  if (rows.length && rows[0].length === 4) {
    const band = [...rows.map((row) => [x(row[0]), y(row[3])]), ...rows.map((row) => [x(row[0]), y(row[2])]).reverse()];
    svg.append(s("path", { d: path(band) + "Z", class: "band" }));
  }
  if (rows.length) {
    svg.append(s("path", { d: path(rows.map((row) => [x(row[0]), y(row[1])])), class: "curve" }));
    svg.append(
      s(
        "text",
        { x: width - 10, y: Math.max(12, y(rows.at(-1)[1]) - 6), class: "tick end strong" },
        unit(rows.at(-1)[1]),
      ),
    );
  }
  svg.append(
    s("text", { x: left, y: height - 16, class: "tick start" }, "0"),
    s("text", { x: width - 10, y: height - 16, class: "tick end" }, String(end)),
  );
  svg.append(s("text", { x: (left + width) / 2, y: height - 3, class: "tick" }, xLabel));
  return svg;
}

// Ratings with intervals: [{name, elo, low, high}].
export function ratings(entries) {
  const [width, row, left] = [560, 26, 190];
  const svg = frame(width, row * entries.length + 24, "Elo ratings with 95 % intervals");
  const bound = (value, fallback) => (Number.isFinite(value) ? value : fallback);
  const low = Math.min(-50, ...entries.map((one) => bound(one.low, one.elo - 200)));
  const high = Math.max(50, ...entries.map((one) => bound(one.high, one.elo + 200)));
  const x = (value) => left + ((clamp(value, low, high) - low) / (high - low)) * (width - left - 60);
  svg.append(s("line", { x1: x(0), x2: x(0), y1: 0, y2: row * entries.length + 4, class: "axis" }));
  entries.forEach(({ name, elo, low: from, high: to }, k) => {
    const y = row * k + row / 2 + 2;
    svg.append(
      s("text", { x: left - 10, y: y + 4, class: "tick end" }, name.length > 30 ? `${name.slice(0, 29)}…` : name),
      s("line", { x1: x(bound(from, low)), x2: x(bound(to, high)), y1: y, y2: y, class: "interval" }),
      s("circle", { cx: x(elo), cy: y, r: 4.5, class: "spot" }),
      s(
        "text",
        { x: width - 4, y: y + 4, class: "tick end strong" },
        `${elo >= 0 ? "+" : "−"}${Math.abs(elo).toFixed(0)}`,
      ),
    );
  });
  svg.append(s("text", { x: x(0), y: row * entries.length + 18, class: "tick" }, "0 Elo"));
  return svg;
}

export function table(header, rows, attributes = {}) {
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": attributes["aria-label"] ?? "Table" },
    h(
      "table",
      attributes,
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          header.map((cell) => h("th", { scope: "col" }, cell)),
        ),
      ),
      h("tbody", {}, rows),
    ),
  );
}
