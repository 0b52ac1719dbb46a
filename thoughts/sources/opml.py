"""Write lists of subscriptions as OPML (https://opml.org/spec2.opml). `markup.py` reads them."""

from collections.abc import Iterable
from datetime import datetime
from email.utils import format_datetime
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from thoughts.sources.entries import Entry


def write_opml(entries: Iterable[Entry], title: str, made_at: datetime) -> bytes:
    root = Element("opml", version="2.0")
    head, body = SubElement(root, "head"), SubElement(root, "body")
    SubElement(head, "title").text = title
    SubElement(head, "dateCreated").text = format_datetime(made_at)
    places: dict[tuple[str, ...], Element] = {(): body}
    for entry in entries:
        SubElement(_place(places, entry.folders), "outline", _attributes(entry))
    indent(root)
    document: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return document


def _place(places: dict[tuple[str, ...], Element], folders: tuple[str, ...]) -> Element:
    for depth in range(1, len(folders) + 1):
        if (path := folders[:depth]) not in places:
            places[path] = SubElement(places[path[:-1]], "outline", {"text": path[-1]})
    return places[folders]


def _attributes(entry: Entry) -> dict[str, str]:
    name = entry.title or entry.url
    kind = (
        {"type": "rss", "xmlUrl": entry.feed_url, "htmlUrl": entry.url}
        if entry.feed_url
        else {"type": "link", "url": entry.url}
    )
    tags = {"category": ",".join(entry.tags)} if entry.tags else {}
    return {"text": name, "title": name} | kind | tags
