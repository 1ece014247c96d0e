"""How fast Blokus Duo is, along one game: playouts by policy, and simulations of the strong player's search.

The game is the first player's own, by seed, so two builds measure the same positions if this file is run by the Python
of each. Best of several repeats, in processor time, on one core.
"""

import time

import click

import montego as mg
from montego.kernels import copy_record, kernel
from montego.playouts import HISTORY
from montego.playouts.policy import new_workspace, playout
from montego.rng import stream

DUO = mg.game("blokus_duo")
POLICIES = {"uniform": mg.Uniform(), "softmax": mg.Softmax()}
SEARCH = (
    'uct(seconds={}, clock=processor, c=0.15, playout=lgrf(2, fallback=softmax), prior=softmax("blokus_duo-prior"), '
    "bias=puct_log(0.15), initial=relative(1.3), expand=visits(1), reward=quality(0.5))"
)
GUIDE = "uct(playouts=2000, c=0.4)"  # plays the game: nothing that this measures


@kernel
def play_out(policy, game, memory, root, work, rng, trace, scratch, count):
    for _ in range(count):
        copy_record(work, root)
        playout(policy, game, memory, work, rng, trace, HISTORY, scratch)


def playouts_per_second(policy, position, repeats, count=2000):
    """Return the best rate of playouts from a position."""
    room, rates = new_workspace(policy, DUO, stream(1)), []
    room.trace[:HISTORY] = ([-1] * HISTORY + position.moves)[-HISTORY:]
    for _ in range(repeats + 1):  # the first one compiles
        began = time.process_time()
        play_out(policy, DUO, room.memory, position.state, room.work, room.rng, room.trace, room.scratch, count)
        rates.append(count / (time.process_time() - began))
    return max(rates)


def simulations_per_second(player, position, repeats):
    """Return the best rate of a search of a position."""
    best = 0.0
    for _ in range(repeats):
        began = time.process_time()
        player.choose(position)
        best = max(best, player.analysis().playouts / (time.process_time() - began))
    return best


@click.command()
@click.option("--repeats", default=5, show_default=True)
@click.option("--seconds", default=0.15, show_default=True, help="Of one search.")
@click.option("--seed", default=1, show_default=True)
def main(repeats, seconds, seed):
    """Measure at every sixth move of a game."""
    guide, player = mg.player(GUIDE, DUO, seed=seed), mg.player(SEARCH.format(seconds), DUO, seed=seed)
    position = DUO.start()
    player.choose(position)
    click.echo(f"{'after':>5} {'moves':>6} {'uniform /s':>11} {'softmax /s':>11} {'search /s':>10}")
    while not position.over and len(position.moves) <= 24:
        if len(position.moves) % 6 == 0:
            rates = [playouts_per_second(policy, position, repeats) for policy in POLICIES.values()]
            rates.append(simulations_per_second(player, position, repeats))
            moves = len(position.legal_moves())
            click.echo(f"{len(position.moves):>5} {moves:>6} {rates[0]:>11,.0f} {rates[1]:>11,.0f} {rates[2]:>10,.0f}")
        position.play(guide.choose(position))


if __name__ == "__main__":
    main()
