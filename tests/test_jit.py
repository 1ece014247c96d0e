"""Kernels, generics, and the cache of machine code: never compiled twice, never stale."""

import os
import stat
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from montego import _jit
from montego._jit import cache
from montego.kernels import (
    all_of_five,
    any_of_five,
    bit_count,
    borrowing,
    copy_record,
    generic,
    generic_with_default,
    implements,
    inlined,
    kernel,
    lowest_bit,
)

EXAMPLE = Path(__file__).parents[1] / "examples" / "connect_four.py"

# ---------------------------------------------------------------------------------------------- kernels and generics


class Circle(NamedTuple):
    radius: int


class Square(NamedTuple):
    side: int


class Nested(NamedTuple):
    inner: Circle
    weight: float


class Tile(Square):
    """Inherits every implementation of a square but one."""


@generic
def area(shape, scale):
    """Return three times the square of the radius, or the square of the side."""


@generic_with_default
def describe(shape):
    """Return a number that says what it is."""
    return area(shape, 1) + 1


@implements(area, Circle)
def _circle_area(shape, scale):
    return 3 * shape.radius**2 * scale


@implements(area, Square)
def _square_area(shape, scale):
    return shape.side**2 * scale


@implements(describe, Square)
def _describe_square(shape):
    return -1


@implements(describe, Tile)
def _describe_tile(shape):
    return -2


@kernel
def total_area(a, b):
    """Call a generic for two types in one kernel."""
    return area(a, 1) + area(b, 2)


@kernel
def described(shape):
    return describe(shape)


@pytest.mark.both_modes
def test_generics_choose_by_the_type_of_the_first_argument():
    assert area(Circle(2), 1) == 12
    assert area(Square(2), 1) == 4
    assert total_area(Circle(1), Square(3)) == 3 + 18
    assert total_area(Square(1), Square(3)) == 1 + 18


@pytest.mark.both_modes
def test_a_default_serves_types_without_their_own():
    assert (describe(Circle(1)), described(Circle(1))) == (4, 4)
    assert (describe(Square(1)), described(Square(1))) == (-1, -1)
    assert Square in describe.table
    assert Circle not in describe.table


@pytest.mark.both_modes
def test_a_class_inherits_implementations_and_may_replace_one():
    assert (area(Tile(3), 1), total_area(Tile(3), Circle(1))) == (9, 9 + 6)
    assert (describe(Tile(1)), described(Tile(1)), described(Square(1))) == (-2, -2, -1)


@pytest.mark.both_modes
def test_classes_of_one_name_are_not_taken_for_each_other():
    first = Square(3)
    assert total_area(first, first) == 9 + 18
    copied = type("Square", (NamedTuple("Square", [("side", int)]),), {})

    @implements(area, copied)
    def _copied_area(shape, scale):
        return 100 * scale

    assert total_area(copied(3), copied(3)) == 100 + 200
    assert total_area(first, copied(3)) == 9 + 200
    assert total_area(first, first) == 9 + 18


@pytest.mark.both_modes
def test_a_missing_implementation_is_named():
    for call in (lambda: area(Nested(Circle(1), 1.0), 1), lambda: total_area(Square(1), Nested(Circle(1), 1.0))):
        with pytest.raises(TypeError, match=r"Nested has no area\(\): write one under @implements\(area, Nested\)"):
            call()
    with pytest.raises(TypeError, match=r"has no area\(\)"):
        total_area(Square(1), 7)


@pytest.mark.both_modes
def test_docstrings_and_names_stay():
    assert area.__name__ == "area"
    assert "three times" in area.__doc__
    assert total_area.__doc__ == "Call a generic for two types in one kernel."


class Tables(NamedTuple):
    first: np.ndarray
    second: np.ndarray


@kernel
def total_of_copy(numbers):
    """Make an array, as a kernel may that a borrowing one calls."""
    copy = np.zeros(len(numbers), np.int64)
    for i in range(len(numbers)):
        copy[i] = numbers[i]
    return copy.sum()


@inlined
def last_of(numbers):
    return numbers[len(numbers) - 1]


@borrowing
def sum_of_tables(tables):
    first, second = tables
    return total_of_copy(first[1:]) + last_of(second)


@implements(describe, Tables)
@borrowing
def _describe_tables(tables):
    return sum_of_tables(tables)


@pytest.mark.both_modes
def test_borrowed_arrays_are_neither_kept_nor_freed():
    tables = Tables(np.arange(5), np.arange(3))
    counts = [sys.getrefcount(array) for array in tables]
    for _ in range(1000):
        assert described(tables) == 1 + 2 + 3 + 4 + 2
    assert [sys.getrefcount(array) for array in tables] == counts
    assert [array.tolist() for array in tables] == [[0, 1, 2, 3, 4], [0, 1, 2]]


def ones(count):
    return np.ones(count)


@kernel
def twos(count):
    return 2 * np.ones(count)


def first_of_twos(count):
    return twos(count)[0]


def itself(numbers):
    return numbers


def with_itself(numbers):
    return numbers, 1


@pytest.mark.parametrize("decorator", [borrowing, inlined])
@pytest.mark.parametrize(
    ("function", "argument"), [(ones, 3), (first_of_twos, 3), (itself, [2.0]), (with_itself, [2.0])]
)
def test_what_only_borrows_arrays_neither_makes_nor_returns_one(decorator, function, argument):
    argument = np.array(argument) if isinstance(argument, list) else argument
    kernel(function)(argument)
    with pytest.raises(Exception, match=r"Only accept returning of array passed into|only borrows arrays"):
        decorator(function)(argument)


def test_a_kernel_is_not_made_one_again():
    with pytest.raises(
        TypeError, match="total_of_copy is a kernel already: write @borrowing or @inlined below @implements"
    ):
        borrowing(total_of_copy)


@kernel
def bits_of(words, out):
    for i in range(len(words)):
        out[i, 0] = bit_count(words[i])
        out[i, 1] = lowest_bit(words[i])


@pytest.mark.both_modes
def test_bit_operations():
    numbers = [1, 2, 3, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 0x00F0_0000_0000_1000, 6700417 << 20]
    out = np.zeros((len(numbers), 2), np.int64)
    bits_of(np.array(numbers, np.uint64), out)
    expected = [[bin(n).count("1"), len(bin(n)) - len(bin(n).rstrip("0"))] for n in numbers]
    assert out.tolist() == expected


@kernel
def combine(words, starts, out):
    a, b, c, d, e = starts[0], starts[1], starts[2], starts[3], starts[4]
    out[0, 0], out[0, 1], out[0, 2], out[0, 3] = all_of_five(words, a, b, c, d, e)
    out[1, 0], out[1, 1], out[1, 2], out[1, 3] = any_of_five(words, a, b, c, d, e)


@pytest.mark.both_modes
def test_five_sets_of_bits_are_combined():
    words = np.random.default_rng(1).integers(0, 2**64, 40, np.uint64)
    starts, out = np.array([0, 3, 11, 30, 36], np.uintp), np.zeros((2, 4), np.uint64)
    combine(words, starts, out)
    for word in range(4):
        taken = [int(words[int(start) + word]) for start in starts]
        common, joint = taken[0], taken[0]
        for one in taken[1:]:
            common, joint = common & one, joint | one
        assert out[:, word].tolist() == [common, joint]


INNER = np.dtype((np.record, [("x", np.int16, (3,)), ("flag", np.bool_)]))
OUTER = np.dtype((np.record, [("inner", INNER), ("many", INNER, (2,)), ("value", np.float64)]))


@kernel
def copy_into(target, source):
    copy_record(target, source)


@pytest.mark.both_modes
def test_copy_record_copies_every_byte():
    source, target = np.zeros(1, OUTER), np.zeros(3, OUTER)
    source[0]["inner"]["x"] = [1, 2, 3]
    source[0]["many"][1]["flag"] = True
    source[0]["value"] = 2.5
    copy_into(target[1], source[0])
    assert target[1].tobytes() == source[0].tobytes()
    assert not any(target[0].tobytes())
    assert not any(target[2].tobytes())
    source[0]["many"][0]["x"][2] = 9
    assert target[1]["many"][0]["x"][2] == 0


# ----------------------------------------------------------------------------------------------- Ctrl-C while compiling

INTERRUPTED = """
import signal, sys
from llvmlite.binding import ExecutionEngine
from montego.rng import stream, uniform

find, sent = ExecutionEngine._find_module_ptr, []
def find_and_interrupt(self, pointer):
    if not sent:
        sent.append(pointer)
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGTERM)
    return find(self, pointer)
ExecutionEngine._find_module_ptr = find_and_interrupt  # it is called by both callbacks of LLVM
rng = stream(1)
signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(print("ended")))  # as in workers
try:
    uniform(rng)
except KeyboardInterrupt:
    print("interrupted", len(sent))
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler, 0 <= uniform(rng) < 1)
"""


@pytest.mark.compiled
def test_signals_in_a_callback_of_llvm_are_not_lost(python, tmp_path):
    cache = str(tmp_path / "cache")
    for _ in range(2):  # while compiling, and while loading what was compiled
        done = python(INTERRUPTED, MONTEGO_CACHE=cache)
        assert done.stdout == "ended\ninterrupted 1\nTrue True\n"
        assert "Traceback" not in done.stderr


# ------------------------------------------------------------------------------------------------------- the disk cache

REPORT = """
from montego import _jit
import json
print(json.dumps([len(_jit.compiled_here()), len(_jit.loaded_from_cache())]))
"""
DRAWS = """
from montego.rng import below, stream, uniform
print(below(stream(1), 1000), uniform(stream(1)))
"""
PLAYS = """
import sys
sys.path.insert(0, {folder!r})
import connect_four
from montego.games.rules import winner
position = connect_four.ConnectFour().start()
for name in "ddcceeb":
    if not position.over:
        position.play(name)
print(len(position.moves), position.score(), winner(position.game, position.state))
"""
SAMPLES = """
from montego.playouts import Sampler
from montego.rng import stream
print(Sampler(position.game, connect_four.ConnectFour().start().state, stream(1)).run(100).tolist())
"""
compiled = pytest.mark.compiled


def _counts(done):
    """Return what a process printed before its report, and how many kernels it compiled and loaded."""
    *lines, report = done.stdout.strip().splitlines()
    compiled_here, loaded = map(int, report.strip("[]").split(","))
    return lines, compiled_here, loaded


@compiled
def test_a_second_process_compiles_nothing(python, tmp_path):
    cache = str(tmp_path / "cache")
    first = python(DRAWS + REPORT, MONTEGO_CACHE=cache)
    second = python(DRAWS + REPORT, MONTEGO_CACHE=cache)
    assert first.stderr.count("\n") == 1
    assert first.stderr.startswith("montego: compiling")
    assert second.stderr == ""
    lines, compiled_here, _ = _counts(first)
    assert compiled_here > 0
    again, compiled_here, loaded = _counts(second)
    assert again == lines
    assert compiled_here == 0
    assert loaded > 0


NESTED = """
from montego.kernels import kernel

@kernel
def halved(x):
    if x % 2:
        raise ValueError("odd", x)
    return x // 2

@kernel
def quartered(x):
    return halved(halved(x))

@kernel
def factorial(n):
    return n * factorial(n - 1) if n > 1 else 1

@kernel
def choices(n, k):
    return factorial(n) // factorial(k) // factorial(n - k)
"""


@compiled
def test_what_a_kernel_calls_may_raise_recurse_and_be_called_from_python(python, tmp_path):
    """Callees have no machine code of their own; their exceptions need what only the caller's code refers to."""
    (tmp_path / "nested.py").write_text(NESTED)
    code = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
from nested import choices, halved, quartered
for number in (8, 6):
    try:
        print(quartered(number))
    except ValueError as problem:
        print(problem.args)
print(halved(4), choices(5, 2))
"""
    first, second = (python(code + REPORT, MONTEGO_CACHE=str(tmp_path / "cache")) for _ in range(2))
    assert _counts(first)[:2] == (["2", "('odd', 3)", "2 10"], 5)  # halved is compiled for Python too
    assert _counts(second) == (["2", "('odd', 3)", "2 10"], 0, 3)


@compiled
def test_damaged_cache_files_are_compiled_again(python, tmp_path):
    cache = tmp_path / "cache"
    lines, count, _ = _counts(python(DRAWS + REPORT, MONTEGO_CACHE=str(cache)))
    files = {file: file.read_bytes() for file in sorted(cache.rglob("*.code"))}
    assert len(files) == count
    for damage in (
        lambda whole: b"",
        lambda whole: whole[: len(whole) // 2],
        lambda whole: whole[: len(whole) // 2] + b"\0\1\2\3" + whole[len(whole) // 2 + 4 :],
    ):
        for file, whole in files.items():
            file.write_bytes(damage(whole))
        mended = python(DRAWS + REPORT, MONTEGO_CACHE=str(cache))
        assert _counts(mended)[:2] == (lines, count)
        assert mended.stderr.count("\n") == 1
    assert _counts(python(DRAWS + REPORT, MONTEGO_CACHE=str(cache)))[:2] == (lines, 0)


@compiled
def test_without_a_place_to_write_all_still_works(python, tmp_path):
    (tmp_path / "file").write_text("in the way")
    done = python(DRAWS + REPORT, MONTEGO_CACHE=str(tmp_path / "file" / "cache"))
    assert _counts(done)[1] > 0
    assert done.stderr.count("\n") == 1


@compiled
def test_a_cache_that_others_can_write_to_is_not_used(python, tmp_path):
    cache = tmp_path / "cache"
    _, count, _ = _counts(python(DRAWS + REPORT, MONTEGO_CACHE=str(cache)))
    assert [stat.S_IMODE(path.stat().st_mode) for path in (cache, *cache.iterdir())] == [0o700, 0o700]
    assert {stat.S_IMODE(path.stat().st_mode) for path in cache.rglob("*.code")} == {0o600}
    for open_folder in (cache, next(cache.iterdir())):
        open_folder.chmod(0o770)
        refused = python(DRAWS + REPORT, MONTEGO_CACHE=str(cache))
        assert _counts(refused)[1] == count
        assert refused.stderr.count("\n") == 1
        assert "can be written" in refused.stderr
        open_folder.chmod(0o700)
    assert _counts(python(DRAWS + REPORT, MONTEGO_CACHE=str(cache)))[1] == 0


@compiled
def test_cached_code_that_others_can_write_to_is_not_loaded(python, tmp_path):
    python(DRAWS, MONTEGO_CACHE=str(tmp_path))
    victim = next(tmp_path.rglob("below-*.code"))
    victim.chmod(0o666)
    script = DRAWS + "from montego._jit import compiled_here, failed_reads\nprint(len(compiled_here()), failed_reads())"
    lines = python(script, MONTEGO_CACHE=str(tmp_path)).stdout.splitlines()
    assert lines[-1].startswith("1 ['" + victim.name)
    assert stat.S_IMODE(victim.stat().st_mode) == 0o600  # written anew by its user


@compiled
def test_a_search_does_not_count_the_time_for_compiling(python, tmp_path):
    script = (
        "import montego as mg\nfrom montego._jit import compile_seconds\n"
        "player = mg.player('uct(playouts=10, seconds=600)', 'tictactoe', seed=1)\n"
        "player.choose(player.game.start())\n"
        "print(0 < player.analysis().seconds < compile_seconds(), player.analysis().playouts)"
    )
    assert python(script, MONTEGO_CACHE=str(tmp_path)).stdout == "True 10\n"


@compiled
def test_a_changed_numba_is_refused_in_one_line(python):
    done = python(
        "import numba.core.serialize as serialize\ndel serialize.dumps\n"
        "import montego\ntry:\n    montego.Go\nexcept montego.MontegoError as problem:\n    print(problem)"
    )
    assert done.stdout.count("\n") == 1
    assert "numba.core.serialize.dumps" in done.stdout
    assert "numba==0.68.*" in done.stdout


@compiled
def test_two_processes_that_compile_at_once_do_not_disturb_each_other(python, tmp_path):
    def run(_):
        return _counts(python(DRAWS + REPORT, MONTEGO_CACHE=str(tmp_path)))[0]

    with ThreadPoolExecutor(3) as pool:
        first, *others = pool.map(run, range(3))
    assert others == [first] * 2
    assert _counts(python(DRAWS + REPORT, MONTEGO_CACHE=str(tmp_path)))[:2] == (first, 0)
    assert all(file.suffix == ".code" for file in tmp_path.rglob("*-*")), "an unfinished file was left behind"


class UsersGame:
    """A copy of the example in a folder of its own, played in processes of their own."""

    def __init__(self, python, tmp_path):
        self.python, self.cache = python, str(tmp_path / "cache")
        self.file = tmp_path / "games" / "connect_four.py"
        self.file.parent.mkdir()
        self.file.write_text(EXAMPLE.read_text())

    def code(self):
        return PLAYS.format(folder=str(self.file.parent))

    def run(self, code):
        return _counts(self.python(code + REPORT, MONTEGO_CACHE=self.cache, PYTHONDONTWRITEBYTECODE="1"))


@pytest.fixture
def users_game(python, tmp_path):
    return UsersGame(python, tmp_path)


FOUR_IN_A_ROW, THREE_IN_A_ROW = "pairs >> 2 * step:", "pairs >> 1 * step:"


def _edit(file, old, new):
    """Change a file but not its size nor its time stamp, so that only its contents tell."""
    stamp, source = file.stat().st_mtime_ns, file.read_text()
    assert source.count(old) == 1
    assert len(old) == len(new)
    file.write_text(source.replace(old, new))
    os.utime(file, ns=(stamp, stamp))


@compiled
def test_an_edited_helper_of_a_users_game_is_used_at_once(users_game):
    """Three in a row win: known to the game's own kernels, and to those of the package specialised for it."""
    code = users_game.code() + SAMPLES
    lines, count, _ = users_game.run(code)
    assert count > 0
    assert users_game.run(code)[:2] == (lines, 0)
    _edit(users_game.file, FOUR_IN_A_ROW, THREE_IN_A_ROW)
    edited, count, _ = users_game.run(code)
    assert count > 0
    assert all(new != old for new, old in zip(edited, lines, strict=True))
    assert users_game.run(code)[:2] == (edited, 0)
    _edit(users_game.file, THREE_IN_A_ROW, FOUR_IN_A_ROW)
    assert users_game.run(code)[:2] == (lines, 0), "the old code should still be there"


@compiled
def test_an_edited_implementation_of_a_users_game_is_used_at_once(users_game):
    assert users_game.run(users_game.code())[0] == ["7 1.0 0"]
    _edit(users_game.file, "return 1.0 if state.moves", "return -3. if state.moves")
    assert users_game.run(users_game.code())[0] == ["7 -3.0 1"]


@compiled
def test_an_edited_file_beside_a_users_game_is_used_at_once(users_game):
    """The game calls a kernel that it imports from another file of its folder."""
    source = EXAMPLE.read_text()
    begin, end = source.index("@kernel\ndef has_four"), source.index("@implements(rules.play")
    helper = users_game.file.parent / "four.py"
    helper.write_text("from montego.kernels import kernel\n\n" + source[begin:end])
    rest = source[:begin] + source[end:]
    users_game.file.write_text(rest.replace("\nimport numpy", "\nfrom four import has_four\nimport numpy"))
    assert users_game.run(users_game.code())[0] == ["7 1.0 0"]
    _edit(helper, FOUR_IN_A_ROW, THREE_IN_A_ROW)
    assert users_game.run(users_game.code())[0] == ["5 1.0 0"]


@compiled
def test_code_is_stored_for_the_source_that_was_read(users_game):
    """A file that is edited after its import and before its compilation leaves no stale code behind."""
    edited = EXAMPLE.read_text().replace("return 1.0 if state.moves", "return -3. if state.moves")
    edit = f"open({str(users_game.file)!r}, 'w').write({edited!r})"
    old = users_game.run(users_game.code().replace("position = ", edit + "\nposition = "))[0]
    new, count, _ = users_game.run(users_game.code())
    assert (old, new) == (["7 1.0 0"], ["7 -3.0 1"])
    assert count > 0


@compiled
def test_classes_of_a_script_work_and_are_not_cached(python, tmp_path):
    """As when the file is run itself, or its text is entered in a notebook."""
    code = f"exec(compile(open({str(EXAMPLE)!r}).read(), {str(EXAMPLE)!r}, 'exec'))" + REPORT
    lines, count, _ = _counts(python(code, MONTEGO_CACHE=str(tmp_path)))
    assert "Yellow wins" in lines[-1]
    assert count > 0
    assert not list(tmp_path.rglob("add_playouts*"))


@compiled
def test_an_implementation_without_a_file_is_not_cached(python, tmp_path):
    """A notebook that replaces a rule of a built-in game must not leave its code to others, nor get theirs."""
    imports = "from montego.kernels import implements\nfrom montego.games.rules import score, winner\n"
    imports += "from montego.games import TicTacToe\n"
    replace = "@implements(score, TicTacToe)\ndef other_score(game, state):\n    return 7.0\n"
    ask = "print(winner(TicTacToe(), TicTacToe().new_state()))\n"
    cache = str(tmp_path)
    assert _counts(python(imports + ask + REPORT, MONTEGO_CACHE=cache))[0] == ["-1"]
    assert _counts(python(imports + replace + ask + REPORT, MONTEGO_CACHE=cache))[0] == ["0"]
    assert _counts(python(imports + ask + REPORT, MONTEGO_CACHE=cache))[:2] == (["-1"], 0)


@compiled
def test_closures_over_different_numbers_are_different_code(python, tmp_path):
    (tmp_path / "closures.py").write_text(
        "from montego.kernels import kernel\n"
        "def adder(n):\n"
        "    @kernel\n"
        "    def add(x):\n"
        "        return x + n\n"
        "    return add\n"
    )
    for number in (1, 2):
        code = (
            f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nfrom closures import adder\nprint(adder({number})(10))"
        )
        assert python(code, MONTEGO_CACHE=str(tmp_path / "cache")).stdout == f"{10 + number}\n"


@compiled
def test_caches_of_other_versions_are_forgotten_after_a_month(monkeypatch, tmp_path):
    monkeypatch.setenv("MONTEGO_CACHE", str(tmp_path))
    _jit.cache_directory.cache_clear()
    try:
        current, old, recent = _jit.cache_directory(), tmp_path / "old", tmp_path / "recent"
        for folder, days in ((current, 90), (old, 31), (recent, 29)):
            folder.mkdir()
            os.utime(folder, (time.time() - days * 86400,) * 2)
        cache.forget_old_caches.__wrapped__()
        assert current.is_dir()
        assert recent.is_dir()
        assert not old.exists()
    finally:
        _jit.cache_directory.cache_clear()


def test_importing_compiles_nothing(python, tmp_path):
    done = python("import montego.games, montego.playouts" + REPORT, MONTEGO_CACHE=str(tmp_path / "none"))
    assert _counts(done)[1:] == (0, 0)
    assert done.stderr == ""
    assert not (tmp_path / "none").exists()
