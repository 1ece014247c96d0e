"""A missing program skips a test at home and fails it in CI."""

import pytest

from tests.external import require_program


def test_a_program_that_exists_is_found() -> None:
    assert require_program("sh").endswith("/sh")


def test_a_missing_program_skips_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no-such-program is not installed"):
        require_program("no-such-program")


def test_a_missing_program_fails_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no-such-program is not installed"):
        require_program("no-such-program")
