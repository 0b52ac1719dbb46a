"""The documents of a subscription: what readers of Atom and JSON Feed need."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from tests.bench.reality.outcome import Outcome

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

ATOM = "{http://www.w3.org/2005/Atom}"
NEEDED = ("id", "title", "updated")  # by RFC 4287, of a feed and of an entry


class Feed:
    """A subscription of its own, over the given thoughts."""

    def __init__(self, *titles: str) -> None:
        from thoughts.models import Subscription, Thought

        Thought.objects.all().delete()
        for title in titles:
            Thought.objects.create(title=title, text="Nine \x0b bars.", html="<p>Nine \x0b bars.</p>", seed_text="tea")
        _, self._token = Subscription.objects.open("Reader")

    def get(self, form: str, method: str = "GET", **headers: str) -> HttpResponseBase:
        from django.test import Client

        address = f"/subscriptions/{self._token}/new.{form}"
        return Client(SERVER_NAME="127.0.0.1").generic(method, address, headers=headers)

    def atom(self) -> ElementTree.Element:
        """Return the document. Raises ParseError where it is no XML."""
        return ElementTree.fromstring(self.get("atom").getvalue())

    def json(self) -> dict[str, Any]:
        return dict(json.loads(self.get("json").getvalue()))


def outcomes() -> list[Outcome]:
    return [_try_feed(id_, try_it) for id_, try_it in CASES.items()]


def _try_feed(id_: str, try_it: Callable[[], bool]) -> Outcome:
    try:
        return Outcome(id_, "feeds", try_it())
    except (ElementTree.ParseError, ValueError, LookupError) as failure:
        return Outcome(id_, "feeds", is_passed=False, seen=repr(failure))


def _has_authors() -> bool:
    entries = Feed("One", "Two").atom().findall(f"{ATOM}entry")
    return len(entries) == 2 and all(entry.findtext(f"{ATOM}author/{ATOM}name") for entry in entries)


def _is_whole_without_entries() -> bool:
    root = Feed().atom()
    return root.tag == f"{ATOM}feed" and all(root.findtext(f"{ATOM}{name}") for name in NEEDED)


def _has_no_control_characters() -> bool:
    [entry] = Feed("A \x0b strange \x00\ufffe title").atom().findall(f"{ATOM}entry")
    return all(entry.findtext(f"{ATOM}{name}") for name in NEEDED)


def _is_json_feed() -> bool:
    document = Feed("One").json()
    [item] = document["items"]
    is_dated = datetime.fromisoformat(item["date_published"]).tzinfo is not None
    return document["version"] == "https://jsonfeed.org/version/1.1" and bool(item["id"]) and is_dated


def _is_asked_cheaply() -> bool:
    feed = Feed("One")
    etag = feed.get("atom").headers["ETag"]
    answers = [feed.get("atom", **{"If-None-Match": etag}), feed.get("atom", "HEAD")]
    return [answer.status_code for answer in answers] == [304, 200]


def _has_titles() -> bool:
    feed = Feed(" ")
    [entry], [item] = feed.atom().findall(f"{ATOM}entry"), feed.json()["items"]
    return "Nine" in (entry.findtext(f"{ATOM}title") or "") and "Nine" in item["title"]


CASES: dict[str, Callable[[], bool]] = {
    "B705": _has_authors,
    "B707": _is_whole_without_entries,
    "B708": _has_no_control_characters,
    "B710": _is_json_feed,
    "B712": _is_asked_cheaply,
    "B713": _has_titles,
}
