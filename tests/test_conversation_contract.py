"""The conversation on the wire, with an independent client: acks, order, replay, cancelling."""

import json
import sqlite3
import threading
import time
import uuid
from contextlib import closing
from typing import Any

import psycopg
import pytest
import redis

from tests.penny import Penny
from tests.raw import Device, Frame, Socket, new_device, pair_device
from tests.stand_ins.model_server import ModelServer, Reply, text
from tests.waiting import until

MESSAGE = {"id", "seq", "device_label", "direction", "kind", "text", "html", "created_at", "origin"}


@pytest.fixture
def device(penny: Penny) -> Device:
    device = new_device()
    assert pair_device(penny.url, penny.code(), device, "Desk")[0] == 201
    return device


def _of_turn(turn: str) -> Any:
    return lambda frame: frame.get("turn_id") == turn or frame.get("message", {}).get("turn_id") == turn


def _until_done(socket: Socket, turn: str) -> list[Frame]:
    """Return the frames of a turn in order of arrival, up to `turn.done` or `turn.failed`."""
    frames = []
    while True:
        frame = socket.frame()
        if frame["type"] == "message.new":
            socket.send(type="message.ack", seq=frame["message"]["seq"])
        if frame.get("ref") == turn or _of_turn(turn)(frame):
            frames.append(frame)
        if frame["type"] in ("turn.done", "turn.failed") and frame["turn_id"] == turn:
            return frames


def test_a_turn_is_acknowledged_stored_streamed_and_done_in_this_order(
    penny: Penny, model: ModelServer, device: Device
) -> None:
    model.on(lambda _: True, text("One two three four five.", every_s=0.05))
    with Socket(penny.url) as socket:
        socket.open(device)
        turn = socket.say("Count, please")
        frames = _until_done(socket, turn)
    kinds = [frame["type"] for frame in frames]
    assert frames[kinds.index("ack")] == {"type": "ack", "ref": turn}
    question, answer = [frame["message"] for frame in frames if frame["type"] == "message.new"]
    assert (question["direction"], question["text"], question["origin"]) == ("in", "Count, please", ["owner"])
    assert (answer["direction"], answer["text"], answer["kind"]) == ("out", "One two three four five.", "chat")
    assert answer["seq"] == question["seq"] + 1
    assert kinds.index("turn.started") < kinds.index("turn.delta") < len(kinds) - 1
    assert kinds[-2:] == ["message.new", "turn.done"]
    assert frames[-1] == {"type": "turn.done", "turn_id": turn, "message": answer}


def test_deltas_are_numbered_and_add_up_to_the_answer(penny: Penny, model: ModelServer, device: Device) -> None:
    model.on(lambda _: True, text(" ".join(f"word{n}" for n in range(40)), every_s=0.01))
    with Socket(penny.url) as socket:
        socket.open(device)
        frames = _until_done(socket, socket.say("Say words"))
    deltas = [frame for frame in frames if frame["type"] == "turn.delta"]
    started = [frame for frame in frames if frame["type"] == "turn.started"][-1]
    of_attempt = [delta for delta in deltas if delta["attempt"] == started["attempt"]]
    first = of_attempt[0]["index"]
    assert [delta["index"] for delta in of_attempt] == list(range(first, first + len(of_attempt)))
    assert started["text"] + "".join(delta["text"] for delta in of_attempt) == frames[-1]["message"]["text"]
    assert len(of_attempt) > 3


def test_a_message_has_the_fields_of_the_contract(penny: Penny, device: Device) -> None:
    with Socket(penny.url) as socket:
        socket.open(device)
        end = _until_done(socket, socket.say("Hello"))[-1]
    assert set(end["message"]) == MESSAGE | {"turn_id", "parent_id", "receipt"}
    assert end["message"]["created_at"].endswith("Z")


def test_a_resend_gets_the_same_ack_and_is_stored_once(penny: Penny, device: Device) -> None:
    with Socket(penny.url) as socket:
        socket.open(device)
        turn = socket.say("Only once")
        first = _until_done(socket, turn)
        again = socket.say("Only once", turn)
        assert socket.next("ack") == {"type": "ack", "ref": again}
        socket.send(type="history.fetch", before_seq=2**53 - 1, limit=10)
        history = socket.next("history.page")
    assert [m["text"] for m in history["messages"] if m.get("turn_id") == turn] == [
        "Only once",
        first[-1]["message"]["text"],
    ]


def test_a_resend_over_a_new_socket_gets_the_same_ack(penny: Penny, device: Device) -> None:
    turn = str(uuid.uuid4())
    with Socket(penny.url) as socket:
        socket.open(device)
        socket.say("The line drops here", turn)
    with Socket(penny.url) as socket:
        socket.open(device)
        socket.say("The line drops here", turn)
        frames = _until_done(socket, turn)  # the end may precede the second ack
        ack = next((frame for frame in frames if frame["type"] == "ack"), None) or socket.next("ack")
    assert ack == {"type": "ack", "ref": turn}


def test_missed_messages_come_after_the_welcome_above_the_cursor_and_in_order(penny: Penny, device: Device) -> None:
    with Socket(penny.url) as socket:
        cursor = socket.open(device)["seq"]
        for words in ("first", "second", "third"):
            _until_done(socket, socket.say(words))
    with Socket(penny.url) as socket:
        welcome = socket.open(device, cursor=cursor + 1)
        missed = [socket.next("message.new")["message"]["seq"] for _ in range(5)]
    assert missed == list(range(cursor + 2, cursor + 7))
    assert welcome["seq"] == cursor + 6


def test_without_a_cursor_the_last_fifty_come(penny: Penny, device: Device) -> None:
    with Socket(penny.url) as socket:
        socket.open(device)
        _until_done(socket, socket.say("There is something"))
    with Socket(penny.url) as socket:
        last = socket.open(device)["seq"]
        first = socket.next("message.new")["message"]["seq"]
    assert first == max(1, last - 49)


def test_a_reader_that_acknowledges_nothing_gets_64_messages(penny: Penny, device: Device) -> None:
    with Socket(penny.url) as socket:
        last = socket.open(device)["seq"]
        while last < 70:
            last = _until_done(socket, socket.say("More"))[-1]["message"]["seq"]
    with Socket(penny.url) as socket:
        last = socket.open(device, cursor=0)["seq"]
        seqs = [socket.next("message.new")["message"]["seq"] for _ in range(64)]
        assert seqs == list(range(1, 65))
        socket.send(type="ping")
        assert socket.next("pong", "message.new")["type"] == "pong"
        socket.send(type="message.ack", seq=64)
        due = range(65, min(last, 128) + 1)  # up to 64 more
        assert [socket.next("message.new")["message"]["seq"] for _ in due] == list(due)


def test_every_device_gets_both_sides_of_a_turn(penny: Penny, device: Device) -> None:
    other = new_device()
    pair_device(penny.url, penny.code(), other, "Phone")
    with Socket(penny.url) as here, Socket(penny.url) as there:
        here.open(device)
        there.open(other)
        turn = here.say("To all")
        assert [f["type"] for f in _until_done(here, turn)].count("message.new") == 2
        frames = _until_done(there, turn)
    assert [f["message"]["device_label"] for f in frames if f["type"] == "message.new"] == ["Desk", "Penny"]
    assert "ack" not in [frame["type"] for frame in frames]


def test_a_cancelled_turn_leaves_a_message_that_says_so(penny: Penny, model: ModelServer, device: Device) -> None:
    model.on(lambda _: True, Reply(tokens=("This ", "goes on "), hangs=True))
    with Socket(penny.url) as socket:
        socket.open(device)
        turn = socket.say("Talk for long")
        socket.next("turn.delta", matching=_of_turn(turn))
        socket.send(type="turn.cancel", turn_id=turn)
        frames = _until_done(socket, turn)
    failed = frames[-1]
    assert (failed["type"], failed["error"]["code"], failed["message"]["kind"]) == (
        "turn.failed",
        "cancelled",
        "cancelled",
    )
    assert [frame["type"] for frame in frames[-2:]] == ["message.new", "turn.failed"]
    assert model.requests[-1].answered.wait(5)
    assert model.requests[-1].closed_early


def test_a_device_that_connects_during_a_turn_gets_the_text_so_far_which_is_then_deleted(
    penny: Penny, model: ModelServer, device: Device
) -> None:
    model.on(lambda _: True, Reply(tokens=("So ", "far ", "so ", "good "), hangs=True))
    with Socket(penny.url) as socket:
        socket.open(device)
        turn = socket.say("Begin")
        text_so_far = ""
        while text_so_far.strip() != "So far so good":
            text_so_far += socket.next("turn.delta", matching=_of_turn(turn))["text"]
    with Socket(penny.url) as socket:
        socket.open(device)
        started = socket.next("turn.started", matching=_of_turn(turn))
        assert started["text"] == text_so_far
        with _redis(penny) as client:
            assert client.keys(f"turn:{turn}*")
            socket.send(type="turn.cancel", turn_id=turn)
            socket.next("turn.failed", matching=_of_turn(turn))
            until(lambda: not client.keys(f"turn:{turn}*"), "the turn is deleted from Redis")


def _redis(penny: Penny) -> redis.Redis:
    return redis.Redis.from_url(json.loads((penny.data / "up.json").read_text())["redis_url"])


def test_history_is_paged_backwards(penny: Penny, device: Device) -> None:
    with Socket(penny.url) as socket:
        socket.open(device)
        last = _until_done(socket, socket.say("The newest"))[-1]["message"]["seq"]
        socket.send(type="history.fetch", before_seq=last, limit=1)
        page = socket.next("history.page")
    assert [message["seq"] for message in page["messages"]] == [last - 1]
    assert page["more"] is (last > 2)


def test_cancelling_a_turn_that_does_not_run_is_an_error_with_its_ref(penny: Penny, device: Device) -> None:
    turn = str(uuid.uuid4())
    with Socket(penny.url) as socket:
        socket.open(device)
        socket.send(type="turn.cancel", turn_id=turn)
        assert socket.next("error", "ack")["ref"] == turn


def test_browsing_history_is_refused_and_not_stored(penny: Penny, device: Device) -> None:
    ref, title = str(uuid.uuid4()), f"visited{uuid.uuid4().hex}"
    with Socket(penny.url) as socket:
        socket.open(device)
        socket.send(
            type="history.report",
            ref=ref,
            visits=[{"domain": "a.example", "title": title, "visited_at": "2026-01-01T10:00:00Z"}],
        )
        refusal = socket.next("error", "ack")
    assert (refusal["type"], refusal["code"], refusal["ref"]) == ("error", "unsupported", ref)
    assert penny.keeps(title) == []


def test_a_grant_for_a_public_suffix_or_for_penny_herself_is_an_error(penny: Penny, device: Device) -> None:
    with Socket(penny.url) as socket:
        socket.open(device)
        for host in (
            "github.io",
            "co.uk",
            "com",
            f"127.0.0.1:{penny.port}",
            f"localhost:{penny.port}",
            f"[::ffff:127.0.0.1]:{penny.port}",
        ):
            socket.send(type="grant.set", host=host, capability="read", state="allowed", scope="always")
            assert socket.next("error", "ack")["type"] == "error", host


def test_a_set_grant_is_sent_to_all_devices_and_can_be_revoked(penny: Penny, device: Device) -> None:
    with Socket(penny.url) as socket:
        socket.open(device)
        socket.send(
            type="grant.set", host="Books.Example", capability="read", state="allowed", scope="always", session="clean"
        )
        assert _grants(socket)["books.example"] == ("read", "allowed", "always", "clean")
        socket.send(type="grant.revoke", host="books.example", capability="read")
        assert "books.example" not in _grants(socket)


def _grants(socket: Socket) -> dict[str, tuple[str, ...]]:
    grants = socket.next("grants.sync")["grants"]
    return {g["host"]: (g["capability"], g["state"], g["scope"], g["session"]) for g in grants}


def test_a_device_can_change_its_label_and_tool_use(penny: Penny, device: Device) -> None:
    ref = str(uuid.uuid4())
    with Socket(penny.url) as socket:
        socket.open(device)
        socket.send(type="device.update", ref=ref, label="Kitchen", tool_use=False)
        assert socket.next("ack", "error") == {"type": "ack", "ref": ref}
    with Socket(penny.url) as socket:
        assert socket.open(device)["device"] == {
            "id": device.id,
            "label": "Kitchen",
            "tool_use": False,
            "keeping": "off",
        }


def test_a_killed_worker_leaves_its_partial_answer(penny: Penny, model: ModelServer, device: Device) -> None:
    """The test sets the attempts in the database, because five crashes would take a minute."""
    model.on(lambda _: True, Reply(tokens=("So ", "far ", "so ", "good "), hangs=True))
    with Socket(penny.url) as socket:
        socket.open(device)
        turn = socket.say("Begin")
        until(lambda: "good" in _partial(penny, turn), "a heartbeat has stored the partial text")
        _execute(
            penny, "UPDATE agents_run SET attempt = 5 WHERE turn_id = ?", turn
        )  # as if other workers had claimed the run and died
        failed = socket.next("turn.failed", matching=_of_turn(turn), within_s=30)
    assert (failed["error"]["code"], failed["message"]["kind"]) == ("interrupted", "failure")
    assert failed["message"]["text"].startswith("So far so good\n\nI was interrupted")


def _partial(penny: Penny, turn: str) -> str:
    return str(_execute(penny, "SELECT partial FROM agents_run WHERE turn_id = ?", turn))


def _execute(penny: Penny, statement: str, turn: str) -> list[Any]:
    if url := penny.settings.get("PENNY_DATABASE_URL"):
        with psycopg.connect(url) as server:
            cursor = server.execute(statement.replace("?", "%s").encode(), [turn])
            return cursor.fetchall() if cursor.description else []
    with closing(sqlite3.connect(penny.data / "penny.sqlite3", timeout=20)) as database, database:
        return database.execute(statement, [turn.replace("-", "")]).fetchall()


@pytest.mark.parametrize("kind", ["thought.react", "thought.unreact"])
def test_a_reaction_to_a_deleted_thought_is_an_error_with_its_ref(penny: Penny, device: Device, kind: str) -> None:
    thought = str(uuid.uuid4())
    with Socket(penny.url) as socket:
        socket.open(device)
        socket.send(type=kind, thought_id=thought, valence=1)
        error = socket.next("ack", "error")
    assert (error["type"], error["code"], error["ref"]) == ("error", "not_found", thought)


def test_a_failed_turn_can_be_tried_again(penny: Penny, model: ModelServer, device: Device) -> None:
    model.on(lambda _: True, Reply(status=401), times=1)
    with Socket(penny.url) as socket:
        socket.open(device)
        failure = _until_done(socket, socket.say("Once more"))[-1]["message"]
        assert failure["kind"] == "failure"
        for _ in range(2):  # from two devices at once
            socket.send(type="chat.send", turn_id=failure["id"], parent_id=failure["id"], text="Once more")
        frames = _until_done(socket, failure["id"])
        acks = [frame for frame in frames if frame["type"] in ("ack", "error")]
        while len(acks) < 2:  # a quick turn is done before the second one comes
            acks.append(socket.next("ack", "error"))
    assert acks == [{"type": "ack", "ref": failure["id"]}] * 2
    assert [frame["message"]["kind"] for frame in frames if frame["type"] == "message.new"].count("chat") <= 2
    assert frames[-1]["type"] == "turn.done"


def test_pieces_that_redis_lost_are_sent_again(penny: Penny, model: ModelServer, device: Device) -> None:
    """Pub/sub reaches only present listeners: the test cuts their connections for 0.5 s."""
    model.on(lambda _: True, text(" ".join(f"word{n}" for n in range(60)), every_s=0.08))
    text_so_far, starts, is_cut = "", 0, False
    with Socket(penny.url) as socket, _redis(penny) as client:
        socket.open(device)
        turn = socket.say("Say words")
        while (frame := socket.next("turn.started", "turn.delta", "turn.done", matching=_of_turn(turn)))[
            "type"
        ] != "turn.done":
            if frame["type"] == "turn.started":
                text_so_far, starts = frame["text"], starts + 1
            else:
                text_so_far += frame["text"]
            if not is_cut and "word10" in text_so_far:
                is_cut = True
                for _ in range(25):  # cut every new connection again
                    client.client_kill_filter(_type="pubsub")
                    time.sleep(0.02)
    assert text_so_far == frame["message"]["text"]
    assert starts > 1


def test_an_end_that_redis_lost_is_sent_nevertheless(penny: Penny, model: ModelServer, device: Device) -> None:
    """The test cuts all listening connections at once, so every published frame is lost."""
    model.on(lambda _: True, text("Well."), times=1)
    over = threading.Event()

    def cut_connections() -> None:
        with _redis(penny) as client:
            while not over.wait(0.01):
                client.client_kill_filter(_type="pubsub")

    with Socket(penny.url) as socket:
        socket.open(device)
        cutter = threading.Thread(target=cut_connections)
        cutter.start()
        try:
            turn = socket.say("Begin")
            assert socket.next("turn.done", matching=_of_turn(turn), within_s=30)["message"]["text"] == "Well."
        finally:
            over.set()
            cutter.join()
        assert _until_done(socket, socket.say("And now"))[-1]["type"] == "turn.done"
