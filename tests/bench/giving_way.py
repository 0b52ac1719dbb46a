"""Measure how much later a chat's first token comes while Penny thinks as much as she can.

Run `python -m tests.bench.giving_way`. The model answers one request at a time, as on the owner's own machine, and
takes 0.3 s to its first token. Eight runs think without a pause. Printed are the times to the first token of an idle
Penny and of a thinking one, and the number of other requests.
"""

import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace

from devices import protocol as p
from tests.bench.streams import benched_penny, percentile, verdict
from tests.bench.tools import use_data_of
from tests.client import Client, allow, browser_tools, make_page
from tests.stand_ins import model_script
from tests.stand_ins.articles import GRIND, PRESSURE, WATER
from tests.stand_ins.model_server import ModelServer, Reply, Request
from tests.waiting import until

CHATS = 15
THINKERS = 8
PAUSE_S = 0.5
FIRST_S, EVERY_S, PIECES = 0.3, 0.02, 60
RATIO = 1.3
ENGINE = "html.duckduckgo.com"
ARTICLES = {
    "https://coffee.example/water": WATER,
    "https://lab.example/grind": GRIND,
    "https://museum.example/gaggia": PRESSURE,
}
PAGES = {url: make_page(url, article.title, article.text) for url, article in ARTICLES.items()}
RESULTS = [
    p.SearchResult(title=article.title, url=url, snippet=article.paragraphs[0]) for url, article in ARTICLES.items()
]

_model_is_free = threading.Lock()


def one_at_a_time(tokens: list[str]) -> Iterator[str]:
    """Yield nothing while the model reads, then its tokens; other requests wait.

    A cancelled one frees the model.
    """
    with _model_is_free:
        for _ in range(int(FIRST_S / EVERY_S)):
            yield ""
        yield from tokens


def answer(request: Request) -> Reply:
    reply = model_script.reply(request)
    whole = reply.text
    size = max(1, len(whole) // PIECES)
    return replace(
        reply, tokens=one_at_a_time([whole[at : at + size] for at in range(0, len(whole), size)]), every_s=EVERY_S
    )


def first_token_ms(client: Client) -> float:
    began = time.monotonic()
    turn = client.say("Good morning")
    client.expect(p.TurnDelta, 60, turn_id=turn, index=1)
    first_ms = (time.monotonic() - began) * 1000
    client.expect(p.TurnDone, 60, turn_id=turn)
    return first_ms


def chats(client: Client, *, while_busy: bool) -> list[float]:
    """Return the first-token times of some chats, each started while the model is busy, or while it is idle."""
    times = []
    for number in range(CHATS + 2):
        time.sleep(PAUSE_S)
        until(lambda: _model_is_free.locked() == while_busy, "the model is as wanted", 60)
        first_ms = first_token_ms(client)
        if number >= 2:
            times.append(first_ms)
    return times


def think_without_end(over: threading.Event) -> None:
    """Keep one thinking run open for each preference."""
    from agents.models import Run
    from agents.thinking.start import start_thinking
    from thoughts.models import Preference

    seeds = [Preference.objects.create(text=f"espresso {number}") for number in range(THINKERS)]
    while not over.wait(0.2):
        busy = set(Run.objects.filter(kind=Run.Kind.THINKING, state__in=Run.OPEN).values_list("preference", flat=True))
        for seed in seeds:
            if seed.pk not in busy:
                start_thinking(seed)


def _grant_all(client: Client) -> None:
    for host in [*(url.split("/")[2] for url in ARTICLES), ENGINE]:
        client.allow_site(host)


def print_times(what: str, times: list[float]) -> None:
    print(f"       {what}: p50 {percentile(times, 0.5):.0f} ms, p95 {percentile(times, 0.95):.0f} ms")


def main() -> None:
    model = ModelServer(script=answer).start()
    over = threading.Event()
    try:
        with benched_penny(model.url) as penny:
            use_data_of(penny)
            penny.set(UNREAD_THOUGHTS_MAX=1000)
            with (
                penny.client("Reads", tools=browser_tools(PAGES, RESULTS), answers=allow()) as reader,
                penny.client("Chats") as client,
            ):
                _grant_all(reader)
                idle = chats(client, while_busy=False)
                thinking = threading.Thread(target=think_without_end, args=[over], daemon=True)
                thinking.start()
                saturated = chats(client, while_busy=True)
                over.set()
                thinking.join()
            background_count = sum(model_script.zone(request) != "planner" for request in model.requests)
    finally:
        model.stop()
    print_times("idle", idle)
    print_times(f"while {background_count} other requests were made", saturated)
    ratio = percentile(saturated, 0.5) / percentile(idle, 0.5)
    met = verdict("first token of a chat while thinking, over idle, p50", ratio, "times", RATIO)
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
