// Specs such as uct(playouts=1000, rave=silver): read, written, and edited by forms made from the registries.

import { h } from "./dom.js";

// ------------------------------------------------------------------------------------------------------ the language

export function parse(text) {
  const tokens =
    text.match(/"(?:[^"\\]|\\.)*"|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])|[A-Za-z_][\w.-]*|[(),=]/g) || [];
  let at = 0;
  const spec = () => {
    const found = { name: tokens[at++], given: [], by: {} };
    if (tokens[at] !== "(") return found;
    at++;
    while (at < tokens.length && tokens[at] !== ")") {
      if (tokens[at] === ",") at++;
      else if (tokens[at + 1] === "=") {
        const key = tokens[at];
        at += 2;
        found.by[key] = value();
      } else found.given.push(value());
    }
    at++;
    return found;
  };
  // A value stays text: the forms need no more, and the server checks it.
  const value = () => {
    const from = at;
    if (tokens[at] === "(" || tokens[at + 1] === "(") {
      let depth = 0;
      do {
        if (tokens[at] === "(") depth++;
        if (tokens[at] === ")") depth--;
        at++;
      } while (at < tokens.length && (depth > 0 || tokens[at] === "("));
    } else at++;
    return tokens.slice(from, at).join("").replace(/,/g, ", ");
  };
  return spec();
}

// The values of a spec by the names of its parameters; `entry` is the registry's description.
function values(text, entry) {
  const { given, by } = parse(text);
  const found = { ...by };
  given.forEach((one, k) => (found[entry.parameters[k]?.name] = one));
  return found;
}

// --------------------------------------------------------------------------------------------------------- the forms

let forms = 0;

export class SpecForm {
  // `kinds`: the registries by kind; `kind`: which one to choose from; `first`: parameters shown before "more".
  constructor(kinds, kind, text, changed, { first = [], label = kind } = {}) {
    Object.assign(this, { kinds, kind, changed, first, label });
    this.key = `f${forms++}`;
    this.element = h("div", { class: "spec-form" });
    this.set(text);
  }

  set(text) {
    const name = parse(text).name;
    this.entry = this.kinds[this.kind].find((one) => one.name === name) || this.kinds[this.kind][0];
    this.values = values(text, this.entry);
    this.draw();
  }

  get text() {
    const shown = this.entry.parameters
      .filter(
        ({ name, default: usual }) =>
          this.values[name] !== undefined && this.values[name] !== "" && this.values[name] !== usual,
      )
      .map(({ name }) => `${name}=${this.values[name]}`);
    return shown.length ? `${this.entry.name}(${shown.join(", ")})` : this.entry.name;
  }

  change(name, value) {
    this.values[name] = value;
    this.changed?.(this.text);
  }

  draw() {
    const id = `${this.key}-name`;
    const choose = h(
      "select",
      { id, onchange: (event) => this.choose(event.target.value) },
      this.kinds[this.kind].map(({ name }) =>
        h("option", { value: name, selected: name === this.entry.name }, name.replaceAll("_", " ")),
      ),
    );
    const shown = this.entry.parameters.filter(({ name, required }) => required || this.first.includes(name));
    const others = this.entry.parameters.filter((one) => !shown.includes(one));
    const changedOthers = others.some(
      ({ name, default: usual }) => this.values[name] !== undefined && this.values[name] !== usual,
    );
    this.element.replaceChildren(
      h("div", { class: "field" }, h("label", { for: id }, this.label), choose),
      h("p", { class: "summary" }, this.entry.summary),
      ...shown.map((one) => this.field(one)),
      others.length
        ? h(
            "details",
            { open: changedOthers && !this.first.length },
            h("summary", {}, shown.length ? "More settings" : "Settings"),
            ...others.map((one) => this.field(one)),
          )
        : "",
    );
  }

  choose(name) {
    this.entry = this.kinds[this.kind].find((one) => one.name === name);
    this.values = {};
    this.draw();
    this.changed?.(this.text);
  }

  field(one) {
    const id = `${this.key}-${one.name}`;
    const value = this.values[one.name] ?? one.default ?? "";
    const about = [one.meaning, one.allowed, one.paper && `Paper: ${one.paper}`].filter(Boolean).join(" · ");
    if (one.kind === "part") {
      const form = new SpecForm(
        this.kinds,
        one.part,
        value || this.kinds[one.part][0].name,
        (text) => this.change(one.name, text),
        { label: one.name.replaceAll("_", " ") },
      );
      return h("div", { class: "part", title: about }, form.element, h("p", { class: "about" }, about));
    }
    let input;
    if (one.kind === "bool" || one.kind === "choice") {
      const options = one.kind === "bool" ? ["true", "false"] : one.choices;
      input = h(
        "select",
        { id, onchange: (event) => this.change(one.name, event.target.value) },
        options.map((name) =>
          h(
            "option",
            { value: name, selected: name === value },
            one.kind === "bool" ? (name === "true" ? "yes" : "no") : name.replaceAll("_", " "),
          ),
        ),
      );
    } else if (one.kind === "int" || one.kind === "float") {
      input = h("input", {
        id,
        type: "number",
        value,
        min: one.low ?? undefined,
        max: one.high ?? undefined,
        step: one.kind === "int" ? 1 : "any",
        placeholder: "automatic",
        onchange: (event) => this.change(one.name, event.target.value),
      });
    } else {
      const quoted = one.kind === "str";
      const shown = quoted ? value.replace(/^"|"$/g, "") : value;
      input = h("input", {
        id,
        type: "text",
        value: shown,
        onchange: (event) => this.change(one.name, quoted ? JSON.stringify(event.target.value) : event.target.value),
      });
    }
    input.setAttribute("aria-describedby", `${id}-about`);
    return h(
      "div",
      { class: "field", title: about },
      h("label", { for: id }, one.name.replaceAll("_", " ")),
      input,
      h("p", { class: "about", id: `${id}-about` }, about),
    );
  }
}

// Players that most people want; the forms offer everything else.
export function levels(board) {
  const rave = board?.alternates === false ? "" : ", rave=silver";
  return [
    ["Beginner", "uct(playouts=60)"],
    ["Casual", `uct(playouts=500${rave})`],
    ["Club", `uct(playouts=4000${rave})`],
    ["Strong", `uct(playouts=20000${rave})`],
    ["Patient (10 s a move)", `uct(playouts=0, seconds=10${rave})`],
    ["Random moves", "random"],
  ];
}
