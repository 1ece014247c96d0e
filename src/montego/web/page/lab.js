// The laboratory: matches and tournaments as they are played, and reports of reproduced experiments.

import { $, h, percent, say } from "./dom.js";
import { curve, ratings, table as makeTable } from "./charts.js";
import { SpecForm } from "./spec.js";
import { GameTree } from "./tree.js";

export class Lab {
  // `openGame(tree, view)` puts a game on the table.
  constructor(net, registry, openGame) {
    Object.assign(this, { net, registry, openGame, contests: new Map(), shown: null, players: [], watching: false });
    net.addEventListener("contest", (event) => this.update(event.detail));
    net.addEventListener("open", () => {
      this.contests.clear();
      if (this.watching) net.ask("contest_watch").catch(() => {});
    });
    this.build();
  }

  open() {
    if (!this.watching) {
      this.watching = true;
      this.net.ask("contest_watch").catch((problem) => say(problem.message, "error"));
    }
    this.listReports();
  }

  // ---------------------------------------------------------------------------------------------------------- forms

  build() {
    const { kinds, folder } = this.registry;
    this.game = new SpecForm(kinds, "game", "go(size=9)", null, { first: ["size", "komi", "swap", "board"], label: "Game" });
    const number = (id, value, min, max) => h("input", { id, type: "number", value, min, max });
    $("#lab").replaceChildren(
      h("div", { class: "column" },
        h("section", { class: "card" },
          h("h2", {}, "New match or tournament"),
          this.game.element,
          h("h3", {}, "Players"),
          h("div", { id: "lab-players" }),
          h("div", { class: "buttons" }, h("button", { type: "button", id: "add-player", onclick: () => this.addPlayer("uct(playouts=200)") }, "Add a player")),
          h("div", { class: "field" }, h("label", { for: "lab-games" }, "Games per pairing"), number("lab-games", 20, 2, 10000)),
          h("div", { class: "field" }, h("label", { for: "lab-openings" }, "Random moves"), number("lab-openings", 2, 0, 20), h("p", { class: "about" }, "at the start of each pair of games, the same for both")),
          h("div", { class: "field" }, h("label", { for: "lab-schedule" }, "Schedule"), h("select", { id: "lab-schedule" }, [["round_robin", "everybody against everybody"], ["gauntlet", "the first against the others"], ["ladder", "each against the next"]].map(([value, name]) => h("option", { value }, name)))),
          h("label", { class: "check" }, h("input", { type: "checkbox", id: "lab-sprt", onchange: (event) => ($("#sprt-bounds").hidden = !event.target.checked) }), "stop when a sequential test decides (two players)"),
          h("div", { class: "row", id: "sprt-bounds", hidden: true }, h("label", { for: "elo0" }, "H0: Elo", number("elo0", 0, -2000, 2000)), h("label", { for: "elo1" }, "H1: Elo", number("elo1", 100, -2000, 2000))),
          folder ? h("div", { class: "field" }, h("label", { for: "lab-ledger" }, "Ledger"), h("input", { id: "lab-ledger", type: "text", placeholder: "name.ledger (keeps every game)" })) : h("p", { class: "hint" }, "The games are not kept when the server ends; montego serve --folder DIR keeps them."),
          h("div", { class: "buttons end" }, h("button", { type: "button", class: "primary", id: "start-contest", onclick: () => this.start() }, "Start")),
        ),
        h("section", { class: "card" }, h("h2", {}, "Contests"), h("ul", { class: "list", id: "contests" }, h("li", { class: "hint" }, "None yet."))),
        h("section", { class: "card" }, h("h2", {}, "Reproductions of papers"), h("div", { id: "reports" })),
      ),
      h("div", { class: "column", id: "contest-place" }, h("section", { class: "card" }, h("p", { class: "hint" }, "Start a match, or choose one from the list, to watch it here."))),
    );
    this.addPlayer("uct(playouts=200, rave=silver)");
    this.addPlayer("uct(playouts=200)");
  }

  addPlayer(spec) {
    const form = new SpecForm(this.registry.kinds, "player", spec, null, { first: ["playouts", "seconds", "rave"], label: `Player ${this.players.length + 1}` });
    const entry = { form };
    entry.element = h("div", { class: "part" }, form.element, h("button", { type: "button", class: "link", onclick: () => this.removePlayer(entry) }, "Remove"));
    this.players.push(entry);
    $("#lab-players").append(entry.element);
  }

  removePlayer(entry) {
    if (this.players.length <= 2) return say("A contest needs at least two players.");
    this.players = this.players.filter((one) => one !== entry);
    entry.element.remove();
  }

  async start() {
    const body = {
      game: this.game.text,
      players: this.players.map(({ form }) => form.text),
      games: Number($("#lab-games").value),
      opening_moves: Number($("#lab-openings").value),
      schedule: $("#lab-schedule").value,
    };
    if ($("#lab-sprt").checked && this.players.length === 2) body.sprt = { elo0: Number($("#elo0").value), elo1: Number($("#elo1").value) };
    const ledger = $("#lab-ledger")?.value.trim();
    if (ledger) body.ledger = ledger.endsWith(".ledger") ? ledger : `${ledger}.ledger`;
    try {
      this.shown = (await this.net.ask("contest_start", body)).contest;
      this.draw();
    } catch (problem) {
      say(problem.message, "error");
    }
  }

  // -------------------------------------------------------------------------------------------------------- watching

  update(contest) {
    const before = this.contests.get(contest.contest);
    this.contests.set(contest.contest, { ...before, ...contest });
    this.shown ??= contest.contest;
    this.draw();
  }

  draw() {
    const entries = [...this.contests.values()].sort((a, b) => b.contest - a.contest);
    $("#contests").replaceChildren(...(entries.length ? entries.map((one) => h("li", {}, h("button", { type: "button", "aria-pressed": String(one.contest === this.shown), onclick: () => this.choose(one.contest) }, `${one.title} `, h("span", { class: "badge" }, `${one.state}, ${one.finished} of ${one.total}`)))) : [h("li", { class: "hint" }, "None yet.")]));
    const one = this.contests.get(this.shown);
    if (one) this.drawContest(one);
  }

  choose(contest) {
    this.shown = contest;
    this.draw();
  }

  act(type, contest) {
    this.net.ask(type, { contest }).catch((problem) => say(problem.message, "error"));
  }

  drawContest(one) {
    const active = ["starting", "playing", "stopping"].includes(one.state);
    const bar = h("i");
    bar.style.width = `${(100 * one.finished) / one.total}%`;
    const { result } = one;
    const parts = [
      h("section", { class: "card" },
        h("div", { class: "card-head" }, h("h2", { id: "contest-title" }, one.title), h("div", { class: "buttons" },
          active ? h("button", { type: "button", id: "stop-contest", class: "danger", onclick: () => this.act("contest_stop", one.contest) }, "Stop") : "",
          one.state === "stopped" || one.state === "failed" ? h("button", { type: "button", id: "resume-contest", onclick: () => this.act("contest_resume", one.contest) }, one.kept ? "Resume" : "Start again") : "")),
        h("div", { class: "progress", role: "progressbar", "aria-label": "Games played", "aria-valuenow": one.finished, "aria-valuemin": 0, "aria-valuemax": one.total }, bar),
        h("p", { class: "facts", id: "contest-state" }, h("span", {}, h("b", {}, one.state)), h("span", {}, `${one.finished} of ${one.total} games`), one.speed ? h("span", {}, `${one.speed.toLocaleString("en")} games an hour`) : "", one.problem ? h("b", {}, one.problem) : ""),
        one.lines ? h("pre", { class: "contest-lines", tabindex: 0, "aria-label": "Result" }, one.lines.join("\n")) : ""),
    ];
    if (result) parts.push(...this.evaluation(one, result));
    if (one.games?.length) parts.push(h("section", { class: "card" }, h("h2", {}, "Games"), this.games(one)));
    const place = $("#contest-place");
    const scrolled = [...place.querySelectorAll(".scroll")].map((element) => element.scrollTop);
    place.replaceChildren(...parts);
    place.querySelectorAll(".scroll").forEach((element, k) => (element.scrollTop = scrolled[k] ?? 0));
  }

  evaluation(one, result) {
    const parts = [];
    const charts = [];
    if (one.score_curve?.length)
      charts.push(h("div", {}, h("h3", {}, `Score of ${result.names[result.pairings[0].players[0]]}`), curve(one.score_curve, { label: "Score with 95 % interval", low: 0, high: 1, rules: [[0, "0"], [0.5, "50"], [1, "100"]], unit: (value) => percent(value, 0), xLabel: "games; the band is the 95 % interval" })));
    if (result.test)
      charts.push(h("div", {}, h("h3", {}, `Sequential test: H0 ${result.test.elo0} Elo, H1 ${result.test.elo1} Elo${result.test.verdict ? `: ${result.test.verdict} accepted` : ""}`), curve(one.llr_curve ?? [], { label: "Log-likelihood ratio", low: result.test.lower, high: result.test.upper, rules: [[result.test.lower, "H0"], [0, "0"], [result.test.upper, "H1"]], unit: (value) => value.toFixed(2), xLabel: "pairs of games" })));
    const rated = result.ratings?.ratings.filter((entry) => entry.games && entry.elo !== null);
    if (rated?.length) charts.push(h("div", {}, h("h3", {}, "Ratings"), ratings(rated.map(({ player, elo, interval: [low, high] }) => ({ name: player, elo, low, high })))));
    if (charts.length) parts.push(h("section", { class: "card" }, h("div", { class: charts.length > 1 ? "pair" : "" }, charts)));
    parts.push(h("section", { class: "card" }, h("h2", {}, "Cross table"), this.crosstable(result)));
    return parts;
  }

  crosstable(result) {
    const cells = new Map();
    for (const pairing of result.pairings) {
      const [first, second] = pairing.players;
      const points = Math.round(2 * pairing.games * (pairing.rate ?? 0)) / 2;
      cells.set(`${first} ${second}`, [points, pairing.games]);
      cells.set(`${second} ${first}`, [pairing.games - points, pairing.games]);
    }
    const rows = result.names.map((name, row) => {
      const [got, games] = result.names.reduce(([sum, many], _, column) => { const cell = cells.get(`${row} ${column}`); return cell ? [sum + cell[0], many + cell[1]] : [sum, many]; }, [0, 0]);
      return h("tr", {}, h("td", {}, name), result.names.map((_, column) => { const cell = cells.get(`${row} ${column}`); return h("td", {}, cell ? `${cell[0]} / ${cell[1]}` : row === column ? "·" : ""); }), h("td", {}, games ? percent(got / games, 0) : "–"));
    });
    return makeTable(["Player", ...result.names.map((_, k) => String(k + 1)), "Score"], rows, { "aria-label": "Cross table", id: "crosstable" });
  }

  games(one) {
    const names = one.result.names;
    const rows = one.games.map((game) => h("tr", { class: "clickable", onclick: () => this.view(one, game.number) }, h("td", {}, h("button", { type: "button", class: "link" }, `${game.number + 1}`)), h("td", {}, names[game.players[0]]), h("td", {}, names[game.players[1]]), h("td", {}, String(game.moves)), h("td", {}, game.result), h("td", {}, game.reason)));
    return makeTable(["Game", "First", "Second", "Moves", "Result", "End"], rows, { "aria-label": "Games", id: "contest-games" });
  }

  async view(one, number) {
    try {
      const game = await this.net.ask("contest_game", { contest: one.contest, number });
      const tree = new GameTree(game.game);
      let at = 0;
      for (const move of game.moves) at = tree.add(at, move).id;
      tree.names = game.players;
      tree.recorded = "";
      tree.go(at);
      this.openGame(tree, "analyse");
    } catch (problem) {
      say(problem.message, "error");
    }
  }

  // ---------------------------------------------------------------------------------------------------------- reports

  async listReports() {
    try {
      const { reports, folder } = await this.net.ask("files");
      const known = this.registry.experiments;
      $("#reports").replaceChildren(
        reports.length ? h("ul", { class: "list" }, reports.map((name) => h("li", {}, h("button", { type: "button", onclick: () => this.report(name) }, name.replace(/\.json$/, ""))))) : h("p", { class: "hint" }, folder ? "No reports in the folder yet." : "Reports in the folder of montego serve --folder DIR appear here."),
        h("details", {}, h("summary", {}, `${known.length} experiments`), h("p", { class: "hint" }, "montego reproduce NAME --out DIR writes a report."), h("dl", { class: "experiments" }, known.map((one) => [h("dt", {}, h("b", {}, one.name)), h("dd", { class: "hint" }, `${one.summary} ${one.paper}`)]))),
      );
    } catch (problem) {
      say(problem.message, "error");
    }
  }

  async report(name) {
    try {
      const { report } = await this.net.ask("report", { file: name });
      const shown = (value) => (value === null || value === undefined ? "" : Number(value).toPrecision(4));
      const kind = { agrees: "badge good", differs: "badge bad" };
      const rows = (report.rows ?? []).map((row) => h("tr", {}, h("td", {}, row.label), h("td", {}, row.quantity), h("td", {}, shown(row.ours)), h("td", {}, shown(row.paper)), h("td", {}, shown(row.difference_in_standard_errors)), h("td", {}, h("span", { class: kind[row.verdict] ?? "badge" }, row.verdict)), h("td", {}, row.note)));
      this.shown = null;
      $("#contest-place").replaceChildren(
        h("section", { class: "card" }, h("h2", {}, report.experiment), h("p", { class: "hint" }, report.paper), makeTable(["", "Quantity", "Ours", "Paper", "Std. errors", "Verdict", "Note"], rows, { "aria-label": report.experiment, id: "report-table" }), (report.notes ?? []).map((note) => h("p", {}, note))),
        ...(report.figures ?? []).map((figure) => h("section", { class: "card" }, h("h2", {}, figure), h("img", { src: `/figure/${encodeURIComponent(figure)}`, alt: figure, class: "figure" }))),
        ...(report.listings ?? []).map((listing) => h("section", { class: "card" }, h("h2", {}, listing.title), makeTable(listing.headings, listing.rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, String(cell))))), { "aria-label": listing.title }))),
      );
    } catch (problem) {
      say(problem.message, "error");
    }
  }
}
