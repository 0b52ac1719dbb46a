"""Landlock, Linux's own way for a process to give up files and addresses for good: three system calls. Linux 5.13 or
newer.

The packages that wrap it are all young; the kernel's interface is stable (Documentation/userspace-api/landlock.rst).
"""

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same numbers on every architecture that Python runs on
VERSION_FLAG = 1
RULE_PATH, RULE_PORT = 1, 2
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
FILE_RIGHTS = 0b1100000000000111  # what a rule on a single file may name: the three above, truncate, ioctl on devices
# All rights over files that a version knows, over TCP (bind, connect), and what is kept inside (abstract sockets,
# signals).
FILES_OF = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
NETWORK_SINCE, TCP_BIND, TCP_CONNECT = 4, 1, 2
SCOPES_SINCE, SCOPES = 6, 3
PR_SET_NO_NEW_PRIVS = 38


class LandlockFailed(OSError):
    """The kernel has Landlock and refused what was asked of it."""


def version() -> int:
    """Return the version of Landlock that the kernel offers, 0 where it has none."""
    return max(_syscall(CREATE_RULESET, None, ctypes.c_size_t(0), VERSION_FLAG), 0) if sys.platform == "linux" else 0


def forbid_new_privileges() -> None:
    """Whatever this process starts can never have more rights than it has itself."""
    if sys.platform == "linux" and _libc().prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise LandlockFailed(ctypes.get_errno(), "no_new_privs")


def restrict(files: Iterable[tuple[Path, int]], ports: Iterable[int]) -> int:
    """Leave this thread, and what it starts, only the rights over `files` and TCP connections to `ports`; return the
    version in force.

    Paths that do not exist are passed over. With a version below 4 the network stays open. Raises LandlockFailed.
    """
    has = version()
    ruleset = _checked("ruleset", _syscall(CREATE_RULESET, *_sized(_attributes(has)), 0))
    try:
        for path, rights in files:
            _allow_path(ruleset, path, rights & _files_of(has))
        for port in ports if has >= NETWORK_SINCE else ():
            _checked("port", _syscall(ADD_RULE, ruleset, RULE_PORT, struct.pack("=QQ", TCP_CONNECT, port), 0))
        _checked("restrict", _syscall(RESTRICT_SELF, ruleset, 0))
    finally:
        os.close(ruleset)
    return has


def _allow_path(ruleset: int, path: Path, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        rights &= ~0 if path.is_dir() else FILE_RIGHTS
        _checked(str(path), _syscall(ADD_RULE, ruleset, RULE_PATH, struct.pack("=Qi", rights, descriptor), 0))
    finally:
        os.close(descriptor)


def _attributes(has: int) -> bytes:
    """Return the kernel's struct of what a ruleset is about, as long as that version knows it."""
    parts = [_files_of(has)]
    parts += [TCP_BIND | TCP_CONNECT] if has >= NETWORK_SINCE else []
    parts += [SCOPES] if has >= SCOPES_SINCE else []
    return struct.pack(f"={len(parts)}Q", *parts)


def _files_of(has: int) -> int:
    return FILES_OF[max(known for known in FILES_OF if known <= has)]


def _sized(attributes: bytes) -> tuple[bytes, ctypes.c_size_t]:
    return attributes, ctypes.c_size_t(len(attributes))


def _checked(what: str, returned: int) -> int:
    if returned < 0:
        raise LandlockFailed(ctypes.get_errno(), f"Landlock: {what}")
    return returned


def _syscall(*arguments: object) -> int:
    return int(_libc().syscall(*arguments))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
