"""The list of defences is complete: README.md beside it names each one, and each has a test."""

import ast
import re

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


def test_each_switch_of_a_running_penny_is_in_the_list() -> None:
    assert {defence.name for defence in DEFENCES if defence.test == WITHOUT} == without.DEFENCES.keys()
