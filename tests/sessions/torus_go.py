"""Go on a board whose opposite edges touch, as far as the judge of dead stones is concerned: only neighbours differ."""

from montego.games import Go


class TorusGo(Go, name="torus_go"):
    """Go on a torus."""

    def adjacent_points(self) -> list[list[int]]:
        """Return the neighbours of every point, across the edges too."""
        width, height = self.size, self.height
        steps = ((-1, 0), (1, 0), (0, -1), (0, 1))
        return [
            [(row + down) % height * width + (column + right) % width for down, right in steps]
            for row in range(height)
            for column in range(width)
        ]
