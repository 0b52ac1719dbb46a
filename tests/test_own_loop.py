"""The loop of a test ends the connections that the test left open."""

import asyncio
import socket

from tests.own_loop import OwnLoop


async def _connect(port: int) -> asyncio.Transport:
    transport, _ = await asyncio.get_running_loop().create_connection(asyncio.Protocol, "127.0.0.1", port)
    return transport


def test_a_connection_that_a_test_left_open_ends_with_its_loop() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        with asyncio.Runner(loop_factory=OwnLoop) as runner:
            transport = runner.run(_connect(server.getsockname()[1]))
            assert not transport.is_closing()
        peer, _ = server.accept()
        with peer:
            peer.settimeout(5)
            assert peer.recv(1) == b""


async def test_each_asynchronous_test_has_such_a_loop() -> None:
    assert isinstance(asyncio.get_running_loop(), OwnLoop)
