"""What every source file keeps to: lines of at most 120 columns, files of at most 400 lines."""

import os
import re
from pathlib import Path

import pytest

from tests.commands import ROOT

COLUMNS = 120
LINES = 400
# Packages and what a program writes; scripts of others; migrations. Hidden folders hold what is built.
LEFT_OUT = {"node_modules", "__pycache__", "vendor", "migrations"}
GENERATED = ".gen."
CHECKERS = re.compile(r"\s+# (?:noqa|type): .*")


def _sources(*suffixes: str, below: str = "") -> list[Path]:
    """List the files of the repository that somebody writes, without asking git: a release has none."""
    sources: list[Path] = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in LEFT_OUT and not name.startswith(".")]
        paths = (Path(folder, name) for name in names if name.endswith(suffixes) and GENERATED not in name)
        sources += [path for path in paths if below in path.relative_to(ROOT).parts or not below]
    return sorted(sources)


def _breakable(line: str) -> str:
    """Return what counts of a line, as for ruff: no comment for a checker, and no single word that cannot be broken."""
    line = CHECKERS.sub("", line)
    return line if " " in line.strip() else ""


def _too_wide(path: Path) -> list[str]:
    name, lines = path.relative_to(ROOT), [_breakable(line) for line in path.read_text().split("\n")]
    return [f"{name}:{number} has {len(line)} columns" for number, line in enumerate(lines, 1) if len(line) > COLUMNS]


@pytest.mark.parametrize(("suffix", "below"), [(".html", "templates"), (".py", "")])
def test_no_line_is_wider_than_120_columns(suffix: str, below: str) -> None:
    sources = _sources(suffix, below=below)
    assert sources
    assert [line for path in sources for line in _too_wide(path)] == []


def test_no_file_of_the_product_is_longer_than_400_lines() -> None:
    sources = [path for path in _sources(".py", ".ts", ".tsx", ".js", ".css", ".html") if "tests" not in path.parts]
    assert sources
    counts = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in sources}
    assert {name: count for name, count in counts.items() if count > LINES} == {}
