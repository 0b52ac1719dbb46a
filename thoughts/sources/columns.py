"""The names that other programs give to the parts of an entry, in tables and in JSON. All are written small."""

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

from thoughts.sources.entries import FIELD_CHARACTERS

URL = (
    "url", "href", "link", "uri", "source_url", "titleurl", "article__url", "given_url", "resolved_url", "bookmark url",
    "page url", "article url", "source url", "web address", "webaddress", "address", "adresse", "website", "webseite",
    "site", "permalink", "expandedurl", "google_maps_url", "channel url", "kanal-url", "url de la chaîne",
    "url del canal", "url do canal", "url del canale", "unique_url", "linkurl", "urlstring", "htmlurl", "html_url",
    "web_url", "original_url", "originalurl", "readwise_url",
)  # fmt: skip
TITLE = (
    "title", "name", "titel", "titre", "título", "titulo", "titolo", "resolved_title", "given_title", "article__title",
    "document title", "book title", "channel title", "kanaltitel", "titre de la chaîne", "título del canal",
    "título do canal", "titolo canale", "video title", "page title", "bookmark title", "headline", "text",
)  # fmt: skip
# What is a text elsewhere is the title where nothing else is.
DESCRIPTION = ("description", "excerpt", "note")
FEED = ("xmlurl", "xml_url", "feed_url", "feedurl", "feed url", "feed", "rss", "rss_url", "rss url")
FOLDER = (
    "folder", "ordner", "dossier", "carpeta", "cartella", "pasta", "collection", "list", "list name", "group", "path",
)  # fmt: skip
TAGS = (
    "tags", "labels", "tag", "label", "keywords", "document tags", "book_tags", "schlagwörter", "tag names",
    "categories", "category",
    "topics",
)  # fmt: skip
VIDEO = ("video id", "video-id", "videoid", "id de vidéo", "id de la vidéo", "id del vídeo", "id do vídeo", "id video")
ACCOUNT = ("account address",)
# Columns that only one kind of file has.
KINDS: tuple[tuple[str, frozenset[str]], ...] = (
    ("raindrop", frozenset({"excerpt", "folder"})),
    ("instapaper", frozenset({"selection", "timestamp"})),
    ("pocket", frozenset({"time_added"})),
    ("omnivore", frozenset({"savedat", "labels"})),
    ("wallabag", frozenset({"is_archived"})),
    ("wallabag", frozenset({"is_archived", "domain_name"})),
    ("pinboard", frozenset({"href", "extended"})),
    ("pinboard", frozenset({"href", "toread"})),
    ("readwise", frozenset({"document tags"})),
    ("readwise", frozenset({"readwise_url"})),
    ("readwise", frozenset({"source_url", "highlights"})),
    ("karakeep", frozenset({"content", "createdat"})),
    ("linkwarden", frozenset({"collectionid"})),
    ("mastodon", frozenset({"account address"})),
    ("takeout", frozenset({"titleurl"})),
    ("takeout", frozenset({"page_transition"})),
    ("takeout", frozenset({"google_maps_url"})),
    ("bookmarks", frozenset({"date_added", "guid"})),
    ("bookmarks", frozenset({"uri", "typecode"})),
)
_APART_BY_SPACES = {"pinboard"}
_ADDRESS = re.compile(r"(?:https?|feed)://\S", re.IGNORECASE)


def kind_of(names: Collection[str]) -> str:
    there = set(names)
    return next((kind for kind, columns in KINDS if columns <= there), "table")


def is_address(text: str) -> bool:
    return bool(_ADDRESS.match(text.lstrip()[:20]))


def first_text(row: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """Return the first text that stands in a row under one of the names."""
    return next((value for name in names if isinstance(value := row.get(name), str) and value.strip()), "")


def title_of(row: Mapping[str, Any], names: Collection[str]) -> str:
    """Return the title of a row, or its description if no column of the `names` is for titles."""
    title = first_text(row, TITLE)
    return title if title or any(name in names for name in TITLE) else first_text(row, DESCRIPTION)


def split_tags(text: str, kind: str = "") -> list[str]:
    """Return the tags of a text: a list in JSON, or words separated by commas, semicolons, bars, or blanks."""
    text = text.strip()[:FIELD_CHARACTERS]
    if text.startswith("["):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = text.strip("[]").replace('"', "")
        if isinstance(value, list):
            return [tag for tag in value if isinstance(tag, str)]
        text = str(value)
    if kind in _APART_BY_SPACES and "," not in text:
        return text.split()
    return re.split(r"[,;|]", text)
