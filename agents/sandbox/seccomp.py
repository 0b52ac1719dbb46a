"""Filter system calls: a reader starts no process, inspects none, and opens sockets of the internet alone.

Threads are allowed. A reader may not ask the kernel for the sockets of others (AF_NETLINK), nor connect to those that
have a path (AF_UNIX): the message bus of the desktop, an agent with keys, Penny's own Redis.
"""

import ctypes
import errno
import platform
import socket
import struct
import sys
from collections.abc import Collection, Sequence

PR_SET_SECCOMP, MODE_FILTER = 22, 2
# The kernel's filter language (linux/bpf_common.h).
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
# Offsets in struct seccomp_data: the call, the architecture, the low half of the first argument.
NUMBER, ARCHITECTURE, FLAGS = 0, 4, 16
ALLOW, REFUSE, ABSENT = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
# The C library goes on without a family that the kernel does not know.
UNSUPPORTED = 0x00050000 | errno.EAFNOSUPPORT
INTERNET = (socket.AF_INET, socket.AF_INET6)
CLONE_THREAD = 0x00010000
FOREIGN = 0x40000000  # x86-64 has a second set of call numbers from here on
CLONE3 = 435  # a filter cannot see its flags, which are in memory; without it the C library uses clone
# Architecture, clone, socket, and the refused calls: fork, vfork, execve, execveat, ptrace, process_vm_readv,
# process_vm_writev, io_uring_setup.
MACHINES = {
    "x86_64": (0xC000003E, 56, 41, (57, 58, 59, 322, 101, 310, 311, 425)),
    "aarch64": (0xC00000B7, 220, 198, (221, 281, 117, 270, 271, 425)),
}


class FilterFailed(OSError):
    pass


def filter_calls(families: Collection[int] = INTERNET) -> bool:
    """Filter this process and its threads; return whether the system can. Raises FilterFailed.

    `families`: of the sockets that may be opened from now on. Needs no_new_privs.
    """
    if sys.platform != "linux" or platform.machine() not in MACHINES:
        return False
    program = b"".join(_program(*MACHINES[platform.machine()], sorted(families)))
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.c_char_p(header), 0, 0):
        if ctypes.get_errno() == errno.EINVAL:
            return False  # a kernel built without filters
        raise FilterFailed(ctypes.get_errno(), "seccomp")
    return True


def _program(
    architecture: int, clone: int, open_socket: int, forbidden: tuple[int, ...], families: Sequence[int]
) -> list[bytes]:
    steps = [_do(LOAD, ARCHITECTURE), _do(EQUAL, architecture, 1, 0), _do(RETURN, REFUSE)]
    steps += [_do(LOAD, NUMBER), _do(AT_LEAST, FOREIGN, 0, 1), _do(RETURN, REFUSE)]
    for number in forbidden:
        steps += [_do(EQUAL, number, 0, 1), _do(RETURN, REFUSE)]
    steps += [_do(EQUAL, CLONE3, 0, 1), _do(RETURN, ABSENT)]
    steps += [_do(EQUAL, open_socket, 0, len(families) + 3), _do(LOAD, FLAGS)]
    steps += [_do(EQUAL, family, len(families) - number, 0) for number, family in enumerate(families)]
    steps += [_do(RETURN, UNSUPPORTED), _do(RETURN, ALLOW)]
    steps += [
        _do(EQUAL, clone, 0, 4),
        _do(LOAD, FLAGS),
        _do(ANY_BIT, CLONE_THREAD, 1, 0),
        _do(RETURN, REFUSE),
        _do(RETURN, ALLOW),
    ]
    return [*steps, _do(RETURN, ALLOW)]


def _do(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
