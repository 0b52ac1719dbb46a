"""Remove secrets from the addresses in texts and JSON before they are stored."""

import json
import re
from typing import Any

import ada_url

from devices.web.hosts import cut_secrets
from thoughts.text.private.url_secrets import INSIDE, is_secret

WORD = re.compile(r"""[^\s"<>`\\^{|}]+""")  # an address holds none of these characters unescaped
SCHEME = re.compile(r"https?://", re.IGNORECASE)


def text_to_store(text: str) -> str:
    """Return a text without secrets in its addresses; otherwise unchanged."""
    return WORD.sub(lambda match: _word_to_store(match[0]), text) if "://" in text or "?" in text else text


def json_to_store(value: Any) -> Any:
    """Return a JSON value with every text in it cleaned, also within texts that are JSON."""
    if isinstance(value, str):
        return _json_text_to_store(value) if value[:1] in ("{", "[") else text_to_store(value)
    if isinstance(value, list):
        return [json_to_store(entry) for entry in value]
    if isinstance(value, dict):
        return {name: json_to_store(entry) for name, entry in value.items()}
    return value


def address_to_store(address: str) -> str:
    """Return an address without its secrets, user name and password.

    The address may be one that Penny does not open.
    """
    try:
        url = ada_url.URL(address)
    except ValueError:
        return address
    url.search = url.search  # drops a question mark without a query
    whole = str(url.href)
    url.username = url.password = ""
    cut_secrets(url)
    if any(is_secret(part) for part in INSIDE.split(url.hash) if part):
        url.hash = ""
    return address if str(url.href) == whole else str(url.href)


def _word_to_store(word: str) -> str:
    first, *parts = INSIDE.split(word)
    if not parts and "@" not in first:  # most words hold no secret of an address
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
    clean_value = json_to_store(value)
    return text if clean_value == value else json.dumps(clean_value, ensure_ascii=False)
