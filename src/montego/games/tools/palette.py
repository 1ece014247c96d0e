"""Colours of heat maps: one sequential palette that everybody can read, and that no player's stones have.

It runs from a pale yellow over green to a dark teal. Its lightness falls steadily, so that the order of the colours
survives red-green and blue-yellow colour blindness and a print in grey. Red, blue, purple, orange, black and white are
left to the players.
"""

PALETTE = ("#fdf7b3", "#c9e08e", "#7fc28a", "#37998f", "#12707d", "#0a4a5c")


def colour(share: float) -> str:
    """Return the colour of a share from 0 (least) to 1 (most)."""
    place = min(max(share, 0.0), 1.0) * (len(PALETTE) - 1)
    step = min(int(place), len(PALETTE) - 2)
    low, high = _channels(PALETTE[step]), _channels(PALETTE[step + 1])
    return "#" + "".join(f"{round(a + (b - a) * (place - step)):02x}" for a, b in zip(low, high, strict=True))


def lightness(hexadecimal: str) -> float:
    """Return how light a colour looks, from 0 (black) to 1 (white): its relative luminance (ITU-R BT.709)."""
    linear = [(c / 3294.6 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4) for c in _channels(hexadecimal)]
    return float(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])


def ink_on(hexadecimal: str) -> tuple[str, str]:
    """Return the colour of text on a ground, and of the halo around it."""
    return ("#ffffff", "#1c1c1c") if lightness(hexadecimal) < 0.3 else ("#1c1c1c", "#ffffff")


def _channels(hexadecimal: str) -> tuple[int, int, int]:
    number = int(hexadecimal.lstrip("#"), 16)
    return number >> 16 & 255, number >> 8 & 255, number & 255
