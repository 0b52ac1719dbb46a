"""Each test has the mark of its floor, and below processes it neither listens at a port nor starts a Penny."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import ROOT

TESTS = """
import asyncio, contextlib, socket, threading
import pytest
from tests import commands
from tests.stand_ins import sites

def listen(): socket.create_server(("127.0.0.1", 0)).close()

@pytest.fixture
def penny(): pass
@pytest.fixture
def start_penny(): pass
@pytest.fixture
def browser(): pass
@pytest.fixture
def server(): listen()

def test_words(): pass
def test_a_stand_in():
    with sites.run_sites(): pass
def test_a_file_of_a_socket(tmp_path):
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(str(tmp_path / "socket"))
        unix.listen()
def test_a_port(): listen()
def test_a_port_in_a_fixture(server): pass
def test_a_port_on_a_thread():
    thread = threading.Thread(target=listen)
    thread.start()
    thread.join()
def test_a_port_on_a_loop():
    async def serve():
        async with await asyncio.start_server(print, "127.0.0.1", 0): pass
    asyncio.run(serve())
def test_a_penny():
    with contextlib.suppress(TypeError): commands.ForkedCommand(without="an environment")

def test_house(penny): pass
def test_house_with_a_port(penny): listen()

def test_processes(penny, start_penny): listen()
@pytest.mark.processes("it says so")
def test_processes_by_mark(server): pass

def test_browser(browser, start_penny, server): pass
"""


@pytest.mark.parametrize(
    ("floor", "good", "bad"),
    [
        (
            "words",
            {"words", "a_stand_in", "a_file_of_a_socket"},
            {"a_port", "a_port_in_a_fixture", "a_port_on_a_thread", "a_port_on_a_loop", "a_penny"},
        ),
        ("house", {"house"}, {"house_with_a_port"}),
        ("processes or browser", {"processes", "processes_by_mark", "browser"}, set()),
    ],
)
def test_a_mark_chooses_the_tests_of_a_floor_and_what_needs_a_higher_one_fails(
    tmp_path: Path, floor: str, good: set[str], bad: set[str]
) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -p tests.floors -p no:cacheprovider -q -rA\n")
    (tmp_path / "test_a.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-m", floor]
    settings = {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "200"}
    output = subprocess.run(command, cwd=tmp_path, env=os.environ | settings, capture_output=True, text=True).stdout
    assert set(re.findall(r"^PASSED test_a.py::test_(\w+)", output, re.M)) == good, output
    failed = re.findall(r"^(?:FAILED|ERROR) test_a.py::test_(\w+) - Failed: it (\w+) .*test_a.py:\d", output, re.M)
    assert dict(failed) == {name: "starts" if name == "a_penny" else "listens" for name in bad}, output
