"""The gate that all work passes: the checks, then the tests on both databases, and a second chance on the record.

    python -m tests.gate --processes 3 --postgresql tests/devices

A test that failed runs once more, alone. If it passes then, the run is green and names the test as unstable: a fault in
Penny or in the test whose cause is not known yet. A test of `tests/attacks` has to pass three times. The run is red
after a second failure, a failed check, more than ten causes of failure, a crash, or any other exit code of pytest.

It leaves in `artifacts/`: `last-run.json`, `durations.json`, and in `unstable/` the first failure of each unstable
test.
"""

import argparse
import json
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.outcomes import Outcome, Outcomes

ROOT = Path(__file__).resolve().parent.parent
CAUSES_MAX, LONGEST = 10, 10
ATTACKS, ATTACK_PASSES = "tests/attacks/", 3
CHECKS = ("make", "-j3", "--output-sync", "checks")
PASSED, FAILED = 0, 1  # of pytest


@dataclass(frozen=True)
class Suite:
    """The tests on one database. `name` is that of its cache and its files."""

    name: str
    arguments: tuple[str, ...] = ()
    selected: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unstable:
    """A test that failed and then passed. `log` is the file of its first failure."""

    test: str
    first: Outcome
    second: Outcome
    log: Path


@dataclass
class Verdict:
    """What the gate says. The run is red if there are reasons."""

    reasons: list[str] = field(default_factory=list)
    unstable: list[Unstable] = field(default_factory=list)
    passed: int = 0
    failed: list[str] = field(default_factory=list)


class Gate:
    """Runs suites in the folder `root`, and writes to its `artifacts/`."""

    def __init__(self, root: Path, processes: int) -> None:
        self._root, self._processes = root, processes
        self._artifacts = root / "artifacts"
        self._began = time.monotonic()

    def run(self, checks: Sequence[str], suites: Iterable[Suite]) -> Verdict:
        shutil.rmtree(self._artifacts / "unstable", ignore_errors=True)
        verdict = Verdict()
        if checks and subprocess.run(checks, cwd=self._root).returncode != 0:
            verdict.reasons.append("the checks failed")
        outcomes = {suite: self._run_suite(suite, verdict) for suite in suites}
        if not verdict.reasons or verdict.reasons == ["the checks failed"]:
            self._give_second_chances(outcomes, verdict)
        self._write(outcomes, verdict)
        return verdict

    def _run_suite(self, suite: Suite, verdict: Verdict) -> Outcomes:
        outcomes = self._pytest(suite, suite.name, "-n", str(self._processes), *suite.selected)
        verdict.passed += sum(outcome.state == "passed" for outcome in outcomes.tests.values())
        verdict.failed += [name for name, outcome in outcomes.tests.items() if outcome.state == "failed"]
        if outcomes.crashes:
            verdict.reasons.append(f"{suite.name}: a process of the tests ended by itself in {outcomes.crashes[0]}")
        elif outcomes.uncollected:
            verdict.reasons.append(f"{suite.name}: {outcomes.uncollected[0]} cannot be collected")
        elif outcomes.exit_code != (FAILED if by_cause(outcomes.tests) else PASSED):
            verdict.reasons.append(f"{suite.name}: pytest ended with {outcomes.exit_code}")
        return outcomes

    def _give_second_chances(self, outcomes: dict[Suite, Outcomes], verdict: Verdict) -> None:
        causes = [(suite, tests) for suite, run in outcomes.items() for tests in by_cause(run.tests)]
        if len(causes) > CAUSES_MAX:
            verdict.reasons.append(f"{len(causes)} causes of failure; {CAUSES_MAX} at most get a second chance")
            return
        for suite, tests in causes:
            self._try_again(suite, tests, outcomes[suite].tests, verdict)

    def _try_again(self, suite: Suite, tests: list[str], first: dict[str, Outcome], verdict: Verdict) -> None:
        """Run the tests of one cause in a process of their own, with nothing beside it."""
        passes = ATTACK_PASSES if any(test.startswith(ATTACKS) for test in tests) else 1
        for turn in range(passes):
            print(f"\nAgain, alone ({turn + 1} of {passes}): {tests[0]}", flush=True)
            again = self._pytest(suite, f"{suite.name}-again", "-n", "0", *tests)
            if again.exit_code != PASSED or not all(_passed(again, test) for test in tests):
                verdict.reasons.append(f"failed again, alone: {tests[0]}")
                return
        for test in tests:
            log = self._keep_first_failure(test, first[test])
            verdict.unstable.append(Unstable(test, first[test], again.tests[test], log))
            verdict.failed.remove(test)
            verdict.passed += 1

    def _pytest(self, suite: Suite, name: str, *arguments: str) -> Outcomes:
        path = self._artifacts / f"outcomes-{name}.json"
        path.unlink(missing_ok=True)
        cache = self._root / ".pytest_cache" / name
        command = [sys.executable, "-m", "pytest", "-o", f"cache_dir={cache}", f"--outcomes={path}"]
        exit_code = subprocess.run([*command, *suite.arguments, *arguments], cwd=self._root).returncode
        try:
            return Outcomes.read(path)
        except FileNotFoundError:  # it ended before it collected anything, or was killed
            return Outcomes(exit_code or -1, [], [], {})

    def _keep_first_failure(self, test: str, outcome: Outcome) -> Path:
        log = self._artifacts / "unstable" / f"{re.sub(r'[^A-Za-z0-9.=-]+', '_', test)[-150:]}.txt"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(f"{test}\n\n{outcome.text}\n")
        return log

    def _write(self, outcomes: dict[Suite, Outcomes], verdict: Verdict) -> None:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        summary = {
            "commit": self._git("rev-parse", "HEAD"),
            "dirty": bool(self._git("status", "--porcelain")),
            "passed": verdict.passed,
            "failed": len(verdict.failed),
            "unstable": [one.test for one in verdict.unstable],
            "red": verdict.reasons,
            "seconds": round(time.monotonic() - self._began),
            "cpu_s": round(usage.ru_utime + usage.ru_stime),
        }
        durations = {
            suite.name: {name: [round(one.wall_s, 2), round(one.cpu_s, 2)] for name, one in run.tests.items()}
            for suite, run in outcomes.items()
        }
        self._artifacts.mkdir(exist_ok=True)
        (self._artifacts / "last-run.json").write_text(json.dumps(summary, indent=1) + "\n")
        (self._artifacts / "durations.json").write_text(json.dumps(durations, indent=1) + "\n")
        print(f"\n{report(summary, outcomes, verdict)}", flush=True)

    def _git(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self._root, capture_output=True, text=True)
        return done.stdout.strip()


def _passed(run: Outcomes, test: str) -> bool:
    return test in run.tests and run.tests[test].state == "passed"


def by_cause(tests: dict[str, Outcome]) -> list[list[str]]:
    """Return the failed tests, those of one cause together."""
    causes: dict[str, list[str]] = {}
    for name, outcome in tests.items():
        if outcome.state == "failed":
            causes.setdefault(outcome.cause, []).append(name)
    return list(causes.values())


def report(summary: dict[str, object], outcomes: dict[Suite, Outcomes], verdict: Verdict) -> str:
    lines = ["The longest tests, wall and CPU in seconds:"]
    everything = [(name, one) for run in outcomes.values() for name, one in run.tests.items()]
    longest = sorted(everything, key=lambda row: -row[1].wall_s)[:LONGEST]
    lines += [f"{one.wall_s:8.1f} {one.cpu_s:7.1f}  {name}" for name, one in longest]
    if verdict.unstable:
        lines += ["", "unstable: these failed, and passed alone. Find the cause before anything new:"]
        lines += [
            f"  {one.test}\n    {one.first.wall_s:.1f} s, then {one.second.wall_s:.1f} s; first failure: {one.log}"
            for one in verdict.unstable
        ]
    lines += ["", *(f"red: {reason}" for reason in verdict.reasons)]
    state = "red" if verdict.reasons else "green"
    lines.append(
        f"{state}: {summary['passed']} passed, {summary['failed']} failed, {len(verdict.unstable)} unstable "
        f"in {summary['seconds']} s, {summary['cpu_s']} s of CPU"
    )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the checks and all tests.")
    parser.add_argument("--processes", type=int, default=3, help="how many tests run side by side")
    parser.add_argument("--postgresql", nargs="*", default=[], help="the tests that run on PostgreSQL as well")
    options = parser.parse_args()
    suites = [Suite("sqlite"), Suite("postgresql", ("--database=postgresql",), tuple(options.postgresql))]
    return 1 if Gate(ROOT, options.processes).run(CHECKS, suites).reasons else 0


if __name__ == "__main__":
    sys.exit(main())
