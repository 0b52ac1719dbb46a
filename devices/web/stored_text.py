"""Texts and JSON as they are stored where they hold addresses: in each of them what looks like a secret is left out."""

import json
import re
from typing import Any

import ada_url

from devices.web.hosts import cut_secrets
from devices.web.url_secrets import INSIDE, is_secret

WORD = re.compile(r"""[^\s"<>`\\^{|}]+""")  # none of these characters stands in an address as it is
SCHEME = re.compile(r"https?://", re.IGNORECASE)


def text_to_store(text: str) -> str:
    """Return a text with its addresses as they may be stored; what has nothing to hide stays as it is written."""
    return WORD.sub(lambda found: _word_to_store(found[0]), text) if "://" in text or "?" in text else text


def json_to_store(value: Any) -> Any:
    """Return a JSON value with every text in it as it may be stored, also in texts that are JSON themselves."""
    if isinstance(value, str):
        return _json_text_to_store(value) if value[:1] in ("{", "[") else text_to_store(value)
    if isinstance(value, list):
        return [json_to_store(entry) for entry in value]
    if isinstance(value, dict):
        return {name: json_to_store(entry) for name, entry in value.items()}
    return value


def address_to_store(address: str) -> str:
    """Return an address without its secrets, a user's name and password among them. Nobody checked that it is one that
    Penny opens.
    """
    try:
        url = ada_url.URL(address)
    except ValueError:
        return address
    url.search = url.search  # a question mark with nothing behind it is gone
    whole = str(url.href)
    url.username = url.password = ""
    cut_secrets(url)
    if any(is_secret(part) for part in INSIDE.split(url.hash) if part):
        url.hash = ""
    return address if str(url.href) == whole else str(url.href)


def _word_to_store(word: str) -> str:
    first, *parts = INSIDE.split(word)
    if not parts and "@" not in first:  # most words: nothing in them could be a secret of an address
        return word
    if "@" not in word and not any(is_secret(part) for part in parts if part):
        return word
    if begins := SCHEME.search(word):
        return word[: begins.start()] + address_to_store(word[begins.start() :])
    return address_to_store(f"https://{word}").removeprefix("https://") if "?" in word else word


def _json_text_to_store(text: str) -> str:
    try:
        value = json.loads(text)
    except ValueError:
        return text_to_store(text)
    stored = json_to_store(value)
    return text if stored == value else json.dumps(stored, ensure_ascii=False)
