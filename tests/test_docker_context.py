"""Which files docker copies into the images."""

import re
from pathlib import Path

import pytest

from tests.commands import ROOT


def is_in_context(path: str) -> bool:
    is_included, candidates = True, [path, *map(str, Path(path).parents)]
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        pattern = line.strip().removeprefix("!")
        if (
            pattern
            and not pattern.startswith("#")
            and any(_pattern_regex(pattern).fullmatch(candidate) for candidate in candidates)
        ):
            is_included = line.startswith("!")
    return is_included


def _pattern_regex(pattern: str) -> re.Pattern[str]:
    """Two stars stand for any folders, one star for anything within a name."""
    parts = {"**/": "(.*/)?", "**": ".*", "*": "[^/]*"}
    return re.compile("".join(parts.get(part) or re.escape(part) for part in re.split(r"(\*\*/|\*\*|\*)", pattern)))


def copied_paths() -> list[str]:
    lines = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    return sorted({name for line in lines for name in line.split()})


def test_every_copied_path_is_in_the_context() -> None:
    assert [
        name for name in copied_paths() if not is_in_context(f"{name}/x.py" if (ROOT / name).is_dir() else name)
    ] == []
    assert is_in_context("browser_ext/src/panel/app.tsx")
    assert is_in_context("browser_ext/package-lock.json")


@pytest.mark.parametrize("folder", ["", "browser_ext"])
def test_ignored_files_are_not_copied(folder: str) -> None:
    ignored = (ROOT / folder / ".gitignore").read_text().split()
    paths = [
        f"{below}/{line.strip('/').replace('*', 'x')}"
        for line in ignored
        for below in ([folder] if line[0] == "/" else [folder, f"{folder}/y"])
    ]
    assert [
        path for path in paths if is_in_context(path.strip("/")) or is_in_context(f"{path.strip('/')}/secret_key")
    ] == []


@pytest.mark.parametrize(
    "path", [".env", ".git/config", "penny.sqlite3", "my-data/secret_key", "browser_ext/.env", "tests/penny.py"]
)
def test_nothing_else_is_copied(path: str) -> None:
    assert not is_in_context(path)
