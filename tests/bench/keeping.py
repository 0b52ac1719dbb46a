"""Measure keeping pages: `python -m tests.bench.keeping`.

Server: the time until a page is accepted, found by words and found by meaning, and the time of a turn's first
word while pages are indexed over that at rest. Browser: the longest task of the main thread of a page with 10,500
elements while Chromium keeps it. Memory: all processes at rest, after the first page and after the last.
"""

import statistics
import sys
import time
from uuid import uuid4

from devices.protocol import Ack, PageKeep, TurnDelta, TurnDone
from penny_site.processes.memory import EVERY_S
from tests.bench.idle import pss_mb
from tests.bench.streams import ONE, benched_penny, model_process, verdict
from tests.client import Client, make_page
from tests.e2e.browser import shows, visible
from tests.e2e.chromium import Chromium
from tests.e2e.panel import Panel
from tests.penny import Penny
from tests.stand_ins.serving import Answer, serving
from tests.stand_ins.sites import Sites
from tests.waiting import until

PAGES, AT_REST, TURNS = 40, 10, 10
ACCEPTED_MS, WORDS_S, MEANING_S, TASK_MS, MEMORY_MB = 20.0, 2.0, 30.0, 50.0, 10.0
SENTENCE = "Page {number} says that the {word} of a lever machine wants care after {number} days of use. "
PARTS = [
    "boiler",
    "valve",
    "gasket",
    "spring",
    "piston",
    "group",
    "filter",
    "handle",
    "gauge",
    "pump",
    "seal",
    "screen",
]
ROWS = "".join(
    f"<p>Row {row} holds <b>words</b> and <i>more words</i> of a long table of levers.</p>" for row in range(3_500)
)
LONG_PAGE = f"<!doctype html><html lang=en><title>Levers of the year</title><main><h1>Levers</h1>{ROWS}</main></html>"
WATCH_TASKS = (
    "void (window.__tasks = [], new PerformanceObserver((list) => list.getEntries().forEach("
    "({ duration }) => window.__tasks.push(duration))).observe({ type: 'longtask' }))"
)


class LongPage(Sites):
    def answer(self, host: str, target: str) -> Answer:
        return Answer(LONG_PAGE)


def send_page(client: Client, number: int) -> float:
    """Keep a page of some 10,000 characters; return the milliseconds until it was accepted."""
    text = "".join(SENTENCE.format(number=number, word=word) for word in PARTS * 10) + f"Its mark is zq{number}x."
    page = make_page(f"https://coffee.example/{number}", f"Levers {number}", text)
    acks, began = len(client.frames_of(Ack)), time.perf_counter()
    client.send(PageKeep(ref=uuid4(), page=page, why="asked", masked=0, private_window=False, asks_secret=False))
    client.expect(Ack, 30, acks + 1)
    return (time.perf_counter() - began) * 1000


def kept_list(penny: Penny, words: str) -> str:
    return penny.http.get("/kept/", params={"q": words}).text


def is_at_rest(penny: Penny) -> bool:
    return "by meaning" not in kept_list(penny, "lever")


def keep_at_rest(penny: Penny, client: Client, number: int) -> tuple[float, float, float]:
    """Keep a page; return the milliseconds until it was accepted, and the seconds until words and meaning find it."""
    accepted_ms, began = send_page(client, number), time.perf_counter()
    until(lambda: f"Levers {number}<" in kept_list(penny, f"zq{number}x"), "it is found by words", 60, 0.05)
    words_s = time.perf_counter() - began
    until(lambda: is_at_rest(penny), "it is found by meaning", 120, 0.2)
    return accepted_ms, words_s, time.perf_counter() - began


def first_words_ms(client: Client) -> float:
    """Return the median time until the first word of an answer."""
    times = []
    for _ in range(TURNS):
        began = time.perf_counter()
        turn = client.say(ONE)
        client.expect(TurnDelta, 30, turn_id=turn)
        times.append((time.perf_counter() - began) * 1000)
        client.expect(TurnDone, 30, turn_id=turn)
    return statistics.median(times)


def memory_mb(penny: Penny) -> float:
    """Return the memory of all processes at rest: each has given back what it freed."""
    time.sleep(EVERY_S + 5)
    return sum(pss_mb(pid) for pid in (penny.pid, *penny.children()))


def measure_server(penny: Penny) -> bool:
    with penny.client() as client:
        client.ask(ONE, 60)
        keep_at_rest(penny, client, 0)  # loads the model of meaning, which the feed uses as well
        at_rest_ms, before_mb = first_words_ms(client), memory_mb(penny)
        figures = zip(*(keep_at_rest(penny, client, number) for number in range(1, AT_REST + 1)), strict=True)
        accepted_ms, words_s, meaning_s = map(statistics.median, figures)
        for number in range(AT_REST + 1, PAGES):
            send_page(client, number)
        meanwhile_ms = first_words_ms(client)
        until(lambda: is_at_rest(penny), "all are found by meaning", 300, 1)
        after_mb = memory_mb(penny)
    print(f"       first word of a turn: at rest {at_rest_ms:.0f} ms, while pages are indexed {meanwhile_ms:.0f} ms")
    return all(
        [
            verdict("a page is accepted", accepted_ms, "ms", ACCEPTED_MS),
            verdict("found by words", words_s, "s", WORDS_S),
            verdict("found by meaning", meaning_s, "s", MEANING_S),
            verdict(f"memory after {PAGES} pages over one page (PSS)", after_mb - before_mb, "MB", MEMORY_MB),
        ]
    )


def measure_browser(penny: Penny) -> bool:
    browser = Chromium()
    try:
        with serving(LongPage()) as web:
            panel = Panel(browser)
            panel.pair(penny, "Bench")
            page = browser.page(web.url("levers.example", "/"))
            beside = "document.querySelector('#share-page')?.innerText.includes('Levers of the year')"
            shows(panel.page, beside, "the page beside the panel")
            page.evaluate(WATCH_TASKS)
            panel.page.click("#keep-page")
            visible(panel.page, "#keep-undo")
            longest_ms = max([0.0, *map(float, page.evaluate("window.__tasks"))])
        return verdict("longest task of a page that is kept", longest_ms, "ms", TASK_MS)
    finally:
        browser.quit()


def main() -> int:
    with model_process() as model_url, benched_penny(model_url) as penny:
        met = [measure_server(penny), measure_browser(penny)]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
