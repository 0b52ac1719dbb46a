"""A Penny whose database, model and web pages are full of payloads."""

import re
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import quote

from tests import penny as pennies
from tests.attacks import extension_surfaces as x
from tests.attacks.payloads import SINK, payloads
from tests.attacks.row_values import PER_GATHERING
from tests.penny import Penny, with_model
from tests.stand_ins import model_server, sites
from tests.stand_ins.model_server import ModelServer, Reply, Request
from tests.stand_ins.serving import Answer


@dataclass
class Hostile:
    """A Penny whose database, model and site are full of these payloads."""

    penny: Penny
    texts: list[str]
    site: str


@contextmanager
def hostile(start: int, step: int) -> Iterator[Hostile]:
    texts = [payload.text for payload in payloads()[start::step]]
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="penny-")))
        model = stack.enter_context(model_server.run_model_server())
        script_model(model, texts)
        # Nobody makes vectors, without which nothing is folded beneath what it resembles: each payload has a card of
        # its own.
        penny = stack.enter_context(
            pennies.run_penny(data, **with_model(model.url), PENNY_EMBEDDING_MODEL="openai-compatible:nobody")
        )
        web = stack.enter_context(sites.run_sites())
        stack.enter_context(site_of(texts))
        fill(penny, f"main({start}, {step})")
        yield Hostile(penny, texts, f"http://127.0.0.1:{web.port}")


def script_model(model: ModelServer, texts: list[str]) -> None:
    """Let the model answer with a part of the payloads, or with all in an endless stream."""
    everything = Reply(tokens=[*(f"{text}\n" for text in texts), x.LAST_WORD], hangs=True)

    def answer(request: Request) -> Reply:
        part = re.search(r"Say part (\d+)\.", request.last_user)
        start = int(part[1]) * PER_GATHERING if part else 0
        return Reply(tokens=[f"{text}\n\n" for text in texts[start : start + PER_GATHERING]]) if part else everything

    model.on(lambda _: True, answer)


@contextmanager
def site_of(texts: list[str]) -> Iterator[None]:
    """Serve the payloads as readable text of pages: plain, and as links.

    Nothing of it is markup there.
    """
    routes: dict[tuple[str, str], sites.Route] = {}
    for number, start in enumerate(range(0, len(texts), x.PER_PAGE)):
        some = texts[start : start + x.PER_PAGE]
        links = "".join(
            f'<p>About <a href="https://{SINK}/{quote(text, safe="")}">{escape(text)}</a>.</p>' for text in some
        )
        page = f"<!doctype html><title>links/{number} {escape(some[0])}</title><main>{links}</main>"
        plain = Answer("\n".join(some), kind="text/plain; charset=utf-8", headers={"X-Content-Type-Options": "nosniff"})
        routes["127.0.0.1", f"/text/{number}"] = always(plain)
        routes["127.0.0.1", f"/links/{number}"] = always(Answer(page))
    sites.ROUTES.update(routes)
    try:
        yield
    finally:
        for route in routes:
            del sites.ROUTES[route]


def always(answer: Answer) -> sites.Route:
    return lambda _web, _query: answer


def fill(penny: Penny, call: str) -> None:
    """Call a function of `tests.attacks.rows` in a process of this Penny."""
    penny.manage("shell", "-v0", "--no-imports", "-c", f"from tests.attacks import rows; rows.{call}")
