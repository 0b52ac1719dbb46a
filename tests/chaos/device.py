"""Run one device of the chaos suite, which may be killed at any moment: python -m tests.chaos.device FOLDER

Three files survive each kill:
- `pairing.json`: the identity of the device;
- `outbox.jsonl`: the owner's messages, one line for each turn, appended by the test;
- `log.jsonl`: all events, each frame written before it is acknowledged.

The device sends a turn again until its `ack` arrives. The last message in the log is the cursor of the next
connection.
"""

import json
import os
import random
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from websockets.exceptions import WebSocketException

from devices import protocol
from tests.client import Client, Key, Pairing, allow, browser_tools, make_page
from tests.stand_ins.articles import WATER

ADDRESS = "https://coffee.example/water"
PING_S, SILENCE_S = 1.0, 8.0
RESEND_S = 5.0
AGAIN_S = (0.1, 0.5)  # the pause before the next connection, jittered
EVERY_S = 0.05


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the complete lines of a file that another process may be writing."""
    text = path.read_text() if path.exists() else ""
    return [json.loads(line) for line in text.rpartition("\n")[0].splitlines()]


def append_line(path: Path, **fields: Any) -> None:
    """Append a line in one write: a kill leaves all of the line or nothing."""
    with path.open("ab", buffering=0) as file:
        file.write(json.dumps(fields).encode() + b"\n")


def store_pairing(folder: Path, pairing: Pairing, url: str) -> None:
    state = {
        "url": url,
        "device_id": str(pairing.device_id),
        "server": pairing.server_public_key,
        "key": pairing.key.private,
    }
    (folder / "pairing.json").write_text(json.dumps(state))


def load_pairing(folder: Path) -> Pairing:
    state = json.loads((folder / "pairing.json").read_text())
    return Pairing(state["url"], UUID(state["device_id"]), state["server"], Key(state["key"]))


class Diary:
    """The log, and the state that follows from it: acknowledged turns, and the cursor of the conversation."""

    def __init__(self, path: Path) -> None:
        self.path, self.acknowledged, self.cursor = path, set[str](), 0
        for line in read_lines(path):
            self._apply(line)

    def write(self, **fields: Any) -> None:
        append_line(self.path, at=time.time(), **fields)
        self._apply(fields)

    def _apply(self, line: dict[str, Any]) -> None:
        frame = line.get("frame", {})
        if frame.get("type") == "ack":
            self.acknowledged.add(frame["ref"])
        if frame.get("type") == "message.new":
            self.cursor = max(self.cursor, frame["message"]["seq"])


class DiaryClient(Client):
    """The documented client, which logs each frame before it acts on the frame."""

    def __init__(self, pairing: Pairing, diary: Diary) -> None:
        tools = browser_tools({ADDRESS: make_page(ADDRESS, WATER.title, WATER.text)}, after_s=0.3)
        super().__init__(pairing, tools=tools, answers=allow(), cursor=diary.cursor)
        self.diary, self.last_frame_at, self.is_over = diary, time.monotonic(), False

    def _receive(self, frame: protocol.ServerFrame) -> None:
        if self.is_over:
            return
        self.last_frame_at = time.monotonic()
        if not isinstance(frame, protocol.Pong):
            self.diary.write(frame=json.loads(protocol.encode(frame)))
        super()._receive(frame)


class Device:
    def __init__(self, folder: Path) -> None:
        self.outbox, self.diary = folder / "outbox.jsonl", Diary(folder / "log.jsonl")
        self.pairing = load_pairing(folder)
        self.sent_at: dict[str, float] = {}

    def run(self) -> None:
        while True:
            client = DiaryClient(self.pairing, self.diary)
            try:
                self._talk(client)
            except (WebSocketException, OSError, AssertionError) as error:
                self.diary.write(event="closed", why=repr(error)[:200])
            client.is_over = True
            client.abort()
            time.sleep(random.uniform(*AGAIN_S))

    def _talk(self, client: DiaryClient) -> None:
        welcome = client.connect()
        self.diary.write(event="connected", id=uuid4().hex, seq=welcome.seq)
        self.sent_at.clear()
        pinged = 0.0
        while client.close_code is None:
            self._send_unacknowledged(client)
            if time.monotonic() - pinged > PING_S:
                client.send(protocol.Ping())
                pinged = time.monotonic()
            if time.monotonic() - client.last_frame_at > SILENCE_S:
                raise TimeoutError("nothing was heard")
            time.sleep(EVERY_S)
        self.diary.write(event="closed", why=client.close_code)

    def _send_unacknowledged(self, client: DiaryClient) -> None:
        for turn in self._unacknowledged():
            if time.monotonic() - self.sent_at.get(turn["turn_id"], -RESEND_S) >= RESEND_S:
                client.say(turn["text"], UUID(turn["turn_id"]))
                self.sent_at[turn["turn_id"]] = time.monotonic()

    def _unacknowledged(self) -> Iterator[dict[str, Any]]:
        return (turn for turn in read_lines(self.outbox) if turn["turn_id"] not in self.diary.acknowledged)


if __name__ == "__main__":
    os.setsid()
    with suppress(KeyboardInterrupt):
        Device(Path(sys.argv[1])).run()
