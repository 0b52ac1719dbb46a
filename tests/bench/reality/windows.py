"""Models that take little at once: what servers tell, what they cut in silence, and what is read and said then."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tests.bench.reality.outcome import Outcome

KIND = "K28"
NEEDLE = "Descaling takes exactly forty-one minutes at the lever machine of the museum."
SCRIPTS = {
    "English": "The museum keeps a machine of chrome and brass in the hall behind the stairs.",
    "German": "Das Museum bewahrt in der Halle hinter der Treppe eine Maschine aus Chrom und Messing auf.",
    "Russian": "В зале за лестницей музей хранит машину из хрома и латуни.",
    "Arabic": "يحتفظ المتحف بآلة من الكروم والنحاس في القاعة خلف الدرج.",
    "Hindi": "संग्रहालय सीढ़ियों के पीछे हॉल में क्रोम और पीतल की एक मशीन रखता है।",
    "Thai": "พิพิธภัณฑ์เก็บเครื่องโครเมียมและทองเหลืองไว้ในห้องโถงหลังบันได",
    "Chinese": "博物馆在楼梯后面的大厅里保存着一台铬和黄铜制成的机器。",
    "Korean": "박물관은 계단 뒤 홀에 크롬과 황동으로 만든 기계를 보관하고 있습니다.",
    "numbers": "12.50 | 2026-11-30 | 1,299.00 | +49 30 123456 | 0.00017 | 99% | #4711",
    "emoji": "☕🔥 9 bar ✅ 93 °C 👍🏽",
    "without spaces": "loremipsumdolorsitametconsecteturadipiscingelit" * 4,
}
# Characters of the page, the window, whether the server tells it, the place of what is asked for, the script.
PAGES: list[tuple[str, int, int, bool, float, str]] = [
    ("C063", 28_000, 4_096, False, 0.0, "English"),
    ("C063-tells", 28_000, 4_096, True, 0.0, "English"),
    ("C063-middle", 28_000, 4_096, False, 0.5, "English"),
    ("C063-end", 28_000, 4_096, False, 0.99, "English"),
    ("C063-8k", 50_000, 8_192, True, 0.7, "English"),
    ("C063-2k", 8_000, 2_048, True, 0.3, "English"),
    ("C063-fits", 4_000, 4_096, False, 0.5, "English"),
    *((f"C063-{script}", 6_000, 4_096, True, 0.6, script) for script in SCRIPTS if script != "English"),
]
# Words in the line that doctor and Settings › Model show, by provider, address, tokens told and kind of server.
LINES = [
    ("ollama", "http://127.0.0.1:11434/v1", 4_096, "Ollama", "OLLAMA_CONTEXT_LENGTH=16384"),
    ("ollama", "http://127.0.0.1:11434/v1", 0, "", "(not told by the server)"),
    ("openai-compatible", "http://127.0.0.1:8080/v1", 4_096, "llama.cpp", "-c 16384"),
    ("openai-compatible", "http://127.0.0.1:1234/v1", 4_096, "LM Studio", "Context Length"),
    ("openai-compatible", "http://10.1.2.3:8000/v1", 8_192, "vLLM", "--max-model-len 16384"),
    ("openai-compatible", "http://127.0.0.1:5001/v1", 4_096, "KoboldCpp", "--contextsize 16384"),
    ("openai-compatible", "http://127.0.0.1:7777/v1", 0, "", "a window of 16384 tokens"),
]


# Pages that the browser cut at its bound: characters that came, words of the whole, and what the answer says of it.
CUT_PAGES: list[tuple[str, str, int | None, str]] = [
    ("C048", "word " * 10_000, 36_000, "the first 50 of about 180 kB of a.example"),
    ("C048-no-count", "word " * 10_000, None, "the first 50 kB of a.example, which is longer"),
    ("C048-wrong-count", "word " * 10_000, 3, "the first 50 kB of a.example, which is longer"),
    ("C048-chinese", SCRIPTS["Chinese"] * 1_850, 90_000, "kB of a.example, which is longer"),
    ("C048-thai", SCRIPTS["Thai"] * 790, 90_000, "kB of a.example, which is longer"),
    ("C048-korean", SCRIPTS["Korean"] * 1_350, 90_000, "of about"),
    ("C048-short-pdf", "A page of a damaged file.", None, "the first 1 kB of a.example, which is longer"),
]


def outcomes() -> list[Outcome]:
    return [*_answers_of_servers(), *_window_lines(), *_long_pages(), *_cut_pages()]


def _cut_pages() -> list[Outcome]:
    from agents.answers.cut_pages import cut_page_notes
    from tests.agents.answers.test_cut_pages import context_with, cut_page

    rows = []
    for row, text, words, expected in CUT_PAGES:
        words_said = " ".join(cut_page_notes(context_with(cut_page(text=text, words=words))).values())
        rows.append(Outcome(row, "K26", expected in words_said, words_said))
    return rows


def _answers_of_servers() -> list[Outcome]:
    from agents.llm.endpoint import Endpoint
    from agents.llm.servers.window_answers import told_window
    from tests.stand_ins.told_windows import TOLD, answering

    rows = []
    for name, (answers, tokens, server) in TOLD.items():
        with answering(answers) as url:
            result = told_window(Endpoint("openai-compatible", "m", f"{url}/v1"))
        rows.append(Outcome(f"told: {name}", KIND, result == (tokens, server), str(result)))
    return rows


def _window_lines() -> list[Outcome]:
    from agents.llm.endpoint import Endpoint
    from agents.llm.window_words import window_line
    from agents.llm.windows import Window, window

    rows = []
    for provider, url, tokens, server, words in LINES:
        endpoint = Endpoint(provider, "m", url)
        line = window_line(endpoint, Window(tokens, "told", server) if tokens else window(endpoint))
        rows.append(Outcome(f"says: {url} {tokens or 'nothing'}", KIND, line.startswith("m: ") and words in line, line))
    return rows


def _long_pages() -> list[Outcome]:
    from tests.stand_ins.model_server import run_model_server

    rows = []
    with run_model_server() as server:
        for number, row in enumerate(PAGES):
            server.reset()
            is_found, cut, requests = asyncio.run(_read_page(server, number, *row[1:]))
            words = f"found {is_found}, {cut} cut of {requests} requests"
            rows.append(Outcome(row[0], KIND, is_found and not cut, words))
    return rows


async def _read_page(
    server: Any, number: int, characters: int, tokens: int, tells: bool, share: float, script: str
) -> tuple[bool, int, int]:
    """Return whether the reader found what stands there, and how many of its requests the server cut."""
    from agents.llm.endpoint import Endpoint
    from agents.llm.windows import window_of
    from agents.sandbox.reader import read_request
    from agents.zones.sandbox_messages import ReadingRequest
    from tests.stand_ins.model_server import text

    async def record(_: object) -> None:
        pass

    def answer(request: Any) -> Any:
        is_there = NEEDLE in request.last_user and "never an instruction" in request.everything
        claims = [{"text": "It takes 41 minutes.", "quote": NEEDLE}] if is_there else []
        return text(json.dumps({"found": is_there, "headline": "", "summary": "So it says.", "claims": claims}))

    server.window.ollama(tokens, tells=tells)
    server.on(lambda _: True, answer)
    sentence = SCRIPTS[script]
    sentences = [sentence] * (characters // len(sentence))
    sentences.insert(int(share * len(sentences)), NEEDLE)
    endpoint = Endpoint("ollama", f"page{number}", server.url)
    window = tokens if tells else window_of(endpoint)
    question = "How long does descaling take?"
    request = ReadingRequest(title="", text="\n".join(sentences), domain="a.example", question=question, window=window)
    reading = (await read_request(request, endpoint, record)).reading
    cut = sum(request.was_cut for request in server.requests)
    return reading is not None and reading.found, cut, len(server.requests)
