"""What docker-compose.yml contains. Images cannot be built here."""

import copy
import os
import re
import shlex
import subprocess
import sys
from functools import reduce
from operator import getitem
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict
from pydantic import ValidationError
from pytest_django.fixtures import Settings

from agents.model_choice import hand_over
from devices.channels.signal import api
from penny_site.environment import Environment
from penny_site.processes import plan
from tests import postgresql
from tests.commands import ROOT, environment
from tests.compose_file import COMPOSE, SERVICES, Compose
from tests.penny import free_port

RUNNING = [name for name in SERVICES if name not in ("passwords", "models-owner", "migrate")]


def test_every_image_is_pinned_to_one_version() -> None:
    images = [service["image"] for service in SERVICES.values()]
    images += re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert [image for image in images if not re.search(r":\d+\.\d+(\.\d+)?(-\w+)*$", image)] == []


def test_every_service_is_locked_down() -> None:
    for name, service in SERVICES.items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service.get("read_only") or name in ("ollama", "signal"), name


def test_every_service_has_a_health_check_and_restarts() -> None:
    assert [name for name in RUNNING if "healthcheck" not in SERVICES[name]] == []
    assert [name for name in RUNNING if SERVICES[name]["restart"] != "unless-stopped"] == []


# The default user of an image. Signal's image starts as root and switches to its own user.
IMAGES = {
    "penny": "penny",
    "postgres": "root",
    "valkey/valkey": "root",
    "ollama/ollama": "root",
    "bbernhard/signal-cli-rest-api": "root",
}
ROOT_BY_NAME = ("root", "0", "0:0", "root:root")


def test_only_signal_and_the_services_that_own_volumes_run_as_root() -> None:
    users = {
        name: str(service.get("user", IMAGES[service["image"].partition(":")[0]])) for name, service in SERVICES.items()
    }
    assert {name for name, user in users.items() if user in ROOT_BY_NAME} == {"passwords", "models-owner", "signal"}
    assert {"SETGID", "SETUID"} <= {*SERVICES["signal"]["cap_add"]}
    assert re.findall(r"^USER (\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE) == [IMAGES["penny"]]


def test_a_model_server_owns_its_volume() -> None:
    ollama, owner = SERVICES["ollama"], SERVICES["models-owner"]
    assert ollama["volumes"] == owner["volumes"] == ["models:/models"]
    assert owner["entrypoint"] == ["chown", "-R", ollama["user"], "/models"]
    assert {ollama["environment"]["HOME"], str(Path(ollama["environment"]["OLLAMA_MODELS"]).parent)} == {"/models"}
    assert ollama["depends_on"] == {"models-owner": {"condition": "service_completed_successfully"}}


def is_healthy(url: str) -> bool:
    folder = {"PGHOST": str(conninfo_to_dict(url)["host"])}
    check = SERVICES["database"]["healthcheck"]["test"]
    return subprocess.run(check[1:], env=os.environ | folder, stdout=subprocess.DEVNULL).returncode == 0


def test_the_database_is_healthy_only_once_it_listens_on_tcp(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PGPORT", str(free_port()))  # the server uses the port too
    with postgresql.run_postgresql() as url:  # as at the first start: only on its socket
        assert not is_healthy(url)
    with postgresql.run_postgresql("listen_addresses=127.0.0.1") as url:
        assert is_healthy(url)


def test_migrate_is_repeated_a_few_times() -> None:
    assert re.fullmatch(r"on-failure:\d+", SERVICES["migrate"]["restart"])


def test_ports_are_open_only_on_loopback() -> None:
    ports = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert ports == ["127.0.0.1:8787:8787"]


def on_network(network: str) -> set[str]:
    return {name for name, service in SERVICES.items() if network in service.get("networks", [])}


def test_the_sandbox_reaches_only_its_redis_and_a_model_and_has_no_secret() -> None:
    sandbox = SERVICES["sandbox"]
    assert sandbox["networks"] == ["reading"]
    assert sandbox["volumes"] == ["sandbox-password:/run/penny:ro"]
    assert {*sandbox["environment"]} <= {"PENNY_SANDBOX_REDIS_URL_FILE", *hand_over.VARIABLES}
    assert on_network("reading") == {"sandbox", "sandbox-redis", "ollama"}
    assert on_network("handing") == {"migrate", "web", "worker", "sandbox-redis"}
    assert COMPOSE["networks"]["handing"] == {"internal": True}
    assert COMPOSE["networks"]["reading"] == {"internal": "${PENNY_READING_INTERNAL:-false}"}
    assert SERVICES["sandbox-redis"]["command"][-len(plan.READERS_RIGHTS) :] == list(plan.READERS_RIGHTS)


def test_the_file_holds_no_secret_and_asks_for_none() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    assert ":?" not in text
    assert not re.search(r"PASSWORD: |://\w+:\w+@", text)
    assert COMPOSE["volumes"].keys() >= {"data", "database", "passwords", "postgres-password"}


def test_a_service_gets_no_passwords_but_its_own() -> None:
    volumes = {
        name: {volume.partition(":")[0] for volume in service.get("volumes", [])} for name, service in SERVICES.items()
    }
    own = volumes.pop("passwords")
    assert {volume: {name for name, names in volumes.items() if volume in names} for volume in own} == {
        "passwords": {"migrate", "web", "worker"},
        "postgres-password": {"database"},
        "redis-password": {"redis"},
        "sandbox-redis-password": {"sandbox-redis"},
        "beat-password": {"beat"},
        "sandbox-password": {"sandbox"},
    }


def test_optional_services_have_a_profile() -> None:
    assert [name for name, service in SERVICES.items() if service.get("profiles")] == [
        "models-owner",
        "ollama",
        "signal",
    ]


def test_only_penny_reaches_signal() -> None:
    assert SERVICES["signal"]["environment"]["MODE"] == "json-rpc"  # in other modes no messages arrive by themselves
    assert SERVICES["signal"]["networks"] == ["signal"]
    assert on_network("signal") == {"migrate", "web", "worker", "signal"}


def test_the_signal_image_is_new_enough_to_receive_messages() -> None:
    version = SERVICES["signal"]["image"].rpartition(":")[2]
    assert tuple(map(int, version.split("."))) >= api.OLDEST


def test_pg_dump_is_not_older_than_the_database() -> None:
    """The image's Debian release decides the version of pg_dump, which refuses newer servers."""
    [image] = re.findall(r"^FROM python:(\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    pg_dump = {"bookworm": 15, "trixie": 17}[image.rpartition("-")[2]]
    assert int(SERVICES["database"]["image"].partition(":")[2].partition(".")[0]) <= pg_dump


def test_the_commands_are_those_of_up() -> None:
    children = {child["name"]: child["command"][2:] for child in plan.plan_processes(8787, {})["children"]}
    for name in ("worker", "sandbox", "beat"):
        assert shlex.split(SERVICES[name]["command"])[2:] == children[name]


@pytest.mark.parametrize(
    ("url", "believes"),
    [
        ("http://127.0.0.1:8787", False),
        ("http://localhost:8787", False),
        ("http://[::1]:8787", False),
        ("https://penny.example", True),
        ("http://192.168.1.5:8787", True),
    ],
)
def test_the_web_process_believes_proxies_only_where_up_does(
    tmp_path: Path, settings: Settings, url: str, believes: bool
) -> None:
    """Run its command with a daphne that prints its arguments."""
    (tmp_path / "daphne.py").write_text("import sys\nprint(*sys.argv[1:])\n")
    own = {"PENNY_PUBLIC_URL": url, "PYTHONPATH": str(tmp_path), "DJANGO_SETTINGS_MODULE": "penny_site.settings"}
    variables = environment(tmp_path / "data") | own

    command = [sys.executable, *shlex.split(SERVICES["web"]["command"])[1:]]
    outcome = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True)
    of_compose = outcome.stdout.split()
    settings.IS_LOOPBACK = not believes
    children = {child["name"]: child["command"][3:] for child in plan.plan_processes(8787, {})["children"]}
    of_up = children["web"]
    assert ("--proxy-headers" in of_compose) is believes
    assert of_compose == ["0.0.0.0" if part == "127.0.0.1" else part for part in of_up]


def test_every_key_and_every_name_is_known() -> None:
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


def test_the_file_passes_every_variable_of_penny() -> None:
    ours = {"data", "up_port", "restore_into", "handover_fd"}  # set by the image, by commands or by the supervisor
    passed = {name for name in SERVICES["web"]["environment"] if name.startswith("PENNY_")}
    assert passed == {f"PENNY_{name.upper()}" for name in Environment.model_fields.keys() - ours}


def test_a_secret_file_is_mounted_and_named_only_where_it_is_needed() -> None:
    for name in ("oidc_secret", "secret_key"):
        variable = f"PENNY_{name.upper()}_FILE"
        assert COMPOSE["secrets"][name]["file"] == f"${{{variable}:-./LICENSE}}"
        assert SERVICES["web"]["environment"][variable] == f"${{{variable}:+/run/secrets/{name}}}"
    assert (ROOT / "LICENSE").is_file()  # some kernels cannot mount a device such as /dev/null
    assert {name for name, service in SERVICES.items() if service.get("secrets")} == {"migrate", "web", "worker"}
