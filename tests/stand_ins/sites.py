"""A small web on one loopback port: the Host header selects the site.

Browsers resolve every *.example to it.
"""

import struct
import time
import zlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from tests.stand_ins.articles import GRIND, GRINDER, INJECTION, LATE, PRESSURE, WATER
from tests.stand_ins.odd_pages import FRAMES, ODD, odd_answer
from tests.stand_ins.serving import Answer as Answer
from tests.stand_ins.serving import Http, Served, serving

HOSTS = (
    "coffee.example",
    "www.coffee.example",
    "lab.example",
    "shop.example",
    "search.example",
    "museum.example",
    "video.example",
    ODD,
    FRAMES,
)
SLOW_S = 3.0


def redirect(to: str, status: int = 302) -> Answer:
    return Answer(status=status, headers={"Location": to})


Route = Callable[["Sites", dict[str, str]], Answer]


class Sites(Served):
    """The web of the tests.

    `visits` holds every requested (host, path); `with_cookie` those with a cookie; `agents` who asked for a host.
    """

    def __init__(self) -> None:
        super().__init__(_Connection)
        self.visits: list[tuple[str, str]] = []
        self.with_cookie: list[tuple[str, str]] = []
        self.agents: list[tuple[str, str]] = []

    def url(self, host: str, path: str = "/") -> str:
        return f"http://{host}:{self.port}{path}"

    @property
    def search_template(self) -> str:
        return self.url("search.example", "/?q={query}")

    def answer(self, host: str, target: str) -> Answer:
        parts = urlsplit(target)
        self.visits.append((host, parts.path))
        if host == ODD and (odd := odd_answer(target, self.port)):
            return odd
        route = ROUTES.get((host, parts.path))
        if route is None:
            return Answer("<!doctype html><title>Not found</title><h1>Not found</h1>", 404)
        return route(self, {name: values[0] for name, values in parse_qs(parts.query).items()})

    def visited(self, host: str, path: str) -> int:
        return self.visits.count((host, path))


def run_sites() -> AbstractContextManager[Sites]:
    return serving(Sites())


# Pages
# ----------------------------------------------------------------------------------------------------------------------


def _pictured(sites: Sites, host: str) -> str:
    return (
        f'<meta property="og:image" content="{sites.url(host, "/espresso.png")}"><meta property="og:type" '
        'content="article">'
    )


def _water(sites: Sites, _: dict[str, str]) -> Answer:
    table = (
        "<table><thead><tr><th>Roast</th><th>Degrees</th></tr></thead><tbody><tr><td>Light</td><td>95</td></tr>"
        "<tr><td>Dark</td><td>90</td></tr></tbody></table>"
    )
    far = sites.url("museum.example", "/gaggia")
    links = f'<p>Read on: <a href="/grind">the grind</a> and <a href="{far}">where pressure comes from</a>.</p>'
    return Answer(WATER.html(_pictured(sites, "coffee.example"), table + links))


def _grind(sites: Sites, _: dict[str, str]) -> Answer:
    return Answer(GRIND.html(_pictured(sites, "coffee.example")))


def _pressure(sites: Sites, _: dict[str, str]) -> Answer:
    return Answer(PRESSURE.html(_pictured(sites, "museum.example")))


def _grinder(sites: Sites, _: dict[str, str]) -> Answer:
    data = (
        '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product", "name": '
        '"Copper hand grinder", '
        '"offers": {"@type": "Offer", "price": "129.00", "priceCurrency": "EUR", "availability": '
        '"https://schema.org/InStock"}}</script>'
    )
    return Answer(GRINDER.html(data))


def _late(sites: Sites, _: dict[str, str]) -> Answer:
    """Answer with an empty page that renders its article 300 ms after the load event."""
    script = (
        f"<script>addEventListener('load', () => setTimeout(() => {{ document.body.innerHTML = "
        f"{_js(_body(LATE.html()))} }}, 300))</script>"
    )
    return Answer(
        "<!doctype html><html lang='en'><head><meta "
        f"charset='utf-8'><title>{LATE.title}</title>{script}</head><body></body></html>"
    )


def _hidden(sites: Sites, _: dict[str, str]) -> Answer:
    """Answer with an article and injections in text that no person sees."""
    ways = [
        f'<div style="display:none">{INJECTION} none</div>',
        f'<div style="visibility:hidden">{INJECTION} hidden</div>',
        f'<p style="opacity:0">{INJECTION} opacity</p>',
        f'<p style="position:absolute;left:-9999px">{INJECTION} offscreen</p>',
        f'<p style="font-size:0">{INJECTION} size</p>',
        f'<p aria-hidden="true" class="trap">{INJECTION} class</p>',
        f"<!-- {INJECTION} comment --><template>{INJECTION} template</template>",
    ]
    return Answer(PRESSURE.html("<style>.trap { height: 0; overflow: hidden; }</style>", "".join(ways)))


def _slow(sites: Sites, _: dict[str, str]) -> Answer:
    return Answer(GRIND.html(), after_s=SLOW_S)


def _search(sites: Sites, query: dict[str, str]) -> Answer:
    """Answer with three search results, the second behind the engine's own redirect."""
    results = [
        (sites.url("coffee.example", "/water"), WATER.title, WATER.paragraphs[0]),
        ("/l/?u=" + quote(sites.url("coffee.example", "/grind"), safe=""), GRIND.title, GRIND.paragraphs[0]),
        (sites.url("museum.example", "/gaggia"), PRESSURE.title, PRESSURE.paragraphs[0]),
    ]
    rows = "".join(
        f'<li class="result"><h2><a class="result__a" href="{url}">{title}</a></h2><p '
        f'class="result__snippet">{words}</p></li>'
        for url, title, words in results
    )
    return Answer(
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{query.get("q", "")} - '
        "Search</title></head><body>"
        '<header><a href="/">Search</a> <a href="/settings">Settings</a></header><form><input '
        f'name="q"></form><ol>{rows}</ol>'
        f'<footer><a href="/privacy">Privacy</a></footer></body></html>'
    )


ROUTES: dict[tuple[str, str], Route] = {
    ("coffee.example", "/"): _water,
    ("coffee.example", "/water"): _water,
    ("coffee.example", "/grind"): _grind,
    ("coffee.example", "/hidden"): _hidden,
    ("coffee.example", "/sign-in"): lambda sites, _: Answer(
        WATER.html(), headers={"Set-Cookie": "session=owner; Path=/; HttpOnly"}
    ),
    ("coffee.example", "/moved"): lambda sites, _: redirect("/grind", 301),
    ("coffee.example", "/away"): lambda sites, _: redirect(sites.url("lab.example", "/late")),
    ("coffee.example", "/there-and-back"): lambda sites, _: redirect(sites.url("lab.example", "/back")),
    **{
        (host, "/espresso.png"): lambda sites, _: Answer(png(160, 90), kind="image/png")
        for host in ("coffee.example", "museum.example")
    },
    ("lab.example", "/back"): lambda sites, _: redirect(sites.url("coffee.example", "/grind")),
    ("lab.example", "/late"): _late,
    ("lab.example", "/slow"): _slow,
    ("museum.example", "/gaggia"): _pressure,
    ("shop.example", "/grinder"): _grinder,
    ("search.example", "/"): _search,
    ("search.example", "/l/"): lambda sites, query: redirect(query["u"]),
    (FRAMES, "/other"): _pressure,
}


def png(width: int, height: int, colour: tuple[int, int, int] = (184, 115, 51)) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\x00" + bytes(colour) * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def _body(html: str) -> str:
    return html.split("<body>")[1].split("</body>")[0]


def _js(text: str) -> str:
    return "`" + text.replace("`", "\\`").replace("</script>", "<\\/script>") + "`"


# The server
# -----------------------------------------------------------------------------------------------------------------


class _Connection(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Http

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002  the name is the base class's
        pass

    def do_POST(self) -> None:
        self.rfile.read(
            int(self.headers.get("Content-Length", 0))
        )  # an unread body resets the connection and discards the answer
        self.do_GET()

    def do_GET(self) -> None:
        host, sites = self.headers.get("Host", "").partition(":")[0], self.server.served
        assert isinstance(sites, Sites)
        sites.agents.append((host, self.headers.get("User-Agent", "")))
        if self.headers.get("Cookie"):
            sites.with_cookie.append((host, self.path))
        answer = sites.answer(host, self.path)
        answer = answer.signed_in if answer.signed_in and self.headers.get("Cookie") else answer
        time.sleep(answer.after_s)
        self.close_connection = answer.hangs_up or bool(answer.drips)
        if not answer.hangs_up:
            self._send(answer)

    def _send(self, answer: Answer) -> None:
        length = {} if answer.drips else {"Content-Length": str(len(answer.data))}
        self.send_response(answer.status)
        for name, value in {"Content-Type": answer.kind, **length, **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(answer.data)
            for drip in answer.drips:
                time.sleep(answer.every_s)
                self.wfile.write(drip.encode())
        except OSError:
            self.close_connection = True  # the tab was closed
