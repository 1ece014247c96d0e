// The search tree, node by node: who visits what.

import { $, count, h, percent } from "./dom.js";
import { MOVE, PROVEN, VALUE, VISITS } from "./heat.js";

export async function browse(analyse) {
  const place = $("#tree");
  place.replaceChildren(await branch(analyse, analyse.board, []));
}

async function branch(analyse, slot, line) {
  try {
    const { moves, more } = await analyse.table.net.ask("explore", { slot, game: analyse.table.tree.game, line });
    const tried = moves.filter((row) => row[VISITS] > 0);
    const total = tried.reduce((sum, row) => sum + row[VISITS], 0) || 1;
    if (!tried.length) return h("p", { class: "hint node" }, "The tree ends here.");
    return h(
      "div",
      { class: "node" },
      tried.slice(0, 12).map((row) => leaf(analyse, slot, line, row, total)),
      tried.length > 12 || more ? h("p", { class: "hint" }, `… and ${tried.length - 12 + more} more moves`) : "",
    );
  } catch (problem) {
    return h("p", { class: "hint node" }, problem.message);
  }
}

function leaf(analyse, slot, line, row, total) {
  const here = [...line, row[MOVE]];
  const below = h("div", {});
  const toggle = h(
    "button",
    {
      type: "button",
      "aria-expanded": "false",
      "aria-label": `Moves after ${row[MOVE]}`,
      onclick: async () => {
        const open = toggle.getAttribute("aria-expanded") === "true";
        toggle.setAttribute("aria-expanded", String(!open));
        toggle.textContent = open ? "▸" : "▾";
        below.replaceChildren(open ? "" : await branch(analyse, slot, here));
        analyse.set({ line: open ? [] : here });
      },
    },
    "▸",
  );
  return h(
    "div",
    {},
    h(
      "div",
      { class: "node-row" },
      toggle,
      h("b", {}, row[MOVE]),
      h("span", {}, `${count(row[VISITS])} (${percent(row[VISITS] / total, 0)})`),
      h("span", {}, percent(row[VALUE])),
      row[PROVEN] ? h("span", { class: "badge" }, row[PROVEN]) : "",
    ),
    below,
  );
}
