// The laboratory: matches, tournaments and experiments as they run, and reports of reproduced experiments.

import { $, h, say } from "./dom.js";
import { drawContest } from "./contest.js";
import { drawExperiment, listReports } from "./reports.js";
import { SpecForm } from "./spec.js";
import { GameTree } from "./tree.js";

// A card that can be folded, so that what stands below a long one is near.
const folding = (title, id) =>
  h("details", { class: "card", open: true }, h("summary", {}, h("h2", {}, title)), h("div", { id }));

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
    listReports(this);
  }

  // ---------------------------------------------------------------------------------------------------------- forms

  build() {
    const { kinds, folder } = this.registry;
    this.game = new SpecForm(kinds, "game", "go(size=9)", null, {
      first: ["size", "komi", "swap", "board"],
      label: "Game",
    });
    const number = (id, value, min, max) => h("input", { id, type: "number", value, min, max });
    $("#lab").replaceChildren(
      h(
        "div",
        { class: "column" },
        h(
          "section",
          { class: "card" },
          h("h2", {}, "Contests and experiments"),
          h("ul", { class: "list", id: "contests" }, h("li", { class: "hint" }, "None yet.")),
        ),
        h(
          "details",
          { class: "card", open: true },
          h("summary", {}, h("h2", {}, "New match or tournament")),
          this.game.element,
          h("h3", {}, "Players"),
          h("div", { id: "lab-players" }),
          h(
            "div",
            { class: "buttons" },
            h(
              "button",
              { type: "button", id: "add-player", onclick: () => this.addPlayer("uct(playouts=200)") },
              "Add a player",
            ),
          ),
          h(
            "div",
            { class: "field" },
            h("label", { for: "lab-games" }, "Games per pairing"),
            number("lab-games", 20, 2, 10000),
          ),
          h(
            "div",
            { class: "field" },
            h("label", { for: "lab-openings" }, "Random moves"),
            number("lab-openings", 2, 0, 20),
            h("p", { class: "about" }, "at the start of each pair of games, the same for both"),
          ),
          h(
            "div",
            { class: "field" },
            h("label", { for: "lab-resign" }, "Resign below"),
            number("lab-resign", 0, 0, 50),
            h("p", { class: "about" }, "% expected wins at the last three moves; 0: games are played to the end"),
          ),
          h(
            "div",
            { class: "field" },
            h("label", { for: "lab-max-moves" }, "Most moves"),
            number("lab-max-moves", 0, 0, 1000000000),
            h("p", { class: "about" }, "longer games are scored as they stand; 0: the limit of the game"),
          ),
          h(
            "div",
            { class: "field" },
            h("label", { for: "lab-schedule" }, "Schedule"),
            h(
              "select",
              { id: "lab-schedule" },
              [
                ["round_robin", "everybody against everybody"],
                ["gauntlet", "the first against the others"],
                ["ladder", "each against the next"],
              ].map(([value, name]) => h("option", { value }, name)),
            ),
          ),
          h(
            "label",
            { class: "check" },
            h("input", {
              type: "checkbox",
              id: "lab-sprt",
              onchange: (event) => ($("#sprt-bounds").hidden = !event.target.checked),
            }),
            "stop when a sequential test decides (two players)",
          ),
          h(
            "div",
            { class: "row", id: "sprt-bounds", hidden: true },
            h("label", { for: "elo0" }, "H0: Elo", number("elo0", 0, -2000, 2000)),
            h("label", { for: "elo1" }, "H1: Elo", number("elo1", 100, -2000, 2000)),
          ),
          folder
            ? h(
                "div",
                { class: "field" },
                h("label", { for: "lab-ledger" }, "Ledger"),
                h("input", { id: "lab-ledger", type: "text", placeholder: "name.ledger (keeps every game)" }),
              )
            : h(
                "p",
                { class: "hint" },
                "The games are not kept when the server ends; montego serve --folder DIR keeps them.",
              ),
          h(
            "div",
            { class: "buttons end" },
            h(
              "button",
              { type: "button", class: "primary", id: "start-contest", onclick: () => this.start() },
              "Start",
            ),
          ),
        ),
        folding("Reproductions of papers", "reports"),
        folding("Trained weights", "trainings"),
      ),
      h(
        "div",
        { class: "column", id: "contest-place" },
        h(
          "section",
          { class: "card" },
          h("p", { class: "hint" }, "Start a match or an experiment, or choose one from the list, to watch it here."),
        ),
      ),
    );
    this.addPlayer("uct(playouts=200, rave=silver)");
    this.addPlayer("uct(playouts=200)");
  }

  addPlayer(spec) {
    const form = new SpecForm(this.registry.kinds, "player", spec, null, {
      first: ["playouts", "seconds", "rave"],
      label: `Player ${this.players.length + 1}`,
    });
    const entry = { form };
    entry.element = h(
      "div",
      { class: "part" },
      form.element,
      h("button", { type: "button", class: "link", onclick: () => this.removePlayer(entry) }, "Remove"),
    );
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
      resign: Number($("#lab-resign").value),
      max_moves: Number($("#lab-max-moves").value),
      schedule: $("#lab-schedule").value,
    };
    if ($("#lab-sprt").checked && this.players.length === 2)
      body.sprt = { elo0: Number($("#elo0").value), elo1: Number($("#elo1").value) };
    const ledger = $("#lab-ledger")?.value.trim();
    if (ledger) body.ledger = ledger.endsWith(".ledger") ? ledger : `${ledger}.ledger`;
    try {
      this.shown = (await this.net.ask("contest_start", body)).contest;
      this.draw();
    } catch (problem) {
      say(problem.message, "error");
    }
  }

  async reproduce(name) {
    try {
      this.shown = (await this.net.ask("reproduce", { name })).contest;
      this.draw();
    } catch (problem) {
      say(problem.message, "error");
    }
  }

  // -------------------------------------------------------------------------------------------------------- watching

  update(contest) {
    const before = this.contests.get(contest.contest);
    const hasEnded = contest.state === "finished" && before?.state !== "finished";
    if (contest.kind === "experiment" && hasEnded) listReports(this);
    this.contests.set(contest.contest, { ...before, ...contest });
    this.shown ??= contest.contest;
    this.draw();
  }

  draw() {
    const entries = [...this.contests.values()].sort((a, b) => b.contest - a.contest);
    $("#contests").replaceChildren(
      ...(entries.length
        ? entries.map((one) =>
            h(
              "li",
              {},
              h(
                "button",
                {
                  type: "button",
                  "aria-pressed": String(one.contest === this.shown),
                  onclick: () => this.choose(one.contest),
                },
                `${one.title} `,
                h("span", { class: "badge" }, one.total ? `${one.state}, ${one.finished} of ${one.total}` : one.state),
              ),
            ),
          )
        : [h("li", { class: "hint" }, "None yet.")]),
    );
    const one = this.contests.get(this.shown);
    if (one) (one.kind === "experiment" ? drawExperiment : drawContest)(this, one);
  }

  choose(contest) {
    this.shown = contest;
    this.draw();
  }

  act(type, contest) {
    this.net.ask(type, { contest }).catch((problem) => say(problem.message, "error"));
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

  // The right-hand side, for something that is not a contest.
  place() {
    this.shown = 0;
    this.draw();
    return $("#contest-place");
  }
}
