"""Keep the data folder to its owner, whatever the umask and whoever made the folder."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

UMASK = 0o077
FILES_MAX = 100_000  # more than Penny ever keeps; a folder that holds other things is not walked for ever


def open_paths(folder: Path) -> Iterator[Path]:
    """Yield the folder and what is in it, as far as another user may reach it. Links are not followed."""
    if _is_open(folder):
        yield folder
    count = 0
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            count += 1
            if count > FILES_MAX:
                return
            if _is_open(path := Path(place, name)):
                yield path


def close_paths(folder: Path) -> int:
    """Take every right of other users away; return how many paths were open. Raises OSError for those of others."""
    count = 0
    for path in list(open_paths(folder)):
        path.chmod(stat.S_IMODE(path.lstat().st_mode) & ~UMASK)
        count += 1
    return count


def _is_open(path: Path) -> bool:
    mode = path.lstat().st_mode
    return not stat.S_ISLNK(mode) and bool(mode & UMASK)
