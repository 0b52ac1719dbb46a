"""Processes that share a database do not fail, miss messages or repeat work."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from agents.models import BACKGROUND_SLOTS
from tests import databases
from tests.commands import ROOT, environment
from tests.side_by_side import HOSTS, Outcome

Work = Callable[..., Outcome]


@pytest.fixture
def work(tmp_path: Path, new_database: dict[str, str]) -> Work:
    """A function that runs tests.side_by_side and returns its outcome."""
    settings = {"DJANGO_SETTINGS_MODULE": "penny_site.settings", **new_database}

    def run_side_by_side(*arguments: int | str) -> Outcome:
        databases.copy_into(tmp_path)
        command = [sys.executable, "-m", "tests.side_by_side", *map(str, arguments)]
        completed = subprocess.run(
            command, cwd=ROOT, env=environment(tmp_path, **settings), capture_output=True, text=True, timeout=300
        )
        assert completed.returncode == 0, completed.stderr
        return Outcome(**json.loads(completed.stdout))

    return run_side_by_side


@pytest.mark.parametrize(("processes", "messages"), [(3, 60), pytest.param(6, 500, marks=pytest.mark.long)])
def test_no_process_fails_misses_a_message_or_repeats_work(work: Work, processes: int, messages: int) -> None:
    outcome = work(processes, messages)
    assert outcome.wrong == []
    assert outcome.followed_seqs == list(range(1, processes * messages + 1))
    assert outcome.prompts == dict.fromkeys(HOSTS, 1)
    assert outcome.claimed_runs == BACKGROUND_SLOTS
    assert outcome.web_pages == 1


def test_without_locks_processes_fail_or_miss_messages_and_repeat_work(work: Work) -> None:
    outcome = work(3, 60, "careless")
    missed = outcome.followed_seqs != list(range(1, 181))
    asked_twice = max(outcome.prompts.values(), default=0) > 1
    assert outcome.wrong or (missed and asked_twice)
