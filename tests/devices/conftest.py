"""Two devices of the owner: a browser with a test module's pages, and one without tools."""

from collections.abc import Iterator

import pytest

from tests.client import Client, browser_tools, make_page
from tests.penny import Penny
from tests.stand_ins.articles import WATER


@pytest.fixture
def desk(penny: Penny, request: pytest.FixtureRequest) -> Iterator[Client]:
    """A browser that answers no question by itself, without grants of earlier tests."""
    penny.admin_action("devices/grant", "delete_selected")
    pages = {url: make_page(url, WATER.title, WATER.text) for url in request.module.URLS}
    with penny.client("Desk", tools=browser_tools(pages)) as client:
        yield client


@pytest.fixture
def phone(penny: Penny) -> Iterator[Client]:
    with penny.client("Phone") as client:
        yield client
