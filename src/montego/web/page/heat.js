// Heat maps of an analysis: which number each point gets, and how it is drawn.

import { count, percent } from "./dom.js";

// Columns of a move in an analysis, as the server sends them.
export const [MOVE, VISITS, VALUE, AMAF_VISITS, AMAF, LOWER, UPPER, PRIOR, PROVEN, POINTS] = Array(10).keys();

export const HEATS = [
  ["none", "none"],
  ["visits", "visits (log scale)"],
  ["value", "value (win rate)"],
  ["amaf", "AMAF value"],
  ["prior", "prior"],
  ["ownership", "ownership"],
  ["criticality", "criticality"],
  ["policy", "playout policy, as it has learned"],
  ["replies", "replies learned (LGR, Win/Loss States)"],
];
export const NEEDS_MAPS = ["criticality", "policy", "replies"];

const shown = {
  visits: count,
  value: percent,
  amaf: percent,
  prior: (value) => percent(value, 2),
  ownership: (value) => value.toFixed(2),
  criticality: (value) => value.toFixed(3),
  policy: (value) => percent(value, 2),
  replies: (value) => percent(value, 0),
};

// By point: {value, visits}. Several moves may cover a point (Blokus): visits and shares add up, and the best value
// counts.
function byPoint(analysis, maps, what) {
  const found = new Map();
  const column = { visits: VISITS, value: VALUE, amaf: AMAF, prior: PRIOR }[what];
  if (column !== undefined) {
    const adds = what === "visits" || what === "prior";
    for (const row of analysis?.moves ?? []) {
      if (row[column] === null || (what === "value" && !row[VISITS]) || (what === "amaf" && !row[AMAF_VISITS]))
        continue;
      for (const point of row[POINTS]) {
        const before = found.get(point) ?? { value: adds ? 0 : -Infinity, visits: 0 };
        found.set(point, {
          value: adds ? before.value + row[column] : Math.max(before.value, row[column]),
          visits: before.visits + row[VISITS],
        });
      }
    }
    return found;
  }
  if (what === "replies") {
    for (const [points, value] of maps?.replies ?? [])
      for (const point of points) found.set(point, { value, visits: 0 });
    return found;
  }
  const list =
    what === "ownership" ? (analysis?.ownership?.length ? analysis.ownership : maps?.ownership) : maps?.[what];
  (list ?? []).forEach((value, point) => found.set(point, { value, visits: 0 }));
  return found;
}

// What to draw: {heat: Map for BoardView.setHeat, palette, low, high} or null where nothing is known.
export function heatMap(analysis, maps, what, palette) {
  if (what === "none") return null;
  const found = byPoint(analysis, maps, what);
  if (!found.size) return null;
  const values = [...found.values()].map((one) => one.value);
  const diverging = what === "ownership";
  const most = Math.max(...[...found.values()].map((one) => one.visits), 1);
  let [low, high] = [Math.min(...values), Math.max(...values)];
  if (diverging) [low, high] = [-1, 1];
  else if (what === "replies") [low, high] = [0, 1];
  else if (what === "visits" || what === "policy" || what === "prior") low = Math.min(0, low);
  const heat = new Map();
  for (const [point, { value, visits }] of found) {
    let share = high > low ? (value - low) / (high - low) : 1;
    if (what === "visits") share = Math.log1p(value) / Math.log1p(high); // or one move would hide all others
    let opacity =
      what === "value" || what === "amaf" ? 0.15 + 0.75 * Math.sqrt(visits / most) : 0.25 + 0.65 * Math.sqrt(share);
    if (diverging) opacity = 0.15 + 0.75 * Math.abs(value);
    if (["visits", "policy", "prior"].includes(what) && value <= 0) continue;
    if (what === "replies") opacity = 0.3 + 0.6 * value;
    heat.set(point, { share, opacity, title: shown[what](value) });
  }
  return { heat, palette: diverging ? "diverging" : palette, low: shown[what](low), high: shown[what](high) };
}

// The moves worth a label on the board: those with a fair share of the visits.
export function candidates(analysis, most = 12) {
  const rows = (analysis?.moves ?? []).filter(
    (row) => row[VISITS] > 0 && row[POINTS].length === 1 && row[VALUE] !== null,
  );
  const top = Math.max(...rows.map((row) => row[VISITS]), 1);
  return rows
    .filter((row) => row[MOVE] === analysis.move || (row[VISITS] >= 0.004 * top && row[VISITS] >= 10))
    .slice(0, most)
    .map((row) => ({
      point: row[POINTS][0],
      top: row[PROVEN] === "win" ? "win" : row[PROVEN] === "loss" ? "loss" : (100 * row[VALUE]).toFixed(0),
      below: count(row[VISITS]),
      share: row[VISITS] / top,
      best: row[MOVE] === analysis.move,
    }));
}
