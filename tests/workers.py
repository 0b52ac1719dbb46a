"""A pytest plugin that spreads the tests of `pytest -n` over processes.

Tests that share something slow to start, such as a browser, stay in one process and in order. Each process has its own
data folder, Redis and Penny (tests/environment.py). The longest groups start first, so that no process is last alone.
`--order-seed=N` runs files, and the tests of a file, in another order.
"""

import random
import re

import pytest
from xdist.scheduler import LoadScopeScheduling

BROWSER = re.compile(r"tests/e2e/(test_\w+).*\[(firefox|chromium)\b")
HALF = "test_k"  # Chromium's tests take twice as long as others: two processes share them, by the names of their files
# The beginnings of the names of groups that take minutes. The others follow in the order of their files.
LONGEST_FIRST = ("firefox", "chromium", "attacks", "tests/test_", "tests/agents/")


def group(nodeid: str) -> str:
    """Return the group of a test: its browser, the attacks on a running Penny, or its file."""
    if match := BROWSER.match(nodeid):
        module, browser = match.groups()
        return f"{browser}, later files" if browser == "chromium" and module > HALF else browser
    if re.match(r"tests/attacks/test_(attacks|without)", nodeid):
        return "attacks"
    return nodeid.partition("::")[0]


def _turn(nodeid: str) -> int:
    """Return the place of the test's group in the order of starts."""
    name = group(nodeid)
    return next(
        (turn for turn, beginning in enumerate(LONGEST_FIRST) if name.startswith(beginning)), len(LONGEST_FIRST)
    )


def _shuffle(items: list[pytest.Item], seed: int) -> None:
    """Shuffle the files, and the tests of each file. A file stays together, because its fixtures may be slow."""
    dice, files = random.Random(seed), dict[str, list[pytest.Item]]()
    for item in items:
        files.setdefault(f"{group(item.nodeid)} {item.path}", []).append(item)
    shuffled = list(files.values())
    dice.shuffle(shuffled)
    for tests in shuffled:
        dice.shuffle(tests)
    items[:] = [item for tests in shuffled for item in tests]


class _Groups(LoadScopeScheduling):
    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--order-seed", type=int, help="run the tests in another order, the same for the same number")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.option.order_seed is not None:
        _shuffle(items, config.option.order_seed)
    items.sort(key=lambda item: _turn(item.nodeid))
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.timeout(0))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> _Groups:
    config.option.loadscopereorder = False  # by the number of tests
    return _Groups(config, log)
