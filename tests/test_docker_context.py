"""Which files docker copies into the images."""

import re
from pathlib import Path

import pytest

from tests.commands import ROOT


def is_in_context(path: str) -> bool:
    """Whether docker takes a file along, by .dockerignore: the last pattern counts that fits it or a folder that it is
    in.
    """
    found, tried = True, [path, *map(str, Path(path).parents)]
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        pattern = line.strip().removeprefix("!")
        if pattern and not pattern.startswith("#") and any(_form(pattern).fullmatch(each) for each in tried):
            found = line.startswith("!")
    return found


def _form(pattern: str) -> re.Pattern[str]:
    """Two stars are any folders, one is anything within a name."""
    parts = {"**/": "(.*/)?", "**": ".*", "*": "[^/]*"}
    return re.compile("".join(parts.get(part) or re.escape(part) for part in re.split(r"(\*\*/|\*\*|\*)", pattern)))


def copied() -> list[str]:
    """Return what Dockerfile copies from here."""
    lines = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    return sorted({name for line in lines for name in line.split()})


def test_what_is_copied_is_there() -> None:
    assert [name for name in copied() if not is_in_context(f"{name}/x.py" if (ROOT / name).is_dir() else name)] == []
    assert is_in_context("browser_ext/src/panel/app.tsx")
    assert is_in_context("browser_ext/package-lock.json")


@pytest.mark.parametrize("folder", ["", "browser_ext"])
def test_what_git_ignores_stays_here(folder: str) -> None:
    ignored = (ROOT / folder / ".gitignore").read_text().split()
    paths = [
        f"{below}/{each.strip('/').replace('*', 'x')}"
        for each in ignored
        for below in ([folder] if each[0] == "/" else [folder, f"{folder}/y"])
    ]
    assert [
        path for path in paths if is_in_context(path.strip("/")) or is_in_context(f"{path.strip('/')}/secret_key")
    ] == []


@pytest.mark.parametrize(
    "path", [".env", ".git/config", "penny.sqlite3", "my-data/secret_key", "browser_ext/.env", "tests/penny.py"]
)
def test_nothing_else_goes_along(path: str) -> None:
    assert not is_in_context(path)
