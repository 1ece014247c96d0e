"""The values of options: what is refused before a command begins."""

import pytest

from montego.cli.main import run


@pytest.mark.parametrize("number", ["nan", "inf", "x"])
@pytest.mark.parametrize(
    "command",
    [
        "train sb p.npz --out w.npz --step",
        "train sb p.npz --out w.npz --damping",
        "train sb p.npz --out w.npz --rate",
        "train sb p.npz --out w.npz --baseline",
        "train mm games --out w.npz --strength",
        "train mm games --out w.npz --tolerance",
        "analyse game.sgf --seconds",
        "gtp --resign",
        "gtp --lag",
        "match --game tictactoe --player random --player random --alpha",
        "tournament t.toml --resign",
        "bench playouts --game tictactoe --seconds",
        "check x.py --seconds",
    ],
)
def test_numbers_are_finite(command: str, number: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*command.split(), number]) == 2
    option = command.split()[-1]
    message = f"montego: error: invalid value for '{option}': expected a finite number, not {number}\n"
    assert capsys.readouterr().err == message
