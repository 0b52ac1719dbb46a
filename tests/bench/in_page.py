"""Measure the bar in a page: `python -m tests.bench.in_page`.

Words: the time until the first of them, over that of the same request to the model itself. Bar: the time from its key
until it is painted, on a page with 10,500 elements in Chromium, the loading of its script included.
"""

import json
import statistics
import sys
import time
from uuid import uuid4

import httpx2

from devices.protocol import TextAsk, TextDelta, TextDone
from tests.bench.keeping import LongPage
from tests.bench.streams import ONE, benched_penny, model_process, percentile, verdict
from tests.client import Client
from tests.e2e.chromium import Chromium
from tests.e2e.panel import Panel
from tests.penny import Penny
from tests.stand_ins.model_server import NAME
from tests.stand_ins.serving import serving
from tests.waiting import until

ROUNDS, BARS = 20, 20
ADDED_MS, PAINTED_MS = 15.0, 50.0
PASSAGE = f"{ONE}. " + "Espresso is brewed at ninety-three degrees, and nobody knows why that is so. " * 8
HOST = "document.querySelector('html > div[popover=manual]')"
WATCH_PAINTS = f"""(window.paints = [], new MutationObserver(() => {{
  if ({HOST} && !window.isThere) requestAnimationFrame(() => setTimeout(() => window.paints.push(Date.now())));
  window.isThere = {HOST} !== null;
}}).observe(document.documentElement, {{ childList: true }}), true)"""
CHOOSE = "(getSelection().selectAllChildren(document.querySelector('p')), true)"
PRESS = """chrome.tabs.query({}).then((tabs) => {
  const tab = tabs.find(({ url }) => url?.includes('levers.example'));
  const began = Date.now();
  chrome.commands.onCommand.dispatch('bar', tab);
  return began;
})"""


def first_word_ms(client: Client) -> float:
    """Return how long the first word of words for a passage takes."""
    frame = TextAsk(ref=uuid4(), task="explain", host="coffee.example", text=PASSAGE)
    began = time.perf_counter()
    client.send(frame)
    client.expect(TextDelta, 30, ref=frame.ref)
    took_ms = (time.perf_counter() - began) * 1000
    client.expect(TextDone, 30, ref=frame.ref)
    return took_ms


def first_token_ms(model: httpx2.Client) -> float:
    """Return how long the model itself takes, over a connection that is open."""
    words = f"Passage:\n{PASSAGE}"
    body = {"model": NAME, "stream": True, "messages": [{"role": "user", "content": words}]}
    began = time.perf_counter()
    took_ms = 0.0
    with model.stream("POST", "/chat/completions", content=json.dumps(body).encode()) as answer:
        for line in answer.iter_lines():
            if not took_ms and '"content"' in line:
                took_ms = (time.perf_counter() - began) * 1000
    return took_ms


def measure_words(penny: Penny, model_url: str) -> bool:
    pairing = penny.pair("Words", "browser", "chrome-extension://" + "a" * 32)
    with Client(pairing) as client, httpx2.Client(base_url=model_url, trust_env=False) as model:
        first_word_ms(client)
        first_token_ms(model)
        rounds = [(first_word_ms(client), first_token_ms(model)) for _ in range(ROUNDS)]
    whole_ms, own_ms = (statistics.median(times) for times in zip(*rounds, strict=True))
    print(f"       first word: {whole_ms:.1f} ms, of the model itself {own_ms:.1f} ms")
    return verdict("added to the model's first word", whole_ms - own_ms, "ms", ADDED_MS)


def measure_bar(penny: Penny) -> bool:
    browser = Chromium()
    try:
        with serving(LongPage()) as web:
            Panel(browser).pair(penny, "Bench")
            page = browser.page(web.url("levers.example", "/"))
            page.evaluate(WATCH_PAINTS)
            page.evaluate(CHOOSE)
            times: list[float] = []
            for _ in range(BARS):
                began = browser.in_background(PRESS)
                times.append(
                    until(lambda: page.evaluate("window.paints.pop() ?? 0"), "it is painted", 20, 0.05) - began
                )
                time.sleep(0.2)
                page.key("Escape")
                until(lambda: page.evaluate(f"{HOST} === null"), "it is gone", 20, 0.05)
        print(f"       the first bar of a page: {times[0]:.0f} ms, median {statistics.median(times):.0f} ms")
        return verdict("the bar is painted (95 %)", percentile(times, 0.95), "ms", PAINTED_MS)
    finally:
        browser.quit()


def main() -> int:
    with model_process() as model_url, benched_penny(model_url) as penny:
        met = [measure_words(penny, model_url), measure_bar(penny)]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
