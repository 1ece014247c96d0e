"""Progressive widening: a position offers its moves one by one, the likeliest first (Coulom 2007, Chaslot et al. 2008)."""

from typing import Annotated, Any, NamedTuple

from montego.spec import Param, Registry

WIDENINGS: Registry[Any] = Registry("widening")


class Setting(NamedTuple):
    """A widening as numbers for the kernels; the fields of the settings record say what they mean."""

    visits: float = 0.0
    growth: float = 1.0
    first: int = 0


class AtOnce(NamedTuple):
    """All moves are there from the beginning."""

    def setting(self) -> Setting:
        """Return the widening as numbers."""
        return Setting()


class Progressive(NamedTuple):
    """Some moves at first; the next one after a number of visits, every further one after a number that grows."""

    visits: Annotated[float, Param("visits of the position for the first further move", 1e-3, 1e9, "Coulom 2007")] = (
        40.0
    )
    growth: Annotated[float, Param("factor of these visits from one move to the next", 1, 100, "Coulom 2007")] = 1.4
    first: Annotated[int, Param("moves at the beginning", 1, 65535, "Chaslot et al. 2008")] = 2

    def setting(self) -> Setting:
        """Return the widening as numbers."""
        return Setting(*self)


WIDENINGS.add("off", AtOnce)
WIDENINGS.add("progressive", Progressive)
