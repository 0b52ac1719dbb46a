"""Each promise of SECURITY.md stands in tests/PROMISES.md, with tests that exist and run on real processes."""

import ast
import re
from pathlib import Path

import pytest

from tests.commands import ROOT

_ROW = re.compile(r"^\| (?!promise \||---)(.+?) \| (.+) \|$", re.MULTILINE)
PROMISES = {
    promise: re.findall(r"`([^`]+)`", tests)
    for promise, tests in _ROW.findall((ROOT / "tests" / "PROMISES.md").read_text())
}


def test_each_promise_of_security_md_stands_in_the_list_and_no_other() -> None:
    section = (ROOT / "SECURITY.md").read_text().partition("\n## What is promised\n")[2].partition("\n## ")[0]
    promised = [" ".join(words.split()) for words in re.findall(r"^\d+\. \*\*(.+?)\*\*", section, re.M | re.S)]
    assert len(promised) == len(re.findall(r"^\d+\. ", section, re.MULTILINE)) >= 20
    _, _, of_security = (ROOT / "tests" / "PROMISES.md").read_text().partition("\n## Of SECURITY.md\n")
    assert [promise for promise, _ in _ROW.findall(of_security)] == promised


@pytest.mark.parametrize("promise", PROMISES)
def test_each_test_of_a_promise_exists_and_runs_on_real_processes(promise: str) -> None:
    assert PROMISES[promise]
    for path, _, name in (test.partition("::") for test in PROMISES[promise]):
        source = (ROOT / path).read_text()
        [test] = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and node.name == name]
        assert "pytest.mark.long" not in [ast.unparse(decorator) for decorator in test.decorator_list]
        assert is_real(path, source)


def is_real(path: str, source: str) -> bool:
    """Whether a test of this module runs beside processes of Penny or a browser, and not in the house."""
    conftests = [ROOT / folder / "conftest.py" for folder in Path(path).parents]
    may_be_house = any("penny_by_mark" in file.read_text() for file in conftests if file.is_file())
    starts_its_own = "run_penny(" in source or "mark.processes" in source
    has_its_own_kind = path.startswith("tests/e2e/") or bool(re.search(r"\b(Range|Sandbox)\b", source))
    return starts_its_own or has_its_own_kind or (not may_be_house and bool(re.search(r"\bPenny\b", source)))
