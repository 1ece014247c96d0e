// The dialog for a new game: which game, who plays, with which clock.

import { $, h } from "./dom.js";
import { SpecForm, levels } from "./spec.js";

export const HUMAN = { kind: "human", spec: "" };

export function askForGame(play) {
  const { kinds } = play.table;
  const dialog = $("#new-game-dialog");
  const game = new SpecForm(kinds, "game", play.table.tree.game, null, {
    first: ["size", "komi", "swap", "board", "starts", "handicap"],
    label: "Game",
  });
  const players = play.seats.map((seat, side) => chair(play, seat, side));
  const clock = clockForm(play.clock.control);
  $("#new-game-body").replaceChildren(
    h("section", {}, h("h3", {}, "Game"), game.element),
    h("section", {}, h("h3", {}, "Players"), ...players.map((one) => one.element), clock.element),
  );
  dialog.returnValue = "";
  dialog.onclose = () =>
    dialog.returnValue === "start" &&
    play.begin(
      game.text,
      players.map((one) => one.value()),
      clock.value(),
    );
  dialog.showModal();
}

// Who sits on a side: a person, a level, or a player with all its settings.
function chair(play, seat, side) {
  const id = `chair${side}`;
  const known = levels(play.table.board);
  const form = new SpecForm(play.table.kinds, "player", seat.spec || known[1][1], null, {
    first: ["playouts", "seconds", "rave"],
    label: "Player",
  });
  const details = h("div", { class: "own-player" }, form.element);
  const options = [["human", "A person"], ...known.map(([name, spec]) => [spec, name]), ["own", "Other settings …"]];
  const now = seat.kind === "human" ? "human" : known.some(([, spec]) => spec === seat.spec) ? seat.spec : "own";
  const select = h(
    "select",
    { id, onchange: () => (details.hidden = select.value !== "own") },
    options.map(([value, name]) => h("option", { value, selected: value === now }, name)),
  );
  details.hidden = now !== "own";
  return {
    element: h(
      "div",
      { class: "chair" },
      h("div", { class: "field" }, h("label", { for: id }, side === 0 ? "First" : "Second"), select),
      details,
    ),
    value: () =>
      select.value === "human" ? HUMAN : { kind: "engine", spec: select.value === "own" ? form.text : select.value },
  };
}

function clockForm(now) {
  const kinds = [
    ["none", "No clock"],
    ["absolute", "Absolute"],
    ["byoyomi", "Byo-yomi"],
    ["canadian", "Canadian"],
  ];
  const input = (id, value) => h("input", { id, type: "number", min: 0, value });
  const main = input("clock-main", now.main / 60 || 10);
  const period = input("clock-period", now.period || 30);
  const many = input("clock-count", now.count || 5);
  const more = h(
    "div",
    { class: "row" },
    h("label", { for: "clock-main" }, "minutes", main),
    h("label", { for: "clock-period" }, "seconds a period", period),
    h("label", { for: "clock-count" }, "periods or stones", many),
  );
  const kind = h(
    "select",
    { id: "clock-kind", onchange: () => (more.hidden = kind.value === "none") },
    kinds.map(([value, name]) => h("option", { value, selected: value === now.kind }, name)),
  );
  more.hidden = now.kind === "none";
  return {
    element: h("div", {}, h("div", { class: "field" }, h("label", { for: "clock-kind" }, "Clock"), kind), more),
    value: () => ({
      kind: kind.value,
      main: 60 * Number(main.value),
      period: Number(period.value),
      count: Math.max(1, Math.round(Number(many.value))),
    }),
  };
}
