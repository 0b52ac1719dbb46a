import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.commands import ROOT

SCRIPT = Path(".ci", "commit_subjects")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one commit of a long subject on `main`, and the script."""
    (tmp_path / SCRIPT.parent).mkdir()
    shutil.copy(ROOT / SCRIPT, tmp_path / SCRIPT)
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    commit(tmp_path, "a" * 100)
    return tmp_path


def git(folder: Path, *arguments: str) -> None:
    identity = {
        f"GIT_{role}_{part}": "penny@localhost" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")
    }
    environment = os.environ | identity | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(["git", *arguments], cwd=folder, env=environment, check=True, capture_output=True)


def commit(folder: Path, subject: str) -> None:
    git(folder, "commit", "--quiet", "--allow-empty", "--message", subject)


def check(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "COMMIT_RANGE"}
    return subprocess.run([folder / SCRIPT, *arguments], env=environment, capture_output=True, text=True, timeout=60)


def test_only_commits_that_the_upstream_branch_lacks_are_checked(repository: Path) -> None:
    git(repository, "checkout", "--quiet", "-b", "change", "--track", "main")
    commit(repository, "é" * 72)
    assert check(repository).returncode == 0
    commit(repository, "Explain everything " + "b" * 54)
    refusal = check(repository)
    assert refusal.returncode == 1
    assert "Explain everything bbb" in refusal.stderr
    assert "aaa" not in refusal.stderr


def test_a_range_may_be_named(repository: Path) -> None:
    commit(repository, "Short")
    assert check(repository, "HEAD~1..HEAD").returncode == 0
    assert check(repository, "HEAD").returncode == 1


def test_without_an_upstream_branch_there_is_nothing_to_check(repository: Path) -> None:
    assert check(repository).returncode == 0


def test_a_release_without_its_history_passes(repository: Path) -> None:
    shutil.rmtree(repository / ".git")
    assert check(repository).returncode == 0
