"""The style and the script of the page of an analysis."""

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-width: 64rem; padding: 0 1rem; }
svg { max-width: 100%; height: auto; border-radius: 4px; }
svg.graph { cursor: pointer; }
.viewer { display: flex; flex-wrap: wrap; gap: 1.5rem; margin: 1rem 0; }
.board { flex: 0 1 30rem; } .board svg { width: 100%; }
.side { flex: 1 1 16rem; }
.remark { white-space: pre-line; }
.controls { display: flex; gap: .5rem; align-items: center; } .controls input { flex: 1; }
button { font: inherit; padding: .2rem .8rem; }
.mistakes { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); gap: 1.5rem; }
figure { margin: 0; } figure svg { width: 100%; }
table { border-collapse: collapse; } th, td { text-align: left; padding: .1rem 1rem .1rem 0; }
tr.mistake td { color: #b8432f; font-weight: 600; }
@media (prefers-color-scheme: dark) { tr.mistake td { color: #ff9a85; } }
"""

SCRIPT = """
for (const game of document.querySelectorAll(".game")) {
  const data = JSON.parse(game.querySelector(".data").textContent);
  const find = (name) => game.querySelector(name);
  const slider = find("input"), stones = find(".board .stones"), graph = find("svg.graph");
  const inner = data.graph.width - data.graph.left - data.graph.right, last = Math.max(2, data.last);
  let cursor = null;
  if (graph) {
    cursor = document.createElementNS("http://www.w3.org/2000/svg", "line");
    for (const [name, value] of [["y1", 40], ["y2", 274], ["stroke", "#b8432f"], ["stroke-width", 1.5]])
      cursor.setAttribute(name, value);
    graph.append(cursor);
  }
  const show = (at) => {
    at = Math.min(Math.max(at, 0), data.positions.length - 1);
    slider.value = at;
    stones.innerHTML = data.positions[at].map((number) => data.elements[number]).join("");
    find(".at").textContent = at ? data.moves[at - 1] : "start";
    find(".remark").textContent = data.remarks[at] || "";
    if (cursor) {
      const x = data.graph.left + at / (last - 1) * inner;
      cursor.setAttribute("x1", x);
      cursor.setAttribute("x2", x);
    }
  };
  slider.addEventListener("input", () => show(Number(slider.value)));
  find(".back").addEventListener("click", () => show(Number(slider.value) - 1));
  find(".on").addEventListener("click", () => show(Number(slider.value) + 1));
  if (graph) graph.addEventListener("click", (event) => {
    const box = graph.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * data.graph.width - data.graph.left;
    show(Math.round(x / inner * (last - 1)));
  });
  for (const link of game.querySelectorAll("[data-move]")) link.addEventListener("click", (event) => {
    event.preventDefault();
    show(Number(link.dataset.move));
    find(".viewer").scrollIntoView({ behavior: "smooth" });
  });
  show(0);
}
"""
