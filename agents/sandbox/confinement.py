"""What the sandbox's process gives up before it takes its first task: files, addresses, privileges. It cannot be
undone.

What this system cannot do is returned, so that /readyz, `doctor` and the setup page say it.
"""

import ctypes
import os
import pwd
import struct
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from agents.sandbox import landlock
from agents.sandbox.settings import SandboxSettings
from agents.zones.sandbox_messages import Confinement

CODE = Path(__file__).resolve().parent.parent.parent
DNS_PORT = 53
NOTHING = (Path(os.devnull), landlock.READ_FILE | landlock.WRITE_FILE)
WORK = landlock.FILES_OF[1] & ~landlock.EXECUTE
READ = landlock.READ_FILE | landlock.READ_DIR
# Its own packages and what they import; not the folder around them, in which the data folder may lie.
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
    """Give up everything that starting readers does not need, before there is another thread. Raises LandlockFailed."""
    landlock.forbid_new_privileges()
    if landlock.version() == 0:
        return _without_landlock(settings)
    # where Celery's pool keeps its locks
    working = [(Path(folder), WORK) for folder in (tempfile.gettempdir(), "/dev/shm")]  # noqa: S108
    has = landlock.restrict([*readable(), NOTHING, *working], ports(settings))
    if os.geteuid() == 0:
        _drop_capabilities()
    is_closed = has >= landlock.NETWORK_SINCE
    return Confinement(files=True, network=is_closed, note="" if is_closed else NO_PORTS)


def confine_reader(settings: SandboxSettings) -> None:
    """Give up, in the process that reads, the temporary folder as well: it writes no file at all. Raises
    LandlockFailed.
    """
    if landlock.version():
        landlock.restrict([*readable(), NOTHING], ports(settings))


def readable() -> list[tuple[Path, int]]:
    """Return what may be read: Python with its packages, Penny's own code, and the system's libraries and
    certificates.
    """
    given = [Path(path) for name in ("SSL_CERT_FILE", "SSL_CERT_DIR") if (path := os.environ.get(name))]
    return [(path, READ) for path in (*_code(), *map(Path, SYSTEM), *given)]


def _code() -> list[Path]:
    python = {
        sys.prefix,
        sys.base_prefix,
        *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    }
    return [*(Path(path) for path in sorted(python - {"/usr"})), *(CODE / package for package in PACKAGES)]


def ports(settings: SandboxSettings) -> list[int]:
    """Return the TCP ports that may be connected to: the model's, its Redis's where that has one, and DNS."""
    found = {_port(settings.redis_url, {"redis": 6379, "rediss": 6379})}
    if settings.endpoint is not None:
        found |= {_port(settings.endpoint.url, {"http": 80, "https": 443}), DNS_PORT}
    return sorted(found - {0})


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


def drop_to_nobody(needed: Iterable[Path], socket: Path | None) -> bool:
    """Become nobody for good, where nobody can still read what is `needed` and reach the socket; return whether."""
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError:
        return False
    there, groups = [path for path in needed if path.exists()], os.getgroups()
    os.setgroups([])
    os.setegid(nobody.pw_gid)
    os.seteuid(nobody.pw_uid)
    can = all(os.access(path, os.R_OK | os.X_OK, effective_ids=True) for path in there)
    can = can and (socket is None or os.access(socket, os.R_OK | os.W_OK, effective_ids=True))
    os.seteuid(0)
    os.setegid(0)
    if not can:
        os.setgroups(groups)
        return False
    os.setresgid(nobody.pw_gid, nobody.pw_gid, nobody.pw_gid)
    os.setresuid(nobody.pw_uid, nobody.pw_uid, nobody.pw_uid)
    return True


def _drop_capabilities() -> None:
    """Root keeps none of its powers but reading, which Landlock bounds: the code may belong to another user."""
    kept = struct.pack("=6I", DAC_READ_SEARCH, DAC_READ_SEARCH, 0, 0, 0, 0)
    if ctypes.CDLL(None, use_errno=True).capset(CAPABILITIES, kept):
        raise landlock.LandlockFailed(ctypes.get_errno(), "capset")
