"""Go as slowly and plainly as possible: a dictionary of stones, chains and liberties by flood fill each time."""

Point = tuple[int, int]  # column, row from the top left


class NaiveGo:
    """A board without any incremental state; colours are 1 and 2."""

    def __init__(self, width: int, height: int, suicide: bool = False) -> None:
        self.width, self.height, self.suicide = width, height, suicide
        self.stones: dict[Point, int] = {}
        self.ko: Point | None = None
        self.turn = 1
        self.passes = 0

    def points(self) -> list[Point]:
        return [(x, y) for y in range(self.height) for x in range(self.width)]

    def near(self, point: Point) -> list[Point]:
        x, y = point
        around = [(x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)]
        return [(a, b) for a, b in around if 0 <= a < self.width and 0 <= b < self.height]

    def chain(self, point: Point) -> tuple[set[Point], set[Point]]:
        """Return the stones and the liberties of the chain on a point."""
        stones, liberties, todo = {point}, set(), [point]
        while todo:
            for other in self.near(todo.pop()):
                if other not in self.stones:
                    liberties.add(other)
                elif self.stones[other] == self.stones[point] and other not in stones:
                    stones.add(other)
                    todo.append(other)
        return stones, liberties

    def after(self, point: Point, colour: int) -> "NaiveGo":
        """Return the board after a stone, captured stones and then suicides taken off."""
        board = NaiveGo(self.width, self.height, self.suicide)
        board.stones = {**self.stones, point: colour}
        captured: set[Point] = set()
        for other in board.near(point):
            if board.stones.get(other) == 3 - colour:
                stones, liberties = board.chain(other)
                if not liberties:
                    captured |= stones
        for stone in captured:
            del board.stones[stone]
        stones, liberties = board.chain(point)
        if len(captured) == 1 and len(stones) == 1 and len(liberties) == 1:
            board.ko = next(iter(captured))
        if not liberties:
            for stone in stones:
                del board.stones[stone]
        board.turn = 3 - colour
        return board

    def is_legal(self, point: Point) -> bool:
        if point in self.stones or point == self.ko:
            return False
        if self.suicide or any(other not in self.stones for other in self.near(point)):
            return True
        return point in self.after(point, self.turn).stones

    def legal(self) -> set[Point]:
        return {point for point in self.points() if self.is_legal(point)}

    def is_eye(self, point: Point, colour: int) -> bool:
        if point in self.stones or any(self.stones.get(other) != colour for other in self.near(point)):
            return False
        x, y = point
        diagonals = [(x + a, y + b) for a in (-1, 1) for b in (-1, 1)]
        on_board = [(a, b) for a, b in diagonals if 0 <= a < self.width and 0 <= b < self.height]
        enemies = sum(self.stones.get(other) == 3 - colour for other in on_board)
        return enemies + (len(on_board) < 4) < 2

    def area(self) -> int:
        """Return Black's area minus White's."""
        total = sum(1 if colour == 1 else -1 for colour in self.stones.values())
        seen: set[Point] = set()
        for point in self.points():
            if point in self.stones or point in seen:
                continue
            region, todo, reached = {point}, [point], set()
            while todo:
                for other in self.near(todo.pop()):
                    if other in self.stones:
                        reached.add(self.stones[other])
                    elif other not in region:
                        region.add(other)
                        todo.append(other)
            seen |= region
            total += len(region) * ((reached == {1}) - (reached == {2}))
        return total
