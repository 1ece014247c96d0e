"""Files of pages stay in one folder."""

from pathlib import Path

import pytest

from montego.errors import MontegoError
from montego.web.folder import Folder


@pytest.mark.parametrize(
    "name",
    [
        "../x.sgf",
        "a/b.sgf",
        "/etc/x.sgf",
        "..sgf",
        "x..sgf",
        ".x.sgf",
        "x.sgf\0",
        "x.py",
        "",
        "con.sgf",
        "a\\b.sgf",
        "x" * 90 + ".sgf",
    ],
)
def test_names_that_are_not_plain_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(MontegoError):
        Folder(tmp_path).place(name, "records")


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "secret.sgf").write_text("(;GM[1])")
    (tmp_path / "folder" / "link.sgf").symlink_to(tmp_path / "secret.sgf")
    folder = Folder(tmp_path / "folder")
    assert folder.names("records") == []
    with pytest.raises(MontegoError, match="links"):
        folder.read("link.sgf", "records")


def test_files_are_written_listed_and_read(tmp_path: Path) -> None:
    folder = Folder(tmp_path, most_bytes=100)
    folder.write("my game.sgf", "records", "(;GM[1])")
    assert folder.names("records") == ["my game.sgf"]
    assert folder.read("my game.sgf", "records") == b"(;GM[1])"
    with pytest.raises(MontegoError, match="at most"):
        folder.write("large.sgf", "records", "x" * 101)
    with pytest.raises(MontegoError, match="cannot read"):
        folder.read("missing.sgf", "records")


def test_without_a_folder_there_are_no_files() -> None:
    assert Folder(None).names("records") == []
    with pytest.raises(MontegoError, match="--folder"):
        Folder(None).place("x.sgf", "records")
    with pytest.raises(MontegoError, match="no folder"):
        Folder("/does/not/exist")
