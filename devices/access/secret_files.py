"""Secrets that Penny creates on first use in the data folder, readable by the owner alone."""

import os
import secrets
from collections.abc import Callable
from pathlib import Path


def read_or_create(path: Path, make: Callable[[], bytes]) -> bytes:
    """Return the content of `path`, created by `make` if missing.

    Two processes that start at once agree on one content.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(make())
    try:
        os.link(draft, path)  # fails if another process was first; its content counts then
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return path.read_bytes()
