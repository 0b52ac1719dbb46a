"""The address of a search engine with `{query}` in it, from what people write for one."""

import ipaddress
import re
from typing import Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from django import forms
from django.core.exceptions import ValidationError

from devices.grants.engines import ENGINES
from devices.web.hosts import HostInvalid, grant_host

PLACE = "{query}"
SEARCH_ADDRESSES_MOST = 10
# What other programs write in place of the words, and the parameters that carry them.
PLACES = re.compile(r"%s|\{searchTerms\}|<query>|\{q\}|\{\}", re.IGNORECASE)
PARAMETERS = ("q", "query", "text", "p", "search_query")
# Names of a home network, which have no certificate as a rule.
HOME_NAME = re.compile(r"localhost|[\w-]+|.+\.(?:local|lan|home|internal|home\.arpa)", re.IGNORECASE)


def search_address(words: str) -> str:
    """Return the address of a search with `{query}` in it. Raises ValueError with a text for people.

    Accepts the name of an engine, an address with a place for the words in the form of any browser, and the bare
    address of an own SearXNG. SearXNG's JSON holds what its page shows, so the page is asked for.
    """
    text = words.strip()
    name = re.sub(r"[\s.]|search$", "", text.lower())
    if template := next((template for engine, template in ENGINES.items() if engine.lower() == name), None):
        return template
    address = PLACES.sub(PLACE, text if "://" in text else f"{_scheme(text)}://{text}")
    try:
        parts = urlsplit(address)
        grant_host(address.replace(PLACE, "x"))
    except (HostInvalid, ValueError) as error:
        raise ValueError(f"“{text[:100]}” is no address of a search engine: {error}") from None
    if parts.scheme not in ("http", "https") or PLACE in parts.netloc or re.search(r"\s", address):
        raise ValueError(f"“{text[:100]}” is no address of a search engine.")
    query = "&".join(part for part in parts.query.split("&") if not part.lower().startswith("format="))
    path = parts.path
    if PLACE not in path + query:
        path, query = _with_place(path, query)
    return urlunsplit((parts.scheme, parts.netloc, path, query, ""))


def _with_place(path: str, query: str) -> tuple[str, str]:
    """Return path and query with a place for the words: in the parameter that holds some, else as SearXNG has it."""
    parameter = next((name for name, _ in parse_qsl(query, keep_blank_values=True) if name in PARAMETERS), None)
    if parameter:
        return path, re.sub(rf"(^|&){parameter}=[^&]*", rf"\g<1>{parameter}={PLACE}", query, count=1)
    folder = path.removesuffix("/").removesuffix("/search")
    return f"{folder}/search", "&".join(filter(None, [f"q={PLACE}", query]))


def _scheme(text: str) -> str:
    host = re.split(r"[/?#]", text)[0]
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    try:
        is_home = ipaddress.ip_address(name.strip("[]")).is_private
    except ValueError:
        is_home = bool(HOME_NAME.fullmatch(name))
    return "http" if is_home else "https"


class SearchAddressField(forms.CharField):
    """Takes what `search_address` takes."""

    def clean(self, value: Any) -> str:
        try:
            return search_address(super().clean(value))
        except ValueError as error:
            raise ValidationError(str(error)) from None


class SearchAddressesField(forms.CharField):
    """Takes an engine a line, and none at all."""

    def clean(self, value: Any) -> str:
        lines = list(filter(None, re.split(r"[\s,]+", super().clean(value))))
        if len(lines) > SEARCH_ADDRESSES_MOST:
            raise ValidationError(f"Name at most {SEARCH_ADDRESSES_MOST} further engines.")
        try:
            return "\n".join(dict.fromkeys(map(search_address, lines)))
        except ValueError as error:
            raise ValidationError(str(error)) from None
