"""A Redis that refuses or stands still, over real sockets: the reason that the owner reads, and that no turn waits."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from tests.bench.reality.outcome import Outcome

KIND = "K34"
SECRET = "canary-of-the-owner"
TURN_S = 3.5  # what a turn may lose in all: one wait for an answer, or a second of refused connections
HELLO = b"%2\r\n$6\r\nserver\r\n$5\r\nredis\r\n$5\r\nproto\r\n:3\r\n"
GREETING = (b"HELLO", b"AUTH", b"SELECT", b"CLIENT", b"INFO")
ALL, WRITES = (), (b"SET", b"RPUSH", b"PUBLISH", b"EVAL", b"EVALSHA", b"EXEC")


@dataclass(frozen=True)
class Refusing:
    """`line`: the answer, None for silence. `only`: to which commands, ALL for a refusal of the connection itself.

    `says`: what the owner must read. `ends`: whether the connection ends after it.
    """

    id: str
    line: str | None
    says: tuple[str, ...]
    only: tuple[bytes, ...] = ALL
    ends: bool = False


DISK = ("cannot write its data to its disk", "Make room")
PASSWORD = ("password is missing or wrong", "PENNY_REDIS_URL")
STILL = ("stands still", "If that lasts")
NO_REDIS = ("is no Redis", "host and port")
COMMANDS = ("does not know all commands", "6.2 or newer")
ROWS = (
    # it answers, and takes nothing
    Refusing("C103", "-MISCONF Redis is configured to save RDB snapshots, but it's unable to persist", DISK, WRITES),
    Refusing("misconf_aof", "-MISCONF Errors writing to the AOF file: No space left on device", DISK, WRITES),
    Refusing("misconf_valkey", "-MISCONF Valkey is configured to save RDB snapshots", DISK, WRITES),
    Refusing("noreplicas", "-NOREPLICAS Not enough good replicas to write.", ("too few of its replicas",), WRITES),
    Refusing("readonly", "-READONLY You can't write against a read only replica.", ("read-only replica",), WRITES),
    Refusing("readonly_slave", "-READONLY You can't write against a read only slave.", ("read-only replica",), WRITES),
    Refusing("oom", "-OOM command not allowed when used memory > 'maxmemory'.", ("memory is full",), WRITES),
    Refusing("oom_script", "-OOM allow-oom flag is not set on the script", ("memory is full",), WRITES),
    Refusing("noperm", "-NOPERM this user has no permissions to run the 'set' command", ("not do everything",), WRITES),
    Refusing("noperm_key", "-NOPERM No permissions to access a key", ("not do everything", "all keys"), WRITES),
    Refusing("moved", "-MOVED 3999 127.0.0.1:6381", ("is a cluster",), WRITES),
    Refusing("clusterdown", "-CLUSTERDOWN Hash slot not served", ("is a cluster",), WRITES),
    Refusing("wrongtype", "-WRONGTYPE Operation against a key holding the wrong kind", ("another program",), WRITES),
    Refusing("unknown_set", "-ERR unknown command 'SET', with args beginning with: 'health'", COMMANDS, WRITES),
    Refusing("quota", "-ERR max requests limit exceeded. Limit: 500000, Usage: 500000.", ("limit is reached",), WRITES),
    Refusing("quota_day", "-ERR max daily request limit exceeded. Limit: 10000", ("limit is reached",), WRITES),
    # it is not ready
    Refusing("masterdown", "-MASTERDOWN Link with MASTER is down", ("lost its primary",), WRITES),
    Refusing("masterdown_7", "-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is 'no'", ("primary",)),
    Refusing("loading", "-LOADING Redis is loading the dataset in memory", ("is loading its data",)),
    Refusing("loading_valkey", "-LOADING Valkey is loading the dataset in memory", ("is loading",), WRITES),
    Refusing("loading_async", "-LOADING Redis is performing async loading", ("is loading",), WRITES),
    Refusing("busy", "-BUSY Redis is busy running a script. You can only call SCRIPT KILL", ("busy with",), WRITES),
    Refusing("busy_function", "-BUSY Valkey is busy running a function.", ("busy with a script",)),
    # it refuses Penny
    Refusing("noauth", "-NOAUTH Authentication required.", PASSWORD, WRITES),
    Refusing("noauth_hello", "-NOAUTH HELLO must be called with the client already authenticated", PASSWORD),
    Refusing("wrongpass", "-WRONGPASS invalid username-password pair or user is disabled.", PASSWORD),
    Refusing("invalid_password", "-ERR invalid password", PASSWORD),
    Refusing("not_permitted", "-ERR operation not permitted", PASSWORD, WRITES),
    Refusing("no_password_set", "-ERR AUTH <password> called without any password configured", ("has no password",)),
    Refusing("no_password_old", "-ERR Client sent AUTH, but no password is set", ("has no password", "leave it out")),
    Refusing("maxclients", "-ERR max number of clients reached", ("no further connection", "maxclients"), ends=True),
    Refusing("maxclients_bus", "-ERR max number of clients + cluster connections reached", ("no further",), ends=True),
    Refusing(
        "denied",
        "-DENIED Redis is running in protected mode because protected mode is enabled and no password is set",
        ("protected mode", "requirepass"),
        ends=True,
    ),
    Refusing("denied_valkey", "-DENIED Valkey is running in protected mode", ("protected mode",), ends=True),
    Refusing("db_index", "-ERR DB index is out of range", ("no database of that number", "/0")),
    Refusing("db_cluster", "-ERR SELECT is not allowed in cluster mode", ("no database of that number",)),
    Refusing("noproto", "-NOPROTO unsupported protocol version", COMMANDS),
    # it stands still, or ends
    Refusing("still", None, STILL),
    Refusing("still_after_greeting", None, STILL, WRITES),
    Refusing("hangs_up", "", ("ends the connection",), ends=True),
    # something else answers
    Refusing("http", "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n<html>", NO_REDIS, ends=True),
    Refusing("http_open", "HTTP/1.0 400 Bad request version", NO_REDIS),
    Refusing("ssh", "SSH-2.0-OpenSSH_9.2p1 Debian-2", NO_REDIS),
    Refusing("smtp", "220 mail.example ESMTP Postfix", NO_REDIS),
    Refusing("memcached", "ERROR", NO_REDIS),
    Refusing("tls", "\x15\x03\x01\x00\x02\x02\x46", NO_REDIS, ends=True),
)


def outcomes() -> list[Outcome]:
    from agents.runs import queue  # noqa: F401  what a turn needs is loaded before its time is taken

    results = []
    for row in ROWS:
        with _served(row) as port:
            results.append(_outcome_at(row.id, f"redis://:{SECRET}@127.0.0.1:{port}/0", row.says))
    return [*results, *(_outcome_at(name, url, says) for name, url, says in PLACES)]


PLACES = (
    ("refused", "redis://127.0.0.1:9/0", ("does not answer", "Start Penny")),
    ("no_such_name", "redis://nowhere.invalid:6379/0", ("is not found", "Correct the host")),
    ("no_socket", "unix:///nowhere/redis.sock", ("does not answer",)),
)


def _outcome_at(name: str, url: str, says: tuple[str, ...]) -> Outcome:
    with _using(url):
        words, turn_s = _ready_and_turn()
    is_right = all(word in words for word in says) and SECRET not in words and turn_s < TURN_S
    return Outcome(name, KIND, is_right, f"{words} ({turn_s:.1f} s)")


@contextmanager
def _using(url: str) -> Iterator[None]:
    from channels.layers import channel_layers
    from django.conf import settings

    from devices import redis

    before = settings.REDIS_URL, settings.CHANNEL_LAYERS
    host: dict[str, Any] = {"address": url, "socket_timeout": None}
    layer = {"BACKEND": "devices.sockets.layer.Layer", "CONFIG": {"hosts": [host]}}
    settings.REDIS_URL, settings.CHANNEL_LAYERS = url, {"default": layer}
    try:
        yield
    finally:
        settings.REDIS_URL, settings.CHANNEL_LAYERS = before
        channel_layers.backends.clear()
        for cached in (redis.sync_client, redis.rate_limiter, redis._stillness_at):
            cached.cache_clear()


def _ready_and_turn() -> tuple[str, float]:
    """Return what /readyz and `doctor` say of broker and worker, and how long a turn waits for Redis in all."""
    from penny_site.health.parts import machinery

    started_s = time.monotonic()
    asyncio.run(_turn())
    turn_s = time.monotonic() - started_s
    parts = {part.name: part for part in machinery()}
    if parts["broker"].is_ok or parts["worker"].text == "does not run":
        return f"broker {parts['broker'].text}, worker {parts['worker'].text}", turn_s
    return f"{parts['broker'].text}. {parts['broker'].advice}", turn_s


async def _turn() -> None:
    """Do what a turn does with Redis, and fail if one part of it fails."""
    from agents.models import Run
    from agents.runs import queue, stream
    from devices import redis

    turn_id = uuid4()
    run = Run(kind=Run.Kind.TURN, state=Run.State.RUNNING, turn_id=turn_id)
    await asyncio.to_thread(queue.enqueue, run)
    await queue.announce_turn(run)
    pieces = stream.Stream(run, "Kitchen")
    await pieces.start()
    for word in ("One", "two", "three"):
        await pieces.delta(word)
    await pieces.forget()
    await asyncio.to_thread(stream.read_progress, turn_id)
    await asyncio.to_thread(redis.wake, "call:1", "answer")


@contextmanager
def _served(row: Refusing) -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=_serve, args=(connection, row), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        try:
            yield listener.getsockname()[1]
        finally:
            listener.shutdown(socket.SHUT_RDWR)


def _serve(connection: socket.socket, row: Refusing) -> None:
    with connection, suppress(OSError), connection.makefile("rb") as lines:
        while words := _command(lines):
            name = words[0].upper()
            if row.only and name not in row.only:
                connection.sendall(HELLO if name == b"HELLO" else b"+OK\r\n" if name in GREETING else b"_\r\n")
            elif row.line is not None:
                connection.sendall(f"{row.line}\r\n".encode("latin-1") if row.line else b"")
                if row.ends:
                    return


def _command(lines: Any) -> list[bytes]:
    """Return the words of the next command, none at the end."""
    head = lines.readline()
    words = []
    for _ in range(int(head[1:]) if head.startswith(b"*") else 0):
        size = int(lines.readline()[1:])
        words.append(lines.read(size + 2)[:-2])
    return words
