// What searches found, as tables and curves: the moves considered, the win rate over the game, the mistakes.

import { $, count, h, percent } from "./dom.js";
import { table as makeTable, winRateGraph } from "./charts.js";
import { AMAF, LOWER, MOVE, PRIOR, PROVEN, UPPER, VALUE, VISITS } from "./heat.js";

const SHOWN = 20; // rows of a table of moves
const MISTAKE = 0.05;

// The table of one search (a or b).
export function considered(analyse, slot) {
  const found = analyse.found[slot];
  const head = analyse.compare
    ? h(
        "div",
        { class: "check" },
        h("input", {
          type: "radio",
          name: "board-shows",
          id: `shows-${slot}`,
          checked: analyse.board === slot,
          onchange: () => analyse.set({ board: slot }),
        }),
        h("label", { for: `shows-${slot}` }, analyse.specs[slot]),
      )
    : "";
  if (!found)
    return h(
      "div",
      {},
      head,
      h(
        "p",
        { class: "hint" },
        analyse.running[slot]
          ? "Searching … a game that is played for the first time is compiled first."
          : "No search yet.",
      ),
    );
  const rows = found.moves.filter((row) => row[VISITS] > 0 || found.moves.length < 5).slice(0, SHOWN);
  const most = Math.max(1, ...rows.map((row) => row[VISITS]));
  const prior = rows.some((row) => row[PRIOR] !== null);
  const body = rows.map((row) => {
    const half = row[UPPER] !== null && row[LOWER] !== null ? ` ±${(50 * (row[UPPER] - row[LOWER])).toFixed(1)}` : "";
    const meter = h("i");
    meter.style.width = `${(100 * row[VISITS]) / most}%`;
    const short = row[MOVE].length > 12 ? `${row[MOVE].slice(0, 11)}…` : row[MOVE];
    return h(
      "tr",
      {
        class: row[MOVE] === found.move ? "clickable best" : "clickable",
        onmouseenter: () => analyse.follow(slot, row[MOVE]),
        onmouseleave: () => analyse.follow(slot, null),
      },
      h(
        "td",
        {},
        h(
          "button",
          {
            type: "button",
            class: "link",
            title: `Play ${row[MOVE]}`,
            onclick: () => analyse.table.play(row[MOVE]),
            onfocus: () => analyse.follow(slot, row[MOVE]),
            onblur: () => analyse.follow(slot, null),
          },
          short,
        ),
      ),
      h("td", {}, count(row[VISITS]), h("span", { class: "meter", "aria-hidden": "true" }, meter)),
      h(
        "td",
        {},
        row[PROVEN] === "win" || row[PROVEN] === "loss" || row[PROVEN] === "draw"
          ? `proven ${row[PROVEN]}`
          : percent(row[VALUE]),
        h("small", {}, half),
      ),
      analyse.compare ? null : h("td", {}, percent(row[AMAF])),
      prior && !analyse.compare ? h("td", {}, percent(row[PRIOR], 2)) : null,
    );
  });
  const header = ["Move", "Visits", "Win rate", ...(analyse.compare ? [] : ["AMAF", ...(prior ? ["Prior"] : [])])];
  return h(
    "div",
    { "data-slot": slot },
    head,
    h(
      "p",
      { class: "facts" },
      h("span", { class: "playouts" }, `${count(found.playouts)} playouts`),
      h("span", {}, `${count(found.speed)}/s`),
      h("span", {}, `${count(found.nodes)} nodes, ${found.megabytes} MB`),
      h("span", {}, `depth ${found.mean_depth} (${found.greatest_depth})`),
      found.settled ? h("b", {}, found.settled) : "",
    ),
    makeTable(header, body, { "aria-label": "Moves considered" }),
    h("p", { class: "hint" }, "Expected: ", found.line.slice(0, 12).join(" ")),
  );
}

export function drawGraph(analyse) {
  const { table } = analyse;
  const line = table.tree.line();
  const at = line.indexOf(table.tree.node);
  const known = line.some((node) => node.value !== undefined && node.value !== null);
  $("#graph").replaceChildren(
    known
      ? winRateGraph(line, at, table.board.players, (k) => table.go(line[k].id))
      : h("p", { class: "hint" }, "Review the game for a win rate after every move, or analyse positions."),
    known
      ? h("p", { class: "hint" }, `Win rate of ${table.board.players[0]} in %, by number of moves. Click to go there.`)
      : "",
  );
  const mistakes = line
    .filter((node) => node.loss > MISTAKE)
    .sort((a, b) => b.loss - a.loss)
    .slice(0, 8);
  $("#mistakes").replaceChildren(
    ...(mistakes.length
      ? [
          makeTable(
            ["Move", "Played", "Better", "Loss"],
            mistakes.map((node) => {
              const before = table.tree.nodes[node.parent];
              const short = (move) => (move?.length > 12 ? `${move.slice(0, 11)}…` : (move ?? ""));
              return h(
                "tr",
                { class: "clickable", onclick: () => analyse.visit(before) },
                h("td", {}, h("button", { type: "button", class: "link" }, `${node.number}`)),
                h("td", {}, short(node.move)),
                h("td", {}, short(before.best)),
                h("td", {}, percent(node.loss, 0)),
              );
            }),
            { "aria-label": "Mistakes" },
          ),
        ]
      : []),
  );
}
