// The game on the page: a tree of moves with one node being looked at. The server is asked about positions by
// {game, setup, moves}; it keeps nothing.

export class GameTree {
  constructor(game, setup = null) {
    this.game = game;
    this.nodes = [{ id: 0, parent: -1, children: [], move: null, setup, comment: "", number: 0 }];
    this.current = 0;
    this.end = null; // {node, result}: a resignation or a lost clock
    this.names = ["", ""];
  }

  get node() {
    return this.nodes[this.current];
  }

  // Add a move after a node, or find it there.
  add(parent, move, comment = "", setup = null) {
    const found = this.nodes[parent].children.find((id) => this.nodes[id].move === move && !setup);
    if (found !== undefined && move !== null) return this.nodes[found];
    const number = this.nodes[parent].number + (move === null ? 0 : 1);
    const node = { id: this.nodes.length, parent, children: [], move, setup, comment, number };
    this.nodes.push(node);
    this.nodes[parent].children.push(node.id);
    return node;
  }

  path(id = this.current) {
    const found = [];
    for (let node = this.nodes[id]; node; node = this.nodes[node.parent]) found.unshift(node);
    return found;
  }

  // The whole line through the current node: to the root, and on along the first children.
  line() {
    const found = this.path();
    for (let node = this.node; node.children.length;) {
      node = this.nodes[node.favourite ?? node.children[0]];
      found.push(node);
    }
    return found;
  }

  message(id = this.current) {
    let moves = [];
    let setup = null;
    for (const node of this.path(id)) {
      if (node.setup || node.fresh) [moves, setup] = [[], node.setup];
      if (node.move !== null) moves.push(node.move);
    }
    return { game: this.game, moves, ...(setup ? { setup } : {}) };
  }

  go(id) {
    this.current = id;
    for (let node = this.nodes[id]; node.parent >= 0; node = this.nodes[node.parent])
      this.nodes[node.parent].favourite = node.id;
  }

  remove(id) {
    const node = this.nodes[id];
    if (node.parent < 0) return;
    const parent = this.nodes[node.parent];
    parent.children = parent.children.filter((child) => child !== id);
    if (parent.favourite === id) delete parent.favourite;
    if (this.path().includes(node)) this.current = parent.id;
  }

  // Nodes in an order in which parents come first, as the server writes SGF.
  forSgf() {
    const order = [0];
    const numbers = new Map([[0, 0]]);
    const found = [{ setup: this.nodes[0].setup, comment: this.nodes[0].comment }];
    const waiting = [...this.nodes[0].children].reverse();
    while (waiting.length) {
      const node = this.nodes[waiting.pop()];
      if (node.move === null) continue; // stones set up later are not written
      numbers.set(node.id, order.length);
      order.push(node.id);
      found.push({ parent: numbers.get(node.parent), move: node.move, comment: node.comment });
      waiting.push(...[...node.children].reverse());
    }
    return found;
  }

  static fromRecord(record) {
    const tree = new GameTree(record.game, record.nodes[0].setup);
    const last = []; // number in the record -> id of its last node here
    tree.nodes[0].comment = record.nodes[0].comment;
    record.nodes.forEach((entry, number) => {
      let at = number === 0 ? 0 : last[entry.parent];
      if (entry.fresh) {
        const node = tree.add(at, null, entry.comment, entry.setup);
        node.fresh = true;
        at = node.id;
      }
      for (const move of entry.moves) at = tree.add(at, move, entry.comment).id;
      last[number] = at;
    });
    tree.names = record.players;
    tree.recorded = record.result;
    return tree;
  }

  // As plain data, for the browser's storage and for addresses.
  save() {
    const nodes = this.nodes.map(({ parent, move, setup, comment, fresh }) => [
      parent,
      move,
      setup,
      comment,
      fresh ? 1 : 0,
    ]);
    return { game: this.game, nodes, current: this.current, end: this.end, names: this.names };
  }

  static restore(saved) {
    const tree = new GameTree(saved.game, saved.nodes[0][2]);
    tree.nodes[0].comment = saved.nodes[0][3];
    saved.nodes.slice(1).forEach(([parent, move, setup, comment, fresh]) => {
      const node = tree.add(parent, move, comment, setup);
      if (fresh) node.fresh = true;
    });
    if (tree.nodes.length === saved.nodes.length) tree.go(saved.current);
    tree.end = saved.end;
    tree.names = saved.names;
    return tree;
  }
}

export function toAddress(tree, view) {
  const { game, moves, setup } = tree.message();
  const fields = new URLSearchParams({ game, moves: moves.join(".") });
  if (setup) fields.set("setup", JSON.stringify(setup));
  return `${location.origin}/#${view}?${fields}`;
}

export function fromAddress(hash) {
  const [view, query] = hash.replace(/^#/, "").split("?");
  if (!query) return { view: view || null, tree: null };
  const fields = new URLSearchParams(query);
  if (!fields.get("game")) return { view, tree: null };
  let setup = null;
  try {
    setup = JSON.parse(fields.get("setup") || "null");
  } catch {
    setup = null;
  }
  const tree = new GameTree(fields.get("game"), setup);
  let at = 0;
  for (const move of (fields.get("moves") || "").split(".").filter(Boolean)) at = tree.add(at, move).id;
  tree.go(at);
  return { view, tree };
}
