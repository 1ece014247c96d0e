"""Golden trees: whole searches stored with their configuration, so that no change of the search goes unnoticed.

``golden.txt`` has one line per node with more than one visit, indented by depth. ``make golden`` writes it anew; look
at the difference before you commit it.
"""

from pathlib import Path

import montego as mg
from montego.rng import stream

FILE = Path(__file__).with_name("golden.txt")

# Game, moves before the search (or how many random ones), player.
CONFIGURATIONS = [
    ("tictactoe", [], "uct(playouts=300)"),
    ("tictactoe", ["b2", "a1"], "uct(playouts=200, rave=silver, reward=quality)"),
    ("hex(size=4)", ["b2"], "uct(playouts=250, rave=silver, c=0, first_play=1)"),
    ("hex(size=4)", [], "uct(playouts=250, prune=soft(rd=1, sigma=0.5, visits=5, every=20), choice=boltzmann(k=8))"),
    ("y(size=4)", [], "uct(playouts=250, expand=transition, bandit=tuned)"),
    ("go(size=4, komi=3.5)", ["B2", "C3"], "uct(playouts=200, rave=weights, widen=progressive(visits=5))"),
    ("go(size=4, komi=3.5)", ["B2"], "uct(playouts=200, expand=visits(5, least=1), reward=sigmoid(k=0.5))"),
    ("blokus_duo", 22, "uct(playouts=120, rave=linear(n=100), c=0.2, expand=all_ends)"),
]


def start(game, moves):
    """Return the position that a configuration begins with."""
    position = game.start()
    if isinstance(moves, int):
        chance = mg.player("random", game, seed=3)
        for _ in range(moves):
            position.play(chance.choose(position))
    else:
        for move in moves:
            position.play(move)
    return position


def grow(game_spec, moves, player_spec):
    """Search a position and return its tree as lines: what was found, then each node below the node before it."""
    game = mg.game(game_spec)
    search = mg.PLAYERS.build(player_spec).search(game)
    analysis = search.run(start(game, moves), stream(7))
    lines = [f"{analysis.move}: {analysis.playouts} playouts, {analysis.nodes} nodes"]

    def add_children(number, depth):
        nodes = search.trees[0].nodes
        for place, child in enumerate(search.children(number)):
            if child["visits"] > 1:
                counts = " ".join(f"{name} {int(child[name])}" for name in ("visits", "amaf_visits", "status"))
                lines.append(f"{'  ' * depth}{game.move_name(int(child['move']))} {counts}")
                add_children(int(nodes[number].first_child) + place, depth + 1)

    add_children(0, 1)
    return lines


def label(game_spec, moves, player_spec):
    """Return the name under which a tree is stored."""
    before = f"{moves} random moves" if isinstance(moves, int) else " ".join(moves) or "no moves"
    return f"{game_spec} after {before}: {player_spec}"


def stored():
    """Return the lines of every stored tree by its name."""
    trees = FILE.read_text(encoding="utf-8").split("# ")[1:]
    return {name: lines for name, *lines in (tree.splitlines() for tree in trees)}


def write(trees):
    """Store trees, given as lines by name."""
    FILE.write_text("".join("\n".join([f"# {name}", *lines, ""]) for name, lines in trees.items()), encoding="utf-8")


if __name__ == "__main__":
    write({label(*configuration): grow(*configuration) for configuration in CONFIGURATIONS})
    print(f"{len(CONFIGURATIONS)} trees written to {FILE.name}")
