"""Both browsers, each with the built extension and a Penny of its own to which it is paired."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests import penny as pennies
from tests.e2e.browser import Browser
from tests.e2e.chromium import Chromium
from tests.e2e.firefox import Firefox
from tests.e2e.panel import Panel
from tests.model_server import ModelServer
from tests.penny import Penny
from tests.sites import Sites

BROWSERS: dict[str, Callable[[], Browser]] = {"firefox": Firefox, "chromium": Chromium}


@dataclass
class Desk:
    """One browser on the owner's desk, paired with one Penny, and the panel open."""

    browser: Browser
    penny: Penny
    panel: Panel


@pytest.fixture(scope="session", params=["firefox", "chromium"])
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """One after the other: all tests run in the first before the second starts."""
    found = BROWSERS[request.param]()
    try:
        yield found
    finally:
        found.quit()


@pytest.fixture(scope="session")
def _desk(browser: Browser, _model: ModelServer, web: Sites) -> Iterator[Desk]:
    with ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory(prefix="penny-"))
        penny = stack.enter_context(pennies.running(Path(data), **pennies.with_model(_model.url)))
        penny.set("SEARCH_TEMPLATE", web.search_template)
        penny.allow_many_calls()
        panel = Panel(browser)
        panel.pair(penny, f"Desk {browser.name}")
        yield Desk(browser, penny, panel)


@pytest.fixture
def desk(_desk: Desk, model: ModelServer, web: Sites) -> Iterator[Desk]:
    """The paired browser; what was granted in one test is forgotten before the next, and no tab stays behind."""
    web.visits.clear()
    tabs = len(_desk.browser.urls())
    yield _desk
    _desk.penny.admin_action("devices/grant", "delete_selected")
    assert len(_desk.browser.urls()) == tabs, f"a tab was left open: {_desk.browser.urls()}"
