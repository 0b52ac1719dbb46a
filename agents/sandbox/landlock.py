"""Restrict a process with Landlock (Linux 5.13 or newer): three system calls.

Called directly, since the packages that wrap it are all young and the kernel's interface is stable
(Documentation/userspace-api/landlock.rst).
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
FILE_RIGHTS = 0b1100000000000111  # rights of a rule on a single file: the first three, truncate, ioctl on devices
# All file rights of a version; the rights over TCP (bind, connect); the scopes (abstract sockets, signals).
FILES_OF = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
NETWORK_SINCE, TCP_BIND, TCP_CONNECT = 4, 1, 2
SCOPES_SINCE, SCOPES = 6, 3
PR_SET_NO_NEW_PRIVS = 38


class LandlockFailed(OSError):
    """The kernel has Landlock and refused a call."""


def version() -> int:
    """Return the Landlock version of the kernel, 0 if it has none."""
    return max(_syscall(CREATE_RULESET, None, ctypes.c_size_t(0), VERSION_FLAG), 0) if sys.platform == "linux" else 0


def forbid_new_privileges() -> None:
    if sys.platform == "linux" and _libc().prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise LandlockFailed(ctypes.get_errno(), "no_new_privs")


def restrict(files: Iterable[tuple[Path, int]], ports: Iterable[int]) -> int:
    """Leave this thread the rights over `files` and TCP to `ports`. Raises LandlockFailed.

    Processes that it starts inherit that. Returns the version in force; below 4 the network stays open. Paths that do
    not exist are skipped.
    """
    has = version()
    ruleset = _check_result("ruleset", _syscall(CREATE_RULESET, *_sized(_attributes(has)), 0))
    try:
        for path, rights in files:
            _allow_path(ruleset, path, rights & _files_of(has))
        for port in ports if has >= NETWORK_SINCE else ():
            _check_result("port", _syscall(ADD_RULE, ruleset, RULE_PORT, struct.pack("=QQ", TCP_CONNECT, port), 0))
        _check_result("restrict", _syscall(RESTRICT_SELF, ruleset, 0))
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
        _check_result(str(path), _syscall(ADD_RULE, ruleset, RULE_PATH, struct.pack("=Qi", rights, descriptor), 0))
    finally:
        os.close(descriptor)


def _attributes(has: int) -> bytes:
    """Return the kernel's struct of a ruleset, as long as that version expects it."""
    parts = [_files_of(has)]
    parts += [TCP_BIND | TCP_CONNECT] if has >= NETWORK_SINCE else []
    parts += [SCOPES] if has >= SCOPES_SINCE else []
    return struct.pack(f"={len(parts)}Q", *parts)


def _files_of(has: int) -> int:
    return FILES_OF[max(number for number in FILES_OF if number <= has)]


def _sized(attributes: bytes) -> tuple[bytes, ctypes.c_size_t]:
    return attributes, ctypes.c_size_t(len(attributes))


def _check_result(what: str, result: int) -> int:
    if result < 0:
        raise LandlockFailed(ctypes.get_errno(), f"Landlock: {what}")
    return result


def _syscall(*arguments: object) -> int:
    return int(_libc().syscall(*arguments))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
