"""The commands that tests run on a Penny's data."""

from pathlib import Path

from tests.commands import LoadedPenny, environment


def test_commands_of_a_loaded_penny_end_as_processes_of_their_own(tmp_path: Path) -> None:
    loaded = LoadedPenny(environment(tmp_path))
    codes = (
        "import builtins; builtins.left = 1; print('out')",
        "1 / 0",
        "print(hasattr(__import__('builtins'), 'left'))",
    )
    first, wrong, last = (loaded.run("shell", "-v0", "-c", code, "--data", str(tmp_path)) for code in codes)
    loaded.end()
    assert (first.returncode, first.stdout, first.stderr) == (0, "out\n", "")
    assert (wrong.returncode, "ZeroDivisionError" in wrong.stderr) == (1, True)
    assert (last.returncode, last.stdout) == (0, "False\n")
