"""What the gate says of tests that fail once, twice, by a shared fixture, or by the end of their process."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.gate import ROOT, Gate, Suite, Verdict

Run = Callable[..., Verdict]
SETTINGS = """[pytest]
addopts = -p xdist -p pytest_timeout -p tests.outcomes -p tests.hangs -p no:cacheprovider -q
timeout = 2
"""
# Fails as often as it is told, over processes.
FAILS = """
from pathlib import Path
def test_often():
    counter = Path(__file__).with_suffix(".runs")
    runs = len(counter.read_text()) if counter.exists() else 0
    counter.write_text("x" * (runs + 1))
    assert runs >= {times}, "not yet"
"""
GOOD = "def test_good(): pass\n"
SHARED = """
import pytest
@pytest.fixture(scope="session")
def server(): raise RuntimeError("no server")
@pytest.mark.parametrize("number", range(20))
def test_uses(server, number): pass
"""
SKIPS_THEN = """
from pathlib import Path
import pytest
def test_not_here():
    ran = Path(__file__).with_suffix(".ran")
    if ran.exists(): pytest.skip("not again")
    ran.touch()
    raise AssertionError("once")
"""

# The second test passes only with a server that did not hang.
HANGS = """
import threading, pytest
class Server:
    def __init__(self): self.hung = threading.Event()
@pytest.fixture(scope="session")
def server(): return Server()
def test_hangs(server):
    server.hung.set()
    threading.Event().wait()
def test_follows(server): assert not server.hung.is_set()
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the gate over these files, name to content."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (tmp_path / "pytest.ini").write_text(SETTINGS)

    def run(files: dict[str, str], *checks: str, processes: int = 0) -> Verdict:
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        return Gate(tmp_path, processes).run(checks, [Suite("sqlite")])

    return run


def summary(folder: Path) -> dict[str, object]:
    return dict(json.loads((folder / "artifacts" / "last-run.json").read_text()))


def test_tests_that_pass_are_green_and_leave_what_they_took(run: Run, tmp_path: Path) -> None:
    verdict = run({"test_a.py": GOOD})
    assert (verdict.reasons, verdict.unstable, verdict.passed) == ([], [], 1)
    assert list(json.loads((tmp_path / "artifacts" / "durations.json").read_text())["sqlite"]) == [
        "test_a.py::test_good"
    ]
    written = summary(tmp_path)
    assert written.keys() == {"commit", "dirty", "passed", "failed", "unstable", "red", "seconds", "cpu_s"}
    assert (written["passed"], written["failed"], written["unstable"]) == (1, 0, [])


def test_a_test_that_fails_once_is_unstable_and_its_first_failure_is_kept(run: Run, tmp_path: Path) -> None:
    verdict = run({"test_a.py": FAILS.format(times=1), "test_b.py": GOOD})
    assert (verdict.reasons, verdict.passed, verdict.failed) == ([], 2, [])
    [unstable] = verdict.unstable
    assert unstable.test == "test_a.py::test_often"
    assert "not yet" in unstable.log.read_text()
    assert summary(tmp_path)["unstable"] == ["test_a.py::test_often"]


def test_a_test_that_fails_and_is_skipped_then_is_red(run: Run) -> None:
    assert run({"test_a.py": SKIPS_THEN}).reasons == ["failed again, alone: test_a.py::test_not_here"]


def test_a_test_that_fails_twice_is_red(run: Run, tmp_path: Path) -> None:
    verdict = run({"test_a.py": FAILS.format(times=2)})
    assert verdict.reasons == ["failed again, alone: test_a.py::test_often"]
    assert (verdict.unstable, summary(tmp_path)["failed"]) == ([], 1)


@pytest.mark.parametrize(("times", "is_green"), [(1, True), (2, False)])
def test_an_attack_that_failed_once_has_to_pass_three_times(
    run: Run, tmp_path: Path, times: int, is_green: bool
) -> None:
    verdict = run({"tests/attacks/test_a.py": FAILS.format(times=times)})
    assert (not verdict.reasons) is is_green
    runs = (tmp_path / "tests/attacks/test_a.runs").read_text()
    assert len(runs) == (4 if is_green else 2)


def test_errors_of_one_fixture_are_one_cause(run: Run) -> None:
    [reason] = run({"test_a.py": SHARED}, processes=2).reasons
    assert reason.startswith("failed again, alone: test_a.py::test_uses[")


def test_more_than_ten_causes_get_no_second_chance(run: Run) -> None:
    many = "import pytest\n@pytest.mark.parametrize('n', range(11))\ndef test_bad(n): assert n > 99\n"
    verdict = run({"test_a.py": many})
    assert verdict.reasons == ["11 causes of failure; 10 at most get a second chance"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("import os\ndef test_ends(): os._exit(3)\n", "sqlite: a process of the tests ended by itself in test_a.py::"),
        ("import nothing_of_this_name\n", "sqlite: test_a.py cannot be collected"),
        ("", "sqlite: pytest ended with 5"),
    ],
)
def test_a_crash_and_tests_that_cannot_be_collected_are_red(run: Run, content: str, reason: str) -> None:
    [first] = run({"test_a.py": content}, processes=1).reasons
    assert first.startswith(reason)


def test_a_failed_check_is_red_and_the_tests_run_all_the_same(run: Run) -> None:
    verdict = run({"test_a.py": GOOD}, "false")
    assert (verdict.reasons, verdict.passed) == (["the checks failed"], 1)


def test_a_test_that_hangs_costs_one_test(run: Run) -> None:
    verdict = run({"test_a.py": HANGS})
    assert (verdict.reasons, verdict.passed) == (["failed again, alone: test_a.py::test_hangs"], 1)
