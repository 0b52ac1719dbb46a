"""Servers that may not run as root run as nobody, and end with the test that started them."""

import os
import pwd
from collections.abc import Iterable
from pathlib import Path


def as_nobody(paths: Iterable[Path], signal: str) -> list[str]:
    """Return the beginning of a command that ends with us, by this signal. Root becomes nobody, to whom the paths then
    belong.
    """
    command = ["setpriv", "--pdeathsig", signal]
    if os.getuid() == 0:
        user = pwd.getpwnam("nobody")
        for path in paths:
            os.chown(path, user.pw_uid, user.pw_gid)
        command += [f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
    return [*command, "--"]
