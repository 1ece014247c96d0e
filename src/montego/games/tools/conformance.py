"""Checks that every game must pass, whatever its rules; for the tests here and for games in users' own files.

``check_game(game)`` runs them all on random games. Each check raises ``AssertionError`` with one line that says what
is wrong. They compare the kernels with each other and with the promises of ``rules.py`` and ``game.py``; whether the
rules are those of the real game, only an independent oracle can tell.
"""

import pickle
import random
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np

from montego.errors import IllegalMove
from montego.games import rules
from montego.games.game import Game
from montego.games.position import Position
from montego.games.registry import game as build_game
from montego.rng import stream

_IDS_TRIED = 400  # move numbers asked about in each position when there are more


def check(condition: Any, complaint: str) -> None:
    """Raise ``AssertionError`` with a complaint unless a condition holds."""
    if not condition:
        raise AssertionError(complaint)


def state_bytes(state: Any) -> bytes:
    """Return the memory of a state, to see whether anything in it has changed."""
    return bytes(np.asarray(state).tobytes())


def copy_state(state: Any) -> Any:
    """Return an independent copy of a state."""
    return np.array([state], state.dtype)[0]


def random_moves(game: Game, seed: int) -> list[int]:
    """Return the moves of a random game: mostly as in a playout, so that it ends, and now and then any legal move."""
    chance = random.Random(seed)
    position, moves = game.start(), game.new_moves()
    while not position.over and len(position.moves) < game.max_length():
        legal = position.legal_numbers().tolist()
        sensible = set(moves[: rules.playout_moves(game, position.state, moves)].tolist()).intersection(legal)
        position.play(chance.choice(legal if chance.random() < 0.1 or not sensible else sorted(sensible)))
    return position.moves


def positions(game: Game, seed: int) -> Iterator[Position]:
    """Yield a position of a random game after each move, the start and the end included."""
    position = game.start()
    yield position
    for move in random_moves(game, seed):
        position.play(move)
        yield position


# ----------------------------------------------------------------------------------------------------------- the checks


def check_parameters(game: Game) -> None:
    """Check that a game is rebuilt by its spec and by pickling, and that its sizes make sense."""
    check(build_game(str(game)) == game, f"{game} read back as a spec is another game: {build_game(str(game))!r}")
    check(pickle.loads(pickle.dumps(game)) == game, f"{game} does not survive pickling")
    check(0 < game.most_legal_moves() <= game.move_limit(), f"{game}: most_legal_moves() must be 1 … move_limit()")
    check(game.move_limit() > 0 and game.max_length() > 0, f"{game}: move_limit() and max_length() must be positive")
    layout = game.layout()
    check(len(set(layout.names)) == len(layout.names), f"{game}: two points of the layout have one name")
    check(len(layout.names) == len(layout.xy) == len(layout.cells), f"{game}: names, xy and cells differ in length")
    check(len(set(layout.cells)) == len(layout.cells), f"{game}: two points are drawn at one place of the text")


def check_moves(game: Game, seed: int = 1) -> None:
    """Check in every position of a random game that legal moves, legality, names and hashes agree."""
    chance = random.Random(seed)
    moves = np.zeros(2 * game.move_limit(), np.int32)  # room for too many
    for position in positions(game, seed):
        state = position.state
        before = state_bytes(state)
        legal = moves[: rules.legal_moves(game, state, moves)].tolist()
        at = f"{game} after {position.history}"
        check(len(legal) <= game.most_legal_moves(), f"{at}: {len(legal)} legal moves, more than most_legal_moves()")
        search = moves[: rules.search_moves(game, state, moves)].tolist() if legal else []
        check(set(search) <= set(legal), f"{at}: search_moves holds a move that is not legal")
        check(len(set(legal)) == len(legal), f"{at}: legal_moves lists a move twice")
        inside = all(0 <= move < game.move_limit() for move in legal)
        check(inside, f"{at}: a legal move is outside 0 … move_limit()-1")
        check(bool(legal) != position.over, f"{at}: there must be legal moves exactly while the game goes on")
        tried: Any = range(game.move_limit())
        if len(tried) > _IDS_TRIED:
            tried = [*chance.sample(tried, _IDS_TRIED), *legal]
        accepted = {move for move in tried if rules.is_legal(game, state, move)}
        difference = accepted.symmetric_difference(legal)
        check(not difference, f"{at}: is_legal and legal_moves disagree about {sorted(difference)}")
        names = [game.move_name(move) for move in legal]
        check(len(set(names)) == len(names), f"{at}: two legal moves have one name")
        check([game.parse_move(name) for name in names] == legal, f"{at}: parse_move does not read move_name back")
        playouts = moves[: rules.playout_moves(game, state, moves)].tolist() if legal else []
        check(set(playouts) <= set(legal), f"{at}: playout_moves holds a move that is not legal")
        check(bool(playouts) == bool(legal), f"{at}: playout_moves is empty though the game goes on")
        accepted = {move for move in tried if rules.is_playout_move(game, state, move)}
        difference = accepted.symmetric_difference(playouts)
        check(not difference, f"{at}: is_playout_move and playout_moves disagree about {sorted(difference)}")
        classes = {int(rules.pattern_class(game, state, move)) for move in legal}
        check(classes <= set(range(game.pattern_classes())), f"{at}: a pattern_class outside 0 … pattern_classes()-1")
        check_neighbours(position, [-1, *legal, *map(game.parse_move, position.history)])
        check(state_bytes(state) == before, f"{at}: a question has changed the state")
        check_every_reply(position, legal if len(legal) <= 40 else chance.sample(legal, 40))


def check_neighbours(position: Position, moves: list[int]) -> None:
    """Check that ``nearby`` writes points of the board in different directions."""
    game, out = position.game, np.zeros(8, np.int64)
    for move in moves:
        count = int(rules.nearby(game, position.state, move, out))
        points, directions = out[:count] // 8, out[:count] % 8
        at = f"{game} after {position.history}: nearby of move {move}"
        check(move >= 0 or count == 0, f"{at}: before the first move there are no neighbours")
        check(len(set(directions.tolist())) == count <= game.directions(), f"{at}: a direction twice")
        check(bool((directions < game.directions()).all()), f"{at}: a direction outside 0 … directions()-1")
        check(bool(((points >= 0) & (points < game.move_limit())).all()), f"{at}: a point that is not a move")


def check_optional_rules(game: Game, seed: int = 1) -> None:
    """Check in every position of a random game the rules that have defaults and that no other check asks."""
    moves, out = game.new_moves(), np.full(len(game.layout().names), -1, np.int8)
    for position in positions(game, seed):
        state, at = position.state, f"{game} after {[game.move_name(move) for move in position.moves]}"
        before, legal = state_bytes(state), moves[: rules.legal_moves(game, state, moves)].tolist()
        tried = moves[: rules.search_moves(game, state, moves)].tolist() if legal else []
        check(set(tried) <= set(legal), f"{at}: search_moves holds a move that is not legal")
        check(bool(tried) == bool(legal), f"{at}: search_moves is empty though the game goes on")
        for move in legal:
            check(rules.counts_as_first(game, move) in (True, False), f"{at}: counts_as_first must be true or false")
        out[:] = -1
        rules.final_owners(game, state, out)
        check(set(out.tolist()) <= {-1, 0, 1, 2}, f"{at}: final_owners must write 0, 1, -1 or 2")
        check(state_bytes(state) == before, f"{at}: a question has changed the state")


def check_every_reply(position: Position, legal: list[int]) -> None:
    """Check that each legal move can be played on a copy, and that it changes the hash and keeps the original."""
    game, before, key = position.game, state_bytes(position.state), position.key
    for move in legal:
        state = copy_state(position.state)
        rules.play(game, state, move)
        at = f"{game} after {[*position.history, game.move_name(move)]}"
        check(int(rules.state_hash(game, state)) != key, f"{at}: the move has not changed the hash")
        check(int(rules.to_move(game, state)) in (0, 1), f"{at}: to_move must be 0 or 1")
    check(state_bytes(position.state) == before, f"{game}: a move on a copy has changed the original")


def check_end(game: Game, seed: int = 1) -> None:
    """Check that a random game ends, with a score and a winner that agree, and refuses further moves."""
    position = game.start()
    for move in random_moves(game, seed):
        check(position.winner is None, f"{game} after {position.history}: a winner before the end")
        position.play(move)
    at = f"{game} after {position.history}"
    check(position.over, f"{at}: a game must end within max_length() = {game.max_length()} moves")
    check(np.isfinite(position.score()), f"{at}: the score must be a finite number, not {position.score()}")
    sign = (position.score() > 0) - (position.score() < 0)
    check(position.winner == {1: 0, -1: 1, 0: -1}[sign], f"{at}: score {position.score()} and winner {position.winner}")
    check(isinstance(position.result, str) and position.result, f"{at}: result must be words")
    before = state_bytes(position.state)
    for number in range(min(game.move_limit(), 50)):
        check(not rules.is_legal(game, position.state, number), f"{at}: a move is legal after the end")
        _refused(position, number, before)


def check_refusals(game: Game, seed: int = 1) -> None:
    """Check that malformed and illegal moves are refused and leave every byte of the state as it was."""
    for position in positions(game, seed):
        before = state_bytes(position.state)
        if len(position.moves) < 2 or position.over:
            for nonsense in ("", "?!", "zz99", -1, game.move_limit(), 10**12, 1.5, None):
                _refused(position, nonsense, before)
        legal = set(position.legal_numbers().tolist())
        for number in [move for move in range(min(game.move_limit(), 400)) if move not in legal][:20]:
            _refused(position, number, before)


def _refused(position: Position, move: Any, before: bytes) -> None:
    count = len(position.moves)
    try:
        position.play(move)
    except IllegalMove as problem:
        check("\n" not in str(problem), f"{position.game}: the refusal of {move!r} is longer than one line")
    else:
        raise AssertionError(f"{position.game}: {move!r} should be refused after {position.history[:count]}")
    same = state_bytes(position.state) == before and len(position.moves) == count
    check(same, f"{position.game}: the refused move {move!r} has changed the position")


def check_copies(game: Game, seed: int = 1) -> None:
    """Check that replaying, copying, undoing, storing and pickling give the same position again."""
    moves = random_moves(game, seed)
    position, states = game.start(), []
    for move in moves:
        states.append(state_bytes(position.state))
        position.play(move)
    at = f"{game} after {position.history}"
    replayed = game.start()
    for name in position.history:
        replayed.play(name)
    stored = Position.loads(position.dumps())
    pickled = pickle.loads(pickle.dumps(position))
    for twin, how in ((replayed, "replayed"), (stored, "stored"), (pickled, "pickled"), (position.copy(), "copied")):
        same = twin == position and twin.moves == position.moves
        check(same and state_bytes(twin.state) == state_bytes(position.state), f"{at}: another position when {how}")
    again = pickle.loads(pickle.dumps(position.state))
    check(state_bytes(again) == state_bytes(position.state), f"{at}: the state does not survive pickling")
    twin = position.copy()
    for before in [*reversed(states)][:12]:
        twin.undo()
        check(state_bytes(twin.state) == before, f"{game} after {twin.history}: undo gives another state")
    check(len(position.moves) == len(moves), f"{at}: undo on a copy has changed the original")


def check_drawing(game: Game, seed: int = 1) -> None:
    """Check in every position of a random game that owners, text and SVG can be had and make sense."""
    layout = game.layout()
    for position in positions(game, seed):
        at = f"{game} after {position.history}"
        owners = position.owners()
        check(len(owners) == len(layout.names), f"{at}: owners must name one owner per point")
        check(set(owners.tolist()) <= {-1, 0, 1, 2}, f"{at}: an owner must be 0, 1, -1 (nobody) or 2 (neutral)")
        check(position.result in str(position), f"{at}: the text drawing does not end with the result")
        picture = ElementTree.fromstring(position.svg(heat={layout.names[0]: 1.0}, labels={layout.names[0]: "<&>"}))
        stones = [part for part in picture.iter() if part.get("class") in ("stone0", "stone1", "neutral")]
        check(len(stones) == (owners >= 0).sum(), f"{at}: the picture must have a stone for each point held")
        last = game.last_points(position)
        check(set(last) <= set(layout.names), f"{at}: the last move is marked at an unknown point")
        marks = [part for part in picture.iter() if part.get("class") == "last"]
        shown = set(last) - {layout.names[0]}  # a label takes the place of the mark
        check(len(marks) == len(shown), f"{at}: the last move is not marked")
        for name in last:
            check(owners[list(layout.names).index(name)] >= 0, f"{at}: the last move is marked at an empty point")


def check_symmetries(game: Game, seed: int = 1) -> None:
    """Check that a symmetry turns a random game into one with the same winner and the stones where they should be."""
    for symmetry in game.symmetries():
        position, image = game.start(), game.start()
        points = list(symmetry.points)
        check(sorted(points) == list(range(len(game.layout().names))), f"{game}: a symmetry is not a permutation")
        for move in random_moves(game, seed):
            position.play(move)
            reflected = symmetry.move(move)
            at = f"{game} after {position.history}, turned by the symmetry {points}"
            check(image.is_legal(reflected), f"{at}: the image of the last move is not legal")
            image.play(reflected)
            check((image.owners()[points] == position.owners()).all(), f"{at}: stones are not where they should be")
        check(image.winner == position.winner, f"{game} after {position.history}: a symmetry changes the winner")


def check_playouts(game: Game, seed: int = 1, count: int = 20, fills: bool = False) -> None:
    """Check that random playouts finish the game by legal moves.

    ``fills`` is for games whose playouts go on after the win because filling the board is faster: their traces may
    be longer than the game, so only the moves up to its end are replayed.
    """
    rng, trace, scratch = stream(seed), game.new_trace(), game.new_moves()
    for _ in range(count):
        state = game.start().state
        length = rules.random_playout(game, state, rng, trace, scratch)
        moves = trace[:length].tolist()
        replay = game.start().state
        for ply, move in enumerate(moves):
            if rules.is_over(game, replay):
                check(fills, f"{game}: the playout {moves} goes on after its end at move {ply}")
                break
            check(rules.is_legal(game, replay, move), f"{game}: move {ply} of the playout {moves} is not legal")
            rules.play(game, replay, move)
        check(length <= game.max_length(), f"{game}: a playout of {length} moves is longer than max_length()")
        ended = bool(rules.is_over(game, state))
        check(ended or length == game.max_length(), f"{game}: the playout {moves} stops before the end")
        for question in (rules.score, rules.winner) if ended else ():
            check(question(game, state) == question(game, replay), f"{game}: other {question.__name__} when replayed")


def check_playouts_by_move(game: Game, seed: int = 1, count: int = 5, fills: bool = False) -> None:
    """Check that playouts made move by move finish the game by moves of playouts, and that a short trace is kept to."""
    rng, scratch, listed = stream(seed), game.new_moves(), game.new_moves()
    for room in (*(game.max_length(),) * count, game.max_length() // 2, 1, 0):
        state, replay = game.start().state, game.start().state
        trace = np.full(room + 1, -7, np.int32)
        rules.begin_playout(game, state, trace[:room], 0)
        length = 0
        while length < room and not rules.is_over(game, state):
            move = int(rules.draw_move(game, state, rng, trace[:room], length, scratch))
            check(rules.is_playout_move(game, state, move), f"{game}: draw_move draws {move}, not a playout move")
            known = listed[: rules.playout_moves(game, state, listed)]
            check(move in known, f"{game}: in a playout, playout_moves leaves out {move}, which draw_move draws")
            all_are = all(rules.is_playout_move(game, state, np.int64(other)) for other in known[:40])
            check(all_are, f"{game}: in a playout, playout_moves lists a move that is_playout_move refuses")
            rules.make_move(game, state, trace[:room], length, move)
            length += 1
        moves = trace[:length].tolist()
        for ply, move in enumerate(moves):
            if rules.is_over(game, replay):
                check(fills, f"{game}: the playout {moves} goes on after its end at move {ply}")
                break
            check(rules.is_playout_move(game, replay, move), f"{game}: move {ply} of {moves} is not a playout move")
            rules.play(game, replay, move)
        check(trace[room] == -7, f"{game}: make_move has written beyond the trace")
        if rules.is_over(game, state):
            same = rules.score(game, state) == rules.score(game, replay)
            check(same, f"{game}: other score when the playout {moves} is replayed")


def check_cut_playouts(game: Game, seed: int = 1) -> None:
    """Check that a playout stops when its trace is full."""
    for room in range(min(4, game.max_length())):
        full = np.full(game.max_length(), -7, np.int32)
        length = rules.random_playout(game, game.start().state, stream(seed), full[:room], game.new_moves())
        fits = length <= room and (full[room:] == -7).all()
        check(fits, f"{game}: a playout of {length} moves was noted in a trace of {room}")


def playthrough(game: Game, seed: int = 1) -> dict[str, Any]:
    """Return a random game and a playout in full, to compare compiled with interpreted kernels."""
    steps = [
        {
            "key": position.key,
            "legal": position.legal_moves(),
            "score": position.score(),
            "owners": position.owners().tolist(),
        }
        for position in positions(game, seed)
    ]
    state, trace, rng = game.start().state, game.new_trace(), stream(seed)
    length = rules.random_playout(game, state, rng, trace, game.new_moves())
    playout = {"trace": trace[:length].tolist(), "score": float(rules.score(game, state)), "draws": rng.tolist()}
    return {"game": str(game), "moves": random_moves(game, seed), "steps": steps, "playout": playout}


CHECKS: tuple[Callable[..., None], ...] = (
    check_parameters,
    check_moves,
    check_optional_rules,
    check_end,
    check_refusals,
    check_copies,
    check_drawing,
    check_symmetries,
)


def check_game(game: Game, seeds: int = 3, fills: bool = False) -> None:
    """Run every check on a game; silent when all is well, else ``AssertionError`` says what is wrong."""
    check_parameters(game)
    for seed in range(seeds):
        for one in CHECKS[1:]:
            one(game, seed)
        check_playouts(game, seed, fills=fills)
        check_playouts_by_move(game, seed, fills=fills)
    check_cut_playouts(game)
