"""Source files have lines of at most 120 columns and at most 400 lines."""

import os
import re
from pathlib import Path

import pytest

from tests.commands import ROOT

COLUMNS = 120
LINES = 400
# Packages, generated files, third-party scripts, migrations. Builds are in hidden folders.
LEFT_OUT = {"node_modules", "__pycache__", "vendor", "migrations"}
GENERATED = ".gen."
CHECKERS = re.compile(r"\s+# (?:noqa|type): .*")


def _sources(*suffixes: str, below: str = "") -> list[Path]:
    """List the hand-written files, without git, which a release lacks."""
    sources: list[Path] = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in LEFT_OUT and not name.startswith(".")]
        paths = (Path(folder, name) for name in names if name.endswith(suffixes) and GENERATED not in name)
        sources += [path for path in paths if below in path.relative_to(ROOT).parts or not below]
    return sorted(sources)


def _breakable(line: str) -> str:
    """Return the part of a line that counts for ruff: no pragma, no single unbreakable word."""
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
