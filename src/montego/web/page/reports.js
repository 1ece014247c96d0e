// Reports of reproduced experiments and trained weights, as the folder and the package have them.

import { $, h, say } from "./dom.js";
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
    const known = lab.registry.experiments;
    $("#reports").replaceChildren(
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
              : "Reports in the folder of montego serve --folder DIR appear here.",
          ),
      h(
        "details",
        {},
        h("summary", {}, `${known.length} experiments`),
        h("p", { class: "hint" }, "montego reproduce NAME --out DIR writes a report."),
        h(
          "dl",
          { class: "experiments" },
          known.map((one) => [
            h("dt", {}, h("b", {}, one.name)),
            h("dd", { class: "hint" }, `${one.summary} ${one.paper}`),
          ]),
        ),
      ),
    );
  } catch (problem) {
    say(problem.message, "error");
  }
}

async function report(lab, name) {
  try {
    const { report } = await lab.net.ask("report", { file: name });
    const shown = (value) => (value === null || value === undefined ? "" : Number(value).toPrecision(4));
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
    lab.place().replaceChildren(
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
      ),
      ...(report.figures ?? []).map((figure) =>
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
    );
  } catch (problem) {
    say(problem.message, "error");
  }
}
