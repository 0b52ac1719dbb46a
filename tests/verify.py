"""Run what is new or changed among the tests five times, in other orders, beside two busy loops.

    python -m tests.verify --base main~3 --floor house

Without a base, changes count since the newest commit that is older than a day. A changed test file counts with its
changed tests, or with all of them where something outside its tests changed. A changed helper, such as a `conftest.py`,
counts with at most sixty of the tests that use it. Without a floor (`tests/floors.py`), the tests of all of them count.
If five turns take more than twenty minutes, the result is red.
"""

import argparse
import ast
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.floors import FLOORS

ROOT = Path(__file__).resolve().parent.parent
TURNS, LOOPS = 5, 2
HELPED_MAX = 60  # tests of one changed helper
WITHIN_S = 20 * 60
OLD_ENOUGH = "1 day ago"
NOT_PYTEST = ("tests/bench/", "tests/demo/")  # run by hand


def changed_tests(root: Path, base: str) -> list[str]:
    """Return the files and node ids, without parameters, of the tests that are new or changed since `base`."""
    changed = _git(root, "diff", "--name-only", "--diff-filter=d", base, "--", "tests").splitlines()
    new = _git(root, "ls-files", "--others", "--exclude-standard", "--", "tests").splitlines()
    names = [name for name in dict.fromkeys(changed + new) if name.endswith(".py") and not name.startswith(NOT_PYTEST)]
    tests: dict[str, None] = {}
    for name in names:
        if Path(name).name.startswith("test_"):
            tests.update(dict.fromkeys(_changed_in(root, base, name)))
        else:
            tests.update(dict.fromkeys(_helped_by(root, name)))
    return [test for test in tests if "::" not in test or test.partition("::")[0] not in tests]


def _changed_in(root: Path, base: str, name: str) -> list[str]:
    """Return the tests of a file that changed: the file itself if something outside its tests did."""
    before = _test_sources(_git(root, "show", f"{base}:{name}", fails=True))
    now = _test_sources((root / name).read_text())
    if before.pop("", None) != now.pop(""):
        return [name]
    return [f"{name}::{test}" for test, text in now.items() if before.get(test) != text]


def _test_sources(source: str) -> dict[str, str]:
    """Return the text of each test function, and under "" that of all the rest."""
    parts = {"": ""}
    for node in ast.parse(source).body:
        name = ""
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            name = node.name
        parts[name] = parts.get(name, "") + ast.dump(node)
    return parts


def _helped_by(root: Path, name: str) -> list[str]:
    """Return test files that use a helper: those below a `conftest.py`, those that import another module."""
    path = Path(name)
    if path.name in ("conftest.py", "__init__.py"):
        files = sorted((root / path.parent).rglob("test_*.py")) if path.name == "conftest.py" else []
    else:
        module = re.escape(".".join(path.with_suffix("").parts))
        package, stem = re.escape(".".join(path.parent.parts)), re.escape(path.stem)
        uses = re.compile(rf"^\s*(?:from {module} import|import {module}\b|from {package} import .*\b{stem}\b)", re.M)
        files = [file for file in sorted((root / "tests").rglob("test_*.py")) if uses.search(file.read_text())]
    tests = [f"{file.relative_to(root)}::{test}" for file in files for test in _test_sources(file.read_text()) if test]
    return sorted(random.Random(name).sample(tests, min(HELPED_MAX, len(tests))))


def _git(root: Path, *arguments: str, fails: bool = False) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode != 0 and not fails:
        sys.exit(f"git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout if done.returncode == 0 else ""


def default_base(root: Path) -> str:
    """Return the newest commit that is older than a day, else the first one."""
    old = _git(root, "rev-list", "-1", f"--before={OLD_ENOUGH}", "HEAD").strip()
    return old or _git(root, "rev-list", "--max-parents=0", "HEAD").split()[0]


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    with ExitStack() as stack:
        for _ in range(count):
            loop = stack.enter_context(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
            stack.callback(loop.kill)
        yield


def verify(tests: list[str], processes: int, floor: str = "") -> str:
    """Return why the tests are not steady, "" if they are."""
    ends_at = time.monotonic() + WITHIN_S
    options = ["-n", str(processes), *(["-m", f"{floor} and not long"] if floor else [])]
    with busy_loops(LOOPS):
        for turn in range(TURNS):
            command = [sys.executable, "-m", "pytest", *options, f"--order-seed={turn}", *tests]
            print(f"\nTurn {turn + 1} of {TURNS}", flush=True)
            try:
                done = subprocess.run(command, cwd=ROOT, timeout=max(1.0, ends_at - time.monotonic()))
            except subprocess.TimeoutExpired:
                return f"twenty minutes are over in turn {turn + 1} of {TURNS}: take fewer: BASE=<commit>, FLOOR=<mark>"
            if done.returncode not in (0, 5):  # 5: all of them are long, or of other floors
                return f"a test failed in turn {turn + 1} of {TURNS}, with --order-seed={turn}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description="Run new and changed tests five times, beside two busy loops.")
    parser.add_argument("--base", help="the commit since which changes count")
    parser.add_argument("--processes", type=int, default=3, help="how many tests run side by side")
    parser.add_argument("--floor", choices=FLOORS, default="", help="verify only the tests with this mark")
    options = parser.parse_args()
    base = options.base or default_base(ROOT)
    tests = changed_tests(ROOT, base)
    print(f"{len(tests)} files and tests changed since {base[:12]}", *tests, sep="\n  ", flush=True)
    reason = verify(tests, options.processes, options.floor) if tests else ""
    print(f"red: {reason}" if reason else "green", flush=True)
    return 1 if reason else 0


if __name__ == "__main__":
    sys.exit(main())
