"""The list of defences is complete: README.md beside it names each one, and each has a test."""

import ast
import pkgutil
import re

import pytest

from tests.attacks import without
from tests.attacks.defence_entry import WITHOUT
from tests.attacks.defences import DEFENCES
from tests.commands import ROOT

README = (ROOT / "tests" / "attacks" / "README.md").read_text()
HEADING = "## What would happen without"


def names_in(file: str) -> set[str]:
    source = (ROOT / file).read_text()
    if file.endswith(".ts"):
        return set(re.findall(r"\bit\('([^']+)'", source))
    return {
        node.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def test_each_defence_is_named_once_and_is_in_the_list_of_the_readme_which_holds_no_other() -> None:
    names = [defence.name for defence in DEFENCES]
    assert len(names) == len(set(names))
    listed = README.partition(HEADING)[2].partition("\n##")[0].partition("\n\n- ")[2]
    groups = [" ".join(group.split()).partition(": ")[2].rstrip(".") for group in listed.split("\n- ")]
    assert sorted(", ".join(groups).split(", ")) == sorted(", ".join(names).split(", "))


def test_each_defence_has_a_test_that_does_without_it() -> None:
    missing = [
        defence.test
        for defence in DEFENCES
        if defence.test.partition("::")[2] not in names_in(defence.test.partition("::")[0])
    ]
    assert missing == []


def test_each_defence_names_what_is_there_to_be_switched_off() -> None:
    missing = [(defence.name, path) for defence in DEFENCES for path in defence.off.split(", ") if not exists(path)]
    assert missing == []


@pytest.mark.parametrize(
    "path",
    [
        "agents.zones.gone:name",
        "agents.zones.inputs:gone",
        "browser_ext/src/grants/grants.ts:gone",
        "browser_ext/src/acting/actions/permission.ts:Permission.gone",
    ],
)
def test_a_path_that_leads_nowhere_is_found(path: str) -> None:
    assert not exists(path)


def exists(path: str) -> bool:
    """Whether a module has this attribute, or a file of the extension this export (or this method of it)."""
    place, _, name = path.partition(":")
    if place.endswith(".ts"):
        export, _, method = name.partition(".")
        pattern = rf"^export (?:async )?(?:function|const|class) {export}\b"
        pattern += rf".*?^  (?:async )?{method}\(" if method else ""
        return re.search(pattern, (ROOT / place).read_text(), re.MULTILINE | re.DOTALL) is not None
    try:
        pkgutil.resolve_name(path)
    except (ImportError, AttributeError):
        return False
    return True


def test_each_switch_of_a_running_penny_is_in_the_list() -> None:
    switches = {
        name: ", ".join(f"{module}:{place}" for module, place, _ in wraps) for name, wraps in without.DEFENCES.items()
    }
    assert {defence.name: defence.off for defence in DEFENCES if defence.test == WITHOUT} == switches
