// Trained weights as tables and pictures of patterns, and trainings as they go on.

import { h, s, say } from "./dom.js";
import { curve, table as makeTable } from "./charts.js";

const POLL = 2000; // milliseconds between two looks at a training

// A 3×3 pattern from its rows of symbols: * to play, X own, O enemy (small: in atari), # off the board.
function picture(rows) {
  const svg = s(
    "svg",
    { viewBox: "-0.5 -0.5 3 3", role: "img", "aria-label": rows.replace(/\s+/g, " ") },
    s("rect", { x: -0.5, y: -0.5, width: 3, height: 3, fill: "#dcb067" }),
  );
  rows.split("\n").forEach((row, y) =>
    row.split(" ").forEach((symbol, x) => {
      if (symbol === "#")
        return svg.append(s("rect", { x: x - 0.5, y: y - 0.5, width: 1, height: 1, fill: "#7d7466" }));
      svg.append(s("path", { d: `M${x - 0.5},${y}h1M${x},${y - 0.5}v1`, stroke: "#4b3a1d", "stroke-width": 0.04 }));
      if (symbol === "*") svg.append(s("rect", { x: x - 0.2, y: y - 0.2, width: 0.4, height: 0.4, fill: "#b3005e" }));
      if ("XxOo".includes(symbol)) {
        svg.append(
          s("circle", {
            cx: x,
            cy: y,
            r: 0.44,
            fill: "Xx".includes(symbol) ? "#1c1c1c" : "#fbfaf5",
            stroke: "#555",
            "stroke-width": 0.04,
          }),
        );
        if ("xo".includes(symbol)) svg.append(s("circle", { cx: x, cy: y, r: 0.16, fill: "#c62828" }));
      }
    }),
  );
  return svg;
}

function group({ name, size, features }) {
  const drawn = features.filter(([, , rows]) => rows);
  const title = h("h2", {}, `${name} (${size})`);
  if (drawn.length)
    return h(
      "section",
      { class: "card" },
      title,
      h(
        "p",
        { class: "hint" },
        "The strongest and the weakest, with their γ. The square is the point to play; a red dot is a stone in atari.",
      ),
      h(
        "div",
        { class: "patterns" },
        drawn.map(([, gamma, rows]) => h("div", { class: "pattern" }, picture(rows), String(gamma))),
      ),
    );
  return h(
    "section",
    { class: "card" },
    title,
    makeTable(
      ["Feature", "γ"],
      features.map(([number, gamma]) => h("tr", {}, h("td", {}, String(number)), h("td", {}, String(gamma)))),
      { "aria-label": name },
    ),
  );
}

const flat = (value) =>
  typeof value === "object" && value !== null
    ? Object.entries(value)
        .map(([key, one]) => (Array.isArray(value) ? one : `${key} ${one}`))
        .join(", ")
    : String(value);

export async function showWeights(net, name, place) {
  try {
    const found = await net.ask("trained", { file: name });
    const single = found.groups.filter((one) => one.size === 1);
    place.replaceChildren(
      h("h2", { id: "weights-title" }, `${found.name}: ${found.kind} weights for ${found.game}`),
      ...found.groups.filter((one) => one.size > 1).map(group),
      single.length
        ? h(
            "section",
            { class: "card" },
            h("h2", {}, "γ of single features"),
            makeTable(
              ["Feature", "γ"],
              single.map((one) => h("tr", {}, h("td", {}, one.name), h("td", {}, String(one.features[0][1])))),
              { "aria-label": "Single features", id: "gamma-table" },
            ),
          )
        : "",
      h(
        "section",
        { class: "card" },
        h("h2", {}, "How they were found"),
        makeTable(
          ["", ""],
          Object.entries(found.about).map(([key, value]) =>
            h("tr", {}, h("td", {}, key.replaceAll("_", " ")), h("td", {}, flat(value))),
          ),
          { "aria-label": "How they were found" },
        ),
      ),
    );
  } catch (problem) {
    say(problem.message, "error");
  }
}

// Look at a training again and again, for as long as it is on the page.
export async function watchTraining(net, name, place) {
  const card = h("section", { class: "card" }, h("h2", {}, name), h("p", { class: "hint" }, "Reading …"));
  place.replaceChildren(card);
  while (card.isConnected) {
    try {
      const { curves } = await net.ask("training", { file: name });
      const charts = Object.entries(curves)
        .filter(([key, values]) => values.length && key !== "iterations" && key !== "playouts")
        .map(([key, values]) => {
          const label =
            key === "objectives" ? "mean log-likelihood" : `mean squared error, ${key.replaceAll("_", " ")}`;
          const [low, high] = [Math.min(...values), Math.max(...values)];
          return h(
            "div",
            {},
            h("h3", {}, label),
            curve(
              values.map((value, k) => [k + 1, value]),
              {
                label,
                low,
                high,
                rules: [
                  [low, low.toPrecision(4)],
                  [high, high.toPrecision(4)],
                ],
                unit: (value) => value.toPrecision(4),
                xLabel: "steps",
              },
            ),
          );
        });
      card.replaceChildren(
        h("h2", { id: "training-title" }, name),
        h("div", { class: charts.length > 1 ? "pair" : "" }, charts),
      );
    } catch (problem) {
      card.replaceChildren(h("h2", {}, name), h("p", { class: "hint" }, problem.message));
    }
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
}
