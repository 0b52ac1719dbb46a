"""The loop of a test ends the connections that the test left open."""

import asyncio
import socket
from pathlib import Path

from tests.own_loop import OwnLoop


async def _connect(path: str) -> asyncio.Transport:
    transport, _ = await asyncio.get_running_loop().create_unix_connection(asyncio.Protocol, path)
    return transport


def test_a_connection_that_a_test_left_open_ends_with_its_loop(tmp_path: Path) -> None:
    path = str(tmp_path / "socket")
    with socket.create_server(path, family=socket.AF_UNIX) as server:
        with asyncio.Runner(loop_factory=OwnLoop) as runner:
            transport = runner.run(_connect(path))
            assert not transport.is_closing()
        peer, _ = server.accept()
        with peer:
            peer.settimeout(5)
            assert peer.recv(1) == b""


async def test_each_asynchronous_test_has_such_a_loop() -> None:
    assert isinstance(asyncio.get_running_loop(), OwnLoop)
