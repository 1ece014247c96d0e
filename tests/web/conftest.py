"""A server that all protocol tests of one file share."""

from collections.abc import Iterator

import pytest

from montego.web.app import Lab
from montego.web.bounds import Bounds
from montego.web.folder import Folder
from tests.web.running import Page, Served, serving


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("folder")
    with serving(Lab(Bounds(messages_per_second=1e6, burst=10**6), Folder(folder))) as one:
        yield one
        assert one.lab is not None
        assert one.lab.failures == 0


@pytest.fixture
def page(served: Served) -> Iterator[Page]:
    with served.connect() as socket:
        yield Page(socket)
