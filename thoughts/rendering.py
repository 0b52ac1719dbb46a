"""Render text as HTML, everywhere: Markdown, then bleach, then nh3 as the last gate.

A text with too many marks for them appears as it was written.

No other module may mark HTML as safe.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from html import escape, unescape
from itertools import pairwise

import nh3
from bleach.sanitizer import Cleaner
from django.utils.safestring import SafeString, mark_safe
from markdown_it.token import Token

from thoughts.markdown.bounds import has_too_many_marks, has_too_many_signs
from thoughts.markdown.page_html import CLOSE, OPEN, page_html
from thoughts.markdown.parser import markdown

TAGS = {
    "a", "blockquote", "br", "code", "del", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre",
    "s", "strong",
    "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
ATTRIBUTES: dict[str, set[str]] = {"a": {"href"}, "ol": {"start"}}
SCHEMES = {"http", "https"}
REL = "noopener noreferrer nofollow"
# A document of Penny's own (`render_document`) may also have pictures, and ids on its headings.
DOCUMENT_TAGS = TAGS | {"img"}
DOCUMENT_ATTRIBUTES = (
    ATTRIBUTES | {"img": {"src", "alt", "width", "height"}} | {f"h{level}": {"id"} for level in range(1, 7)}
)
_NAMED_BY_CODE = {"href", "src", "id"}


def render_safe(text: str, links: Collection[str] | None = None) -> SafeString:
    """Render any Markdown as HTML.

    `links` are the only addresses that may be linked in text that a model wrote. None is for the owner's own words: web
    addresses become links, and line breaks stay. Raw HTML appears as text; images in text are never rendered.
    Each of the three gates is enough alone; the tests switch off the other two.
    """
    html = _to_html(text := _readable(text), breaks=links is None)
    return mark_safe(_gate(_as_written(text) if html is None else _clean(html, links)))  # noqa: S308


def render_page(form: str, start: int, end: int, *, as_written: bool = False) -> SafeString:
    """Render the text of a page with its headings, lists and tables, and with `form[start:end]` marked as #quote.

    Without links and pictures. `as_written`: a text without the marks of a form.
    """
    html = None if as_written else page_html(form, start, end)
    if html is None or has_too_many_signs(html):
        html = f"<pre>{escape(form[:start])}{OPEN}{escape(form[start:end])}{CLOSE}{escape(form[end:])}</pre>"
    html = nh3.clean(_clean(html, []), tags=TAGS - {"a"}, attributes={"ol": {"start"}, "*": set()})
    html = html.replace(OPEN, '<mark id="quote">', 1).replace(OPEN, "<mark>").replace(CLOSE, "</mark>")
    return mark_safe(html)  # noqa: S308


def render_inline(text: str) -> SafeString:
    """Render one sentence of any Markdown through the same gates, without a paragraph or links."""
    text = _readable(text)
    html = text if has_too_many_marks(text) else str(markdown().renderInline(text))
    return mark_safe(_gate(escape(text) if has_too_many_signs(html) else _clean(html, [])))  # noqa: S308


@dataclass(frozen=True)
class Picture:
    address: str
    width: int
    height: int


def render_document(
    text: str, address: Callable[[str], str | None], picture: Callable[[str], Picture | None]
) -> SafeString:
    """Render Markdown that ships with Penny, with ids on its headings.

    `address` and `picture` map a link or an image of the text to its target. None leaves the words of the link, or the
    alternative text of the image. Bleach and nh3 allow exactly the addresses and ids that this function set.
    """
    tokens = parse_document(text)
    permitted = {str(token.attrs["id"]) for token in tokens if "id" in token.attrs}
    for token in (child for block in tokens for child in block.children or ()):
        if token.type == "link_open":
            token.attrs = {"href": there} if (there := address(str(token.attrs["href"]))) else {}
        elif token.type == "image":
            _show(token, picture(str(token.attrs["src"])))
        permitted |= {str(token.attrs[name]) for name in ("href", "src") if name in token.attrs}
    html = markdown(pictures=True).renderer.render(tokens, markdown(pictures=True).options, {})
    return mark_safe(_document_gate(_clean_document(str(html), permitted), permitted))  # noqa: S308


def parse_document(text: str) -> list[Token]:
    """Return the Markdown tokens of a document.

    Heading ids follow the convention of repository pages.
    """
    tokens = markdown(pictures=True).parse(_readable(text))
    id_counts: Counter[str] = Counter()
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            name = re.sub(r"[^\w -]", "", words_of(inline).lower()).replace(" ", "-")
            opening.attrSet("id", f"{name}-{id_counts[name]}" if id_counts[name] else name)
            id_counts[name] += 1
    return tokens


def words_of(inline: Token) -> str:
    return "".join(" " if token.type.endswith("break") else token.content for token in inline.children or ())


def _show(token: Token, picture: Picture | None) -> None:
    if picture:
        token.attrs = {"src": picture.address, "alt": "", "width": str(picture.width), "height": str(picture.height)}
    else:
        token.type, token.tag, token.attrs = "text", "", {}


def _clean_document(html: str, permitted: Collection[str]) -> str:
    def is_allowed(tag: str, name: str, value: str) -> bool:
        return name in DOCUMENT_ATTRIBUTES.get(tag, ()) and (name not in _NAMED_BY_CODE or unescape(value) in permitted)

    return Cleaner(tags=DOCUMENT_TAGS, attributes=is_allowed, protocols=SCHEMES, strip=True).clean(html)


def _document_gate(html: str, permitted: Collection[str]) -> str:
    return nh3.clean(
        html,
        tags=DOCUMENT_TAGS,
        attributes=DOCUMENT_ATTRIBUTES | {"*": set()},
        attribute_filter=lambda _, name, value: value if name not in _NAMED_BY_CODE or value in permitted else None,
        url_schemes=SCHEMES,
        url_relative="pass_through",
        link_rel=REL,
    )


def plain(html: str) -> str:
    """Return the text of our own HTML without its markup."""
    return unescape(nh3.clean(html, tags=set())).strip()


def _readable(text: str) -> str:
    """Replace lone surrogates: JSON can carry them, HTML and databases cannot."""
    return text.encode(errors="replace").decode()


def _to_html(text: str, *, breaks: bool) -> str | None:
    """Return Markdown as HTML, None if that or its check would take too long."""
    if has_too_many_marks(text):
        return None
    html = str(markdown(breaks=breaks, links=breaks).render(text))
    return None if has_too_many_signs(html) else html


def _as_written(text: str) -> str:
    return f"<pre><code>{escape(text)}</code></pre>"


def escape_markdown(text: str) -> str:
    signs = r"[\\`*_{}\[\]<>#|~$^=+]" if "[" in text else r"[\\`*_{}\[\]<>#|~$]"  # brackets would hold a formula
    return re.sub(signs, r"\\\g<0>", text)


def _clean(html: str, links: Collection[str] | None) -> str:
    permitted = {markdown().normalizeLink(link) for link in links or ()}

    def is_allowed(tag: str, name: str, value: str) -> bool:
        if tag == "a":
            return name == "href" and (_is_web(value) if links is None else unescape(value) in permitted)
        return name in ATTRIBUTES.get(tag, ())

    return Cleaner(tags=TAGS, attributes=is_allowed, protocols=SCHEMES, strip=True).clean(html)


def _is_web(address: str) -> bool:
    return unescape(address).lower().startswith(("http://", "https://"))


def _gate(html: str) -> str:
    return nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES | {"*": set()},  # by default nh3 allows title and lang on every element
        url_schemes=SCHEMES,
        url_relative="deny",
        link_rel=REL,
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )
