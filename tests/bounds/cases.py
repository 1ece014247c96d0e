"""The cases: every parameter of every player, playout policy, reward and other part, at its least and greatest value.

They follow from the registries, so that a new parameter is swept as soon as it is declared.
"""

import math
import random
from collections.abc import Iterator
from enum import IntEnum
from typing import Any

from montego.cli.listing import parts
from montego.players import PLAYERS
from montego.spec import Parameter, Registry, parameters, print_value

# What is left out or made smaller, and why.
GREATEST = {
    "threads": 8,  # more would only take the machine's time
    "memory": 20,  # megabytes: tables that forget are written as a whole
    "replay": 2000,  # batches are kept in memory
}
NOT_SWEPT = {"gtp": "other programs have tests of their own"}
NEEDS = {  # what else a choice needs to have any effect
    "RAVE schedule": "rave={}",
    "AMAF weight": "rave=silver, amaf_weight={}",
    "reward": "reward={}",
    "pruning": "prune={}",
    "choice": "choice={}",
    "expansion rule": "expand={}",
    "bias": "prior=softmax, bias={}",
    "initial value": "prior=softmax, initial={}",
    "widening": "prior=softmax, widen={}",
    "stopping rule": "stop={}",
    "pace": "playouts=20, seconds=0.001, pace={}",
    "playout policy": "rave=silver, playout={}",
}


def extremes(parameter: Parameter) -> list[Any]:
    """Return the values of a parameter that are worth a try: its bounds, all choices, both truths."""
    if parameter.registry is not None or parameter.name in ("playouts", "seconds"):
        return []
    if parameter.type is bool:
        return [False, True]
    if isinstance(parameter.type, type) and issubclass(parameter.type, IntEnum):
        return list(parameter.type)
    low, high = parameter.param.low, parameter.param.high
    most = GREATEST.get(parameter.name, math.inf)
    found = [value for value in (low, high if high is None else min(high, most)) if value is not None]
    return [int(value) if parameter.type is int else float(value) for value in found]


def specs_of(registry: "Registry[Any]") -> Iterator[str]:
    """Yield every class of a registry as it is, and with each parameter at each extreme."""
    for name in registry.names():
        if name in NOT_SWEPT:
            continue
        yield name
        for parameter in parameters(registry[name]).values():
            for value in extremes(parameter):
                yield f"{name}({parameter.name}={print_value(value)})"


def all_extreme(chance: random.Random, registry: "Registry[Any]", depth: int = 0) -> str:
    """Return a spec with every parameter at an extreme by chance, nested parts too."""
    name = chance.choice([name for name in registry.names() if name not in NOT_SWEPT])
    words = []
    for parameter in parameters(registry[name]).values():
        if parameter.registry is not None and depth < 2 and chance.random() < 0.5:
            words.append(f"{parameter.name}={all_extreme(chance, parameter.registry, depth + 1)}")
        elif found := extremes(parameter):
            words.append(f"{parameter.name}={print_value(chance.choice(found))}")
    return f"{name}({', '.join(words)})" if words else name


def cases(mixed: int = 0) -> list[str]:
    """Return the specs of all players to try, and some with everything at an extreme."""
    found = list(specs_of(PLAYERS))
    for kind, registry in parts(PLAYERS).items():
        form = NEEDS.get(kind)
        assert form is not None, (
            f"say in NEEDS how the kind '{kind}' is tried: a part that is not swept is not finished"
        )
        found += [f"uct({form.format(spec)}, memory=1)" for spec in specs_of(registry)]
    chance = random.Random(1)
    return found + [all_extreme(chance, PLAYERS) for _ in range(mixed)]
