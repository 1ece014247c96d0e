// One contest: how far it is, the score as it develops, the test, the ratings, the games.

import { $, h, percent } from "./dom.js";
import { curve, ratings, table as makeTable } from "./charts.js";

export const isActive = (one) => ["starting", "playing", "stopping"].includes(one.state);

// The title of a contest or experiment, with the buttons that stop it and go on with it.
export function head(lab, one) {
  const button = (id, action, words, look) =>
    h("button", { type: "button", id, class: look, onclick: () => lab.act(action, one.contest) }, words);
  return h(
    "div",
    { class: "card-head" },
    h("h2", { id: "contest-title" }, one.title),
    h(
      "div",
      { class: "buttons" },
      isActive(one) && button("stop-contest", "contest_stop", "Stop", "danger"),
      (one.state === "stopped" || one.state === "failed") &&
        button("resume-contest", "contest_resume", one.kept ? "Resume" : "Start again"),
    ),
  );
}

export function drawContest(lab, one) {
  const bar = h("i");
  bar.style.width = `${(100 * one.finished) / one.total}%`;
  const { result } = one;
  const parts = [
    h(
      "section",
      { class: "card" },
      head(lab, one),
      h(
        "div",
        {
          class: "progress",
          role: "progressbar",
          "aria-label": "Games played",
          "aria-valuenow": one.finished,
          "aria-valuemin": 0,
          "aria-valuemax": one.total,
        },
        bar,
      ),
      h(
        "p",
        { class: "facts", id: "contest-state" },
        h("span", {}, h("b", {}, one.state)),
        h("span", {}, `${one.finished} of ${one.total} games`),
        one.speed ? h("span", {}, `${one.speed.toLocaleString("en")} games an hour`) : "",
        one.problem ? h("b", {}, one.problem) : "",
      ),
      one.lines ? h("pre", { class: "contest-lines", tabindex: 0, "aria-label": "Result" }, one.lines.join("\n")) : "",
    ),
  ];
  if (result) parts.push(...evaluation(one, result));
  if (one.games?.length) parts.push(h("section", { class: "card" }, h("h2", {}, "Games"), games(lab, one)));
  const place = $("#contest-place");
  const scrolled = [...place.querySelectorAll(".scroll")].map((element) => element.scrollTop);
  place.replaceChildren(...parts);
  place.querySelectorAll(".scroll").forEach((element, k) => (element.scrollTop = scrolled[k] ?? 0));
}

function evaluation(one, result) {
  const parts = [];
  const charts = [];
  if (one.score_curve?.length)
    charts.push(
      h(
        "div",
        {},
        h("h3", {}, `Score of ${result.names[result.pairings[0].players[0]]}`),
        curve(one.score_curve, {
          label: "Score with 95 % interval",
          low: 0,
          high: 1,
          rules: [
            [0, "0"],
            [0.5, "50"],
            [1, "100"],
          ],
          unit: (value) => percent(value, 0),
          xLabel: "games; the band is the 95 % interval",
        }),
      ),
    );
  if (result.test) {
    const { elo0, elo1, lower, upper, verdict } = result.test;
    const title = `Sequential test: H0 ${elo0} Elo, H1 ${elo1} Elo${verdict ? `: ${verdict} accepted` : ""}`;
    charts.push(
      h(
        "div",
        {},
        h("h3", {}, title),
        curve(one.llr_curve ?? [], {
          label: "Log-likelihood ratio",
          low: lower,
          high: upper,
          rules: [
            [lower, "H0"],
            [0, "0"],
            [upper, "H1"],
          ],
          unit: (value) => value.toFixed(2),
          xLabel: "pairs of games",
        }),
      ),
    );
  }
  const rated = result.ratings?.ratings.filter((entry) => entry.games && entry.elo !== null);
  if (rated?.length)
    charts.push(
      h(
        "div",
        {},
        h("h3", {}, "Ratings"),
        ratings(rated.map(({ player, elo, interval: [low, high] }) => ({ name: player, elo, low, high }))),
      ),
    );
  if (charts.length)
    parts.push(h("section", { class: "card" }, h("div", { class: charts.length > 1 ? "pair" : "" }, charts)));
  parts.push(h("section", { class: "card" }, h("h2", {}, "Cross table"), crosstable(result)));
  return parts;
}

function crosstable(result) {
  const cells = new Map();
  for (const pairing of result.pairings) {
    const [first, second] = pairing.players;
    const points = Math.round(2 * pairing.games * (pairing.rate ?? 0)) / 2;
    cells.set(`${first} ${second}`, [points, pairing.games]);
    cells.set(`${second} ${first}`, [pairing.games - points, pairing.games]);
  }
  const rows = result.names.map((name, row) => {
    const [got, games] = result.names.reduce(
      ([sum, many], _, column) => {
        const cell = cells.get(`${row} ${column}`);
        return cell ? [sum + cell[0], many + cell[1]] : [sum, many];
      },
      [0, 0],
    );
    return h(
      "tr",
      {},
      h("td", {}, name),
      result.names.map((_, column) => {
        const cell = cells.get(`${row} ${column}`);
        return h("td", {}, cell ? `${cell[0]} / ${cell[1]}` : row === column ? "·" : "");
      }),
      h("td", {}, games ? percent(got / games, 0) : "–"),
    );
  });
  return makeTable(["Player", ...result.names.map((_, k) => String(k + 1)), "Score"], rows, {
    "aria-label": "Cross table",
    id: "crosstable",
  });
}

function games(lab, one) {
  const names = one.result.names;
  const rows = one.games.map((game) =>
    h(
      "tr",
      { class: "clickable", onclick: () => lab.view(one, game.number) },
      h("td", {}, h("button", { type: "button", class: "link" }, `${game.number + 1}`)),
      h("td", {}, names[game.players[0]]),
      h("td", {}, names[game.players[1]]),
      h("td", {}, String(game.moves)),
      h("td", {}, game.result),
      h("td", {}, game.reason),
    ),
  );
  return makeTable(["Game", "First", "Second", "Moves", "Result", "End"], rows, {
    "aria-label": "Games",
    id: "contest-games",
  });
}
