"""A Redis that refuses is told with its reason; one that is away does not answer."""

from typing import Any

import pytest
import redis

from penny_site.health import broker, parts
from penny_site.health.part import START


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (redis.ReadOnlyError("You can't write against a read only replica."), "read-only replica"),
        (redis.ResponseError("MISCONF Redis is configured to save RDB snapshots, but it is unable to"), "its disk"),
        (redis.ResponseError("MISCONF Errors writing to the AOF file: No space left on device"), "its disk"),
        (redis.OutOfMemoryError("command not allowed when used memory > 'maxmemory'."), "memory is full"),
        (redis.AuthenticationError("Authentication required."), "password is missing or wrong"),
        (redis.ResponseError("WRONGPASS invalid username-password pair or user is disabled."), "password"),
        (redis.ResponseError("NOPERM this user has no permissions to run the 'set' command"), "may not do everything"),
        (redis.BusyLoadingError("Redis is loading the dataset in memory"), "loading"),
        (redis.ResponseError("NOREPLICAS Not enough good replicas to write."), "too few of its replicas"),
        (redis.ResponseError("DENIED Redis is running in protected mode because"), "protected mode"),
        (redis.AuthenticationError("AUTH <password> called without any password configured"), "has no password"),
        (redis.InvalidResponse("Protocol Error: b'HTTP/1.1 400 Bad Request'"), "is no Redis"),
        (redis.ResponseError("DB index is out of range"), "no database of that number"),
        (redis.ConnectionError("Connection closed by server."), "ends the connection"),
        (redis.ConnectionError("max number of clients reached"), "no further connection"),
        (redis.ConnectionError("Error -2 connecting to nowhere:6379. Name or service not known."), "is not found"),
        (redis.ConnectionError("Error 111 connecting to localhost:6379. Connection refused."), "does not answer"),
        (redis.TimeoutError("Timeout reading from socket"), "stands still"),
    ],
)
def test_what_redis_says_is_told_with_what_helps(
    monkeypatch: pytest.MonkeyPatch, settings: Any, error: redis.RedisError, text: str
) -> None:
    class Refusing:
        def set(self, *_: object, **__: object) -> None:
            raise error

    monkeypatch.setattr(broker, "sync_client", Refusing)
    settings.REDIS_URL = "redis://localhost:6379"
    part = broker.check_broker()
    assert (part.is_ok, text in part.text, part.advice == START) == (False, True, text == "does not answer")


def test_the_worker_is_not_said_to_be_away_where_the_broker_holds_no_sign_of_it(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    class Empty:
        def exists(self, _: str) -> int:
            return 0

    monkeypatch.setattr(parts, "sync_client", Empty)
    settings.REDIS_URL = "redis://localhost:6379"
    texts = [
        parts._check_alive("worker", "Worker", "key", parts.Part("broker", "Broker", is_ok, True, "")).text
        for is_ok in (True, False)
    ]
    assert texts == ["does not run", "is not seen without the broker"]
