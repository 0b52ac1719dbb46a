"""Embeddings: the bundled model against published numbers, an endpoint, and the zones."""

import http.server
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from constance import config
from pytest_django import Settings

from agents.embeddings import embed as embeddings_embed
from agents.embeddings import store
from agents.embeddings.embed import NotEmbedded, embed
from agents.llm.messages import ZoneViolation
from agents.llm.providers import Endpoint
from agents.models import Day
from agents.zones.inputs import Private, Untrusted
from tests.stand_ins.serving import Served, serving
from thoughts.index.meanings import preference_vectors, thought_vectors
from thoughts.models import Preference, PreferenceMeaning, Thought, ThoughtMeaning

WEB = frozenset({"a.example"})


class _Endpoint(http.server.BaseHTTPRequestHandler):
    """Answer with the letter counts of each text, the last first, as an endpoint may."""

    requests: list[dict[str, Any]] = []
    answer: bytes | None = None

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).requests.append({"path": self.path, "key": self.headers["Authorization"], **body})
        vectors = [
            {"index": n, "embedding": [text.count(letter) + 0.5 for letter in "abcdefgh"]}
            for n, text in enumerate(body["input"])
        ]
        data = self.answer or json.dumps({"data": vectors[::-1]}).encode()
        self.send_response(200 if self.path == "/v1/embeddings" else 404)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def endpoint(db: None, settings: Settings) -> Iterator[type[_Endpoint]]:
    """An endpoint for embeddings; `requests` holds what it received."""
    _Endpoint.requests, _Endpoint.answer = [], None
    with serving(Served(_Endpoint)) as server:
        url = f"http://127.0.0.1:{server.port}/v1"
        settings.EMBEDDING_MODEL = Endpoint("openai-compatible", "letters", url, "a-key")
        yield _Endpoint


def test_the_bundled_model_gives_the_numbers_that_its_authors_publish() -> None:
    """The model card has the similarities of one sentence to three, and the start of a vector."""
    sentences = ["That is a happy person", "That is a happy dog", "That is a very happy person", "Today is a sunny day"]
    vectors = embed([Private(text) for text in [*sentences, "This is an example sentence"]])
    assert vectors[1:4] @ vectors[0] == pytest.approx([0.694577, 0.942915, 0.256876], abs=2e-5)
    assert vectors[4][:5] == pytest.approx([0.067657, 0.063496, 0.048713, 0.079305, 0.037448], abs=2e-5)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(5), abs=1e-5)


def test_a_text_means_the_same_alone_and_among_others_however_long_they_are() -> None:
    texts = [Private("Lever espresso machines"), Private("coffee " * 2000), Private(""), Private("早上好，咖啡 ☕")]
    together = embed(texts)
    assert together == pytest.approx(np.concatenate([embed([text]) for text in texts]), abs=1e-5)


def test_an_endpoint_is_asked_as_openai_is_and_its_vectors_come_back_in_order(endpoint: type[_Endpoint]) -> None:
    vectors = embed([Private("aaaa"), Private("bbbb")])
    assert endpoint.requests == [
        {"path": "/v1/embeddings", "key": "Bearer a-key", "model": "letters", "input": ["aaaa", "bbbb"]}
    ]
    assert vectors.argmax(axis=1).tolist() == [0, 1]
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1])


@pytest.mark.parametrize(
    "answer", [b"no json", b'{"data": []}', b'{"data": [{"index": 0, "embedding": [0,0,0,0,0,0,0,0]}]}']
)
def test_an_endpoint_that_answers_something_else_brings_no_vectors(endpoint: type[_Endpoint], answer: bytes) -> None:
    endpoint.answer = answer
    with pytest.raises(NotEmbedded, match="not the embeddings"):
        embed([Private("a")])


def test_the_owners_words_and_the_webs_never_leave_together_and_without_that_rule_they_do(
    endpoint: type[_Endpoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    mixed: list[embeddings_embed.Text] = [Private("what I like"), Untrusted("what a page says", WEB)]
    with pytest.raises(ZoneViolation):
        embed(mixed)
    assert endpoint.requests == []
    monkeypatch.setattr(embeddings_embed, "_require_apart", lambda _: None)
    embed(mixed)
    assert [request["input"] for request in endpoint.requests] == [["what I like", "what a page says"]]


@pytest.mark.django_db
def test_what_is_stored_is_embedded_with_preferences_and_thoughts_apart(endpoint: type[_Endpoint]) -> None:
    Preference.objects.create(text="abba")
    Thought.objects.create(title="cafe", text="decaf", html="<p>decaf</p>", origin=["a.example", "owner"])
    assert store.catch_up(60) == 2
    assert [request["input"] for request in endpoint.requests] == [["abba"], ["cafe\ndecaf"]]
    assert store.catch_up(60) == 0


@pytest.mark.django_db
def test_what_an_endpoint_embeds_comes_out_of_the_days_budget_and_waits_where_it_is_used_up(
    endpoint: type[_Endpoint], settings: Settings
) -> None:
    Preference.objects.create(text="abba" * 50)
    assert store.catch_up(60) == 1
    assert Day.objects.get().tokens == 50
    config.DAY_TOKENS_MAX = 50
    Preference.objects.create(text="cafe")
    assert store.catch_up(60) == 0
    assert len(endpoint.requests) == 1
    settings.EMBEDDING_MODEL = None
    assert store.catch_up(60) == 2, "the bundled model costs nothing"


@pytest.mark.django_db
def test_vectors_are_kept_with_their_model_and_made_anew_by_another(
    endpoint: type[_Endpoint], settings: Settings
) -> None:
    preference = Preference.objects.create(text="espresso")
    thoughts = [Thought.objects.create(title=f"Thought {n}", html="<p>Words.</p>") for n in range(store.BATCH + 1)]
    store.catch_up(60)
    assert {row.model for row in ThoughtMeaning.objects.all()} == {"openai-compatible:letters"}
    settings.EMBEDDING_MODEL = None
    assert thought_vectors(embeddings_embed.model_name(), [thoughts[0].pk]) == {}, (
        "those of another model are not compared"
    )
    assert store.catch_up(0.0) == 0
    assert store.catch_up(60) == len(thoughts) + 1
    rows = ThoughtMeaning.objects.all()
    assert {(row.model, row.dimension, len(row.vector)) for row in rows} == {("all-MiniLM-L6-v2", 384, 4 * 384)}
    assert len(preference_vectors("all-MiniLM-L6-v2", [preference])[preference.pk]) == 384


@pytest.mark.django_db
def test_a_preference_that_was_reworded_has_no_vector_until_its_words_have_one() -> None:
    preference = Preference.objects.create(text="espresso")
    store.catch_up(60)
    preference.text = "tea"
    preference.save()
    assert preference_vectors("all-MiniLM-L6-v2", [preference]) == {}
    store.catch_up(60)
    vector = preference_vectors("all-MiniLM-L6-v2", [preference])[preference.pk]
    assert vector == pytest.approx(embed([Private("tea")])[0], abs=1e-5)


@pytest.mark.django_db
def test_what_is_deleted_takes_its_vector_along() -> None:
    thought, preference = Thought.objects.create(title="Gone", html=""), Preference.objects.create(text="gone")
    store.catch_up(60)
    thought.delete()
    preference.delete()
    assert not ThoughtMeaning.objects.exists()
    assert not PreferenceMeaning.objects.exists()


def test_the_web_process_loads_nothing_that_embeds() -> None:
    loads = (
        "import sys, penny_site.asgi, penny_site.urls; print(*(name for name in ('numpy', 'tokenizers') if "
        "name in sys.modules))"
    )
    process = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == ""
