"""First, second and higher order: equal to the plain version playout for playout, and right in cases made by hand."""

import numpy as np
import pytest

import montego as mg
from montego.rng import stream
from montego.search.higher_order.arrays import EMPTY, HEAD, LAST_SLOT, SLOT_BITS, TAKEN, UNIT, new_pattern_table
from montego.search.higher_order.batches import apply_fresh, begin_playout, completes, draw_noise, pick, run_batches
from montego.search.higher_order.conclusions import FinalRule, answers, merits
from montego.search.higher_order.patterns import (
    add_batch,
    add_pattern,
    add_single_moves,
    copy_statistics,
    evaluate,
    first_lanes,
    in_counts,
    mutual_information,
    refine,
    relevance,
    settle,
)
from tests.games.naive_connection import board_of
from tests.search.higher_order.plain import PlainSearch

SELECTIVE = "playouts=150, every=30, seen=3, patterns=14, grow=3"
PUBLISHED = "relative=false, criterion=information, relevance=0.001"
CASES = [
    "first_order(playouts=150)",
    "first_order(playouts=150, noise=0.8, half_life=60)",
    "second_order(playouts=150)",
    "second_order(playouts=100, noise=0.5, half_life=100, final=first)",
    f"higher_order({SELECTIVE}, {PUBLISHED})",
    f"higher_order({SELECTIVE}, {PUBLISHED}, selected=true)",
    f"higher_order({SELECTIVE}, batch=20, optimism=1)",
    f"higher_order({SELECTIVE}, criterion=weighted, order=2, relevance=0.0001)",
    f"higher_order({SELECTIVE}, relative=false, batch=7, half_life=0)",
    f"higher_order({SELECTIVE}, replay=3, half_life=90, batch=16)",
    "higher_order(playouts=100, noise=0, optimism=2, batch=1, every=25, seen=2, doubt=0)",
    "first_order(playouts=150, noise=0.8, half_life=1)",
    f"higher_order({SELECTIVE}, batch=1, half_life=2)",
    f"higher_order({SELECTIVE}, batch=1, half_life=2, optimism=2)",
    "first_order(playouts=192, noise=0.8, half_life=0.01)",  # of every batch but the last nothing is left
]
POSITIONS = [("y(size=3)", []), ("hex(size=3)", ["b2"]), ("y(size=4)", ["b3", "a2", "a4"])]


def searched(game_spec, moves, spec, seed=3):
    """Return a search that has run, its analysis, its settings and the position."""
    game = mg.game(game_spec)
    position = game.start()
    for move in moves:
        position.play(move)
    search = mg.PLAYERS.build(spec).search(game)
    return search, search.run(position, stream(seed)), position


def as_sets(search):
    """Return the patterns as frozensets of (player, move)."""
    return [frozenset(pattern.moves) for pattern in search.patterns()]


@pytest.mark.both_modes
@pytest.mark.parametrize("spec", CASES)
@pytest.mark.parametrize(("game_spec", "moves"), POSITIONS)
def test_statistics_equal_those_of_the_plain_version(game_spec, moves, spec):
    search, analysis, position = searched(game_spec, moves, spec)
    settings = search.settings
    plain = PlainSearch(position, stream(3), settings, search.all_single)
    plain.run(settings.playouts)
    assert as_sets(search) == list(plain.statistics)
    for number, statistics in enumerate(plain.statistics.values()):
        assert np.isclose(search.table.seen[number], statistics.seen, rtol=1e-9)
        for player in (0, 1):
            points = plain.points
            assert np.allclose(search.table.made[number, player], [statistics.made[player, x] for x in points])
            assert np.allclose(search.table.wins[number, player], [statistics.wins[player, x] for x in points])
            assert np.allclose(search.table.won[number], statistics.won)
            if settings.selected:
                assert search.table.chosen[number, player].tolist() == [statistics.chosen[player, x] for x in points]
    if settings.final == FinalRule.FIRST:
        assert analysis.number == plain.best_first()
    else:
        worst = plain.worst_answers()
        assert np.isclose(worst[analysis.number], min(worst.values()))
        assert np.isclose(answers(search.table, plain.mover, settings.doubt)[0][0], worst[plain.points[0]])


@pytest.mark.both_modes
def test_the_plain_version_does_find_patterns():
    """The comparison above would be empty if nothing were ever refined."""
    search, analysis, _ = searched("y(size=4)", [], f"higher_order({SELECTIVE}, {PUBLISHED})")
    assert analysis.nodes > 5
    assert analysis.greatest_depth >= 2
    assert analysis.playouts == 150
    assert len(set(as_sets(search))) == analysis.nodes


@pytest.mark.parametrize("game_spec", ["y(size=5)", "y(board=bent)", "hex(size=4)", "hex(size=11)"])
def test_a_batch_of_boards_is_judged_as_each_of_them(game_spec):
    game = mg.game(game_spec)
    board = board_of(game)
    search = mg.PLAYERS.build("first_order").search(game)
    position = game.start()
    position.play(position.legal_moves()[3]).play(position.legal_moves()[5])
    search.prepare(position, stream(8))
    run_batches(game, position.state, search.bench, search.table, 1, 64, 0.0, 0.0)
    for lane in range(64):
        owners = position.owners().tolist()
        for slot, move in enumerate(search.bench.moves):
            owners[move] = 0 if int(search.bench.made[0, slot]) >> lane & 1 else 1
        assert board.winners(owners) == [0 if int(search.bench.outcome[0]) >> lane & 1 else 1]


def test_first_order_means_are_those_of_independent_colours():
    """Exact by counting all fillings of a small board; a fair mean of 50,000 is off by 5 errors once in 10⁶."""
    game = mg.game("y(size=3)")
    board = board_of(game)
    exact = np.zeros(6)
    for filling in range(64):
        owners = [filling >> point & 1 for point in range(6)]
        exact += [(owner == 0 and 0 in board.winners(owners)) / 32 for owner in owners]
    _, analysis, _ = searched("y(size=3)", [], "first_order(playouts=100000)")
    found = np.array([entry.value for entry in sorted(analysis.moves, key=lambda entry: entry.number)])
    assert np.abs(found - exact).max() < 5 * np.sqrt(0.25 / 50_000)
    assert analysis.move == "b2" or exact.argmax() == analysis.number or np.isclose(exact[analysis.number], exact.max())


# ------------------------------------------------------------------------------------------------- made by hand


def table_with(slots, *patterns, capacity=16):
    """Return a table with patterns given as lists of (player, slot), each the one before in its chain plus a move."""
    table = new_pattern_table(capacity, slots)
    head = np.zeros(1, HEAD)[0]
    head.patterns, head.weight = 1, 1.0
    numbers = {frozenset(): EMPTY}
    for pattern in patterns:
        parent = numbers[frozenset(pattern[:-1])]
        numbers[frozenset(pattern)] = int(add_pattern(table, head, parent, *pattern[-1]))
    return table, head, numbers


def combined(table, head, made):
    """Return the evaluations of player 0 that hold after some moves, as they were written into the table."""
    words = table.below.shape[1]
    missing = np.zeros(len(table.sizes), np.int64)
    maximal, fresh = np.zeros(words, np.uint64), np.zeros(words, np.uint64)
    current = np.zeros(table.values.shape[1:], np.int64)
    count = int(head.patterns)
    begin_playout(count, table.sizes, table.values, missing, maximal, current)
    for player, slot in made:
        if completes(table.containing, count, player, slot, missing, fresh):
            apply_fresh(table.below, table.values, count, fresh, maximal, current)
    return current[0].tolist()


@pytest.mark.both_modes
def test_the_maximum_over_applying_patterns_that_are_no_sub_patterns():
    table, head, numbers = table_with(4, [(0, 0)], [(1, 1)], [(0, 0), (1, 1)], [(1, 2)])
    for value, pattern in enumerate(numbers.values()):
        table.values[pattern, 0] = [value, 10 - value, 5, 7 * value]
    empty, a, b, both, other = (table.values[number, 0].tolist() for number in numbers.values())
    assert combined(table, head, []) == empty
    assert combined(table, head, [(1, 0), (0, 1)]) == empty  # the right points, the wrong players
    assert combined(table, head, [(0, 0)]) == a  # {} is below {a}
    assert combined(table, head, [(1, 1), (1, 2)]) == np.maximum(b, other).tolist()
    assert combined(table, head, [(0, 0), (1, 1)]) == both  # {a} and {b} are below
    assert combined(table, head, [(1, 1), (1, 2), (0, 0)]) == np.maximum(both, other).tolist()
    assert combined(table, head, [(0, 3)]) == empty


@pytest.mark.both_modes
def test_a_sub_pattern_found_after_the_larger_one_is_below_it():
    table, head, numbers = table_with(3, [(0, 0)], [(0, 0), (0, 1)], [(0, 1)])
    for value, pattern in enumerate(numbers.values()):
        table.values[pattern, 0] = [-value] * 3
    assert combined(table, head, [(0, 1)]) == [-3] * 3
    assert combined(table, head, [(0, 1), (0, 0)]) == [-2] * 3
    assert table.singles[0].tolist() == [1, 3, 0]


@pytest.mark.both_modes
def test_the_best_sum_of_value_and_noise_is_picked():
    rng, noise = stream(1), np.zeros((2, 5), np.int64)
    draw_noise(rng, noise, 0.0)
    current = np.array([[3, 9, 9, 1, 2], [0, 0, 0, 0, 0]], np.int64) << SLOT_BITS
    assert pick(current, noise, 0) == 1  # the first of equal ones
    assert pick(current, noise, 1) == 0
    noise[:, 1] = TAKEN
    assert pick(current, noise, 0) == 2
    draw_noise(rng, noise, 0.5)
    amounts = noise >> SLOT_BITS
    assert ((amounts >= 0) & (amounts < 0.5 * UNIT)).all()
    assert (noise & LAST_SLOT).tolist() == [[LAST_SLOT - slot for slot in range(5)]] * 2


def batch_of(*boards):
    """Return the words of boards such as "00110 0": who has each slot, and who won (d for a draw)."""
    slots = len(boards[0].split()[0])
    made, outcome = np.zeros((2, slots), np.uint64), np.zeros(4, np.uint64)
    for lane, board in enumerate(boards):
        owners, winner = board.split()
        bit = np.uint64(1 << lane)
        for slot, owner in enumerate(owners):
            if owner != ".":
                made[int(owner), slot] |= bit
        outcome["01d".index(winner)] |= bit
    outcome[3] = first_lanes(len(boards))
    return made, outcome


@pytest.mark.both_modes
def test_counts_after_a_pattern_draws_and_forgetting():
    table, head, _ = table_with(3, [(0, 0)])
    made, outcome = batch_of("011 0", "001 1", "1.0 1", "010 d")
    for pattern in (0, 1):
        assert add_batch(table, made, outcome, pattern, 1.0)
    assert table.seen[:2].tolist() == [4, 3]
    assert table.won[0].tolist() == [1.5, 2.5]
    assert table.made[0].tolist() == [[3, 1, 2], [1, 2, 2]]
    assert table.wins[0].tolist() == [[1.5, 0, 0.5], [1, 1 * 0 + 0.5, 1]]
    assert table.made[1].tolist() == [[3, 1, 1], [0, 2, 2]]
    assert table.wins[1].tolist() == [[1.5, 0, 0.5], [0, 0.5, 1]]
    assert not add_batch(table, *batch_of("100 0"), 1, 1.0)  # nobody holds the pattern
    add_batch(table, made, outcome, 0, 4.0)  # as if all but a quarter of the earlier ones had been forgotten
    head.weight = 4.0
    assert in_counts(table, head).made[0, 0].tolist() == [3.75, 1.25, 2.5]
    settle(table, head)
    assert table.made[0, 0].tolist() == [3.75, 1.25, 2.5]
    assert table.wins[0, 0, 0] == 1.5 * 1.25
    assert table.seen[0] == 5


@pytest.mark.both_modes
def test_the_clock_which_decides_how_many_batches_are_played_at_once_changes_no_bit():
    game, tables = mg.game("y(size=3)"), []
    for parts in ([12], [1, 4, 7]):
        search = mg.PLAYERS.build("higher_order(half_life=3, batch=2)").search(game)
        search.prepare(game.start(), stream(5))
        for part in parts:
            run_batches(game, game.start().state, search.bench, search.table, part, 2, 0.0, 24)
            counts = in_counts(search.table, search.bench.head)
        settle(search.table, search.bench.head)
        assert counts.made == pytest.approx(search.table.made)
        assert 5 < counts.seen[0] < 6  # of 24 playouts
        tables.append(search.table)
    assert all((one == other).all() for one, other in zip(*tables, strict=True))


@pytest.mark.both_modes
def test_half_life():
    """With a half-life of 64 playouts every batch counts half of the next one."""
    search, _, _ = searched("y(size=3)", [], "first_order(playouts=256, noise=0.5, half_life=64)")
    assert np.isclose(search.table.seen[0], 64 * (1 + 0.5 + 0.25 + 0.125))


@pytest.mark.both_modes
def test_mutual_information_and_relevance():
    table, _, _ = table_with(3, [(0, 0)])
    table.seen[:2] = 100, 50
    # Slot 1 decides the game after {(0, 0)} and says little before; slot 2 lowers the chance to win.
    table.made[0, :, 1], table.wins[0, :, 1] = 50, (30, 30)
    table.made[1, :, 1], table.wins[1, :, 1] = 25, (25, 25)
    table.made[:2, :, 2], table.wins[:2, :, 2] = 25, 10
    small = 1 + 0.6 * np.log2(0.6) + 0.4 * np.log2(0.4)
    assert np.isclose(mutual_information(table, 0, 1), small)
    assert np.isclose(mutual_information(table, 1, 1), 1.0)
    assert mutual_information(table, 0, 2) == 0
    information = np.array([[mutual_information(table, pattern, slot) for slot in range(3)] for pattern in (0, 1)])
    settings = mg.PLAYERS.build("higher_order(criterion=information)").search(mg.game("y(size=3)")).numbers
    assert np.isclose(relevance(table, settings, information, 0, 0, 1), small)
    assert np.isclose(relevance(table, settings, information, 1, 0, 1), 1 - small)
    assert np.isclose(relevance(table, settings, information, 1, 1, 1), 1 - small)  # pairs: the same for both players
    settings.criterion = 1
    assert np.isclose(relevance(table, settings, information, 1, 0, 1), 0.25 * (1 - small))
    settings.criterion = 2
    assert np.isclose(relevance(table, settings, information, 1, 0, 1), 0.25 * (1 - 0.6))


def refinable(spec):
    """Return a search on y(size=3) whose empty pattern knows that slot 4 decides, slot 1 matters, others do not."""
    game = mg.game("y(size=3)")
    search = mg.PLAYERS.build(spec).search(game)
    search.prepare(game.start(), stream(1))
    table = search.table
    table.seen[0], table.won[0] = 100, 50
    table.made[0], table.wins[0] = 50, 25
    table.wins[0, :, 4], table.wins[0, :, 1] = 50, 35
    return search


@pytest.mark.both_modes
def test_acceptance_of_refinements():
    search = refinable("higher_order(criterion=information, grow=3, seen=20, relevance=0.05, copy=0.1)")
    refine(search.table, search.bench)
    assert [pattern.moves for pattern in search.patterns()] == [(), ((0, 4),), ((1, 4),), ((0, 1),)]
    assert search.table.seen[1] == 10  # the parent's, with a small weight
    assert search.table.wins[1, 0, 1] == 3.5
    refine(search.table, search.bench)  # the other colour of slot 1; nothing is added twice
    assert [pattern.moves for pattern in search.patterns()][4:] == [((1, 1),)]


@pytest.mark.both_modes
def test_acceptance_by_choices_of_the_pattern_alone():
    """What others chose, however often it was seen, does not count."""
    search = refinable("higher_order(criterion=information, grow=3, seen=20, relevance=0.05, selected=true)")
    search.table.chosen[0, 0, 4], search.table.chosen[0, 1, 4] = 19, 20
    refine(search.table, search.bench)
    assert [pattern.moves for pattern in search.patterns()] == [(), ((1, 4),)]
    assert not search.table.chosen[1].any()


@pytest.mark.both_modes
def test_every_choice_of_a_playout_is_one_pattern_s():
    """By the rules as well as in fillings: as many choices as moves were made, some of them by refined patterns."""
    for game_spec in ("tictactoe", "y(size=4)"):
        search, _, _ = searched(game_spec, [], f"higher_order({SELECTIVE}, half_life=0, selected=true)")
        table = search.table
        assert table.chosen.sum() == table.made[EMPTY].sum()
        assert table.chosen[EMPTY].sum() < table.chosen.sum()


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("higher_order(criterion=information, seen=51)", 1),  # not seen often enough
        ("higher_order(criterion=information, relevance=0.999, seen=1)", 3),  # only what decides
        ("higher_order(patterns=2, seen=1)", 2),
        ("higher_order(order=1, seen=1)", 1),
        (
            "higher_order(criterion=information, seen=1, grow=100, relevance=0)",
            5,
        ),  # slots without influence are not refined
    ],
)
def test_limits_of_refinement(spec, expected):
    search = refinable(spec)
    refine(search.table, search.bench)
    assert search.bench.head.patterns == expected


@pytest.mark.both_modes
def test_copies_have_a_small_weight():
    table, _, _ = table_with(2, [(0, 0)])
    table.seen[0], table.won[0], table.made[0], table.wins[0] = 40, (30, 10), 20, 15
    copy_statistics(table, 0, 1, 0.05)
    assert table.seen[1] == 2
    assert table.won[1].tolist() == [1.5, 0.5]
    assert (table.made[1] == 1).all()
    assert (table.wins[1] == 0.75).all()


@pytest.mark.both_modes
def test_evaluations_with_optimism_and_relative():
    table, _, _ = table_with(2)
    settings = mg.PLAYERS.build("higher_order(optimism=1, relative=false)").search(mg.game("y(size=3)")).numbers
    table.seen[0], table.won[0] = 8, (6, 2)
    table.made[0, 0], table.wins[0, 0] = (3, 0), (1, 0)
    evaluate(table, settings, 0, 1.0)
    assert (table.values[0, 0] / 2**SLOT_BITS / UNIT).tolist() == [0.5, 1.0]  # 2/4, and the unseen is hoped for
    settings.relative = True
    evaluate(table, settings, 0, 1.0)
    assert (table.values[0, 0] / 2**SLOT_BITS / UNIT).tolist() == [-0.25, 0.25]
    settings.optimism = 0
    evaluate(table, settings, 0, 1.0)
    assert table.values[0, 0, 1] == 0  # unseen: what the pattern is worth


@pytest.mark.both_modes
def test_the_final_move_by_both_equations():
    table = new_pattern_table(4, 3)
    head = np.zeros(1, HEAD)[0]
    head.patterns = 1
    add_single_moves(table, head, 0)
    table.made[:] = 9
    table.wins[0, 0] = 6, 5, 1  # eq. 4: the first move
    table.wins[1, 1] = 9, 8, 2  # which has an answer that wins almost always; slot 0 itself is no answer
    table.wins[2, 1] = 4, 9, 4
    table.wins[3, 1] = 5, 5, 9
    assert merits(table, 0, FinalRule.FIRST, 1.0)[0].argmax() == 0
    worth, answer = answers(table, 0, 1.0)
    assert worth.tolist() == [0.8, 0.4, 0.5]
    assert answer.tolist() == [1, 0, 0]
    assert merits(table, 0, FinalRule.MINMAX, 1.0)[0].argmax() == 1


@pytest.mark.both_modes
def test_moves_without_a_pattern_are_judged_by_the_empty_one():
    table, _, _ = table_with(3, [(0, 1)])
    table.made[:] = 10
    table.wins[0, 1] = 8, 6, 7
    table.wins[1, 1] = 5, 9, 4
    worth, answer = answers(table, 0, 0.0)
    assert worth.tolist() == [0.7, 0.5, 0.8]  # the opponent cannot answer on the point itself
    assert answer.tolist() == [2, 0, 0]
