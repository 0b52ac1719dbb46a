"""How much a model takes at once: who is asked, what counts as an answer, and what a refusal changes."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from agents.llm import windows
from agents.llm.endpoint import Endpoint
from agents.llm.servers.model_names import fetch_json
from agents.llm.servers.window_answers import ASK_S, told_window
from agents.llm.tokens import cut_to, parts_of, tokens_of
from agents.llm.window_words import window_line
from agents.llm.windows import LEAST, SMALL, USUAL, Window
from tests.stand_ins.model_server import ModelServer
from tests.stand_ins.serving import Answer, Served, serving
from tests.stand_ins.told_windows import LISTS, TOLD, answering
from tests.waiting import until

GPT = Endpoint("openai", "x", "https://api.openai.com/v1", "k")


@pytest.fixture(autouse=True)
def _nothing_is_known() -> Iterator[None]:
    windows.forget_windows()
    yield
    windows.forget_windows()


@pytest.mark.parametrize(("answers", "tokens", "server"), TOLD.values(), ids=TOLD)
def test_what_a_server_tells_counts_and_nothing_that_is_no_number_of_tokens(
    answers: dict[str, Any], tokens: int, server: str
) -> None:
    with answering(answers) as url:
        assert told_window(Endpoint("openai-compatible", "m", f"{url}/v1")) == (tokens, server)


def test_a_server_that_drips_or_never_ends_is_left_in_time() -> None:
    drips = Answer(body="{", drips=(" ",) * 100, every_s=0.1)
    endless = Answer(body="[" + "1," * 2_000_000)
    started_at = time.monotonic()
    with answering({"/props": drips, "/v1/models": endless, "/api/ps": Answer(after_s=3)}) as url:
        assert told_window(Endpoint("openai-compatible", "m", f"{url}/v1")) == (0, "")
    assert time.monotonic() - started_at < ASK_S + 3


@pytest.mark.parametrize("begin", ["X-A: ", "Transfer-Encoding: chunked\r\n\r\n"])
def test_a_server_that_drips_its_headers_or_the_size_of_a_piece_holds_no_thread(begin: str) -> None:
    class Drips(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            with suppress(OSError):
                self.wfile.write(f"HTTP/1.1 200 OK\r\n{begin}".encode())
                while not is_over.wait(0.05):
                    self.wfile.write(b"0")

    is_over, started_at = threading.Event(), time.monotonic()
    threading.Timer(20, is_over.set).start()
    with serving(Served(Drips)) as server:
        assert fetch_json(f"http://127.0.0.1:{server.port}/", 0.3) is None
        assert (is_over.is_set(), time.monotonic() - started_at < 20) == (False, True)
        is_over.set()


def test_the_setting_wins_then_the_server_then_a_guess() -> None:
    with answering(LISTS["vLLM"]) as url:
        endpoint = Endpoint("openai-compatible", "m", f"{url}/v1")
        assert windows.window(endpoint) == Window(SMALL, "guess")
        windows.ask_now(endpoint)
        assert windows.window(endpoint) == Window(32_768, "told", "vLLM")
        assert windows.window(endpoint, 8_000).tokens == 8_000


@pytest.mark.parametrize(
    ("provider", "name", "url", "tokens"),
    [
        ("ollama", "x", "http://127.0.0.1:11434/v1", SMALL),
        ("ollama", "x", "https://models.example.org/v1", SMALL),
        ("openai-compatible", "x", "http://localhost:1234/v1", SMALL),
        ("openai-compatible", "x", "http://[::1]:1234/v1", SMALL),
        ("openai-compatible", "x", "http://192.168.1.20:11434/v1", SMALL),
        ("openai-compatible", "x", "http://host.docker.internal:11434/v1", SMALL),
        ("openai-compatible", "x", "http://gpu:8000/v1", SMALL),
        ("openai-compatible", "x", "https://api.example.com/v1", USUAL),
        ("ollama", "gpt-oss:120b-cloud", "http://127.0.0.1:11434/v1", USUAL),
        ("openai", "x", "https://api.openai.com/v1", USUAL),
    ],
)
def test_a_server_of_the_owners_is_taken_to_take_little(provider: str, name: str, url: str, tokens: int) -> None:
    assert windows.window(Endpoint(provider, name, url)) == Window(tokens, "guess")


def test_a_window_shrinks_until_it_is_small_and_the_others_stay() -> None:
    other = Endpoint("openai", "y", "https://y.example/v1")
    assert windows.shrink_window(GPT)
    assert (windows.window_of(GPT), windows.window_of(other)) == (USUAL // 2, USUAL)
    assert windows.shrink_window(GPT, sent=20_000)
    assert windows.window(GPT) == Window(10_000, "found")
    assert windows.shrink_window(GPT)
    assert windows.window(GPT) == Window(7_500, "found")
    while windows.shrink_window(GPT):
        pass
    assert windows.window_of(GPT) == LEAST


def test_a_server_that_is_started_again_with_more_is_believed(model: ModelServer) -> None:
    endpoint = Endpoint("ollama", "scripted", model.url)
    model.window.ollama(4_096)
    windows.ask_now(endpoint)
    windows.limit_window(endpoint, 2_000)
    windows.ask_now(endpoint)
    assert windows.window_of(endpoint) == 2_000
    model.window.ollama(16_384)
    windows.ask_now(endpoint)
    assert windows.window(endpoint) == Window(16_384, "told", "Ollama")


async def test_a_server_is_asked_beside_the_work_and_again_once_its_model_is_loaded(model: ModelServer) -> None:
    endpoint = Endpoint("ollama", "scripted", model.url)
    model.window.ollama(8_192, tells=False)
    windows.ask_beside(endpoint)
    await windows.wait_until_asked(endpoint)
    assert windows.window(endpoint).is_guess
    model.window.ollama(8_192)
    windows.ask_beside(endpoint)
    assert windows.window(endpoint).is_guess
    windows.ask_beside(endpoint, again=True)
    await asyncio.to_thread(until, lambda: not windows.window(endpoint).is_guess, "the server is asked again")
    assert windows.window_of(endpoint) == 8_192


@pytest.mark.parametrize(
    ("provider", "url", "window", "words"),
    [
        (
            "ollama",
            "http://127.0.0.1:11434/v1",
            Window(4_096, "told", "Ollama"),
            "m: 4,096 tokens, enough for short pages; start Ollama with OLLAMA_CONTEXT_LENGTH=16384",
        ),
        (
            "openai-compatible",
            "http://127.0.0.1:8000/v1",
            Window(4_096, "guess"),
            "m: 4,096 tokens (not told by the server), enough for short pages; start vLLM with --max-model-len 16384",
        ),
        (
            "openai-compatible",
            "http://127.0.0.1:9999/v1",
            Window(2_048, "told", "llama.cpp"),
            "m: 2,048 tokens, too little for most answers; start llama.cpp with -c 16384",
        ),
        (
            "openai-compatible",
            "http://10.0.0.5:8000/v1",
            Window(8_192, "told", "vLLM"),
            "m: 8,192 tokens, enough for short pages; start vLLM with --max-model-len 16384",
        ),
        ("ollama", "http://127.0.0.1:11434/v1", Window(32_768, "told", "Ollama"), "m: 32,768 tokens"),
        ("openai", "https://api.openai.com/v1", Window(USUAL, "guess"), "m: 128,000 tokens (not told by the server)"),
    ],
)
def test_the_owner_reads_the_number_and_what_helps(provider: str, url: str, window: Window, words: str) -> None:
    assert window_line(Endpoint(provider, "m", url), window) == words


# Tokens that usual tokenizers make of them (cl100k_base).
COUNTED = {
    "Der Kaffee wird mit neun Bar Druck durch das feine Pulver gepresst, und die Temperatur soll hoch sein. ": 30,
    "意式浓缩咖啡在九巴的压力下冲煮，水温应在九十到九十六度之间。研磨度和粉量会影响萃取时间。": 57,
    "エスプレッソは九気圧の圧力で抽出され、お湯の温度は九十度から九十六度の間が望ましいとされています。": 55,
    "에스프레소는 9바의 압력으로 추출되며 물의 온도는 90도에서 96도 사이여야 합니다.": 44,
    "Эспрессо готовится под давлением девять бар, и температура воды должна быть от девяноста.": 44,
    json.dumps({"found": True, "claims": [{"text": "Nine.", "quote": "nine bars"}]}): 22,
}


@pytest.mark.parametrize(("text", "counted"), COUNTED.items())
def test_tokens_are_not_counted_too_low_in_any_script(text: str, counted: int) -> None:
    assert counted <= tokens_of(text) <= 2 * counted


def test_parts_hold_the_whole_text_and_each_fits() -> None:
    text = "\n\n".join(f"Paragraph {number} says 价格 {number}." + " word" * number for number in range(200))
    parts = list(parts_of(text, 300))
    assert all(text[start : start + len(part)] == part and tokens_of(part) <= 300 for start, part in parts)
    assert "".join("".join(part for _, part in parts).split()) == "".join(text.split())
    assert cut_to("x" * 10_000, 10) == "x" * len(cut_to("x" * 10_000, 10))


@pytest.mark.parametrize("character", ["a", "中", " a"])
def test_a_long_text_is_cut_in_a_time_that_grows_with_it_and_no_faster(character: str) -> None:
    started_s = time.process_time()
    assert sum(len(part) for _, part in parts_of(character * 300_000, 150)) <= 300_000 * len(character)
    assert time.process_time() - started_s < 5
