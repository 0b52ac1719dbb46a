"""A pytest plugin that writes how each test ended and what it took: `--outcomes=FILE`.

CPU time is that of the process of the test and of all processes below it. The servers and browsers that tests share
are among them, so a test pays for what they do meanwhile.
"""

import json
import os
from collections.abc import Generator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest

TICKS = os.sysconf("SC_CLK_TCK")
CPU = "cpu_s"


@dataclass
class Outcome:
    """How a test ended. `cause` names its failure: tests whose shared fixture failed have the same one."""

    state: str = "passed"
    wall_s: float = 0.0
    cpu_s: float = 0.0
    cause: str = ""
    text: str = ""


@dataclass(frozen=True)
class Outcomes:
    """How a run of pytest ended.

    `crashes`: the tests whose process ended by itself. `uncollected`: the files that could not be collected.
    """

    exit_code: int
    crashes: list[str]
    uncollected: list[str]
    tests: dict[str, Outcome]

    def write(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(self)))

    @classmethod
    def read(cls, path: Path) -> "Outcomes":
        written = json.loads(path.read_text())
        tests = {name: Outcome(**fields) for name, fields in written["tests"].items()}
        return cls(written["exit_code"], written["crashes"], written["uncollected"], tests)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--outcomes", type=Path, help="the file that says how each test ended, and what it took")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_Clock())
    if (path := config.option.outcomes) and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Writer(path))


class _Clock:
    """Notes the CPU time of a test in its last report, which pytest-xdist hands on."""

    def __init__(self) -> None:
        self._tree = _ProcessTree()
        self._before_s = self._tree.cpu_s()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if call.when == "teardown":
            now_s = self._tree.cpu_s()
            report.user_properties.append((CPU, max(0.0, now_s - self._before_s)))
            self._before_s = now_s
        return report


class _Writer:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._tests: dict[str, Outcome] = {}
        self._crashes: list[str] = []
        self._uncollected: list[str] = []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._uncollected.append(report.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        outcome = self._tests.setdefault(report.nodeid, Outcome())
        outcome.wall_s += report.duration
        outcome.cpu_s += sum(value for name, value in report.user_properties if name == CPU)  # type: ignore[misc]
        if report.failed and outcome.state != "failed":
            outcome.state, outcome.cause = "failed", _cause(report)
        elif report.skipped and outcome.state == "passed":
            outcome.state = "skipped"
        if report.failed:
            outcome.text += "\n".join([report.longreprtext, *(f"--- {name}\n{text}" for name, text in report.sections)])

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str) -> None:
        self._crashes.append(crashitem)

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        Outcomes(int(exitstatus), self._crashes, self._uncollected, self._tests).write(self._path)


def _cause(report: pytest.TestReport) -> str:
    """Return the place and message of an error in a fixture, else the test."""
    crash: Any = getattr(report.longrepr, "reprcrash", None)
    if report.when != "setup" or crash is None:
        return report.nodeid
    return f"{crash.path}:{crash.lineno}: {str(crash.message).partition(chr(10))[0]}"


class _ProcessTree:
    """The CPU time of this process and of all below it, those that have ended included.

    While a process ends, the system's list of children may leave out others. A process that was seen before is looked
    for by its number.
    """

    def __init__(self) -> None:
        self._starts = dict[int, str]()  # by process id: a number is used again

    def cpu_s(self) -> float:
        total, starts, pids = 0, dict[int, str](), [os.getpid(), *self._starts]
        while pids:
            pid = pids.pop()
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                tasks = list(Path(f"/proc/{pid}/task").iterdir())
            except OSError:  # ended meanwhile
                continue
            start = fields[19]
            if pid in starts or self._starts.get(pid, start) != start:
                continue
            starts[pid] = start
            total += sum(map(int, fields[11:15]))
            pids += [child for task in tasks for child in _children(task)]
        self._starts = starts
        return total / TICKS


def _children(task: Path) -> list[int]:
    try:
        return list(map(int, (task / "children").read_text().split()))
    except OSError:
        return []
