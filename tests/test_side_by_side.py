"""Processes that work on one database at the same time: none fails for another, and none does what another has done
already.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from agents.models import BACKGROUND_SLOTS
from tests import databases
from tests.commands import ROOT, environment
from tests.side_by_side import HOSTS, Found

Work = Callable[..., Found]


@pytest.fixture
def work(tmp_path: Path, new_database: dict[str, str]) -> Work:
    """Have processes work side by side, and return what came of it."""
    settings = {"DJANGO_SETTINGS_MODULE": "penny_site.settings", **new_database}

    def worked(*arguments: int | str) -> Found:
        databases.copy_into(tmp_path)
        command = [sys.executable, "-m", "tests.side_by_side", *map(str, arguments)]
        done = subprocess.run(
            command, cwd=ROOT, env=environment(tmp_path, **settings), capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stderr
        return Found(**json.loads(done.stdout))

    return worked


@pytest.mark.parametrize(("processes", "each"), [(3, 60), pytest.param(6, 500, marks=pytest.mark.long)])
def test_nobody_fails_for_another_nothing_is_missed_and_nothing_is_done_twice(
    work: Work, processes: int, each: int
) -> None:
    found = work(processes, each)
    assert found.wrong == []
    assert found.seen == list(range(1, processes * each + 1))
    assert found.prompts == dict.fromkeys(HOSTS, 1)
    assert found.taken == BACKGROUND_SLOTS
    assert found.web_pages == 1


def test_without_their_locks_they_fail_or_something_is_missed_and_done_twice(work: Work) -> None:
    found = work(3, 60, "careless")
    missed = found.seen != list(range(1, 181))
    asked_twice = max(found.prompts.values(), default=0) > 1
    assert found.wrong or (missed and asked_twice)
