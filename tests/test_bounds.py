"""The bounds in tests/BOUNDS.md are those of the code, and SECURITY.md names each way in."""

import ast
import re
from pathlib import Path

import pytest

from tests.commands import ROOT

UNITS = {"KiB": 1024, "MiB": 1024**2, "GiB": 1024**3, "characters": 1, "s": 1, "": 1}
NUMERIC = (ast.Constant, ast.BinOp, ast.Mult, ast.Pow, ast.Name, ast.Load)
_ROW = re.compile(
    r"^\| [^|]+ \| ([\d,]+) ?(\w*) \| `([\w/.]+\.(?:py|ts))` `(\w+)` \| `([\w/.]+\.tsx?|[\w/.]+\.py)` \|$", re.MULTILINE
)
_WAYS_IN, _, _SECTION = (ROOT / "tests" / "BOUNDS.md").read_text().partition("\n## Bounds\n")
ROWS = _ROW.findall(_SECTION)


def test_every_row_is_read() -> None:
    lines = [line for line in _SECTION.splitlines() if line.startswith("| ") and not line.startswith("| what |")]
    assert len(ROWS) == len(lines) > 50


@pytest.mark.parametrize(("number", "unit", "path", "name", "test"), ROWS, ids=[f"{row[2]} {row[3]}" for row in ROWS])
def test_a_bound_is_that_of_the_code(number: str, unit: str, path: str, name: str, test: str) -> None:
    bound = constant(ROOT / path, name)
    assert bound == float(number.replace(",", "")) * UNITS[unit]
    assert (ROOT / test).is_file()


def test_security_md_names_every_address_and_command_that_is_a_way_in() -> None:
    security = (ROOT / "SECURITY.md").read_text().partition("\n## The ways in\n")[2].partition("\n## ")[0]
    first_cells = re.findall(r"^\| ([^|]+) \|", _WAYS_IN, re.MULTILINE)
    ways = [way for cell in first_cells for way in re.findall(r"`((?:POST )?/[^`]+|manage.py [^`]+)`", cell)]
    assert len(ways) > 40
    assert [way for way in ways if f"`{way}`" not in security] == []


def test_every_way_in_names_tests_that_exist() -> None:
    paths = re.findall(r"`((?:tests|browser_ext)/[^`]+)`", _WAYS_IN)
    assert len(paths) > 100
    assert [path for path in paths if not (ROOT / path).exists()] == []


def constant(path: Path, name: str) -> float:
    """Return the number that a module's constant is."""
    if path.suffix == ".ts":
        number = re.search(rf"^(?:export )?const {name} = ([\d_* ]+)", path.read_text(), re.MULTILINE)
        assert number, f"{path} has no {name}"
        return float(eval(number[1]))
    numbers: dict[str, object] = {}
    for statement in ast.parse(path.read_text()).body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            keep_numbers(statement.targets[0], statement.value, numbers)
    number_of_name = numbers[name]
    assert isinstance(number_of_name, int | float)
    return float(number_of_name)


def keep_numbers(target: ast.expr, value: ast.expr, numbers: dict[str, object]) -> None:
    """Evaluate an assignment of numbers, products and names of earlier numbers; pass over any other."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, its_value in zip(target.elts, value.elts, strict=True):
            keep_numbers(one, its_value, numbers)
    elif isinstance(target, ast.Name) and all(
        isinstance(node, ast.Constant | ast.BinOp | ast.Mult | ast.Pow | ast.Name | ast.Load)
        for node in ast.walk(value)
    ):
        names = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
        if names <= numbers.keys():
            source = compile(ast.Expression(value), "bound", "eval")
            numbers[target.id] = eval(source, {}, numbers)
