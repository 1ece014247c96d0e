// The page comes together: views, keyboard, theme, and the board with whatever the current view lays over it.

import { $, h, say } from "./dom.js";
import { Analyse } from "./analyse.js";
import { BoardView, legend } from "./board.js";
import { candidates, HEATS, heatMap } from "./heat.js";
import { Lab } from "./lab.js";
import { Moves } from "./moves.js";
import { Connection } from "./net.js";
import { askForGame } from "./newgame.js";
import { Play } from "./play.js";
import { Table } from "./table.js";
import { Tray } from "./tray.js";
import { fromAddress, GameTree } from "./tree.js";

const VIEWS = ["play", "analyse", "lab"];
let current = "play";

// ------------------------------------------------------------------------------------------------------------- theme

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("montego.theme", theme);
  } catch {
    // the choice lasts as long as the page
  }
}
let stored = null;
try {
  stored = localStorage.getItem("montego.theme");
} catch {
  stored = null;
}
setTheme(stored ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
$("#theme").addEventListener("click", () =>
  setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"),
);

// ------------------------------------------------------------------------------------------------------------- start

if (location.search) history.replaceState(null, "", location.pathname + location.hash); // the token is in a cookie now
const registry = await (await fetch("/registry")).json();
const net = new Connection();
const table = new Table(net, registry.kinds);
const view = new BoardView($("#board"), { pick, hover });
const play = new Play(table, view);
const analyse = new Analyse(table, drawBoard, registry.bounds);
const tray = new Tray(
  $("#tray"),
  view,
  (move) => makeMove(move),
  () => current === "analyse" || play.humanToMove,
);
new Moves(table, () => current);
const lab = new Lab(net, registry, openGame);

table.addEventListener("board", () => view.setBoard(table.board));
table.addEventListener("change", drawBoard);

net.addEventListener("open", () => {
  $("#connection").textContent = "";
  if (table.board) table.show();
});
net.addEventListener("lost", (event) => {
  $("#connection").textContent = event.detail || "Connecting …";
  play.halt();
  analyse.stopAll();
});

// -------------------------------------------------------------------------------------------------------------- views

function show(name) {
  current = name;
  document.body.dataset.view = name;
  for (const one of VIEWS) {
    const tab = $(`#tab-${one}`);
    tab.setAttribute("aria-selected", String(one === name));
    tab.tabIndex = one === name ? 0 : -1;
  }
  $("#table").hidden = name === "lab";
  $("#lab").hidden = name !== "lab";
  $("#table").setAttribute("aria-labelledby", `tab-${name === "lab" ? "play" : name}`);
  $("#analyse-side").hidden = name !== "analyse";
  $("#play-card").hidden = name !== "play";
  if (name !== "analyse") analyse.stopAll();
  if (name !== "play") play.halt();
  if (name === "lab") lab.open();
  if (table.board) {
    analyse.draw();
    drawBoard();
  }
}
for (const name of VIEWS) {
  $(`#tab-${name}`).addEventListener("click", () => show(name));
  $(`#tab-${name}`).addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.stopPropagation();
    const next = VIEWS[(VIEWS.indexOf(name) + by + VIEWS.length) % VIEWS.length];
    $(`#tab-${next}`).focus();
    show(next);
  });
}

async function openGame(tree, name) {
  if (await table.open(tree)) show(name);
}

// -------------------------------------------------------------------------------------------------------------- board

function makeMove(move) {
  return current === "play" ? play.made(move) : table.play(move);
}

function pick(point) {
  if (table.board.pieces) {
    const problem = tray.pick(point);
    if (problem) say(problem);
  } else if (current === "play") play.pick(point);
  else {
    const move = table.moveAt(point);
    if (move) table.play(move);
  }
}

function hover(point) {
  if (table.board?.pieces) tray.hover(point);
  else if (current === "analyse") {
    const found = analyse.found[analyse.board];
    const row =
      point === null ? null : found?.moves.find((one) => one[9].length === 1 && one[9][0] === point && one[1] > 0);
    analyse.follow(analyse.board, row ? row[0] : null);
  }
}

// The points of a move by its name: squares of a piece are separated by commas.
function pointsOf(move) {
  const { names } = table.board;
  const found = move.split(",").map((name) => names.indexOf(name));
  return found.includes(-1) ? [] : found;
}

function drawBoard() {
  const { board, position } = table;
  if (!board || !position || $("#table").hidden) return;
  const analysing = current === "analyse";
  const legal = analysing || play.humanToMove ? table.legalPoints() : new Set();
  view.setPosition(position, {
    dead: table.dead ?? [],
    legal,
    showLegal: !analysing && play.humanToMove && board.names.length <= 64,
  });
  view.setTerritory(
    table.scored && !analysing
      ? table.scored.ownership.map((value, point) =>
          position.owners[point] === "." || table.dead.includes(point) ? value : 0,
        )
      : [],
  );
  const found = analysing ? analyse.found[analyse.board] : play.hint;
  const map = analysing ? heatMap(found, analyse.maps, analyse.heat, analyse.palette) : null;
  view.setHeat(map?.heat ?? new Map(), map?.palette ?? "viridis");
  const title = HEATS.find(([key]) => key === analyse.heat)?.[1];
  const ends = analyse.heat === "ownership" ? [board.players[1], board.players[0]] : [map?.low, map?.high];
  $("#legend").replaceChildren(map ? legend(map.palette, ...ends, title) : "");
  view.setCandidates(
    found && (!analysing || (analyse.labels && analyse.heat === "none")) ? candidates(found, analysing ? 12 : 3) : [],
  );
  const line = analysing ? analyse.line.slice(0, 12) : [];
  if (line.length || !tray.chosen)
    view.setLine(line.map((move, k) => ({ points: pointsOf(move), player: (position.to_move + k) % 2 })));
  if (!position.pending) tray.show(position);
  const plain = table.plainMoves();
  const mayMove = analysing || play.humanToMove;
  $("#plain-moves").replaceChildren(
    ...plain.map((move) =>
      h(
        "button",
        { type: "button", "data-move": move, disabled: !mayMove, onclick: () => makeMove(move) },
        move === "pass" ? "Pass" : move.startsWith("swap") ? "Swap" : move,
      ),
    ),
  );
  if (analysing) $("#status").textContent = table.over ? `Game over: ${table.result}` : table.result;
}

// ----------------------------------------------------------------------------------------------------------- keyboard

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.closest("input, select, textarea")) return;
  const onButton = event.target.closest("button, summary, [role=button]");
  const actions = {
    ArrowLeft: () => table.step(-1),
    ArrowRight: () => table.step(1),
    Home: () => table.step(-1e6),
    End: () => table.step(1e6),
    p: () => $('#plain-moves [data-move="pass"]')?.click(),
    u: () => current === "play" && play.undo(),
    h: () => current === "play" && play.giveHint(),
    n: () => current === "play" && askForGame(play),
    " ": () => current === "analyse" && !onButton && analyse.toggle(),
    r: () => tray.turn(),
    f: () => tray.flip(),
    Escape: () => tray.drop(),
    "?": () => $("#help-dialog").showModal(),
    1: () => show("play"),
    2: () => show("analyse"),
    3: () => show("lab"),
  };
  const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action || (event.key === " " && onButton)) return;
  event.preventDefault();
  action();
});
$("#shortcuts").addEventListener("click", () => $("#help-dialog").showModal());

// ------------------------------------------------------------------------------------------------------ the first game

async function first() {
  const named = fromAddress(location.hash);
  const tree = named.tree ?? Table.stored() ?? new GameTree("go(size=9)");
  if (!(await table.open(tree))) await table.open(new GameTree("go(size=9)"));
  show(VIEWS.includes(named.view) ? named.view : "play");
  document.documentElement.dataset.ready = "yes";
}
addEventListener("hashchange", () => {
  const named = fromAddress(location.hash);
  if (named.tree) openGame(named.tree, VIEWS.includes(named.view) ? named.view : current);
});
await first();

// For the console, and for tests that want to look.
globalThis.montego = { table, play, analyse, view, tray, net, lab };
