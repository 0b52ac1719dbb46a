"""Source files have lines of at most 120 columns and at most 400 lines."""

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands import ROOT

COLUMNS = 120
SHARED_NAME = re.compile(r"(main|outcomes)$|pytest_")
# They say what happened to a value, not what it is.
PARTICIPLES = {
    "asked", "brought", "called", "came", "cited", "found", "given", "gone", "handed", "heard", "held", "kept",
    "known", "learned", "looked", "made", "meant", "named", "opened", "refused", "said", "seen", "shown", "stored",
    "taken", "told", "wanted", "wished",
}  # fmt: skip
LINES = 400
# Packages, generated files, third-party scripts, migrations. Builds are in hidden folders.
LEFT_OUT = {"node_modules", "__pycache__", "vendor", "migrations"}
GENERATED = ".gen."
COMMENTS = ("//", "/*", "* ")  # how their lines begin
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


def _too_wide(path: Path, begins: tuple[str, ...] = ("",)) -> list[str]:
    name, lines = path.relative_to(ROOT), [_breakable(line) for line in path.read_text().split("\n")]
    return [
        f"{name}:{number} has {len(line)} columns"
        for number, line in enumerate(lines, 1)
        if len(line) > COLUMNS and line.lstrip().startswith(begins)
    ]


@pytest.mark.parametrize(
    ("suffix", "below"), [(".html", "templates"), (".py", ""), (".css", ""), (".js", "templates"), (".js", "static")]
)
def test_no_line_is_wider_than_120_columns(suffix: str, below: str) -> None:
    sources = _sources(suffix, below=below)
    assert sources
    assert [line for path in sources for line in _too_wide(path)] == []


@pytest.mark.parametrize("suffix", [".ts", ".tsx", ".js", ".mjs"])
def test_no_comment_of_a_script_is_wider_than_120_columns(suffix: str) -> None:
    """oxfmt breaks code, but no comment. It breaks no string either: lists of words and tests may be wider."""
    sources = _sources(suffix)
    assert sources
    assert [line for path in sources for line in _too_wide(path, COMMENTS)] == []


def test_no_file_is_longer_than_400_lines() -> None:
    sources = _sources(".py", ".ts", ".tsx", ".js", ".css", ".html")
    assert sources
    counts = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in sources}
    assert {name: count for name, count in counts.items() if count > LINES} == {}


def _names(path: Path) -> Iterator[str]:
    """Yield the names of the functions, parameters and values that a module makes.

    What stands in the body of a class is left out: tables and the wire fix many of these names.
    """
    tree = ast.parse(path.read_text())
    in_classes = {id(child) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for child in _fields(node)}
    for node in ast.walk(tree):
        if id(node) in in_classes:
            continue
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _fields(node: ast.ClassDef) -> Iterator[ast.AST]:
    for statement in node.body:
        yield statement
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            yield from ast.walk(statement)


def test_no_value_is_named_by_a_bare_participle() -> None:
    wrong = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in _sources(".py")
        for name in _names(path)
        if name.lstrip("_") in PARTICIPLES
    }
    assert sorted(wrong) == []


def test_no_function_of_a_module_has_the_name_of_more_than_two_others() -> None:
    """A search for a function finds it. Programs have a `main`, parts of a bench `outcomes`, plugins their hooks."""
    modules: dict[str, set[str]] = {}
    for path in _sources(".py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not SHARED_NAME.match(node.name):
                modules.setdefault(node.name, set()).add(str(path.relative_to(ROOT)))
    assert {name: sorted(paths) for name, paths in modules.items() if len(paths) > 3} == {}
