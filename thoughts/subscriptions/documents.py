"""Write a view of the feed as Atom (RFC 4287) and JSON Feed 1.1.

Pictures require a sign-in and are left out.
"""

import re
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator

from thoughts.models import Thought
from thoughts.rendering import plain

TITLES = {"new": "Penny: new thoughts", "archive": "Penny: archive", "saved": "Penny: saved"}
PAGES = {"new": "feed", "archive": "archive", "saved": "saved"}
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def atom(view: str, thoughts: Sequence[Thought], address: str) -> str:
    feed = Atom1Feed(
        title=TITLES[view],
        link=_absolute(PAGES[view]),
        description=None,
        feed_url=address,
        feed_guid=f"{_base()}#{view}",
    )
    for thought in thoughts:
        feed.add_item(
            title=_xml_text(_title(thought)),
            link=_absolute("thought", thought.pk),
            description=_xml_text(content(thought)),
            unique_id=f"urn:uuid:{thought.pk}",
            author_name="Penny",
            pubdate=thought.created_at,
            updateddate=thought.created_at,
            categories=[_xml_text(thought.seed_text)] if thought.seed_text else [],
        )
    return str(feed.writeString("utf-8"))


def json_feed(view: str, thoughts: Sequence[Thought], address: str) -> dict[str, Any]:
    return {
        "version": "https://jsonfeed.org/version/1.1",
        "title": TITLES[view],
        "home_page_url": _absolute(PAGES[view]),
        "feed_url": address,
        "authors": [{"name": "Penny"}],
        "items": [_item(thought) for thought in thoughts],
    }


def content(thought: Thought) -> SafeString:
    """Return the HTML of a thought: its sanitised text, then its sources."""
    links = format_html_join(
        "", '<li><a href="{}">{}</a> ({})</li>', [(url, title, domain) for url, title, domain in _sources(thought)]
    )
    text = mark_safe(thought.html)  # noqa: S308  of render_safe
    return format_html("{}<p>From:</p><ul>{}</ul>", text, links) if links else text


def _item(thought: Thought) -> dict[str, Any]:
    return {
        "id": f"urn:uuid:{thought.pk}",
        "url": _absolute("thought", thought.pk),
        "title": _title(thought),
        "content_html": str(content(thought)),
        "date_published": thought.created_at.isoformat(),
        "tags": [thought.seed_text] if thought.seed_text else [],
    }


def _title(thought: Thought) -> str:
    """Return its title, or its first words: programs show an empty title as an empty line."""
    return thought.title.strip() or Truncator(" ".join(plain(thought.html).split())).chars(80) or "Without a title"


def _sources(thought: Thought) -> list[tuple[str, str, str]]:
    """Return (address, title, domain) of its pages with an http(s) address."""
    return [
        (page.url, page.title or page.domain, page.domain)
        for page in thought.pages.all()
        if page.url.startswith(("http://", "https://"))
    ]


def _xml_text(words: str) -> str:
    return _NO_XML.sub("", words)


def _base() -> str:
    return str(settings.PUBLIC_URL)


def _absolute(name: str, *arguments: object) -> str:
    return _base() + reverse(name, args=arguments)
