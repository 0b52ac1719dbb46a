import os
import stat
from pathlib import Path

import pytest

from penny_site import private_files
from tests.commands import environment, run_command, run_in_new_python


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def open_folder(tmp_path: Path) -> Path:
    """A folder that a generous umask made, with a file, a program and a link to a file of others."""
    folder, others = tmp_path / "data", tmp_path / "others"
    (folder / "log").mkdir(parents=True)
    others.write_text("x")
    (folder / "log" / "penny.log").write_text("x")
    (folder / "link").symlink_to(others)
    for path in (folder, folder / "log", folder / "log" / "penny.log", others):
        path.chmod(0o777)
    return folder


def test_what_others_could_reach_is_closed_and_nothing_outside_is_touched(open_folder: Path) -> None:
    assert private_files.close_paths(open_folder) == 3
    assert [mode(path) for path in (open_folder, open_folder / "log")] == [0o700, 0o700]
    assert mode(open_folder / "log" / "penny.log") == 0o700
    assert mode(open_folder.parent / "others") == 0o777
    assert private_files.close_paths(open_folder) == 0


def test_a_command_makes_its_files_for_the_owner_alone_whatever_the_umask(tmp_path: Path) -> None:
    data = tmp_path / "data"
    before = os.umask(0)
    try:
        run_in_new_python("migrate", "contenttypes", "--verbosity", "0", environment=environment(data))
    finally:
        os.umask(before)
    files = [path for path in data.rglob("*") if path.is_file()]
    assert files
    assert {mode(path) & 0o077 for path in [data, *data.rglob("*")]} == {0}


def test_doctor_closes_the_folder_and_says_so(open_folder: Path) -> None:
    output = run_command("doctor", environment=environment(open_folder)).stdout
    assert "Data folder: closed" in output
    assert list(private_files.open_paths(open_folder)) == []
    assert "Data folder: closed to other users" in run_command("doctor", environment=environment(open_folder)).stdout
