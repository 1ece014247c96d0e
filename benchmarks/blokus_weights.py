"""Make the weights of Blokus Duo: games, a fit by MM, and the numbers that are set by hand.

    python benchmarks/blokus_weights.py --first --out weights
    python benchmarks/blokus_weights.py --games 0 --out weights --ledger docs/results/blokus-0.1s-tuned.sqlite ...

The first command plays games with weights set by hand, to have some weights at all. They are kept in a text file, one
on each line, so that an interrupted run goes on where it was: the number of random moves at its beginning, the score,
the moves by number. Without ``--first`` the weights in the folder play. The second command learns from the
ledgers of matches, in which searches thought for longer.
"""

from pathlib import Path

import click
import numpy as np

import montego as mg
from montego.games import game, rules
from montego.games.blokus.features import GROUPS, MOST_SQUARES
from montego.games.blokus.pieces import CORNER_BITS, FIRST_ORIENTATION, PIECES, SQUARES_OF
from montego.learning.mm import Training, train
from montego.learning.plain import PlayedGame, plain_decisions, read_played
from montego.rng import below, stream
from montego.weights import Weights, save

DUO = game("blokus_duo")
SEARCH = 'uct(playouts={}, c=0, playout=softmax("{}"), prior=softmax("{}"), bias=puct_log(0.5), initial=relative)'
LEAST_SQUARES = (5, 4, 3, 1)  # of a piece, by stage

_FIRST = [FIRST_ORIENTATION[piece] for piece in range(PIECES)]
PIECE_SIZES = [int(SQUARES_OF[first]) for first in _FIRST]
PIECE_CORNERS = [sum(int(word).bit_count() for word in CORNER_BITS[first]) for first in _FIRST]


def no_opinion():
    """Return weights under which all moves are equal."""
    return {group.name: np.ones(group.size + 1) for group in GROUPS}


def graded(gammas):
    """Return weights that forbid small pieces at the beginning of a game."""
    sizes = gammas["size by stage"].copy()
    for stage, least in enumerate(LEAST_SQUARES):
        sizes[MOST_SQUARES * stage + 1 : MOST_SQUARES * stage + least] = 0.0
    return {**gammas, "size by stage": sizes}


def playout_gammas():
    """Return the weights of playouts, set by hand: local answers first, then large pieces with many corners."""
    gammas = no_opinion()
    gammas["piece"][1:] = [3.0**size * 1.8 ** (corners - 1) for size, corners in zip(PIECE_SIZES, PIECE_CORNERS)]
    gammas["local value"] = 1e6 ** np.minimum(np.arange(6.0), 4.0)
    return graded(gammas)


def first_gammas():
    """Return weights for the tree to begin with, set by hand."""
    gammas = no_opinion()
    gammas["piece"][1:] = [3.0**size * 1.3**corners for size, corners in zip(PIECE_SIZES, PIECE_CORNERS)]
    each = {
        "covers his corner squares": 4.0,
        "covers squares next to his corner squares": 2.5,
        "beside his pieces": 1.3,
        "beside my corner squares": 0.4,
        "beside squares open to me": 0.7,
        "corner with 2 open neighbours": 1.2,
        "corner with 3 open neighbours": 1.6,
        "corner with 4 open neighbours": 2.2,
    }
    for name, gamma in each.items():
        gammas[name] = gamma ** np.arange(len(gammas[name]))
    return graded(gammas)


def write(gammas, path, about):
    """Write weights to a file."""
    names = tuple(group.name for group in GROUPS)
    save(Weights("blokus_duo", "playout", names, tuple(gammas[name] for name in names), about), path)


def play_one(spec, seed):
    """Return a line with a game of a player against itself, after up to three random moves."""
    rng, position = stream(seed), DUO.start()
    given = int(below(rng, 4))
    for _ in range(given):
        position.play(int(rules.random_move(DUO, position.state, rng, DUO.new_moves())))
    player = mg.player(spec, DUO, seed=seed)
    while not position.over:
        position.play(player.choose(position))
    return f"{given} {position.score():g} {' '.join(map(str, position.moves))}\n"


def read_games(path):
    """Return the games of a file."""
    lines = [line.split() for line in path.read_text().splitlines()]
    return [PlayedGame(DUO, np.array(list(map(int, line[2:])), np.int32), int(line[0])) for line in lines]


def first_part(ledger, share):
    """Return the first games of a ledger, in whole pairs."""
    played = list(read_played(ledger, DUO))
    return played[: int(share * len(played)) // 2 * 2]


def fit(played):
    """Return the weights under which the moves of games are most likely, and how they were found."""
    decisions = plain_decisions(played, len(GROUPS))
    found = train(decisions, DUO.feature_columns(), Training(sweeps=60))
    about = {"games": len(played), "positions": decisions.size, "objective": round(found.objectives[-1], 4)}
    return {group.name: gamma for group, gamma in zip(GROUPS, found.gammas, strict=True)}, about


@click.command()
@click.option("--games", default=150, show_default=True, help="Games of self-play.")
@click.option("--playouts", default=1200, show_default=True, help="Playouts a move.")
@click.option("--seed", default=1, show_default=True)
@click.option("--records", default="blokus-games.txt", show_default=True, type=Path, help="Where the games are kept.")
@click.option("--ledger", "ledgers", multiple=True, type=Path, help="Learn from the games of this ledger, too.")
@click.option(
    "--share", default=0.9, show_default=True, help="Of the games of a ledger; the others test what was learnt."
)
@click.option("--first", is_flag=True, help="Play with weights set by hand.")
@click.option("--out", required=True, type=Path, help="Folder for the files of weights.")
def main(games, playouts, seed, records, ledgers, share, first, out):
    """Play games, learn from them, and write the weights for playouts and for the tree."""
    write(playout_gammas(), out / "blokus_duo-playout.npz", {"data": "set by hand"})
    tree = out / "blokus_duo-prior.npz"
    if first or not tree.exists():
        write(first_gammas(), tree, {"data": "set by hand"})
    spec = SEARCH.format(playouts, out / "blokus_duo-playout.npz", tree)
    records.touch()
    done = len(read_games(records))
    with records.open("a") as file:
        for number in range(done, games):
            file.write(play_one(spec, seed * 100_000 + number))
            file.flush()
    learnt = [one for ledger in ledgers for one in first_part(ledger, share)]
    gammas, about = fit(read_games(records) + learnt)
    sources = "".join(f" --ledger {ledger.name}" for ledger in ledgers) + (f" --share {share:g}" if ledgers else "")
    command = f"python benchmarks/blokus_weights.py --games {games} --playouts {playouts} --seed {seed}{sources}"
    write(graded(gammas), tree, {"data": "self-play", "command": command, **about})
    click.echo(f"{tree}: {about}")


if __name__ == "__main__":
    main()
