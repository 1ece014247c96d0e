"""Specs: what is printed is read back, what is wrong is said in one line that names what is right."""

import contextlib
import inspect
import math
import pickle
from enum import IntEnum
from typing import Annotated, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from montego.errors import MontegoError, SpecError
from montego.spec import Param, Registry, Spec, parameters, parse, text

pytestmark = pytest.mark.both_modes

# ------------------------------------------------------------------------------------------------------- the language

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.\-]{0,8}", fullmatch=True).filter(
    lambda w: w.lower() not in ("true", "false")
)
PLAIN = st.one_of(
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.text(max_size=12),
)


def _specs(values):
    return st.builds(Spec, NAMES, st.lists(values, max_size=3).map(tuple), st.dictionaries(NAMES, values, max_size=3))


VALUES = st.recursive(
    PLAIN, lambda inner: st.one_of(st.lists(inner, max_size=3).map(tuple), _specs(inner)), max_leaves=8
)


def _typed(value):
    """Return a value with the types of all its parts, as 1 == 1.0 == True hides differences."""
    if isinstance(value, Spec):
        return value.name, _typed(value.args), [(key, _typed(part)) for key, part in value.kwargs.items()]
    if isinstance(value, tuple):
        return tuple(_typed(part) for part in value)
    return type(value), value


@settings(max_examples=300, deadline=None, derandomize=True)
@given(_specs(VALUES))
def test_what_is_printed_is_read_back(spec):
    assert _typed(parse(str(spec))) == _typed(spec)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(alphabet='go(size=9, x="a\\.5-)+e', max_size=25))
def test_any_text_is_read_or_refused(source):
    with contextlib.suppress(SpecError):
        spec = parse(source)
        assert _typed(parse(str(spec))) == _typed(spec)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("go", Spec("go")),
        ("go()", Spec("go")),
        ("  go ( size = 9 , komi=-7.5 )  ", Spec("go", (), {"size": 9, "komi": -7.5})),
        ("uct(3000, rave=silver)", Spec("uct", (3000,), {"rave": Spec("silver")})),
        ("a(b=c(d=e(1)))", Spec("a", (), {"b": Spec("c", (), {"d": Spec("e", (1,))})})),
        ('f(name="a \\"b\\" \\\\ c")', Spec("f", (), {"name": 'a "b" \\ c'})),
        ("f(1e3, 1., .5, +2)", Spec("f", (1000.0, 1.0, 0.5, 2))),
        ("f(TRUE, False)", Spec("f", (True, False))),
        ("f((1, (2, x)), (), (3))", Spec("f", ((1, (2, Spec("x"))), (), (3,)))),
        ("last-good.reply2", Spec("last-good.reply2")),
    ],
)
def test_reading(source, expected):
    assert _typed(parse(source)) == _typed(expected)


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("", "expected a name such as go"),
        ("  ", "expected a name such as go"),
        ("7", "expected a name such as go"),
        ("go(", "at column 4: expected a value, found 'the end'"),
        ("go(size=", "at column 9: expected a value"),
        ("go(size=9", "expected ',' or ')', found 'the end'"),
        ("go(size 9)", "at column 9: expected ',' or ')', found '9)'"),
        ("go(1,)", "expected a value, found ')'"),
        ("go(size=9))", "expected the end, found ')'"),
        ("go size", "expected the end, found 'size'"),
        ("go(size=9, 7)", "expected key=value"),
        ("go(size=9, size=10)", "gives 'size' twice"),
        ("go(size=9%)", "at column 10: expected a name, a number"),
        ('go("abc)', "expected a name, a number, a quoted string"),
        ("go(1.2.3)", "expected a name, a number"),
        ("a(" * 10_000, "nested more than 24 deep"),
        ("a(" + "(" * 10_000, "nested more than 24 deep"),
    ],
)
def test_what_cannot_be_read(source, complaint):
    with pytest.raises(SpecError) as problem:
        parse(source)
    assert complaint in str(problem.value)
    assert "\n" not in str(problem.value)
    assert isinstance(problem.value, MontegoError)


# ------------------------------------------------------------------------------------------------------- the parameters

WHEELS: Registry[tuple] = Registry("wheel")
CARS: Registry[tuple] = Registry("car")


class Colour(IntEnum):
    RED = 0
    DARK_BLUE = 1


class Steel(NamedTuple):
    """A wheel of steel.

    It rusts.
    """

    spokes: Annotated[int, Param("how many", 3)] = 12


class Wooden(NamedTuple):
    pass


class Car(NamedTuple):
    """A car."""

    doors: Annotated[int, Param("doors", 1, 5)]
    speed: Annotated[float, Param("km/h", 0.0)] = 120.0
    cheap: Annotated[bool, Param("whether")] = False
    colour: Annotated[Colour, Param("paint")] = Colour.RED
    wheel: Annotated[tuple, WHEELS, Param("kind of wheel")] = Steel()
    name: str = ""
    sizes: tuple = ()
    depth: Annotated[int, Param("metres under the sea", high=0)] = 0


class Rectangle(NamedTuple):
    """A height of 0 stands for the width, as ``complete`` says."""

    width: Annotated[int, Param("width", 1, 10)] = 3
    height: Annotated[int, Param("height; as the width if left out", 0, 10)] = 0

    @staticmethod
    def complete(values):
        if values["height"] > 2 * values["width"]:
            raise SpecError("rectangle: height must be at most twice the width")
        return values | {"height": values["height"] or values["width"]}


class Bigger(NamedTuple):
    width: int = 3
    height: int = 3


WHEELS.add("steel", Steel)
WHEELS.add("wooden", Wooden)
CARS.add("car", Car)
CARS.add("rectangle", Rectangle)
CARS.add("bigger", Bigger)


@pytest.mark.parametrize(
    ("source", "canonical"),
    [
        ("car(4)", "car(doors=4)"),
        ("car(doors=4, speed=120)", "car(doors=4)"),
        ("car(cheap=true, doors=2)", "car(doors=2, cheap=true)"),
        ("car(2, 99)", "car(doors=2, speed=99.0)"),
        ("car(2.0)", "car(doors=2)"),
        ("car(2, colour=Dark_Blue)", "car(doors=2, colour=dark_blue)"),
        ("car(2, colour=1)", "car(doors=2, colour=dark_blue)"),
        ("car(2, colour=0)", "car(doors=2)"),
        ("car(2, wheel=wooden)", "car(doors=2, wheel=wooden)"),
        ("car(2, wheel=steel())", "car(doors=2)"),
        ("car(2, wheel=steel(7))", "car(doors=2, wheel=steel(spokes=7))"),
        ("car(2, name=word)", 'car(doors=2, name="word")'),
        ('car(2, name="two words")', 'car(doors=2, name="two words")'),
        ("car(2, sizes=(1, 2))", "car(doors=2, sizes=(1, 2))"),
        ("rectangle", "rectangle"),
        ("rectangle(5)", "rectangle(width=5)"),
        ("rectangle(5, 5)", "rectangle(width=5)"),
        ("rectangle(3, 6)", "rectangle(height=6)"),
        ("rectangle(5, 10)", "rectangle(width=5, height=10)"),
    ],
)
def test_canonical_form(source, canonical):
    built = CARS.build(source)
    assert text(built) == canonical
    assert CARS.build(canonical) == built
    assert pickle.loads(pickle.dumps(built)) == built


@settings(max_examples=100, deadline=None, derandomize=True)
@given(
    doors=st.integers(1, 5),
    speed=st.floats(0, 1e300),
    cheap=st.booleans(),
    colour=st.sampled_from(Colour),
    wheel=st.one_of(st.just(Wooden()), st.integers(3, 99).map(Steel)),
    name=st.text(max_size=10),
    sizes=st.lists(st.integers(), max_size=3).map(tuple),
)
def test_everything_built_is_built_again_from_its_text(**values):
    car = Car(**values)
    again = CARS.build(text(car))
    assert again == car
    assert [type(a) for a in again] == [type(a) for a in car]
    assert text(again) == text(car)


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("cra", "unknown car 'cra'; did you mean 'car'?"),
        ("submarine", "unknown car 'submarine'; known: bigger, car, rectangle"),
        ("car", "car: 'doors' is missing; it must be a whole number from 1 to 5"),
        ("car(doors=0)", "car: doors must be a whole number from 1 to 5, not 0"),
        ("car(doors=6)", "car: doors must be a whole number from 1 to 5, not 6"),
        ("car(doors=2.5)", "car: doors must be a whole number from 1 to 5, not 2.5"),
        ("car(doors=x)", "car: doors must be a whole number from 1 to 5, not x"),
        ('car(doors="3")', 'car: doors must be a whole number from 1 to 5, not "3"'),
        ("car(doors=true)", "car: doors must be a whole number from 1 to 5, not true"),
        ("car(doors=(1, 2))", "car: doors must be a whole number from 1 to 5, not (1, 2)"),
        ("car(doors=1e999)", "car: doors must be a whole number from 1 to 5, not inf"),
        ("car(doors=" + "9" * 5000 + ")", "car: doors must be a whole number from 1 to 5, not inf"),
        ("car(2, speed=1e999)", "car: speed must be a number of at least 0, not inf"),
        ("car(2, speed=nan)", "car: speed must be a number of at least 0, not nan"),
        ("car(2, speed=-1)", "car: speed must be a number of at least 0, not -1"),
        ("car(2, depth=1)", "car: depth must be a whole number of at most 0, not 1"),
        ("car(2, cheap=1)", "car: cheap must be true or false, not 1"),
        ("car(2, colour=green)", "car: colour must be one of red, dark_blue, not green"),
        ("car(2, colour=7)", "car: colour must be one of red, dark_blue, not 7"),
        ("car(2, colour=true)", "car: colour must be one of red, dark_blue, not true"),
        ("car(2, name=3)", "car: name must be a string, not 3"),
        ("car(2, sizes=3)", "car: sizes must be a tuple, not 3"),
        ("car(2, sped=3)", "car: unknown parameter 'sped'; did you mean 'speed'?"),
        ("car(2, Speed=3)", "car: unknown parameter 'Speed'; did you mean 'speed'?"),
        ("car(2, doors=2)", "car: 'doors' is given twice"),
        ("car(1, 2, true, red, steel, a, (1), 0, 9)", "car: expected at most 8 values, not 9"),
        ("car(2, wheel=stele)", "unknown wheel 'stele'; did you mean 'steel'?"),
        ("car(2, wheel=steel(spokes=1))", "steel: spokes must be a whole number of at least 3, not 1"),
        ("car(2, wheel=5)", "car: wheel must be one of steel, wooden, not 5"),
        ("car(2, wheel=wooden(a=1))", "wooden: unknown parameter 'a'; it has none"),
        ("rectangle(2, 5)", "rectangle: height must be at most twice the width"),
    ],
)
def test_what_cannot_be_built(source, complaint):
    with pytest.raises(SpecError) as problem:
        CARS.build(source)
    assert str(problem.value).startswith(complaint)
    assert "\n" not in str(problem.value)


def test_construction_in_python_is_checked_too():
    for wrong in (
        lambda: Car(0),
        lambda: Car(2, speed=math.nan),
        lambda: Car(2, speed="fast"),
        lambda: Car(2, sped=3),
        lambda: Car(2, doors=2),
        lambda: Car(2, wheel=Car(2)),
        lambda: Car(None),
        lambda: Car(2)._replace(doors=9),
        lambda: Rectangle(2, 5),
        lambda: Rectangle(2)._replace(height=5),
    ):
        with pytest.raises(SpecError):
            wrong()


def test_numbers_are_converted_without_loss():
    car = Car(np.int32(3), speed=7, wheel="wooden", colour="dark_blue", cheap=False)
    assert (type(car.doors), car.doors, type(car.speed), car.speed) == (int, 3, float, 7.0)
    assert car.wheel == Wooden()
    assert car.colour is Colour.DARK_BLUE
    assert Car(np.float64(3.0), np.float32(0.5)).speed == 0.5
    assert Car(2)._replace(doors=3) == Car(3)


def test_things_of_different_classes_differ():
    assert Rectangle(3, 3) != Bigger(3, 3)
    assert Rectangle(3, 3) != (3, 3)
    assert len({Rectangle(3, 3), Bigger(3, 3), Rectangle(3), Rectangle(4)}) == 3


def test_parameters_explain_themselves():
    found = parameters(Car)
    assert list(found) == list(Car._fields)
    assert found["doors"].param.meaning == "doors"
    assert found["wheel"].allowed() == "one of steel, wooden"
    assert found["speed"].default == 120.0
    assert Steel in WHEELS
    assert Car not in WHEELS
    assert WHEELS.names() == ["steel", "wooden"]
    assert WHEELS["steel"] is Steel


def test_a_registry_lists_its_names_with_their_meanings():
    assert list(WHEELS) == WHEELS.names()
    assert len(WHEELS) == 2
    assert "steel" in WHEELS
    assert "stone" not in WHEELS
    head, *lines = repr(WHEELS).splitlines()
    assert head == "<registry of kind 'wheel', 2 names>"
    assert [line.rstrip() for line in lines] == ["  steel   A wheel of steel.", "  wooden"]
    assert repr(Registry("ghost")) == "<registry of kind 'ghost', 0 names>"


def test_signature_and_docstring_follow_from_the_declarations():
    signature = inspect.signature(Car)
    assert list(signature.parameters) == list(Car._fields)
    assert signature.parameters["doors"].default is inspect.Parameter.empty
    assert signature.parameters["speed"].default == 120.0
    assert signature.parameters["speed"].annotation is float
    assert signature.parameters["colour"].default == "red"
    documented = Car.__doc__.splitlines()
    assert documented[0] == "A car."
    assert "    doors: doors; a whole number from 1 to 5" in documented
    assert "    wheel: kind of wheel; one of steel, wooden" in documented
    registry = Registry("thing")

    @registry.register("derived")
    class Derived(NamedTuple):
        """Has a default that another part of the program derives."""

        size: Annotated[int, Param("size", 1)] = None

    assert inspect.signature(Derived).parameters["size"].annotation == int | None


def test_a_class_registers_itself_by_a_decorator():
    boats = Registry("boat")

    @boats.register("raft")
    class Raft(NamedTuple):
        logs: Annotated[int, Param("logs", 1)] = 5

    assert boats["raft"] is Raft
    assert text(boats.build("raft(logs=7)")) == text(Raft(7)) == "raft(logs=7)"
    with pytest.raises(SpecError, match="raft: logs must be a whole number of at least 1, not 0"):
        Raft(0)
