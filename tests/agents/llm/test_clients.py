"""The clients of endpoints: few are kept, and one that falls out is closed."""

import asyncio
from collections.abc import Iterator
from threading import Thread

import pytest

from agents.llm import connection
from agents.llm.connection import CLIENTS_MAX, chat_model, schema_model
from agents.llm.providers import Endpoint
from tests.waiting import until


@pytest.fixture(autouse=True)
def _no_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_clients", {})


@pytest.fixture
def another_loop() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    yield loop
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def endpoint(number: int) -> Endpoint:
    return Endpoint("openai-compatible", f"model-{number}", "http://127.0.0.1:9/v1", "")


async def use(number: int) -> None:
    chat_model(endpoint(number))


def test_the_client_that_was_not_used_for_longest_is_closed_on_its_own_loop(
    another_loop: asyncio.AbstractEventLoop,
) -> None:
    for number in (0, 1, 0):
        asyncio.run_coroutine_threadsafe(use(number), another_loop).result()
    used_later, oldest = connection._clients[endpoint(0)].chat, connection._clients[endpoint(1)].chat
    for number in range(2, CLIENTS_MAX + 1):
        chat_model(endpoint(number))
    until(oldest.client.is_closed, "the client is closed")
    assert not used_later.client.is_closed()
    assert len(connection._clients) == CLIENTS_MAX


def test_both_models_of_an_endpoint_share_a_client_which_is_kept() -> None:
    assert chat_model(endpoint(0)).client is schema_model(endpoint(0)).client
    assert chat_model(endpoint(0)) is chat_model(endpoint(0))
