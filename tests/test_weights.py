"""Files of weights: what is written is read again, and nothing else is taken for one."""

import json

import numpy as np
import pytest

from montego.errors import MontegoError
from montego.games.features import Column, Group
from montego.weights import Weights, load, save

pytestmark = pytest.mark.both_modes

COLUMNS = (Column.of_group(Group("shape", 3)), Column.of_bits(["near", "far"]))


def weights(**changes):
    fields = {
        "game": "go",
        "kind": "playout",
        "groups": ("shape", "near", "far"),
        "gammas": (np.array([1.0, 2.0, 0.5, 4.0]), np.array([1.0, 8.0]), np.array([1.0, 0.25])),
        "about": {"seed": 1, "data": "by hand"},
        "extra": {"hashes": np.arange(5, dtype=np.uint64)},
    }
    return Weights(**{**fields, **changes})


def test_what_is_saved_is_loaded(tmp_path):
    save(weights(), tmp_path / "w.npz")
    read = load(tmp_path / "w.npz")
    assert (read.game, read.kind, read.groups, read.about) == ("go", "playout", weights().groups, weights().about)
    assert all((a == b).all() for a, b in zip(read.gammas, weights().gammas, strict=True))
    assert (read.extra["hashes"] == np.arange(5)).all()
    assert [path.name for path in tmp_path.iterdir()] == ["w.npz"]


def test_strengths_are_products_over_the_groups_of_a_column():
    table = weights().strengths(COLUMNS)
    assert table[0].tolist() == [1, 2, 0.5, 4]
    assert table[1].tolist() == [1, 8, 0.25, 2]


def test_weights_for_other_features_are_refused():
    with pytest.raises(MontegoError, match="do not fit the features of go"):
        weights(groups=("shape", "near", "high")).strengths(COLUMNS)
    with pytest.raises(MontegoError, match="weights have 2 features of 'shape'; 3 expected"):
        weights(gammas=(np.ones(3), np.ones(2), np.ones(2))).strengths(COLUMNS)


def header(**changes):
    fields = {"format": 1, "kind": "playout", "game": "go", "groups": ["shape"], "about": {}}
    return np.array(json.dumps({**fields, **changes}))


DAMAGED = {
    "no such file": (None, "no weights"),
    "empty": (b"", "not a file of weights"),
    "text": (b"hello", "not a file of weights"),
    "no header": ({"gamma0": np.ones(3)}, "has no header"),
    "header is not JSON": ({"header": np.array("{"), "gamma0": np.ones(3)}, "has no header"),
    "header is a list": ({"header": np.array("[1]"), "gamma0": np.ones(3)}, "damaged header"),
    "other version": ({"header": header(format=7), "gamma0": np.ones(3)}, "has format 7; .* reads format 1"),
    "missing group": ({"header": header()}, "lacks the weights of 'shape'"),
    "no number": ({"header": header(), "gamma0": np.array([1.0, np.nan])}, "must be a number of at least 0"),
    "infinite": ({"header": header(), "gamma0": np.array([1.0, np.inf])}, "must be a number of at least 0"),
    "negative": ({"header": header(), "gamma0": np.array([1.0, -1.0])}, "must be a number of at least 0"),
    "words": ({"header": header(), "gamma0": np.array(["a", "b"])}, "lacks the weights of 'shape'"),
    "objects": ({"header": header(), "gamma0": np.array([{}, []], object)}, "not a file of weights"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_file_is_refused_in_one_line(name, tmp_path):
    content, message = DAMAGED[name]
    path = tmp_path / f"{name.replace(' ', '-')}.npz"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None:
        np.savez(path, **content)
    with pytest.raises(MontegoError, match=message) as problem:
        load(path)
    assert "\n" not in str(problem.value)


def test_a_truncated_file_is_refused_wherever_it_ends(tmp_path):
    save(weights(), tmp_path / "w.npz")
    whole = (tmp_path / "w.npz").read_bytes()
    for length in range(0, len(whole), 7):
        path = tmp_path / f"{length}.npz"
        path.write_bytes(whole[:length])
        with pytest.raises(MontegoError, match="not a file of weights"):
            load(path)


def test_a_file_that_unpacks_to_more_than_expected_is_refused(tmp_path):
    np.savez_compressed(tmp_path / "bomb.npz", gamma0=np.zeros(20_000_000))
    assert (tmp_path / "bomb.npz").stat().st_size < 200_000
    with pytest.raises(MontegoError, match="larger than 64 MB when unpacked"):
        load(tmp_path / "bomb.npz")


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path):
    with pytest.raises(MontegoError, match="cannot write"):
        save(weights(), tmp_path / "missing" / "w.npz")
    assert list(tmp_path.iterdir()) == []
