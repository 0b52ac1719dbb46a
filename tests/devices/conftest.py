"""Two devices of the owner: a browser with the pages that a test module names, and one without."""

from collections.abc import Iterator

import pytest

from tests.client import Client, browser, page
from tests.penny import Penny
from tests.stand_ins.articles import WATER


@pytest.fixture
def desk(penny: Penny, request: pytest.FixtureRequest) -> Iterator[Client]:
    """A browser that answers no question by itself; grants of earlier tests are gone."""
    penny.admin_action("devices/grant", "delete_selected")
    pages = {url: page(url, WATER.title, WATER.text) for url in request.module.URLS}
    with penny.client("Desk", tools=browser(pages)) as found:
        yield found


@pytest.fixture
def phone(penny: Penny) -> Iterator[Client]:
    with penny.client("Phone") as found:
        yield found
