// Experiments of papers as they run, their reports, and trained weights, as the folder and the package have them.

import { $, h, say } from "./dom.js";
import { head, isActive } from "./contest.js";
import { table as makeTable } from "./charts.js";
import { showWeights, watchTraining } from "./training.js";

export async function listReports(lab) {
  try {
    const { reports, folder, shipped, weights, trainings } = await lab.net.ask("files");
    const item = (name, open) => h("li", {}, h("button", { type: "button", onclick: open }, name));
    $("#trainings").replaceChildren(
      h(
        "ul",
        { class: "list" },
        [...shipped, ...weights].map((name) => item(name, () => showWeights(lab.net, name, lab.place()))),
        trainings.map((name) =>
          item(`${name.replace(/\.npz\.state$/, "")} (under way)`, () => watchTraining(lab.net, name, lab.place())),
        ),
      ),
      h("p", { class: "hint" }, "montego train writes weights; one that runs in the folder is watched here."),
    );
    $("#reports").replaceChildren(
      starting(lab),
      reports.length
        ? h(
            "ul",
            { class: "list" },
            reports.map((name) =>
              h(
                "li",
                {},
                h("button", { type: "button", onclick: () => report(lab, name) }, name.replace(/\.json$/, "")),
              ),
            ),
          )
        : h(
            "p",
            { class: "hint" },
            folder
              ? "No reports in the folder yet."
              : "montego serve --folder DIR keeps reports with their figures, and shows those that are there.",
          ),
    );
  } catch (problem) {
    say(problem.message, "error");
  }
}

// A choice of experiments, what the chosen one is about, and a button that starts a quick run.
function starting(lab) {
  const known = lab.registry.experiments;
  const papers = [...new Set(known.map((one) => one.paper))];
  const about = h("p", { class: "hint", id: "experiment-about" });
  const describe = (name) => {
    const one = known.find((entry) => entry.name === name);
    about.textContent = `${one.summary} ${one.paper}.`;
  };
  const chosen = $("#experiment")?.value ?? known[0].name;
  const choice = h(
    "select",
    { id: "experiment", onchange: (event) => describe(event.target.value) },
    papers.map((paper) =>
      h(
        "optgroup",
        { label: paper },
        known
          .filter((one) => one.paper === paper)
          .map((one) => h("option", { value: one.name, selected: one.name === chosen }, one.name)),
      ),
    ),
  );
  describe(chosen);
  return h(
    "div",
    {},
    h("div", { class: "field" }, h("label", { for: "experiment" }, "Experiment"), choice),
    about,
    h(
      "div",
      { class: "buttons end" },
      h(
        "button",
        { type: "button", id: "start-experiment", onclick: () => lab.reproduce(choice.value) },
        "Run quickly",
      ),
    ),
  );
}

// An experiment while it runs, and its report when it has ended.
export function drawExperiment(lab, one) {
  const active = isActive(one);
  const bar = h("i");
  bar.style.width = `${one.state === "finished" ? 100 : one.total ? (100 * one.finished) / one.total : 0}%`;
  const state = { playing: "running" }[one.state] ?? one.state;
  $("#contest-place").replaceChildren(
    h(
      "section",
      { class: "card" },
      head(lab, one),
      h("p", { class: "hint" }, `${one.summary} ${one.paper}.`),
      h(
        "div",
        {
          class: active && !one.total ? "progress unknown" : "progress",
          role: "progressbar",
          "aria-label": "Games of this part",
          "aria-valuenow": active && !one.total ? null : one.finished,
          "aria-valuemin": 0,
          "aria-valuemax": one.total || 1,
        },
        bar,
      ),
      h(
        "p",
        { class: "facts", id: "contest-state" },
        h("span", {}, h("b", {}, state)),
        one.seconds ? h("span", {}, `${one.seconds} s`) : "",
        active && one.part ? h("span", {}, `${one.part}: ${one.finished} of ${one.total} games`) : "",
        one.problem ? h("b", {}, one.problem) : "",
      ),
    ),
    ...(one.report ? sections(one.report, one.figures) : []),
  );
}

async function report(lab, name) {
  try {
    const { report } = await lab.net.ask("report", { file: name });
    lab.place().replaceChildren(...sections(report, true));
  } catch (problem) {
    say(problem.message, "error");
  }
}

function sections(report, figures) {
  const shown = (value) => {
    if (value === null || value === undefined) return "";
    return Number.isInteger(value) ? value.toLocaleString("en") : Number(value).toPrecision(4);
  };
  const kind = { agrees: "badge good", differs: "badge bad" };
  const rows = (report.rows ?? []).map((row) =>
    h(
      "tr",
      {},
      h("td", {}, row.label),
      h("td", {}, row.quantity),
      h("td", {}, shown(row.ours)),
      h("td", {}, shown(row.paper)),
      h("td", {}, shown(row.difference_in_standard_errors)),
      h("td", {}, h("span", { class: kind[row.verdict] ?? "badge" }, row.verdict)),
      h("td", {}, row.note),
    ),
  );
  return [
    h(
      "section",
      { class: "card" },
      h("h2", {}, report.experiment),
      h("p", { class: "hint" }, report.paper),
      makeTable(["", "Quantity", "Ours", "Paper", "Std. errors", "Verdict", "Note"], rows, {
        "aria-label": report.experiment,
        id: "report-table",
      }),
      (report.notes ?? []).map((note) => h("p", {}, note)),
      report.command ? h("p", { class: "hint" }, h("code", {}, report.command)) : "",
    ),
    ...(figures ? (report.figures ?? []) : []).map((figure) =>
      h(
        "section",
        { class: "card" },
        h("h2", {}, figure),
        h("img", { src: `/figure/${encodeURIComponent(figure)}`, alt: figure, class: "figure" }),
      ),
    ),
    ...(report.listings ?? []).map((listing) =>
      h(
        "section",
        { class: "card" },
        h("h2", {}, listing.title),
        makeTable(
          listing.headings,
          listing.rows.map((row) =>
            h(
              "tr",
              {},
              row.map((cell) => h("td", {}, String(cell))),
            ),
          ),
          { "aria-label": listing.title },
        ),
      ),
    ),
  ];
}
