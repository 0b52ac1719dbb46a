"""The owner chooses a model while Penny runs: the next request uses it, and a reading under way finishes."""

import json
import platform
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.test import Client as DjangoClient
from redis import Redis

from devices import protocol as p
from devices.owner.account import the_owner
from penny_site.health.model import ask_here
from tests.agents.llm.streams import AskedServer, Refusal, serve
from tests.client import Client, allow, browser_tools, make_page
from tests.pages import squeeze
from tests.penny import Penny, run_penny
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_script import reply, zone
from tests.stand_ins.model_server import NAME, ModelServer, Reply, Request, run_model_server
from tests.waiting import until

pytestmark = pytest.mark.processes("each process takes over the model")

URL = "https://water.example/"
HELD_KEY = f"held:{platform.node()}"
KEY = "sk-secret-of-the-owner-4711"


@pytest.fixture(scope="module")
def first() -> Iterator[ModelServer]:
    with run_model_server() as server:
        yield server


@pytest.fixture(scope="module")
def second() -> Iterator[ModelServer]:
    with run_model_server() as server:
        yield server


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Penny]:
    with run_penny(tmp_path_factory.mktemp("choice")) as penny:
        penny.allow_many_calls()
        yield penny


@pytest.fixture
def client(own: Penny) -> Iterator[Client]:
    pages = {URL: make_page(URL, WATER.title, WATER.text)}
    with own.client("Reader", tools=browser_tools(pages), answers=allow()) as client:
        yield client


def choose_model(penny: Penny, server: ModelServer | AskedServer, key: str = KEY) -> str:
    url = server.url if isinstance(server, ModelServer) else server.endpoint.url
    return penny.post("/settings/model/", **model_fields(url, key)).text


def model_fields(url: str, key: str) -> dict[str, str]:
    return {"form": "server", "server-url": url, "server-name": NAME, "server-key": key}


def give_model_up(penny: Penny) -> None:
    penny.post("/settings/model/stop/")
    until(lambda: "by extraction" in sandbox_part(penny), "the sandbox has no model", 60)


def sandbox_part(penny: Penny) -> str:
    parts = penny.http.get("/readyz").json()["parts"]
    return str(next(part for part in parts if part["name"] == "sandbox")["text"])


def count_waiting(penny: Penny) -> int:
    """Return how many readings the sandbox received and has not answered."""
    url = json.loads((penny.data / "up.json").read_text())["sandbox_redis_url"]
    with closing(Redis.from_url(url)) as redis:
        return int(redis.hlen(HELD_KEY))


def is_reader(request: Request) -> bool:
    return zone(request) == "reader"


def test_the_next_answer_and_the_readings_soon_after_come_from_the_chosen_model(
    own: Penny, client: Client, first: ModelServer
) -> None:
    give_model_up(own)
    first.reset()
    assert f"Penny uses {NAME} from now on." in choose_model(own, first)
    assert client.ask("Are you there?").text
    assert [zone(request) for request in first.requests] == ["planner"]
    until(lambda: f"reads with openai-compatible:{NAME}" in sandbox_part(own), "the sandbox has the model", 60)
    assert client.ask(f"What does {URL} say about water?").text
    assert {zone(request) for request in first.requests} >= {"planner", "reader", "writer"}
    assert {request.key for request in first.requests} == {KEY}
    assert "sandbox gets another model, and starts again after what it reads now" in own.output
    assert "exit code" not in own.output


def test_a_reading_under_way_finishes_with_its_model_before_the_other_is_used(
    own: Penny, client: Client, first: ModelServer, second: ModelServer
) -> None:
    give_model_up(own)
    choose_model(own, first)
    until(lambda: f"reads with openai-compatible:{NAME}" in sandbox_part(own), "the sandbox has the model", 60)
    first.reset()
    begun, may_end = threading.Event(), threading.Event()

    def slow(request: Request) -> Reply:
        begun.set()
        may_end.wait(60)
        return reply(request)

    first.on(is_reader, slow)
    turn = client.say(f"What does {URL} say about water?")
    assert begun.wait(60)
    later = client.say(f"What temperature does {URL} name?")
    until(lambda: count_waiting(own) == 2, "the next reading waits in the sandbox", 60)
    before = len(own.output)
    choose_model(own, second)
    until(lambda: "sandbox gets another model" in own.output[before:], "the sandbox is to end")
    may_end.set()
    done = client.expect(p.TurnDone, 60, turn_id=turn)
    after = client.expect(p.TurnDone, 60, turn_id=later)
    assert [URL in message.text for message in (done.message, after.message)] == [True, True]
    assert [request.closed_early for request in first.requests if is_reader(request)] == [False]
    until(lambda: "sandbox started again" in own.output[before:], "the sandbox starts again", 60)
    client.ask(f"What else does {URL} say about water?")
    assert [request for request in second.requests if is_reader(request)]
    assert "exit code" not in own.output


def test_a_choice_that_web_did_not_hand_over_is_handed_over_by_the_tick(own: Penny, first: ModelServer) -> None:
    give_model_up(own)
    choose_model(own, first)
    until(lambda: f"reads with openai-compatible:{NAME}" in sandbox_part(own), "the sandbox has the model", 60)
    own.manage(
        "shell", "--no-imports", "-c", "from agents.models import ModelChoice as C; C.objects.update(reader='r')"
    )
    until(lambda: "reads with openai-compatible:r" in sandbox_part(own), "the sandbox has the other model", 60)


def test_the_key_is_nowhere_in_plain_text(own: Penny, client: Client, first: ModelServer, tmp_path: Path) -> None:
    choose_model(own, first)
    own.post("/setup/test/model/")
    with serve(lambda _: Refusal(400, json.dumps({"error": {"message": f"{KEY} is odd"}}))) as echo:
        choose_model(own, echo)
        failure = client.expect(p.TurnFailed, 60, turn_id=client.say("Are you there?"))
    assert "(the key) is odd" in failure.message.text
    own.manage("backup", "--to", str(tmp_path), "--with-secrets")
    files = {str(path): path.read_bytes() for path in own.data.rglob("*") if path.is_file()}
    [backup] = tmp_path.glob("*.zip")
    with ZipFile(backup) as archive:
        files |= {name: archive.read(name) for name in archive.namelist()}
    assert {"penny.sqlite3", "manifest.json", "secret_key"} <= {*files}
    assert [name for name, content in files.items() if KEY.encode() in content] == []
    pages = [own.http.get(address).text for address in ("/settings/model/", "/settings/model/state/", "/readyz")]
    assert [page for page in pages if KEY in page] == []
    assert KEY not in own.output


def test_a_restore_without_the_secret_key_asks_for_the_key_again(
    own: Penny, first: ModelServer, tmp_path: Path
) -> None:
    choose_model(own, first)
    own.manage("backup", "--to", str(tmp_path))
    [backup] = tmp_path.glob("*.zip")
    other = Penny(tmp_path / "restored")
    other.manage("restore", str(backup))
    first.reset()
    check = f"from tests.penny_site.processes.test_other_model import check_restored; check_restored({first.url!r})"
    try:
        assert "cannot be read with this secret key" in other.run("doctor").stdout
        other.manage("shell", "-v0", "--no-imports", "-c", check)
        assert {request.key for request in first.requests} == {KEY}
    finally:
        other.stop()


def check_restored(url: str) -> None:
    """Enter the key again on the pages of this process's Penny, which does not run."""
    browser = DjangoClient(SERVER_NAME="127.0.0.1")
    browser.force_login(the_owner())
    assert "Enter the model's key again" in browser.get("/setup/restored/").text
    page = squeeze(browser.get("/settings/model/").text)
    assert "<b>Enter the key again.</b>" in page
    assert f'value="{url}"' in page
    assert "It answers." not in page
    browser.post("/settings/model/", model_fields(url, KEY))
    assert ask_here().text == f"openai-compatible:{NAME} at {url} answers"
