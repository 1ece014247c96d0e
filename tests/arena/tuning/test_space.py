"""What is tuned: names, ranges and alternatives from the declarations, and players with other values."""

from typing import Any

import numpy as np
import pytest

from montego.arena.tuning.space import Choice, Number, Space
from montego.cli.listing import parts
from montego.errors import SpecError
from montego.players import PLAYERS
from montego.spec import parameters

PLAYER = "uct(playouts=300, rave=silver)"


def test_ranges_come_from_the_declarations() -> None:
    space = Space.read(PLAYER, ["c", "rave.b", "expand.n", "solver", "final"])
    assert space.lines() == [
        "c=0.0..2.0", "rave.b=0.001..1.0", "expand.n=1..50",
        "solver=false|true", f"final={'|'.join(space.choices[1].values)}",
    ]  # fmt: skip
    c, b, n = space.numbers
    assert (c.logarithmic, b.logarithmic, n.logarithmic) == (False, True, False)
    assert (b.whole, n.whole) == (False, True)
    assert b.meaning == "assumed bias of the AMAF mean"
    assert "visits" in space.choices[1].values


def test_ranges_may_be_given() -> None:
    space = Space.read("uct(reward=sigmoid)", ["reward.k = 0.1 .. 2", "rave=off|silver(b=0.5)", "playouts=10|20"])
    assert space.lines() == ["reward.k=0.1..2.0", "rave=off|silver(b=0.5)", "playouts=10|20"]
    assert Space.read("uct(reward=sigmoid)", space.lines()) == space


def test_a_player_with_other_values() -> None:
    space = Space.read(PLAYER, ["c", "rave.b", "expand.n"])
    values = {"c": 0.25, "rave.b": 0.5, "expand.n": 7}
    assert space.spec(values) == "uct(playouts=300, c=0.25, rave=silver(b=0.5), expand=visits(n=7))"
    assert space.values_of(space.spec(values)) == values
    row = space.coordinates(values)
    assert space.values(row) == values
    assert np.all(np.abs(row) <= 1)


def test_what_follows_from_a_choice_follows() -> None:
    """Without RAVE the c that was left out is 0.2, with RAVE 0; both are left out of the spec."""
    space = Space.read(PLAYER, ["rave=off|silver"])
    assert space.spec({"rave": "off"}) == "uct(playouts=300)"
    assert PLAYERS.build(space.spec({"rave": "off"})).c == 0.2
    assert space.variants() == ["uct(playouts=300)", "uct(playouts=300, rave=silver)"]


def test_coordinates_of_numbers_and_choices() -> None:
    space = Space(None, (Number("b", 0.01, 1.0, False), Number("n", 1, 9, True)), (Choice("k", ("x", "y", "z")),))
    assert space.coordinates({"b": 0.1, "n": 5, "k": "y"}).tolist() == pytest.approx([0, 0, 0, 1, 0])
    assert space.values(np.array([1.0, -1.0, 0.2, 0.1, 0.7])) == {"b": 1.0, "n": 1, "k": "z"}
    rows = np.array([space.random(np.random.default_rng(seed)) for seed in range(300)])
    assert {space.values(row)["n"] for row in rows} == set(range(1, 10))
    assert np.all(rows[:, 2:].sum(axis=1) == 1)


def test_every_usual_range_is_allowed() -> None:
    registries: list[Any] = [PLAYERS, *parts(PLAYERS).values()]
    seen = 0
    for registry in registries:
        for name in registry:
            for parameter in parameters(registry[name]).values():
                if parameter.param.usual is not None:
                    low, high = (parameter.coerce(name, end) for end in parameter.param.usual)
                    assert low < high
                    seen += 1
    assert seen > 15


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (["rave.bias"], "has no parameter 'rave.bias'; did you mean 'rave.b'?"),
        (["C"], "has no parameter 'C'; did you mean 'c'?"),
        (["c.x"], "has no parameter 'c.x'"),
        (["rave.n"], "has no parameter 'rave.n'"),
        (["c=1..0"], "the range 1..0 is empty; the lower end comes first"),
        (["c=0..200"], "uct: c must be a number from 0 to 100, not 200"),
        (["c=zero..1"], "uct: c must be a number"),
        (["c=0.5"], "expected a range such as c=0..1"),
        (["playouts"], "playouts is a whole number of at least 0: give a range, such as playouts=1..100"),
        (["playouts=0..100000"], "too wide"),
        (["rave=off|silvr"], "unknown RAVE schedule 'silvr'; did you mean 'silver'?"),
        (["solver=0..1"], "solver has no range: it is true or false"),
        (["c", "c=0..1"], "'c' is given twice"),
        (["rave", "rave.b"], "'rave.b' and 'rave' cannot be tuned together"),
        ([], "name at least one parameter of uct, such as playouts"),
    ],
)
def test_bad_names_and_ranges(wanted: list[str], message: str) -> None:
    with pytest.raises(SpecError) as caught:
        Space.read(PLAYER, wanted)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
