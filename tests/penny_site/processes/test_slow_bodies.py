"""A request that comes a byte at a time is ended, in its head as in its body."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest
from twisted.internet.testing import StringTransport
from twisted.web.http import HTTPChannel

from penny_site.processes.bodies import PACE_BYTES, PACE_S, UNFINISHED_MAX, BoundedRequest

HEAD = b"POST /sign-in/ HTTP/1.1\r\nHost: x\r\n"
BODY = HEAD + b"Content-Length: 90000\r\n\r\n"


class Transport(StringTransport):
    is_aborted = False

    def abortConnection(self) -> None:  # noqa: N802
        self.is_aborted = True


class Connection:
    """One connection of daphne's, without a network."""

    def __init__(self) -> None:
        self.transport = cast(Any, Transport)()
        self.channel = cast(Any, HTTPChannel)()
        server = SimpleNamespace(protocol_connected=lambda _: None, protocol_disconnected=lambda _: None)
        self.channel.factory, self.channel.requestFactory = SimpleNamespace(server=server), BoundedRequest
        self.channel.makeConnection(self.transport)

    def send(self, data: bytes) -> Any:
        """Send it, and return the request that has begun."""
        self.channel.dataReceived(data)
        return self.channel.requests[0]


@pytest.mark.parametrize("begin", [HEAD, BODY], ids=["head", "body"])
async def test_a_request_that_drips_is_ended(begin: bytes) -> None:
    connection, now = Connection(), asyncio.get_running_loop().time()
    request = connection.send(begin)
    assert now < request.pace.when() < now + PACE_S + 20
    connection.send(b"a")
    request._check_pace(0)
    assert (connection.transport.is_aborted, request.is_refused) == (True, True)


async def test_a_body_that_keeps_its_pace_is_read_until_it_stops() -> None:
    connection = Connection()
    connection.send(BODY)
    request = connection.send(b"a" * PACE_BYTES)
    request._check_pace(0)
    assert (connection.transport.is_aborted, request.pace.cancelled()) == (False, False)
    request._check_pace(request.size_bytes)
    assert connection.transport.is_aborted


async def test_who_is_still_looked_up_waits_for_us_and_who_is_gone_for_nothing() -> None:
    connection = Connection()
    request = connection.send(BODY)
    request.look_up = asyncio.get_running_loop().create_future()
    request._check_pace(0)
    assert not connection.transport.is_aborted
    connection.channel.connectionLost(Exception())
    assert request.pace.cancelled()


async def test_of_too_many_at_once_the_first_is_ended_and_one_that_is_whole_or_gone_counts_no_more() -> None:
    connections = [Connection() for _ in range(UNFINISHED_MAX + 3)]
    first, second, third, *others = connections
    first.send(HEAD)
    second.send(HEAD).look_up = asyncio.get_running_loop().create_future()
    second.send(b"Content-Length: 0\r\n\r\n")
    third.send(BODY)
    third.channel.connectionLost(Exception())
    for connection in others[:-1]:
        connection.send(BODY)
    assert not any(connection.transport.is_aborted for connection in connections)
    others[-1].send(HEAD)
    assert [connection.transport.is_aborted for connection in connections] == [True, *[False] * (len(connections) - 1)]
    for connection in connections:
        if connection.transport.is_aborted or connection is third:
            continue
        connection.channel.connectionLost(Exception())
    assert not BoundedRequest.unfinished
