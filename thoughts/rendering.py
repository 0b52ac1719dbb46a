"""How text becomes HTML, everywhere: Markdown, then bleach, then nh3 as the last gate. Nothing else may mark HTML as
safe.
"""

import re
from collections.abc import Collection
from functools import lru_cache
from html import unescape
from typing import Any

import nh3
from bleach.linkifier import LinkifyFilter
from bleach.sanitizer import Cleaner
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from thoughts.formulas import formulas

TAGS = {
    "a", "blockquote", "br", "code", "del", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre",
    "s", "strong",
    "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
ATTRIBUTES: dict[str, set[str]] = {"a": {"href"}, "ol": {"start"}}
SCHEMES = {"http", "https"}
REL = "noopener noreferrer nofollow"


def render_safe(text: str, links: Collection[str] | None = None) -> SafeString:
    """Return the HTML of Markdown that may hold anything.

    `links`: the only addresses that may be linked (text that a model wrote); None for the owner's own words, where web
    addresses become links by themselves and a line ends where it was ended. Raw HTML is shown as text; images never
    come from text. Each of the three gates is enough alone; the tests switch off the other two.
    """
    return mark_safe(_gate(_clean(_to_html(_readable(text), breaks=links is None), links)))  # noqa: S308


def render_inline(text: str) -> SafeString:
    """Return the HTML of one sentence in Markdown that may hold anything: the same gates, no paragraph around it, and
    no links.
    """
    return mark_safe(_gate(_clean(str(_markdown().renderInline(_readable(text))), [])))  # noqa: S308


def plain(html: str) -> str:
    """Return the words of HTML that was made here, without its markup."""
    return unescape(nh3.clean(html, tags=set())).strip()


def _readable(text: str) -> str:
    """Return text without the halves of surrogate pairs, which JSON can carry and neither HTML nor a database can."""
    return text.encode(errors="replace").decode()


def _to_html(text: str, *, breaks: bool) -> str:
    return str(_markdown(breaks=breaks).render(text))


def escape_markdown(text: str) -> str:
    """Return text in which nothing is Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>#|~$])", r"\\\1", text)


@lru_cache
def _markdown(*, breaks: bool = False) -> MarkdownIt:
    # js-default: raw HTML off. Images are no syntax here, so that an image in the text stays text.
    parser = MarkdownIt("js-default", {"html": False, "linkify": False, "typographer": False, "breaks": breaks})
    return parser.disable("image").use(formulas)


def _clean(html: str, links: Collection[str] | None) -> str:
    return _cleaner(links).clean(html)


def _cleaner(links: Collection[str] | None) -> Cleaner:
    allowed = {_markdown().normalizeLink(link) for link in links or ()}

    def is_allowed(tag: str, name: str, value: str) -> bool:
        if tag == "a":
            return name == "href" and (links is None or unescape(value) in allowed)
        return name in ATTRIBUTES.get(tag, ())

    filters = [] if links is not None else [_linkify]
    return Cleaner(tags=TAGS, attributes=is_allowed, protocols=SCHEMES, strip=True, filters=filters)


def _linkify(source: Any) -> LinkifyFilter:
    return LinkifyFilter(source, callbacks=[_only_web], skip_tags={"pre", "code"}, parse_email=False)


def _only_web(attributes: Any, new: bool = False) -> Any:
    return attributes if attributes.get((None, "href"), "").startswith(("http://", "https://")) else None


def _gate(html: str) -> str:
    return nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES | {"*": set()},  # by itself nh3 lets every element have a title and a language
        url_schemes=SCHEMES,
        url_relative="deny",
        link_rel=REL,
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )
