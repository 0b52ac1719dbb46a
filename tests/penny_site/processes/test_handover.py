"""What the supervisor takes from web and worker: the variables of the sandbox's model, and nothing else."""

import json
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.model_choice.hand_over import VARIABLES
from penny_site.processes.supervisor import MESSAGE_BYTES, VALUE_CHARACTERS, Child, Supervisor, receive_variables
from tests.waiting import until

SLEEP = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(60)"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(60)",
]
MODEL = {"PENNY_MODEL": "openai:m", "PENNY_MODEL_KEY": "k"}


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    own, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    own.setblocking(False)
    with own, theirs:
        yield own, theirs


@pytest.fixture
def sandbox(tmp_path: Path) -> Iterator[Child]:
    child = Child("sandbox", SLEEP, {"PATH": "/usr/bin"}, takes=VARIABLES)
    yield child
    if child.process is not None:
        child.process.kill()
        child.process.wait()


def started(child: Child, folder: Path) -> Child:
    log = folder / "sandbox.log"
    child.start(log)
    until(lambda: "up" in log.read_text(), "the child runs")
    return child


def test_the_newest_sound_message_counts(ends: tuple[socket.socket, socket.socket]) -> None:
    own, theirs = ends
    assert receive_variables(own) is None
    for message in ({"PENNY_MODEL": "openai:old"}, MODEL):
        theirs.send(json.dumps(message).encode())
    assert receive_variables(own) == MODEL


@pytest.mark.parametrize(
    "message",
    [
        b"no JSON",
        b"[]",
        b'{"PENNY_MODEL": 1}',
        b'{"PENNY_MODEL": "a\\u0000b"}',
        json.dumps({"PENNY_MODEL": "x" * (VALUE_CHARACTERS + 1)}).encode(),
        json.dumps({"PENNY_MODEL": "x" * MESSAGE_BYTES}).encode(),
    ],
)
def test_any_other_message_is_dropped(ends: tuple[socket.socket, socket.socket], message: bytes) -> None:
    own, theirs = ends
    theirs.send(message)
    assert receive_variables(own) is None


def test_no_other_variable_of_any_child_is_changed(
    ends: tuple[socket.socket, socket.socket], sandbox: Child, tmp_path: Path
) -> None:
    own, theirs = ends
    web = Child("web", SLEEP, {"PATH": "/usr/bin"})
    supervisor = Supervisor([web, sandbox], tmp_path, own)
    theirs.send(json.dumps(MODEL | {"LD_PRELOAD": "/tmp/x.so"}).encode())
    supervisor._take_over()
    assert (web.environment, sandbox.environment) == ({"PATH": "/usr/bin"}, {"PATH": "/usr/bin"})
    theirs.send(json.dumps(MODEL).encode())
    supervisor._take_over()
    assert (web.environment, sandbox.environment) == ({"PATH": "/usr/bin"}, {"PATH": "/usr/bin"} | MODEL)


def test_without_that_rule_any_variable_of_the_sandbox_is_changed(
    ends: tuple[socket.socket, socket.socket],
    sandbox: Child,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own, theirs = ends
    monkeypatch.setattr(Child, "may_take", lambda *_: True)
    theirs.send(json.dumps({"LD_PRELOAD": "/tmp/x.so"}).encode())
    Supervisor([sandbox], tmp_path, own)._take_over()
    assert sandbox.environment["LD_PRELOAD"] == "/tmp/x.so"


def test_the_key_is_not_printed(
    ends: tuple[socket.socket, socket.socket], sandbox: Child, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own, theirs = ends
    theirs.send(json.dumps(MODEL | {"PENNY_MODEL_KEY": "sk-4711"}).encode())
    Supervisor([sandbox], tmp_path, own)._take_over()
    output = capsys.readouterr().out
    assert "sandbox gets another model" in output
    assert "4711" not in output


def test_the_same_model_replaces_nothing(sandbox: Child, tmp_path: Path) -> None:
    assert sandbox.take(MODEL)
    process = started(sandbox, tmp_path).process
    assert not sandbox.take(MODEL)
    assert process is not None
    assert process.poll() is None


def test_a_replacement_is_no_failure_and_starts_at_once(sandbox: Child, tmp_path: Path) -> None:
    process = started(sandbox, tmp_path).process
    assert sandbox.take(MODEL)
    assert process is not None
    process.wait(10)
    assert sandbox.died(now := sandbox.started + 1)
    assert (sandbox.failures, sandbox.restart_at) == (0, now)


def test_a_process_that_never_ends_its_work_is_killed_in_the_end(sandbox: Child, tmp_path: Path) -> None:
    sandbox.command = STUBBORN
    process = started(sandbox, tmp_path).process
    sandbox.take(MODEL)
    assert process is not None
    assert not sandbox.died(sandbox.replace_until - 1)
    assert process.poll() is None
    sandbox.died(sandbox.replace_until + 1)
    process.wait(10)
    assert sandbox.died(sandbox.replace_until + 2)


def test_a_model_that_is_taken_away_leaves_none_of_its_variables(sandbox: Child) -> None:
    sandbox.take(MODEL)
    assert sandbox.take({})
    assert sandbox.environment == {"PATH": "/usr/bin"}
