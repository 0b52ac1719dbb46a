"""A pytest plugin: each test has the mark of its floor, the lowest one that holds what the test uses.

- words: functions, rows and pages, in the process of the test
- house: Penny's server and worker, in the process of the test too (`tests/house.py`)
- processes: a running Penny (`tests/penny.py`)
- browser: a real browser

The fixtures say it. A test that starts a Penny or a browser by itself carries the mark. On the floors words and house
no test listens at a port or starts a Penny: it would cost what the floor saves, and would meet other tests.
"""

import socket
import traceback
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests import commands, databases

OWN = Path(__file__)
FLOORS = ("words", "house", "processes", "browser")
BY_FIXTURE = {
    "browser": {"browser", "undriven", "eye"},
    "processes": {"start_penny", "_penny", "_field"},
    "house": {"_house"},
}
# Servers of others than Penny, which she calls: a test plays them on any floor.
STAND_INS = {
    "tests/stand_ins": "the scripted model, web sites, Signal, a push service, a service to sign in with",
    "tests/agents/llm/streams.py": "a model that streams oddly, refuses or falls silent",
}
ADVICE = "replace it by a stand-in, or give the test the floor with @pytest.mark.processes(reason)"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if not any(item.get_closest_marker(floor) for floor in FLOORS):
            item.add_marker(_floor_by_fixtures(set(getattr(item, "fixturenames", ()))))


def _floor_by_fixtures(fixtures: set[str]) -> str:
    for floor, names in BY_FIXTURE.items():
        if names & fixtures:
            return floor
    if "penny" in fixtures:  # of tests/house.py, which starts one or the other
        return "processes" if databases.is_on_server() else "house"
    return "words"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    return (yield from _without_ports(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    return (yield from _without_ports(item))


def _without_ports(item: pytest.Item) -> Generator[None, None, None]:
    """Fail the test for what it starts, also on another thread and if it catches the error of it."""
    if item.get_closest_marker("processes") or item.get_closest_marker("browser"):
        return (yield)
    misuses, root = list[str](), item.config.rootpath
    listen, start = socket.socket.listen, commands.ForkedCommand.__init__

    def listen_noted(self: socket.socket, *backlog: int) -> None:
        if self.family != socket.AF_UNIX and (place := _line_of_tests(root)):
            misuses.append(f"it listens at a port ({place})")
        listen(self, *backlog)

    def start_noted(self: commands.ForkedCommand, *arguments: Any, **options: Any) -> None:
        misuses.append(f"it starts a Penny ({_line_of_tests(root)})")
        start(self, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "listen", listen_noted)
        patch.setattr(commands.ForkedCommand, "__init__", start_noted)
        yield
    if misuses:
        pytest.fail(f"{misuses[0]}, which no test of this floor does: {ADVICE}", pytrace=False)


def _line_of_tests(root: Path) -> str:
    """Return the file and line of the tests, or of Penny, that is nearest to here in what runs; "" in a stand-in."""
    lines = [(Path(frame.f_code.co_filename), number) for frame, number in traceback.walk_stack(None)]
    if any(path.is_relative_to(commands.ROOT / name) for path, _ in lines for name in STAND_INS):
        return ""
    own = ((path, number) for path, number in lines if path.is_relative_to(root) and ".venv" not in path.parts)
    return next((f"{path.relative_to(root)}:{number}" for path, number in own if path != OWN), "a library")
