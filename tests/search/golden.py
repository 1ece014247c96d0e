"""Golden trees: whole searches stored with their configuration, so that no change of the search goes unnoticed.

``make golden`` writes ``golden.json`` anew; look at the difference before you commit it.
"""

import json
from pathlib import Path

import montego as mg
from montego.rng import stream

FILE = Path(__file__).with_name("golden.json")

CONFIGURATIONS = [
    ("tictactoe", [], "uct(playouts=300)"),
    ("tictactoe", ["b2", "a1"], "uct(playouts=200, rave=silver, reward=quality)"),
    ("hex(size=4)", ["b2"], "uct(playouts=250, rave=silver, c=0, first_play=1)"),
    ("hex(size=4)", [], "uct(playouts=250, prune=soft(rd=1, sigma=0.5, visits=5, every=20), choice=boltzmann(k=8))"),
    ("y(size=4)", [], "uct(playouts=250, expand=transition, bandit=tuned)"),
    ("go(size=4, komi=3.5)", ["B2", "C3"], "uct(playouts=200, rave=weights, widen=progressive(visits=5))"),
    ("go(size=4, komi=3.5)", ["B2"], "uct(playouts=200, expand=visits(5, least=1), reward=sigmoid(k=0.5))"),
    ("blokus_duo", [], "uct(playouts=40, rave=linear(n=100), c=0.2, expand=all_ends)"),
]


def grow(game_spec, moves, player_spec):
    """Search a position and return its tree as plain data: per node move, visits, AMAF visits, status, children."""
    game = mg.game(game_spec)
    position = game.start()
    for move in moves:
        position.play(move)
    search = mg.PLAYERS.build(player_spec).search(game)
    analysis = search.run(position, stream(7))

    def branch(number):
        return [
            [
                game.move_name(int(child["move"])),
                *(int(child[name]) for name in ("visits", "amaf_visits", "status")),
                branch(int(search.trees[0].nodes[number].first_child) + place),
            ]
            for place, child in enumerate(search.children(number))
            if child["visits"] > 1
        ]

    return {"move": analysis.move, "nodes": analysis.nodes, "playouts": analysis.playouts, "tree": branch(0)}


def label(game_spec, moves, player_spec):
    """Return the name under which a tree is stored."""
    return f"{game_spec} after {' '.join(moves) or 'no moves'}: {player_spec}"


if __name__ == "__main__":
    trees = {label(*configuration): grow(*configuration) for configuration in CONFIGURATIONS}
    lines = [f"{json.dumps(name)}: {json.dumps(tree, separators=(',', ':'))}" for name, tree in trees.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(trees)} trees written to {FILE.name}")
