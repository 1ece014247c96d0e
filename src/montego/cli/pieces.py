"""Pieces drawn in characters, for games in which moves are pieces."""

from collections.abc import Mapping, Sequence

_GAP = 3  # characters between two pieces that are drawn side by side


def pieces_text(pieces: Mapping[str, Sequence[tuple[int, int]]], width: int) -> str:
    """Draw pieces, given by their squares (row, column), side by side in as many rows as they need, each with name."""
    blocks = []
    for name, cells in pieces.items():
        tall, wide = max(row for row, _ in cells) + 1, max(column for _, column in cells) + 1
        lines = [
            "".join("[]" if (row, column) in cells else "  " for column in range(wide)).ljust(len(name))
            for row in range(tall)
        ]
        blocks.append([name.ljust(len(lines[0])), *lines])
    drawn: list[str] = []
    while blocks:
        count = 1
        while count < len(blocks) and sum(len(block[0]) + _GAP for block in blocks[: count + 1]) <= width:
            count += 1
        beside, blocks = blocks[:count], blocks[count:]
        for line in range(max(len(block) for block in beside)):
            parts = [block[line] if line < len(block) else " " * len(block[0]) for block in beside]
            drawn.append((" " * _GAP).join(parts).rstrip())
        drawn.append("")
    return "\n".join(drawn[:-1])
