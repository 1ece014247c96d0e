"""Errors of a user's kernel in a few words: the file, the line, and what could not be done.

Numba reports a kernel that it cannot compile with every caller above it and every candidate that did not fit, often on
more than a hundred lines. What the author needs is the innermost place in a file of his own, and the reason.
"""

import dis
import linecache
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import numba
import numpy as np
from numba import types
from numba.core.bytecode import ByteCodeInst, FunctionIdentity
from numba.core.errors import NumbaError
from numba.core.ir import Loc

from montego._jit.compiling import kernel_functions
from montego.errors import MissingKernel

_PACKAGE = Path(__file__).parents[1]
_NUMBA = Path(numba.__file__).parent
_LONGEST = 300  # characters of a reason that is Numba's own


@dataclass(frozen=True)
class Explanation:
    """What is wrong with a kernel, and where; ``file`` is empty if no line of a user's file is to blame."""

    reason: str
    file: str = ""
    line: int = 0

    @property
    def source(self) -> str:
        """The line of the file, without its indentation."""
        return linecache.getline(self.file, self.line).strip() if self.file else ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.file else ""
        return f"{place}{self.reason}" + (f"\n    {self.source}" if self.source else "")


def explain_compilation(problem: BaseException) -> Explanation | None:
    """Explain why a kernel cannot be compiled; None if the exception is about something else."""
    if isinstance(problem, MissingKernel):
        return Explanation(str(problem))
    frames = _frames(problem)
    from_numba = any(_NUMBA in Path(frame.f_code.co_filename).parents for frame, _ in frames)
    if not from_numba and not isinstance(problem, NumbaError):
        return None
    text = str(problem)
    reason = _reason(problem, text, frames)
    file, line = next(_users(_places(text, frames)), ("", 0))
    if name := re.match(r"the name '(\w+)' is not defined", reason):
        file, line = next(_uses_of(name[1]), (file, line))
    return Explanation(reason, file, line)


def explain_failure(problem: BaseException) -> Explanation:
    """Explain any exception: by the compiler's reason if it has one, else by the last line of a user's file."""
    explanation = explain_compilation(problem)
    if explanation is not None:
        return explanation
    if isinstance(problem, SyntaxError):
        return Explanation(f"SyntaxError: {problem.msg}", problem.filename or "", problem.lineno or 0)
    places = ((frame.f_code.co_filename, line) for frame, line in _frames(problem))
    file, line = next(_users(places), ("", 0))
    return Explanation(_shortened(_named(problem)), file, line)


# -------------------------------------------------------------------------------------------------------------- places


def _frames(problem: BaseException) -> list[tuple[FrameType, int]]:
    """Return the frames of an exception and their lines, innermost first."""
    frames = []
    at = problem.__traceback__
    while at is not None:
        frames.append((at.tb_frame, at.tb_lineno))
        at = at.tb_next
    return frames[::-1]


def _users(places: Iterator[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """Keep the places in files that belong neither to Montego nor to NumPy, Numba or Python."""
    known = (_PACKAGE, Path(numba.__file__).parent, Path(np.__file__).parent, Path(dis.__file__).parent)
    for file, line in places:
        path = Path(file)
        if path.suffix == ".py" and path.is_file() and not any(home in path.resolve().parents for home in known):
            yield file, line


def _places(text: str, frames: list[tuple[FrameType, int]]) -> Iterator[tuple[str, int]]:
    """Yield the places that Numba's message names, then those that its frames hold, innermost first."""
    for match in re.finditer(r'(?:\bat|from) (/?[^\n"]+?\.py) \((\d+)\)|File "([^"]+)", line (\d+)', text):
        yield (match[1] or match[3]), int(match[2] or match[4])
    held = [value for frame, _ in frames for value in frame.f_locals.values()]
    functions = [value for value in held if isinstance(value, FunctionIdentity)]
    for instruction in (value for value in held if isinstance(value, ByteCodeInst)):
        yield from ((function.filename, instruction.lineno) for function in functions[:1])
    for value in held:
        place = value if isinstance(value, Loc) else getattr(value, "loc", None)
        if isinstance(place, Loc):
            yield place.filename, place.line


def _uses_of(name: str) -> Iterator[tuple[str, int]]:
    """Yield the places where a kernel of a user's file uses a global name that its module does not have."""
    for function in kernel_functions():
        if name in function.__code__.co_names and name not in function.__globals__:
            for instruction in dis.get_instructions(function):
                if instruction.argval == name and instruction.positions and instruction.positions.lineno:
                    yield function.__code__.co_filename, instruction.positions.lineno


# ------------------------------------------------------------------------------------------------------------- reasons


def _reason(problem: BaseException, text: str, frames: list[tuple[FrameType, int]]) -> str:
    """Return in one line what could not be done."""
    if isinstance(problem, KeyError):  # Numba looks up the field of a record without a check
        records = (value for frame, _ in frames for value in frame.f_locals.values() if isinstance(value, types.Record))
        record = next(records, None)
        if record is not None:
            return _no_field(str(problem.args[0]), list(record.fields))
    core = re.sub(r"^(?:Failed in \w+ mode pipeline \(step: [^\n]*\)\n)+", "", text)
    for pattern, words in _WORDS:
        if match := re.search(pattern, core):
            return words(match)
    first = core.strip().splitlines()[0] if core.strip() else ""
    if not isinstance(problem, NumbaError) and type(problem).__module__ == "builtins":
        return _shortened(_named(problem))
    return _shortened(f"this cannot be compiled: {re.sub(r'[.]? Raised from .*$', '', first).rstrip('.')}")


def _named(problem: BaseException) -> str:
    text = str(problem).strip()
    return f"{type(problem).__name__}: {text.splitlines()[0]}" if text else type(problem).__name__


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _no_field(name: str, fields: list[str]) -> str:
    return f"a record with the fields {', '.join(fields)} has no field '{name}'"


def _plain(numba_type: str) -> str:
    """Return the type as the author of a kernel knows it."""
    if numba_type.startswith("Record("):
        return "a record"
    return re.sub(r"Literal\[(\w+)\]\((?:[^()]*)\)", r"\1", numba_type).replace("unicode_type", "str")


def _arguments(listed: str) -> list[str]:
    """Split a list of types at the commas outside brackets."""
    parts, depth, part = [], 0, ""
    for sign in listed:
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += sign
    return [_plain(piece.strip()) for piece in [*parts, part] if piece.strip()]


def _unknown_attribute(match: re.Match[str]) -> str:
    if match[2].startswith("Record("):
        return _no_field(match[1], re.findall(r"[(,](\w+)\[type=", match[2]))
    owner = re.sub(r"^([A-Z]\w*)\(.*\)$", r"\1", _plain(match[2]))
    return f"{owner} has no attribute '{match[1]}' that compiled code can use"


def _two_types(match: re.Match[str]) -> str:
    what = "a value" if match[3].startswith("$") else f"the variable '{match[3]}'"
    return f"{what} has two types, {_plain(match[1])} and {_plain(match[2])}; give it one"


def _wrong_arguments(match: re.Match[str]) -> str:
    count = len(_arguments(match[1]))
    name = match[4] or match[3] or "a kernel"
    return f"{name}{match[2]} is called with {count} argument{'' if count == 1 else 's'}"


def _no_implementation(match: re.Match[str]) -> str:
    name, arguments = match[1], _arguments(match[2])
    if name in ("getitem", "setitem", "static_getitem", "static_setitem") and arguments[1:2] == ["float64"]:
        return "an index must be an integer, and this one is a float64; use // instead of /, or int(...)"
    if name == "exception_match":
        return "compiled code can only catch every exception: write 'except Exception' or test before"
    return f"compiled code cannot do {name}({', '.join(arguments)})"


# What Numba's message matches -> what is wrong, in the words of someone who writes kernels.
_WORDS: list[tuple[str, Callable[[re.Match[str]], str]]] = [
    (r"Unknown attribute '(\w+)' of type ([^\n]+)", _unknown_attribute),
    (r"Cannot unify ([^\n]+) and ([^\n]+) for '([$\w]+?)(?:\.\d+)*', defined", _two_types),
    (
        r"Can't unify return type from the following types: ([^\n]+)",
        lambda m: f"the kernel returns values of different types ({', '.join(_arguments(m[1]))}); return one type",
    ),
    (
        r"Cannot bind 'args=\((.*?)\) kws=\{.*?\}' to signature '(\(.*?\))'[^\n]*"
        r"(?:\n[^\n]*resolving callee type: (?:generic (\w+)|[^\n]*function (\w+)))?",
        _wrong_arguments,
    ),
    (r"NameError: (?:global )?name '(\w+)' is not defined", lambda m: f"the name '{m[1]}' is not defined"),
    (r"Variable '(\w+?)(?:\.\d+)*' is not defined", lambda m: f"the variable '{m[1]}' is used before it has a value"),
    (
        r"Untyped global name '(\w+)':[^\n]*<class 'function'>",
        lambda m: f"'{m[1]}' is an ordinary Python function; make it a kernel with @kernel",
    ),
    (
        r"Untyped global name '(\w+)':[^\n]*",
        lambda m: f"'{m[1]}' is a Python object that compiled code cannot use; use numbers and NumPy arrays",
    ),
    (
        r"No implementation of function Function\((?:<[\w-]+ )*(?:function )?([\w.]+)(?: at [^>]*)?>?\) found for "
        r"signature:\s*>>> [\w.<>]+\((.*)\)",
        _no_implementation,
    ),
    (
        r"Use of unsupported NumPy function '([\w.]+)'",
        lambda m: f"compiled code has no {m[1]}, or not with these arguments",
    ),
    (
        r"Cannot cast ([^\n]+?) to ([^\n:]+):[^\n]*",
        lambda m: f"a value of type {_plain(m[1])} cannot be stored as {_plain(m[2])}",
    ),
]
