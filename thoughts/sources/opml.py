"""Read and write lists of subscriptions as OPML (https://opml.org/spec2.opml).

Never resolves external entities.
"""

import io
from collections.abc import Iterable, Mapping
from datetime import datetime
from email.utils import format_datetime
from xml.etree.ElementTree import Element, ParseError, SubElement, indent, tostring

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import iterparse

from thoughts.sources.entries import Entry, Unreadable

DEPTH_MAX = 100  # folders of feed readers are two or three deep


def parse_opml(data: bytes) -> list[Entry]:
    """Return the entries of an OPML file. Raises Unreadable."""
    entries, folders = list[Entry](), list[str]()
    try:
        for event, element in iterparse(io.BytesIO(data), events=("start", "end"), forbid_dtd=True):
            if element.tag.lower() != "outline":
                continue
            if event == "end":
                folders.pop()
                element.clear()
                continue
            attributes = {name.lower(): value for name, value in element.attrib.items()}
            if entry := _entry(attributes, folders):
                entries.append(entry)
            folders.append("" if entry else attributes.get("text") or attributes.get("title", ""))
            if len(folders) > DEPTH_MAX:
                raise Unreadable(
                    f"The folders of this file are more than {DEPTH_MAX} deep. Export it again with fewer."
                )
    except Unreadable:
        raise
    except DefusedXmlException:
        raise Unreadable(
            "This OPML file brings definitions of its own, which Penny does not read. Export it again."
        ) from None
    except ParseError as error:
        raise Unreadable(
            f"This OPML file is damaged in line {error.position[0]}. Export it again, or mend it there."
        ) from None
    except (ValueError, LookupError):
        raise Unreadable(
            "This OPML file is written in an encoding that Penny does not know. Export it again as UTF-8."
        ) from None
    return entries


def _entry(attributes: Mapping[str, str], folders: list[str]) -> Entry | None:
    """Return the entry of an outline, or None for a folder."""
    feed_url, url = attributes.get("xmlurl", ""), attributes.get("htmlurl") or attributes.get("url", "")
    if not feed_url and not url:
        return None
    title = attributes.get("title") or attributes.get("text", "")
    tags = tuple(part.strip("/ ") for part in attributes.get("category", "").split(","))
    return Entry(url, title, feed_url, tuple(folders), tags)


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
