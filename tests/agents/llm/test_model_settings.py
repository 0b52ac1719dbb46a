"""How a model is named in the settings, and what `auto` takes."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from django.conf import settings

from agents.llm.endpoint import Endpoint, EndpointInvalid
from agents.llm.providers import parse_endpoint
from agents.llm.servers import auto
from agents.sandbox.settings import read_settings
from penny_site.environment import EnvironmentInvalid, read_environment
from penny_site.processes.plan import model_variables, sandbox_environment
from tests.stand_ins.serving import Served, serving

NOTHING: dict[str, str] = {}


@contextmanager
def server_with(*names: str, answer: bytes | None = None) -> Iterator[tuple[str, list[str | None]]]:
    """A model's server that lists these models; yields its address and the keys that it was sent."""
    keys: list[str | None] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            keys.append(self.headers["Authorization"])
            body = answer if answer is not None else json.dumps({"data": [{"id": name} for name in names]}).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with serving(Served(Handler)) as server:
        yield f"http://127.0.0.1:{server.port}/v1", keys


@pytest.fixture
def no_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "LOCAL_SERVERS", [])


@pytest.mark.parametrize(
    ("model", "url", "expected"),
    [
        ("xai:grok-4", "", ("xai", "grok-4", "https://api.x.ai/v1")),
        ("zai:glm-5", "", ("zai", "glm-5", "https://api.z.ai/api/paas/v4")),
        ("  XAI : grok-4 ", "", ("xai", "grok-4", "https://api.x.ai/v1")),
        ("Grok:grok-4", "", ("xai", "grok-4", "https://api.x.ai/v1")),
        ("z.ai:glm-5", "", ("zai", "glm-5", "https://api.z.ai/api/paas/v4")),
        (
            "Gemini:gemini-flash",
            "",
            ("google", "gemini-flash", "https://generativelanguage.googleapis.com/v1beta/openai/"),
        ),
        ('"ollama:qwen3:8b"', "", ("ollama", "qwen3:8b", "http://127.0.0.1:11434/v1")),
        ("'Ollama:Qwen3:8b'\n", "", ("ollama", "Qwen3:8b", "http://127.0.0.1:11434/v1")),
        ("OpenAI_Compatible:m", '"http://Box:1/v1/"', ("openai-compatible", "m", "http://Box:1/v1")),
        ("openai compatible:m", " HTTP://box:1/v1// ", ("openai-compatible", "m", "http://box:1/v1")),
        ("openai:m", "https://proxy.example/v1/chat/completions", ("openai", "m", "https://proxy.example/v1")),
    ],
)
def test_blanks_capitals_quotes_and_slashes_are_forgiven(model: str, url: str, expected: tuple[str, str, str]) -> None:
    endpoint = parse_endpoint(model, url, environment=NOTHING)
    assert endpoint is not None
    assert (endpoint.provider, endpoint.name, endpoint.url) == expected


@pytest.mark.parametrize(
    ("model", "reason"), [("xai", "xai:name"), ("xai: ", "xai:name"), ("mars:x", "xai, zai, openrouter")]
)
def test_what_has_no_plain_meaning_is_refused_with_what_to_write(model: str, reason: str) -> None:
    with pytest.raises(EndpointInvalid, match=reason):
        parse_endpoint(model, environment=NOTHING)


@pytest.mark.parametrize("model", ["", "  ", '""', "''"])
def test_an_empty_setting_is_no_model(model: str) -> None:
    assert parse_endpoint(model, environment=NOTHING) is None


def test_a_key_counts_under_its_usual_name_at_its_own_provider_alone() -> None:
    environment = {"OPENAI_API_KEY": ' "sk-1" ', "XAI_API_KEY": "Bearer xai-2"}
    keys = {
        (model, url): parsed.key
        for model, url in [
            ("openai:m", ""),
            ("xai:m", ""),
            ("zai:m", ""),
            ("ollama:m", ""),
            ("openai:m", "http://box/v1"),
        ]
        if (parsed := parse_endpoint(model, url, environment=environment))
    }
    assert list(keys.values()) == ["sk-1", "xai-2", "", "", ""]
    own = parse_endpoint("openai:m", "https://api.openai.com/v1/", "mine", environment)
    assert own is not None
    assert (own.key, own.url) == ("mine", "https://api.openai.com/v1")


def test_auto_takes_a_server_of_this_machine_before_a_key_and_sends_it_none(monkeypatch: pytest.MonkeyPatch) -> None:
    with server_with("nomic-embed-text:latest", "gpt-oss:120b-cloud", "qwen3:8b", "llama3.2") as (url, keys):
        monkeypatch.setattr(
            auto, "LOCAL_SERVERS", [("Dead", "ollama", "http://127.0.0.1:9/v1"), ("Ollama", "ollama", url)]
        )
        endpoint = parse_endpoint("auto", "", "sk-ant-1", {"OPENAI_API_KEY": "sk-1"})
        assert endpoint == Endpoint("ollama", "qwen3:8b", url)
        assert parse_endpoint("AUTO: Llama3.2", "", "", NOTHING) == Endpoint("ollama", "llama3.2", url)
    assert endpoint.key == ""
    assert set(keys) == {None}


def test_auto_takes_the_named_server_with_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    with server_with("bge-m3", "mistral") as (url, keys):
        assert parse_endpoint("auto", url + "/", "k", NOTHING) == Endpoint("openai-compatible", "mistral", url, "k")
    assert keys == ["Bearer k"]


@pytest.mark.parametrize(
    "answer", [b"<html>", b"[]", b'{"data": 5}', b'{"data": [{}]}', b"[" * 100_000, b" " * 3_000_000]
)
def test_auto_passes_over_another_program_at_that_port(monkeypatch: pytest.MonkeyPatch, answer: bytes) -> None:
    with server_with(answer=answer) as (url, _):
        monkeypatch.setattr(auto, "LOCAL_SERVERS", [("Other", "ollama", url)])
        choice = auto.find_endpoint("", "", "", NOTHING)
    assert (choice.endpoint, choice.why) == (
        None,
        "auto found no model server with a model for words on this machine, and no key",
    )


@pytest.mark.parametrize(
    ("variable", "expected"),
    [
        ("OPENAI_API_KEY", "openai"),
        ("ANTHROPIC_API_KEY", "anthropic"),
        ("GEMINI_API_KEY", "google"),
        ("GOOGLE_API_KEY", "google"),
        ("XAI_API_KEY", "xai"),
        ("ZAI_API_KEY", "zai"),
        ("OPENROUTER_API_KEY", "openrouter"),
    ],
)
@pytest.mark.usefixtures("no_servers")
def test_auto_takes_the_one_key_that_is_set(variable: str, expected: str) -> None:
    environment = dict.fromkeys(("OPENAI_API_KEY", "XAI_API_KEY", "ZAI_API_KEY"), " ") | {variable: "k"}
    endpoint = parse_endpoint("auto", "", "", environment)
    assert endpoint is not None
    assert (endpoint.provider, endpoint.key) == (expected, "k")
    special = parse_endpoint("auto:special", "", "", environment)
    assert special is not None
    assert (special.provider, special.name) == (expected, "special")


@pytest.mark.parametrize(
    ("key", "provider"),
    [
        ("sk-ant-api03-x", "anthropic"),
        ("sk-or-v1-x", "openrouter"),
        ("sk-proj-x", "openai"),
        ("xai-x", "xai"),
        ("AIzaSyx", "google"),
        (f"{'0a' * 16}.AbCdEfGh12345678", "zai"),
    ],
)
@pytest.mark.usefixtures("no_servers")
def test_auto_knows_whose_the_key_is_by_how_it_begins(key: str, provider: str) -> None:
    endpoint = parse_endpoint("auto", "", f'"{key}"', {"OPENAI_API_KEY": "sk-1", "XAI_API_KEY": "xai-2"})
    assert endpoint is not None
    assert (endpoint.provider, endpoint.key) == (provider, key)


@pytest.mark.usefixtures("no_servers")
def test_auto_asks_which_one_where_several_keys_are_set() -> None:
    with pytest.raises(EndpointInvalid) as refusal:
        parse_endpoint("auto", "", "", {"OPENAI_API_KEY": "a", "ZAI_API_KEY": "b", "XAI_API_KEY": "c"})
    assert str(refusal.value) == (
        "auto found keys of several providers, OPENAI_API_KEY, XAI_API_KEY and ZAI_API_KEY. Which one should it be? "
        "Write PENNY_MODEL=openai:gpt-5-mini, PENNY_MODEL=xai:grok-4 or PENNY_MODEL=zai:glm-5"
    )


@pytest.mark.usefixtures("no_servers")
def test_auto_does_not_guess_whose_a_key_is() -> None:
    with pytest.raises(
        EndpointInvalid, match="cannot tell whose key PENNY_MODEL_KEY is: write PENNY_MODEL=provider:name"
    ):
        parse_endpoint("auto", "", "sk-0123456789abcdef", NOTHING)


def test_what_auto_found_is_what_the_other_processes_get(monkeypatch: pytest.MonkeyPatch) -> None:
    with server_with("local-words") as (url, _):
        monkeypatch.setattr(auto, "LOCAL_SERVERS", [("LM Studio", "openai-compatible", url)])
        for name, value in {"MODEL": '"Auto"', "MODEL_URL": " ", "MODEL_KEY": "sk-ant-1", "MODEL_NOTE": ""}.items():
            monkeypatch.setenv(f"PENNY_{name}", value)
        monkeypatch.setenv("PENNY_READER_MODEL", "openai-compatible:small")
        environment = read_environment()
    expected = ("openai-compatible:local-words", url, "")
    assert (environment.model, environment.model_url, environment.model_key) == expected
    sandbox = read_settings()
    assert sandbox.endpoint == Endpoint("openai-compatible", "small", url)


@pytest.mark.usefixtures("no_servers")
def test_settings_without_a_plain_meaning_name_their_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENNY_MODEL", "auto")
    monkeypatch.setenv("OPENAI_API_KEY", "a")
    monkeypatch.setenv("XAI_API_KEY", "b")
    with pytest.raises(EnvironmentInvalid, match="PENNY_MODEL cannot be used: auto found keys of several providers"):
        read_environment()
    monkeypatch.setenv("PENNY_MODEL_KEY", "two words")
    with pytest.raises(EnvironmentInvalid, match="PENNY_MODEL_KEY cannot be used: write the key alone") as refusal:
        read_environment()
    assert "two words" not in str(refusal.value)


def test_quotes_around_any_setting_are_forgiven_and_a_secret_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENNY_PUBLIC_URL", "'https://home.example.org/penny/'")
    monkeypatch.setenv("PENNY_SIGNAL_NUMBER", ' "+49 170 1234567" ')
    monkeypatch.setenv("PENNY_SECRET_KEY", '"quoted"')
    monkeypatch.setenv("PENNY_MODEL_URL", '""')
    environment = read_environment()
    assert (environment.public_url, environment.signal_number) == ("https://home.example.org/penny", "+491701234567")
    assert (environment.secret_key, environment.model_url) == ('"quoted"', None)


@pytest.mark.parametrize(("own_key", "expected"), [("", {"OPENAI_API_KEY"}), ("k", {"PENNY_MODEL_KEY"})])
def test_the_reader_gets_the_key_of_its_own_provider_alone(
    monkeypatch: pytest.MonkeyPatch, own_key: str, expected: set[str]
) -> None:
    endpoint = Endpoint("openai", "m", "https://api.openai.com/v1")
    for name, value in {"MODEL": endpoint, "READER_MODEL": endpoint, "VISION_MODEL": None}.items():
        monkeypatch.setattr(settings, name, value)
    for variable in ("OPENAI_API_KEY", "XAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(variable, "a key")
    if own_key:
        monkeypatch.setenv("PENNY_MODEL_KEY", own_key)
    environment = sandbox_environment("redis://127.0.0.1:1/0", Path("/tmp"), model_variables())
    assert {name for name in environment if name.endswith("_KEY")} == expected
