"""`manage.py up`: start all processes or explain the refusal, restart dead ones, stop all."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest

from devices import protocol as p
from penny_site.processes.socket_folders import OWN, READERS, socket_folder_of
from tests import commands
from tests.client import Client, pair
from tests.commands import ROOT, environment
from tests.penny import Penny, descendants, free_port, is_running, with_model
from tests.stand_ins.model_server import ModelServer, Reply
from tests.waiting import until

pytestmark = pytest.mark.processes("it starts Penny by the command of the owner")

Start = Callable[..., Penny]


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield int(listener.getsockname()[1])


def _refusal_line(*options: str, data: Path, **settings: str) -> str:
    """Return the line with which `up` refuses to start; check that it leaves nothing."""
    outcome = commands.run_command("up", *options, "--data", str(data), environment=environment(data, **settings))
    lines = (outcome.stdout + outcome.stderr).strip().splitlines()
    assert (outcome.returncode, len(lines)) == (2, 1), outcome.stdout + outcome.stderr
    assert not (data / "up.json").exists()
    assert not _processes_naming(data)
    return lines[0]


def _processes_naming(data: Path) -> list[str]:
    """Return the command lines of other processes that name a data folder."""
    command_lines = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            command = (entry / "cmdline").read_bytes()
            surroundings = (entry / "environ").read_bytes()
        except OSError:
            continue
        if f"PENNY_DATA={data}".encode() in surroundings or str(data).encode() in command:
            command_lines.append(command.replace(b"\0", b" ").decode(errors="replace"))
    return command_lines


def test_a_taken_port_is_one_line(taken_port: int, tmp_path: Path) -> None:
    assert str(taken_port) in _refusal_line("--port", str(taken_port), data=tmp_path)


@pytest.mark.parametrize(
    "port", ["65536", "many", *(pytest.param(port, marks=pytest.mark.long) for port in ("0", "-1"))]
)
def test_an_impossible_port_is_one_line(port: str, tmp_path: Path) -> None:
    assert "--port" in _refusal_line(f"--port={port}", data=tmp_path)


def test_a_data_folder_that_is_a_file_is_one_line(tmp_path: Path) -> None:
    data = tmp_path / "file"
    data.write_text("")
    assert str(data) in _refusal_line("--port", str(free_port()), data=data)


def test_a_data_folder_that_cannot_be_written_is_one_line() -> None:
    data = Path("/proc/penny")  # not even root may write there
    assert str(data) in _refusal_line("--port", str(free_port()), data=data)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PENNY_MODEL", "no-provider"),
        ("PENNY_MODEL_URL", "localhost:1234"),
        ("PENNY_PUBLIC_URL", "https://penny.example.org/path?query"),
        ("PENNY_OIDC_URL", "http://id.example.org"),
        ("PENNY_REDIS_URL", "localhost"),
        ("PENNY_DATABASE_URL", "nosuch://x"),
        pytest.param("PENNY_MODEL", "martian:name", marks=pytest.mark.long),
        pytest.param("PENNY_MODEL", "openai-compatible:name", marks=pytest.mark.long),
        pytest.param("PENNY_OIDC_URL", "https://id.example.org", marks=pytest.mark.long),
        pytest.param("PENNY_DATABASE_URL", "sqlite:///penny.sqlite3", marks=pytest.mark.long),
    ],
)
def test_a_malformed_setting_is_one_line_that_names_it(tmp_path: Path, name: str, value: str) -> None:
    line = _refusal_line("--port", str(free_port()), data=tmp_path, **{name: value})
    assert name in line


def test_a_secret_in_a_malformed_setting_is_not_repeated(tmp_path: Path) -> None:
    line = _refusal_line("--port", str(free_port()), data=tmp_path, PENNY_DATABASE_URL="nosuch://me:hunter2@db/penny")
    assert "hunter2" not in line


def test_a_command_before_the_first_start_says_in_one_line_what_to_do(tmp_path: Path) -> None:
    command = [sys.executable, "manage.py", "sign_in_link"]
    outcome = subprocess.run(command, cwd=ROOT, env=environment(tmp_path), capture_output=True, text=True, timeout=60)
    assert (outcome.returncode, outcome.stdout) == (2, "")
    assert outcome.stderr == "penny: the database is not made yet. Run python manage.py migrate, or make up.\n"


def test_the_doctor_says_before_the_first_start_what_is_missing(tmp_path: Path) -> None:
    command = [sys.executable, "manage.py", "doctor"]
    outcome = subprocess.run(command, cwd=ROOT, env=environment(tmp_path), capture_output=True, text=True, timeout=60)
    assert (outcome.returncode, outcome.stderr) == (1, "")
    assert "FAILS  Database: is not made yet. Run python manage.py migrate, or make up." in outcome.stdout


@pytest.fixture(scope="module")
def _own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Penny]:
    penny = Penny(tmp_path_factory.mktemp("data"))
    yield penny
    penny.stop()


@pytest.fixture
def own_penny(_own: Penny) -> Penny:
    """A running Penny for this module alone, without a model. Its data of earlier tests remains."""
    if not _own.runs:
        _own.start()
    return _own


def test_a_second_start_on_the_same_data_is_one_line(own_penny: Penny) -> None:
    outcome = commands.run_in_new_python(
        "up", "--port", str(free_port()), "--data", str(own_penny.data), environment=environment(own_penny.data)
    )
    assert (outcome.returncode, len((outcome.stdout + outcome.stderr).strip().splitlines())) == (2, 1)
    assert own_penny.is_ready()


def test_the_processes_are_below_the_supervisor_and_the_sandbox_has_no_secrets(own_penny: Penny) -> None:
    sandbox = [
        pid for pid in descendants(own_penny.pid) if b"agents.sandbox" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]
    assert sandbox
    for pid in sandbox:
        names = {pair.partition(b"=")[0].decode() for pair in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")}
        assert not names & {
            "PENNY_DATA",
            "PENNY_SECRET_KEY",
            "PENNY_DATABASE_URL",
            "PENNY_REDIS_URL",
            "DJANGO_SETTINGS_MODULE",
        }


def test_the_first_address_that_is_printed_signs_in_once(own_penny: Penny) -> None:
    first = httpx2.get(own_penny.link, trust_env=False, follow_redirects=True)
    assert first.status_code == 200
    again = httpx2.get(own_penny.link, trust_env=False, follow_redirects=True)
    assert "sign" in again.text.lower()
    assert "/setup/" not in str(again.url)


def test_a_dead_child_is_started_again_and_reported(own_penny: Penny) -> None:
    for pid in [pid for pid in own_penny.children() if _parent(pid) == own_penny.pid]:
        line_count = len(own_penny.lines)
        os.kill(pid, signal.SIGKILL)
        until(lambda line_count=line_count: len(own_penny.lines) > line_count, "`up` reports the dead child")  # type: ignore[misc]
        until(own_penny.is_ready, "Penny is ready again", 60)
    assert "started again" in own_penny.output


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.long)])
def test_no_end_leaves_a_child_and_the_next_start_knows_all(own_penny: Penny, number: signal.Signals) -> None:
    with Client(pair(own_penny.url, own_penny.manage("pairing_code").strip())) as client:
        pairing = client.pairing
        client.ask(f"Remember {number.name}")
    children = own_penny.children()
    assert len(children) >= 6
    os.kill(own_penny.pid, signal.SIGKILL)
    until(lambda: not any(is_running(pid) for pid in children), "every child is gone", 5)
    assert all(folder.exists() for folder in socket_folders(own_penny))

    own_penny.start()  # in the folders that were left
    with Client(pairing, cursor=0) as client:
        until(
            lambda: f"Remember {number.name}" in [frame.message.text for frame in client.frames_of(p.MessageNew)],
            "the paired device is known",
        )
    children = own_penny.children()
    assert len(children) >= 6
    os.kill(own_penny.pid, number)
    assert own_penny.wait() == 0
    assert [pid for pid in children if is_running(pid)] == []
    assert not (own_penny.data / "up.json").exists()
    assert not any(folder.exists() for folder in socket_folders(own_penny))


def socket_folders(penny: Penny) -> list[Path]:
    return [socket_folder_of(penny.data, ending) for ending in (OWN, READERS)]


@pytest.mark.long
def test_a_crash_in_the_middle_of_a_turn_loses_nothing(start_penny: Start, model: ModelServer) -> None:
    model.on(lambda _: True, Reply(tokens=("Half an ", "answer "), hangs=True), times=1)
    penny = start_penny(**with_model(model.url))
    with penny.client("Keeper") as client:
        pairing, turn = client.pairing, client.say("Will you answer?")
        client.expect(p.TurnDelta, turn_id=turn)
        penny.kill()
    penny.start()
    with Client(pairing, cursor=0) as client:
        answer = client.expect(p.TurnDone, 30, turn_id=turn).message
        assert "You said: Will you answer?" in answer.text
        assert [m.message.text for m in client.frames_of(p.MessageNew)].count("Will you answer?") == 1


def test_with_no_network_at_all_penny_starts_and_answers(tmp_path: Path) -> None:
    """All processes run in a network namespace with only loopback."""
    outcome = subprocess.run(
        ["unshare", *([] if os.getuid() == 0 else ["--map-root-user"]), "-n", sys.executable, "-m", "tests.offline",
            str(tmp_path)],
        cwd=ROOT, env=environment(tmp_path), capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    assert "answered" in outcome.stdout
    assert "kept, found, exported, imported and forgotten" in outcome.stdout


# Runs in a Python of its own. `free` is the first descriptor that is not open.
INHERITED = """
import os, sys
import django; django.setup()
from penny_site.management.commands import up
free = int(sys.argv[1])
while os.dup(0) < free - 1: pass
os.execv = lambda *_: print(os.read(3, 100), os.fstat(9).st_size, flush=True)
lock = os.open(sys.argv[2], os.O_RDONLY)
up._become_supervisor({"a": 1}, lock)
"""


@pytest.mark.parametrize("free", [4, 8])
def test_the_supervisor_gets_its_plan_and_the_lock_whatever_descriptors_are_open(free: int, tmp_path: Path) -> None:
    (tmp_path / "up.lock").write_text("12345")
    command = [sys.executable, "-c", INHERITED, str(free), str(tmp_path / "up.lock")]
    variables = environment(tmp_path) | {"DJANGO_SETTINGS_MODULE": "penny_site.settings"}
    outcome = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=60)
    assert outcome.stdout == "b'{\"a\": 1}' 5\n", outcome.stderr
