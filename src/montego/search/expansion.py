"""When a leaf of the tree gets its children."""

from typing import Annotated, Any, NamedTuple

from montego.spec import Param, Registry

EXPANSIONS: Registry[Any] = Registry("expansion rule")


class AllEnds(NamedTuple):
    """Every leaf that a simulation reaches is expanded at once."""

    def setting(self) -> int:
        """Return the visits that a leaf needs."""
        return 0


class Visits(NamedTuple):
    """A leaf is expanded when it has been visited often enough."""

    n: Annotated[int, Param("visits of the leaf", 1, 10**9, "refinements")] = 2

    def setting(self) -> int:
        """Return the visits that a leaf needs."""
        return self.n


EXPANSIONS.add("all_ends", AllEnds)
EXPANSIONS.add("visits", Visits)
