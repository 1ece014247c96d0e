"""SVG as PNG, by resvg, which is an extra: ``pip install montego[png]``."""

from __future__ import annotations

from importlib import import_module

from montego.errors import MontegoError

# resvg leaves out text whose family it does not find; these are on most machines.
_FAMILIES = "Helvetica,Arial,Liberation Sans,DejaVu Sans,Noto Sans,sans-serif"


def to_png(svg: str, width: int | None = None) -> bytes:
    """Return a picture as PNG, scaled to a width in pixels if one is given."""
    try:
        resvg = import_module("resvg_py")
    except ImportError:
        raise MontegoError(
            "pictures as PNG need resvg, which is not installed: pip install 'montego[png]'; or draw a .svg"
        ) from None
    drawn = svg.replace('font-family="sans-serif"', f'font-family="{_FAMILIES}"')
    return bytes(resvg.svg_to_bytes(svg_string=drawn, width=width))
