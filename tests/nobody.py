"""Run servers that refuse root as the user nobody, until the test process ends."""

import os
import pwd
from collections.abc import Iterable
from pathlib import Path


def as_nobody(paths: Iterable[Path], signal: str) -> list[str]:
    """Return the prefix of a command that gets `signal` when this process ends.

    As root, the command runs as nobody, who becomes the owner of `paths`.
    """
    command = ["setpriv", "--pdeathsig", signal]
    if os.getuid() == 0:
        user = pwd.getpwnam("nobody")
        for path in paths:
            os.chown(path, user.pw_uid, user.pw_gid)
        command += [f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
    return [*command, "--"]
