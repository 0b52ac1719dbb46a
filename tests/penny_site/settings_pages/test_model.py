"""Settings › Model: which models it offers, what it refuses, and that a key goes in and never comes out."""

import json
import os
import socket
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client

from agents.llm import translate
from agents.llm.endpoint import Endpoint
from agents.model_choice import choose, key_box
from agents.model_choice.hand_over import hand_over
from agents.model_choice.in_use import Models, models_in_use
from agents.models import ModelChoice
from agents.zones.sandbox_messages import Report
from penny_site.health import model as health
from penny_site.health import parts
from penny_site.health.part import Part
from penny_site.settings_pages import model_page
from penny_site.settings_pages.model_forms import KEY_CHARACTERS
from tests.agents.llm.streams import Refusal, serve
from tests.pages import visible_words
from tests.stand_ins.model_server import NAME, ModelServer, Reply

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
PAGE = "/settings/model/"
KEY = "sk-ant-api03-of-the-owner"
ANTHROPIC = {"form": "hosted", "hosted-provider": "anthropic", "hosted-key": KEY}


@pytest.fixture
def supervisor(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """The supervisor's end of the socket that this process inherited."""
    own, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    own.setblocking(False)
    with own, theirs:
        monkeypatch.setattr(settings, "HANDOVER_FD", theirs.fileno())
        yield own


def post(client: Client, **fields: str) -> str:
    """Send a form of the page; return the page that follows."""
    return client.post(PAGE, fields, follow=True).content.decode()


def use_server(client: Client, url: str, name: str = NAME, key: str = "") -> str:
    return post(client, form="server", **{"server-url": url, "server-name": name, "server-key": key})


def test_a_model_that_runs_here_is_a_row_and_one_press_uses_it(
    owner_client: Client, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "LOCAL_SERVERS", [("LM Studio", "openai-compatible", model.url)])
    page = owner_client.get(f"{PAGE}found/").content.decode()
    assert f'<button class="button">Use<span class="unseen"> {NAME}</span></button>' in page
    assert f'name="server-url" value="{model.url}"' in page
    assert f"Penny uses {NAME} from now on." in use_server(owner_client, model.url)
    endpoint = Endpoint("openai-compatible", NAME, model.url)
    assert models_in_use() == Models(endpoint, endpoint, act=endpoint)
    assert '<span class="chip ok">in use</span>' in owner_client.get(f"{PAGE}found/").content.decode()


def test_models_that_answer_no_words_are_not_offered(owner_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ollama = health.LocalModel(
        "Ollama", "ollama", "http://127.0.0.1:11434/v1", ["nomic-embed-text", "qwen3:8b", "glm:cloud"]
    )
    monkeypatch.setattr(model_page, "find_local_models", lambda: [ollama])
    words = visible_words(owner_client.get(f"{PAGE}found/").content.decode())
    assert "qwen3:8b" in words
    assert "nomic" not in words
    assert words.count("runs on the computers of its maker") == 1


def test_a_hosted_model_is_used_with_its_key_and_the_usual_name(owner_client: Client) -> None:
    html = post(owner_client, **ANTHROPIC)
    assert "Penny uses claude-sonnet-4-5 from now on." in html
    assert models_in_use().main == Endpoint("anthropic", "claude-sonnet-4-5", "https://api.anthropic.com/v1/", KEY)


def test_the_key_never_comes_back_and_stands_encrypted_in_the_database(owner_client: Client) -> None:
    pages = [post(owner_client, **ANTHROPIC), post(owner_client, **ANTHROPIC | {"hosted-provider": "openai"})]
    pages += [owner_client.get(address).content.decode() for address in (PAGE, f"{PAGE}state/", "/setup/", "/readyz")]
    assert [page for page in pages if KEY in page] == []
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM agents_modelchoice")
        [row] = cursor.fetchall()
    assert KEY not in str(row)
    assert KEY not in f"{models_in_use()}"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"hosted-provider": "openai"}, "This is a key of Anthropic. Choose that provider, or paste another key."),
        ({"hosted-key": ""}, "Paste your key of Anthropic."),
        ({"hosted-key": "two words"}, "Write the key alone, as its provider shows it"),
        ({"hosted-key": "k" * (KEY_CHARACTERS + 1)}, f"at most {KEY_CHARACTERS} characters"),
        ({"hosted-provider": "martian"}, "Choose one of these."),
        ({"hosted-name": "x" * 201}, "at most 200 characters"),
        (
            {"form": "server", "server-url": "https://api.openai.com/v1/", "server-name": "m", "server-key": KEY},
            "This is a key of Anthropic.",
        ),
        ({"form": "server", "server-url": "ftp://x", "server-name": "m"}, "Write an address such as http://127.0.0.1"),
        ({"form": "server", "server-url": "http://me:pw@x/v1", "server-name": "m"}, "Write an address such as"),
        ({"form": "server", "server-url": "http://x/v1?a=b", "server-name": "m"}, "Write an address such as"),
        ({"form": "server", "server-url": "http://[x/v1", "server-name": "m"}, "Write an address such as"),
        ({"form": "server", "server-url": "http://x/v1"}, "Write the name of the model."),
    ],
)
def test_what_cannot_be_used_is_refused_in_words_and_nothing_is_stored(
    owner_client: Client, fields: dict[str, str], words: str
) -> None:
    response = owner_client.post(PAGE, ANTHROPIC | fields)
    assert (response.status_code, ModelChoice.objects.count()) == (422, 0)
    assert words in response.content.decode()


def test_an_unknown_form_is_not_found(owner_client: Client) -> None:
    assert owner_client.post(PAGE, {"form": "price"}).status_code == 404


def test_a_stored_key_stays_with_its_address_and_goes_to_no_other(owner_client: Client) -> None:
    use_server(owner_client, "http://10.0.0.1/v1", key=KEY)
    use_server(owner_client, "http://10.0.0.1/v1", name="larger")
    main = models_in_use().main
    assert main is not None
    assert (main.name, main.key) == ("larger", KEY)
    use_server(owner_client, "http://10.0.0.2/v1")
    assert models_in_use().main == Endpoint("openai-compatible", NAME, "http://10.0.0.2/v1")


def test_other_models_of_the_same_address_read_and_see(owner_client: Client) -> None:
    use_server(owner_client, "http://10.0.0.1/v1", key=KEY)
    assert "Saved." in post(
        owner_client, form="others", **{"others-reader": "small", "others-vision": "eyes", "others-act": "hands"}
    )
    models = models_in_use()
    assert (str(models.reader), str(models.vision)) == ("openai-compatible:small", "openai-compatible:eyes")
    assert models.reader is not None
    assert models.reader.key == KEY
    use_server(owner_client, "http://10.0.0.2/v1")
    assert models_in_use().vision is None


def test_a_wrong_key_is_told_in_words(owner_client: Client, model: ModelServer) -> None:
    model.on(lambda _: True, Reply(status=401))
    use_server(owner_client, model.url, key=KEY)
    page = owner_client.post("/setup/test/model/").content.decode()
    assert f"{model.url} refused the key. Enter another one under Settings › Model." in visible_words(page)


def test_the_environment_wins_and_the_page_says_so(
    owner_client: Client, model: ModelServer, monkeypatch: pytest.MonkeyPatch, supervisor: socket.socket
) -> None:
    use_server(owner_client, "http://10.0.0.1/v1")
    supervisor.recv(8192)
    monkeypatch.setattr(settings, "MODEL", Endpoint("openai-compatible", "set", model.url))
    monkeypatch.setenv("PENNY_MODEL", "openai-compatible:set")
    main = models_in_use().main
    assert main is not None
    assert main.name == "set"
    html = owner_client.get(PAGE).content.decode()
    assert "Set by the environment:" in html
    assert "<code>PENNY_MODEL</code>" in html
    assert 'name="hosted-key"' not in html
    assert "The environment sets the model, and wins." in use_server(owner_client, "http://10.0.0.2/v1")
    assert ModelChoice.objects.get().url == "http://10.0.0.1/v1"
    with pytest.raises(BlockingIOError):
        supervisor.recv(8192)


def test_using_no_model_deletes_the_choice_and_the_key(owner_client: Client, supervisor: socket.socket) -> None:
    post(owner_client, **ANTHROPIC)
    variables = json.loads(supervisor.recv(8192))
    assert (variables["PENNY_MODEL"], variables["PENNY_MODEL_KEY"]) == ("anthropic:claude-sonnet-4-5", KEY)
    html = owner_client.post(f"{PAGE}stop/", follow=True).content.decode()
    assert "Penny uses no model any more. The key is deleted." in html
    assert (models_in_use(), ModelChoice.objects.count()) == (Models(), 0)
    assert json.loads(supervisor.recv(8192)) == {}


def test_another_secret_key_asks_for_the_key_again(
    owner_client: Client, monkeypatch: pytest.MonkeyPatch, supervisor: socket.socket
) -> None:
    post(owner_client, **ANTHROPIC)
    supervisor.recv(8192)
    sealed = ModelChoice.objects.get().sealed_key
    assert key_box.unseal(sealed) == KEY
    monkeypatch.setattr(settings, "SECRET_KEY", "the one of another installation")
    with pytest.raises(key_box.KeyLost):
        key_box.unseal(sealed)
    assert models_in_use().main is None
    assert "cannot be read with this secret key" in health.check_model().text
    assert health.check_model().advice == "Enter it again under Settings › Model."
    hand_over()
    assert json.loads(supervisor.recv(8192)) == {}


def test_a_sealed_key_that_was_altered_is_refused() -> None:
    sealed = key_box.seal(KEY)
    assert sealed != key_box.seal(KEY)
    with pytest.raises(key_box.KeyLost):
        key_box.unseal(sealed[:-4] + ("AAAA" if not sealed.endswith("AAAA") else "BBBB"))


def test_a_full_socket_loses_a_message_and_breaks_nothing(owner_client: Client, supervisor: socket.socket) -> None:
    assert settings.HANDOVER_FD is not None
    os.set_blocking(settings.HANDOVER_FD, False)
    for _ in range(1000):
        hand_over()
    assert "Penny uses" in post(owner_client, **ANTHROPIC)


def test_without_a_supervisor_the_page_says_what_to_do_in_containers(
    owner_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = Report(files=True, network=True)
    monkeypatch.setattr(parts, "sandbox_report", lambda: report)
    use_server(owner_client, "http://10.0.0.1/v1")
    assert "Pages are read by extraction." in visible_words(owner_client.get(PAGE).content.decode())
    assert "docker compose up -d" in owner_client.get(PAGE).content.decode()


@pytest.mark.usefixtures("supervisor")
def test_the_page_looks_again_while_the_reader_is_replaced(
    owner_client: Client, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_server(owner_client, model.url)
    endpoint = models_in_use().main
    assert endpoint is not None
    health.store_answer(endpoint, Part("model", "Model", True, False, "it answers"))
    for name, looks_again in {"": True, "another": True, f"openai-compatible:{NAME}": False}.items():
        report = Report(files=True, network=True, model=name) if name else None
        monkeypatch.setattr(parts, "sandbox_report", lambda report=report: report)
        page = owner_client.get(f"{PAGE}state/", headers={"HX-Request": "true"}).content.decode()
        assert ("hx-trigger" in page) is looks_again, name


def test_strangers_and_other_sites_choose_no_model(client: Client) -> None:
    assert client.post(PAGE, ANTHROPIC).headers["Location"].startswith("/sign-in/")
    assert client.post(f"{PAGE}stop/").headers["Location"].startswith("/sign-in/")
    assert ModelChoice.objects.count() == 0


def test_what_a_server_says_of_an_error_is_told_without_the_key(owner_client: Client) -> None:
    echo = Refusal(400, json.dumps({"error": {"message": f"{KEY} is odd"}}))
    with serve(lambda _: echo) as server:
        use_server(owner_client, server.endpoint.url, key=KEY)
        page = owner_client.post("/setup/test/model/").content.decode()
    assert "(the key) is odd" in page
    assert KEY not in page


def test_without_the_seal_the_key_stands_in_the_database(owner_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose, "seal", lambda key: key)
    post(owner_client, **ANTHROPIC)
    assert ModelChoice.objects.get().sealed_key == KEY


def test_without_the_rule_of_addresses_a_key_goes_to_another_one(
    owner_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choose, "is_same_address", lambda *_: True)
    use_server(owner_client, "http://10.0.0.1/v1", key=KEY)
    use_server(owner_client, "http://10.0.0.2/v1")
    assert models_in_use().main == Endpoint("openai-compatible", NAME, "http://10.0.0.2/v1", KEY)


def test_without_removing_it_a_server_s_words_hold_the_key(
    owner_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(translate, "without_key", lambda words, _: words)
    with serve(lambda _: Refusal(400, json.dumps({"error": {"message": f"{KEY} is odd"}}))) as server:
        use_server(owner_client, server.endpoint.url, key=KEY)
        assert f"{KEY} is odd" in owner_client.post("/setup/test/model/").content.decode()
