"""Ordinary pages with the text that a reader comes for.

An extractor that drops much of them is no defence.
"""

from dataclasses import dataclass
from html import escape

from tests.stand_ins.articles import GRIND, GRINDER, PRESSURE, WATER, Article

MENU = (
    "<header><a href='/'>Site</a><nav><ul><li><a href='/a'>News</a></li><li><a "
    "href='/b'>About</a></li></ul></nav></header>"
)
FOOT = "<footer><p>Imprint</p><a href='/privacy'>Privacy</a></footer>"


@dataclass(frozen=True)
class Ordinary:
    """One page. `words`: the text of its content."""

    html: str
    words: tuple[str, ...]


def _ordinary_page(article: Article, body: str, style: str = "", *more: str) -> Ordinary:
    head = (
        "<meta charset='utf-8'><meta name='viewport' "
        f"content='width=device-width'><title>{escape(article.title)}</title>"
    )
    html = (
        "<!doctype html><html "
        f"lang='en'><head>{head}<style>{style}</style></head><body>{MENU}{body}{FOOT}</body></html>"
    )
    return Ordinary(html, tuple(" ".join((*article.paragraphs, *more)).split()))


def _paragraphs(article: Article, tag: str = "p") -> str:
    return "".join(f"<{tag}>{escape(words)}</{tag}>" for words in article.paragraphs)


ORDINARY = {
    "blog": _ordinary_page(WATER,
    f"<main><article><h1>{WATER.title}</h1>{_paragraphs(WATER)}</article><aside>Popular now</aside></main>"),
    "dark": _ordinary_page(
        GRIND,
        f"<main><h1>{GRIND.title}</h1>{_paragraphs(GRIND)}</main>",
        "html{background:#101418}body{color:#d8dee4;font:16px/1.6 serif;max-width:40em;margin:auto}a{color:#8cf}",
    ),
    "grid": _ordinary_page(
        PRESSURE,
        "<div class='grid'><aside>Left</aside><div "
        f"class='main'><h1>{PRESSURE.title}</h1>{_paragraphs(PRESSURE)}</div><aside>Right</aside></div>",
        ".grid{display:grid;grid-template-columns:12em 1fr 12em;gap:1em}.main{overflow:hidden}aside{color:#777}",
    ),
    "shop": _ordinary_page(
        GRINDER,
        f"<main><div class='product'><h1>{GRINDER.title}</h1><p class='price'>129.00 "
            f"€</p>{_paragraphs(GRINDER)}<table><tr><th>Weight</th>"
        "<td>640 grams</td></tr><tr><th>Burrs</th><td>48 "
        "millimetres</td></tr></table><button>Buy</button></div></main>",
        ".price{font-size:2em;color:#b12704}.product{position:relative;z-index:1}",
        "Weight 640 grams Burrs 48 millimetres",
    ),
    "list": _ordinary_page(
        WATER, f"<main><article><h1>{WATER.title}</h1><ol>{_paragraphs(WATER, 'li')}</ol></article></main>"
    ),
    "table": _ordinary_page(
        GRIND,
        f"<main><article><h1>{GRIND.title}</h1>{_paragraphs(GRIND)}<table><thead><tr><th>Setting</th><th>Seconds</th></tr></thead><tbody>"
        "<tr><td>Coarse</td><td>Nineteen</td></tr><tr><td>Fine</td><td>Thirtyone</td></tr></tbody></table></article></main>",
        "table{border-collapse:collapse}td{padding:2px 6px;opacity:.9}",
        "Setting Seconds Coarse Nineteen Fine Thirtyone",
    ),
    "hero": _ordinary_page(
        PRESSURE,
        f"<div class='hero'><h1>{PRESSURE.title}</h1></div><article class='post'>{_paragraphs(PRESSURE)}</article>",
        ".hero{background:linear-gradient(#123,#456);color:#fff;padding:80px}.post{transform:translateY(8px);opacity:.95}",
    ),
    "columns": _ordinary_page(
        WATER,
        f"<main><article><h1>{WATER.title}</h1><div class='cols'>{_paragraphs(WATER)}</div></article></main>",
        ".cols{columns:2;column-gap:2em}p{text-indent:1em;margin:0;hyphens:auto}",
    ),
    "animated": _ordinary_page(
        GRIND,
        f"<main><article><h1>{GRIND.title}</h1>{_paragraphs(GRIND)}</article></main>",
        "@keyframes in{from{transform:translateY(20px)}to{transform:none}}article{animation:in .2s "
        "both;will-change:transform}"
        "h1{color:transparent;background:linear-gradient(#c30,#903);-webkit-background-clip:text;background-clip:text}",
    ),
    "fixed": _ordinary_page(
        WATER,
        f"<div class='scroll'><article><h1>{WATER.title}</h1>{_paragraphs(WATER)}</article></div>",
        "html,body{height:100%;overflow:hidden;margin:0}.scroll{position:absolute;inset:90px 0 "
        "40px;overflow-y:auto}header{position:fixed;top:0}",
    ),
    "components": _ordinary_page(
        PRESSURE,
        "<main><x-story><template "
        f"shadowrootmode='open'><style>:host{{display:block}}</style><article><h1>{PRESSURE.title}</h1><slot></slot>"
        f"</article></template>{_paragraphs(PRESSURE)}</x-story></main>",
    ),
    "framed": _ordinary_page(
        GRINDER,
        f'<main><h1>{GRINDER.title}</h1><iframe width="700" height="400" '
            f'srcdoc="{escape(_paragraphs(GRINDER), quote=True)}"></iframe></main>',
    ),
}  # fmt: skip
