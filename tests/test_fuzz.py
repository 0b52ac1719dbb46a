"""Odd frames of a device: valid ones are answered, others end with a close code."""

import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from websockets.exceptions import ConnectionClosed

from tests.fuzzing import Fuzzer, FuzzFrame
from tests.penny import Penny, with_model
from tests.raw import Socket, new_device, pair_device
from tests.stand_ins.model_server import ModelServer

CODES = {4400, 4413}
ANSWERS = {
    "ack",
    "commands",
    "error",
    "file.state",
    "history.found",
    "history.page",
    "kept.state",
    "picture",
    "pong",
    "threads.found",
}
HANDSHAKE = ("auth.hello", "auth.proof")
DEVICES = 4


@pytest.fixture
def own_penny(start_penny: Callable[..., Penny], model: ModelServer) -> Penny:
    return start_penny(**with_model(model.url))


class Thrower:
    """A device that sends odd frames to Penny and counts the answers."""

    def __init__(self, penny: Penny) -> None:
        self.penny, self.device, self.came = penny, new_device(), Counter[str]()
        assert pair_device(penny.url, penny.code(), self.device)[0] == 201
        self.socket: Socket | None = None

    def throw_all(self, frames: Iterator[FuzzFrame]) -> Counter[str]:
        for frame in frames:
            outcome = self.throw(frame)
            self.came[outcome] += 1
        if self.socket:
            self.socket.__exit__()
        return self.came

    def throw(self, thrown: FuzzFrame) -> str:
        """Send a frame, then one with a known answer.

        Return the answer to the first: a frame type or a close code.
        """
        socket, fence = self._open(), str(uuid.uuid4())
        try:
            _send(socket, thrown)
            socket.send(type="turn.cancel", turn_id=fence)
            answer = self._answer(socket, fence)
        except ConnectionClosed:
            answer = None
        if answer is None:
            code = socket.closed()
            socket.__exit__()
            self.socket = None
            assert code in CODES, f"closed with {code}: {_excerpt(thrown)}"
            is_handshake = thrown.is_frame and any(name in _excerpt(thrown) for name in HANDSHAKE)
            assert not thrown.is_frame or is_handshake, f"closed with {code} although it parses: {_excerpt(thrown)}"
            return str(code)
        assert answer != "nothing" or '"message.ack"' in _excerpt(thrown), f"not answered: {_excerpt(thrown)}"
        assert thrown.is_frame, f"answered by {answer} although it does not parse: {_excerpt(thrown)}"
        return answer

    def _open(self) -> Socket:
        if self.socket is None:
            self.socket = Socket(self.penny.url)
            self.socket.open(self.device)
        return self.socket

    def _answer(self, socket: Socket, fence: str) -> str | None:
        """Return the type of the first answer before the fence; None when the socket closes."""
        first = "nothing"
        try:
            while (frame := socket.frame()).get("ref") != fence:
                if frame["type"] == "message.new":
                    socket.send(type="message.ack", seq=frame["message"]["seq"])
                elif frame["type"] in ANSWERS and first == "nothing":
                    first = frame["type"]
            return first
        except ConnectionClosed:
            return None


def _send(socket: Socket, frame: FuzzFrame) -> None:
    match frame.kind:
        case "fragments":
            socket.send_fragments(*frame.data)
        case "bytes":
            socket.send_bytes(frame.data)
        case _:
            socket.send_text(frame.data)


def _excerpt(frame: FuzzFrame) -> str:
    return f"{frame.kind} {frame.data if frame.kind != 'fragments' else ''.join(frame.data)}"[:2_000]


def _throw(penny: Penny, count: int, seed: int) -> Counter[str]:
    """Send `count` odd frames from several devices; return the counts of the answers."""
    children = penny.children()
    with ThreadPoolExecutor(DEVICES) as pool:
        throwers = [Thrower(penny) for _ in range(DEVICES)]
        futures = [
            pool.submit(thrower.throw_all, Fuzzer(seed + at).frames(count // DEVICES))
            for at, thrower in enumerate(throwers)
        ]
        answers = sum((future.result() for future in futures), Counter[str]())
    print(f"seed {seed}: {dict(answers)}")  # noqa: T201  the figures are the result of the long run
    assert penny.children() == children, "a process ended"
    logs = "".join(path.read_text(errors="replace") for path in (penny.data / "log").glob("*.log"))
    assert "Traceback" not in logs, logs[logs.index("Traceback") - 500 :][:3000]
    return answers


def test_odd_frames_are_answered_or_end_with_a_code(own_penny: Penny) -> None:
    answers = _throw(own_penny, 100, seed=20)
    assert {"ack", "error", "pong", "4400", "4413"} <= set(answers)


@pytest.mark.long
def test_twenty_thousand_odd_frames_bring_no_traceback_and_no_exit(own_penny: Penny) -> None:
    _throw(own_penny, 20_000, seed=12)
