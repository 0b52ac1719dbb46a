"""Both browsers, with the built extension, each paired with its own Penny."""

import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests import penny as pennies
from tests.e2e.browser import Browser
from tests.e2e.chromium import Chromium
from tests.e2e.finds import store_finds
from tests.e2e.firefox import Firefox
from tests.e2e.options import Options
from tests.e2e.panel import Panel
from tests.penny import Penny
from tests.stand_ins.model_server import ModelServer
from tests.stand_ins.sites import Sites
from tests.waiting import until

BROWSERS: dict[str, Callable[[], Browser]] = {"firefox": Firefox, "chromium": Chromium}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave a test in the browser that its mark `one_browser` does not name to the long run."""
    for item in items:
        mark = item.get_closest_marker("one_browser")
        if mark is None:
            continue
        name, reason = mark.args
        if name not in BROWSERS or not reason:
            raise pytest.UsageError(f"{item.nodeid}: one_browser takes the name of a browser and the reason")
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        if parameters.get("browser", name) != name:
            item.add_marker(pytest.mark.long)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add Penny's rows and logs to a failure, because the failed wait seldom shows the cause."""
    report = yield
    desk = getattr(item, "funcargs", {}).get("desk")
    if report.when == "call" and report.failed and isinstance(desk, Desk):
        report.sections.append(("Penny's rows and logs", desk.penny.last_rows() + desk.penny.logs(most=600)))
    return report


@dataclass
class Desk:
    """A browser on the owner's desk, signed in and paired with a Penny, with an open panel."""

    browser: Browser
    penny: Penny
    panel: Panel


@pytest.fixture(scope="package", params=["firefox", "chromium"])
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """The browser. All tests run in the first browser before the second starts."""
    launched = BROWSERS[request.param]()
    try:
        yield launched
    finally:
        launched.quit()


@pytest.fixture(scope="package")
def _desk(browser: Browser, _model: ModelServer, web: Sites) -> Iterator[Desk]:
    with ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory(prefix="penny-"))
        penny = stack.enter_context(pennies.run_penny(Path(data), **pennies.with_model(_model.url)))
        penny.set(SEARCH_TEMPLATE=web.search_template)
        penny.allow_many_calls()
        browser.page(penny.manage("sign_in_link").strip()).close()
        panel = Panel(browser)
        panel.pair(penny, f"Desk {browser.name}")
        yield Desk(browser, penny, panel)


@pytest.fixture
def desk(_desk: Desk, model: ModelServer, web: Sites) -> Iterator[Desk]:
    """The paired browser. Afterwards it deletes all grants and checks that no tab is left."""
    web.visits.clear()
    tabs = len(_desk.browser.urls())
    yield _desk
    _desk.penny.admin_action("devices/grant", "delete_selected")
    until(lambda: len(_desk.browser.urls()) == tabs, f"no tab is left open of {_desk.browser.urls()}")


@pytest.fixture(scope="package")
def second_penny(browser: Browser) -> Iterator[Penny]:
    """Another Penny, without a model. The tests of the admin fill it, after those that need it empty."""
    with tempfile.TemporaryDirectory(prefix="penny-") as data, pennies.run_penny(Path(data)) as penny:
        yield penny


@pytest.fixture(scope="module")
def finds(_desk: Desk) -> None:
    """Finds on the feed, for all tests of a module."""
    _desk.browser.page(store_finds(_desk.penny)).close()


@pytest.fixture
def options(desk: Desk) -> Iterator[Options]:
    page = desk.browser.page(f"{desk.browser.origin}/options.html")
    yield Options(page)
    page.close()
