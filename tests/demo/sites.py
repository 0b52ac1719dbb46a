"""The demonstration's web on one loopback port: articles, a shop and a search engine."""

import struct
import zlib
from html import escape
from urllib.parse import parse_qs, urlsplit

from tests.demo.articles import ARTICLES, Posted
from tests.stand_ins.serving import Answer
from tests.stand_ins.sites import Sites

ENGINE, SHOP = "search.example", "shop.example"
HOSTS = [ENGINE, SHOP, *dict.fromkeys(posted.host for posted in ARTICLES)]
WIDTH, HEIGHT = 640, 360
PRICE = "169.00"
BASKET = (
    '<!doctype html><html lang="en"><head><title>Basket</title></head><body><main><h1>Basket</h1>'
    f"<p>In your basket: Quiet mechanical keyboard, for {PRICE} €.</p></main></body></html>"
)


class DemoSites(Sites):
    def answer(self, host: str, target: str) -> Answer:
        parts = urlsplit(target)
        self.visits.append((host, parts.path))
        if host == ENGINE:
            return self._results(parse_qs(parts.query).get("q", [""])[0])
        if (host, parts.path) == (SHOP, "/keyboard"):
            return _product()
        if (host, parts.path) == (SHOP, "/basket"):
            return Answer(BASKET)
        for posted in ARTICLES:
            if posted.host == host and parts.path == f"{posted.path}.png":
                return Answer(_picture(posted), kind="image/png")
            if posted.host == host and parts.path in ("/", posted.path):
                picture = f'<meta property="og:image" content="{self.url(host, posted.path)}.png">'
                return Answer(posted.article.html(picture))
        return Answer("<!doctype html><title>Not found</title><h1>Not found</h1>", 404)

    @property
    def search_template(self) -> str:
        return self.url(ENGINE, "/?q={query}")

    def _results(self, query: str) -> Answer:
        """Return the articles that hold a word of the query, the best match first."""
        words = {word for word in query.lower().split() if len(word) > 3}
        fits = {posted: sum(posted.words.lower().count(word) for word in words) for posted in ARTICLES}
        best = sorted((posted for posted in ARTICLES if fits[posted]), key=lambda posted: -fits[posted])
        rows = "".join(self._result(posted) for posted in best)
        return Answer(
            f'<!doctype html><html lang="en"><head><title>{escape(query)} - '
            f"Search</title></head><body><ol>{rows}</ol></body></html>"
        )

    def _result(self, posted: Posted) -> str:
        title, words = escape(posted.article.title), escape(posted.article.paragraphs[0])
        link = f'<a class="result__a" href="{self.url(posted.host, posted.path)}">{title}</a>'
        return f'<li class="result"><h2>{link}</h2><p class="result__snippet">{words}</p></li>'


def _product() -> Answer:
    data = (
        '{"@context": "https://schema.org", "@type": "Product", "name": "Quiet mechanical keyboard", '
        '"offers": {"@type": "Offer", '
        f'"price": "{PRICE}", "priceCurrency": "EUR", "availability": "https://schema.org/InStock"}}}}'
    )
    words = (
        "The quiet mechanical keyboard makes 41 decibels, four less than the membrane keyboard that it was "
        "compared with. "
        "Its switches are lubricated by hand and need 45 grams of force. The firmware is open, and every key "
        "can be given another meaning. "
        "It comes assembled, with a cable of two metres and a puller for the caps. Spare switches are sold one by one."
    )
    head = f'<title>Quiet mechanical keyboard</title><script type="application/ld+json">{data}</script>'
    return Answer(
        f'<!doctype html><html lang="en"><head>{head}</head>'
        f"<body><main><h1>Quiet mechanical keyboard</h1><p>{words}</p><p>{PRICE} €, in stock.</p>"
        '<form method="post" action="/basket"><label>Pieces <input name="pieces" value="1"></label> '
        "<button>Add to basket</button></form></main></body></html>"
    )


def _picture(posted: Posted) -> bytes:
    """Return a PNG of hills before a sky, in the article's two colours."""
    dark, light = posted.colours
    seed = zlib.crc32(posted.path.encode())
    rows = bytearray()
    for y in range(HEIGHT):
        rows.append(0)
        for x in range(WIDTH):
            ridge = HEIGHT * 0.55 + 34 * _wave(x, 150 + seed % 90, seed) + 18 * _wave(x, 47 + seed % 23, seed >> 8)
            share = 0.15 + 0.7 * y / HEIGHT if y < ridge else max(0.0, 0.9 - (y - ridge) / HEIGHT)
            top, bottom = (light, dark) if y < ridge else (dark, light)
            rows += bytes(
                round(a + (b - a) * (share if y < ridge else 1 - share) * 0.8) for a, b in zip(top, bottom, strict=True)
            )

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(rows))) + chunk(b"IEND", b"")
    )


def _wave(x: int, length: int, seed: int) -> float:
    """Return a triangle wave between -1 and 1."""
    place = ((x + seed) % length) / length
    return 4 * abs(place - 0.5) - 1
