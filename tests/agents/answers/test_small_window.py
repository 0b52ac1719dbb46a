"""A Penny whose model takes 4,096 tokens, and whose server cuts the front of what is longer in silence."""

from collections.abc import Iterator

import pytest

from tests.agents.answers.test_shared_page import share_page
from tests.client import make_page
from tests.penny import Penny, run_penny, with_model
from tests.stand_ins.model_server import ModelServer, run_model_server

pytestmark = pytest.mark.processes("its Penny's model has a small window")

SENTENCE = "The museum keeps a lever machine of chrome and brass in the hall behind the stairs. "
WINDOW = "scripted: 4,096 tokens, enough for short pages"
NEEDLE = "Descaling of espresso machines takes forty-one minutes there."


@pytest.fixture(scope="module")
def small() -> Iterator[ModelServer]:
    with run_model_server() as server:
        server.window.ollama(4_096)
        yield server


@pytest.fixture(scope="module")
def small_penny(tmp_path_factory: pytest.TempPathFactory, small: ModelServer) -> Iterator[Penny]:
    with run_penny(tmp_path_factory.mktemp("window"), **with_model(small.url)) as penny:
        yield penny


def test_long_pages_and_talks_are_read_within_the_window_and_the_owner_reads_what_helps(
    small_penny: Penny, small: ModelServer
) -> None:
    with small_penny.client("Desk", tools={}) as client:
        page = make_page("https://museum.example/", "The museum", SENTENCE * 200 + NEEDLE + " " + SENTENCE * 200)
        answer = share_page(client, page, "How long does descaling of espresso machines take?")
        answers = [client.ask(f"Number {number}. {SENTENCE * 20}", 30) for number in range(9)]
    [telling] = [answer for answer in answers if answer.receipt and answer.receipt.unseen_before]
    assert telling.receipt is not None
    assert telling.receipt.unseen_before is not None
    assert answer.created_at <= telling.receipt.unseen_before < telling.created_at
    assert "no longer see" not in telling.text
    written = [request.last_user for request in small.requests if "\n\nReadings:\n" in request.last_user]
    assert [NEEDLE in words for words in written] == [True]
    assert f"{WINDOW}; start Ollama with OLLAMA_CONTEXT_LENGTH=16384." in answer.text
    assert "/settings/model/" in answer.html
    assert len(small.requests) > 12
    assert not [request for request in small.requests if request.was_cut]
    assert WINDOW in small_penny.manage("doctor")
