"""Give up files, addresses and privileges before the first task, irrevocably.

`confine` returns what this system cannot do; /readyz, `doctor` and the page This machine show it.
"""

import ctypes
import os
import pwd
import socket
import struct
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from agents.sandbox import landlock, seccomp
from agents.sandbox.settings import SandboxSettings
from agents.zones.sandbox_messages import Confinement

CODE = Path(__file__).resolve().parent.parent.parent
DNS_PORT = 53
NOTHING = (Path(os.devnull), landlock.READ_FILE | landlock.WRITE_FILE)
WORK = landlock.FILES_OF[1] & ~landlock.EXECUTE
READ = landlock.READ_FILE | landlock.READ_DIR
# Penny's packages; not the folder that contains them, where the data folder may be.
PACKAGES = ("agents", "devices", "thoughts")
SYSTEM = (
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo", "/etc/localtime",
    "/etc/ld.so.cache", "/etc/hosts", "/etc/resolv.conf", "/run/systemd/resolve", "/etc/nsswitch.conf",
    "/etc/gai.conf", "/etc/host.conf",
    "/etc/services", "/etc/os-release", "/etc/mime.types", "/etc/ssl", "/etc/pki", "/etc/ca-certificates",
    "/usr/share/ca-certificates",
    "/usr/local/share/ca-certificates", "/dev/urandom", "/sys/devices/system/cpu",
)  # fmt: skip
CAPABILITIES = struct.pack("=Ii", 0x20080522, 0)  # version 3, this process
DAC_READ_SEARCH = 1 << 2


NO_LANDLOCK = (
    "This system has no Landlock: the sandbox can read what its user can read. docker-compose.yml gives "
    "it a user of its own."
)
NO_PORTS = (
    "This kernel's Landlock closes files only: the sandbox could connect anywhere. Linux 6.7 or newer "
    "closes the network too."
)
AS_NOBODY = "This system has no Landlock: the sandbox runs as nobody instead."


def confine(settings: SandboxSettings) -> Confinement:
    """Give up all that starting readers does not need. Raises LandlockFailed.

    Call it before there is another thread.
    """
    landlock.forbid_new_privileges()
    if landlock.version() == 0:
        return _without_landlock(settings)
    # Celery's pool keeps its locks there.
    working = [(Path(folder), WORK) for folder in (tempfile.gettempdir(), "/dev/shm")]  # noqa: S108
    has = landlock.restrict([*readable_paths(), NOTHING, *working], ports(settings))
    if os.geteuid() == 0:
        _drop_capabilities()
    is_closed = has >= landlock.NETWORK_SINCE
    return Confinement(files=True, network=is_closed, note="" if is_closed else NO_PORTS)


def confine_reader(settings: SandboxSettings) -> None:
    """Give up the temporary folder too: a reader writes no file. Raises LandlockFailed."""
    if landlock.version():
        landlock.restrict([*readable_paths(), NOTHING], ports(settings))


def readable_paths() -> list[tuple[Path, int]]:
    certificates = [Path(path) for name in ("SSL_CERT_FILE", "SSL_CERT_DIR") if (path := os.environ.get(name))]
    return [(path, READ) for path in (*_code(), *map(Path, SYSTEM), *certificates)]


def _code() -> list[Path]:
    python = {
        sys.prefix,
        sys.base_prefix,
        *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    }
    return [*(Path(path) for path in sorted(python - {"/usr"})), *(CODE / package for package in PACKAGES)]


def ports(settings: SandboxSettings) -> list[int]:
    """Return the TCP ports that may be connected to: the model's, the Redis's, and DNS."""
    open_ports = {_port(settings.redis_url, {"redis": 6379, "rediss": 6379})}
    if settings.endpoint is not None:
        open_ports |= {_port(settings.endpoint.url, {"http": 80, "https": 443}), DNS_PORT}
    return sorted(open_ports - {0})


def families(settings: SandboxSettings) -> list[int]:
    """Return the families of the sockets that a reader may open: those of unix only where its own Redis has one."""
    return [*seccomp.INTERNET, *([socket.AF_UNIX] if urlsplit(settings.redis_url).scheme == "unix" else [])]


def _port(url: str, usual: dict[str, int]) -> int:
    parts = urlsplit(url)
    return 0 if parts.scheme == "unix" else parts.port or usual.get(parts.scheme, 0)


def _without_landlock(settings: SandboxSettings) -> Confinement:
    if sys.platform == "linux" and os.geteuid() == 0 and drop_to_nobody(_code(), _socket(settings)):
        return Confinement(files=True, network=False, note=AS_NOBODY)
    return Confinement(files=False, network=False, note=NO_LANDLOCK)


def _socket(settings: SandboxSettings) -> Path | None:
    parts = urlsplit(settings.redis_url)
    return Path(parts.path) if parts.scheme == "unix" else None


def drop_to_nobody(paths: Iterable[Path], socket_path: Path | None) -> bool:
    """Become the user nobody, if nobody can read `paths` and reach the socket; return whether."""
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError:
        return False
    there, groups = [path for path in paths if path.exists()], os.getgroups()
    os.setgroups([])
    os.setegid(nobody.pw_gid)
    os.seteuid(nobody.pw_uid)
    can = all(os.access(path, os.R_OK | os.X_OK, effective_ids=True) for path in there)
    can = can and (socket_path is None or os.access(socket_path, os.R_OK | os.W_OK, effective_ids=True))
    os.seteuid(0)
    os.setegid(0)
    if not can:
        os.setgroups(groups)
        return False
    os.setresgid(nobody.pw_gid, nobody.pw_gid, nobody.pw_gid)
    os.setresuid(nobody.pw_uid, nobody.pw_uid, nobody.pw_uid)
    return True


def _drop_capabilities() -> None:
    """Drop all capabilities of root but reading any file, which Landlock bounds.

    The code may belong to another user.
    """
    capabilities = struct.pack("=6I", DAC_READ_SEARCH, DAC_READ_SEARCH, 0, 0, 0, 0)
    if ctypes.CDLL(None, use_errno=True).capset(CAPABILITIES, capabilities):
        raise landlock.LandlockFailed(ctypes.get_errno(), "capset")
