"""Open sockets by hand with any header and first frames, as a hostile client would."""

import asyncio
import base64
import json
import os
import struct
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.raw import Device, b64

WAIT_S = 20.0
TEXT, CLOSE = 1, 8
Signs = Callable[[str, str], str]  # from the server's nonce and this client's origin to a signature


@dataclass(frozen=True)
class Credential:
    """The identity that a client claims. `sign` is None if it does not even try to prove it."""

    name: str
    device_id: str
    sign: Signs | None


@dataclass(frozen=True)
class Outcome:
    """Result of one try: upgrade `status`, close `code`, and whether it got a welcome."""

    status: int
    code: int = 0
    is_in: bool = False


def prove(device: Device, *, device_id: str = "", nonce: str = "", origin: str | None = None) -> Signs:
    """Return a device's signing function; the arguments replace the true values."""

    def sign(true_nonce: str, true_origin: str) -> str:
        signed_origin = true_origin if origin is None else origin
        return device.sign(f"penny-device-v1\n{nonce or true_nonce}\n{device_id or device.id}\n{signed_origin}")

    return sign


async def knock(port: int, headers: Sequence[tuple[str, str]], credential: Credential, origin: str) -> Outcome:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        async with asyncio.timeout(WAIT_S):
            status = await _upgrade(reader, writer, headers)
            return await _introduce(reader, writer, credential, origin) if status == 101 else Outcome(status)
    finally:
        writer.transport.abort()


async def knock_all(
    port: int, tries: Sequence[tuple[Sequence[tuple[str, str]], Credential, str]], at_once: int = 48
) -> list[Outcome]:
    """Make all tries, `at_once` in parallel; return the outcomes in the same order."""
    places = asyncio.Semaphore(at_once)

    async def one(headers: Sequence[tuple[str, str]], credential: Credential, origin: str) -> Outcome:
        async with places:
            return await knock(port, headers, credential, origin)

    return list(await asyncio.gather(*(one(*arguments) for arguments in tries)))


async def _upgrade(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, headers: Sequence[tuple[str, str]]
) -> int:
    key = base64.b64encode(os.urandom(16)).decode()
    fixed = [
        ("Upgrade", "websocket"),
        ("Connection", "Upgrade"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", key),
    ]
    lines = ["GET /ws/device HTTP/1.1", *(f"{name}: {value}" for name, value in [*headers, *fixed]), "", ""]
    writer.write("\r\n".join(lines).encode())
    head = await reader.readuntil(b"\r\n\r\n")
    return int(head.split(None, 2)[1])


async def _introduce(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, credential: Credential, origin: str
) -> Outcome:
    client = {"name": "raw", "version": "1", "browser": "none"}
    hello = {
        "type": "auth.hello",
        "device_id": credential.device_id,
        "nonce": b64(os.urandom(32)),
        "protocol": 1,
        "client": client,
    }
    _send(writer, hello)
    challenge = await _receive(reader)
    if isinstance(challenge, int):
        return Outcome(101, challenge)
    if credential.sign is None:
        _send(writer, {"type": "chat.send", "turn_id": str(uuid.uuid4()), "text": "Let me in"})
    else:
        signature = credential.sign(challenge["nonce"], origin)
        _send(writer, {"type": "auth.proof", "signature": signature, "tools": [], "cursor": None})
    answer = await _receive(reader)
    return Outcome(101, answer) if isinstance(answer, int) else Outcome(101, is_in=answer["type"] == "welcome")


def _send(writer: asyncio.StreamWriter, frame: dict[str, Any]) -> None:
    """Send one text frame, masked with zeros."""
    data = json.dumps(frame).encode()
    length = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0x80 | 126]) + struct.pack(">H", len(data))
    writer.write(bytes([0x80 | TEXT]) + length + bytes(4) + data)


async def _receive(reader: asyncio.StreamReader) -> dict[str, Any] | int:
    """Return the next frame's JSON, or the close code."""
    while True:
        first, second = await reader.readexactly(2)
        size = second & 0x7F
        if size == 126:
            size = struct.unpack(">H", await reader.readexactly(2))[0]
        elif size == 127:
            size = struct.unpack(">Q", await reader.readexactly(8))[0]
        data = await reader.readexactly(size)
        if first & 0x0F == TEXT:
            return dict(json.loads(data))
        if first & 0x0F == CLOSE:
            return int(struct.unpack(">H", data[:2])[0]) if data else 1005
