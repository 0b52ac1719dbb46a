"""Find and drop web addresses in foreign text.

Imports no Django: the sandbox uses this module too.
"""

from urllib.parse import urlsplit

from linkify_it import LinkifyIt

# Fuzzy matching would treat every "example.com" as an address. Names of sites are words and stay.
_finder = LinkifyIt(options={"fuzzy_link": False, "fuzzy_email": False, "fuzzy_ip": False})


def of_the_web(url: str) -> str:
    """Return an http(s) address, or "" for any other: a stored link must never run a script."""
    try:
        urlsplit(url)
    except ValueError:  # not an address, such as "https://[x]/"
        return ""
    return url if url.lower().startswith(("http://", "https://")) else ""


def drop_addresses(text: str, source: str = "") -> str:
    """Return a text without addresses, but for those that stand in `source` too."""
    of_source = {match.raw for match in _finder.match(source) or []}
    pieces, end = [], 0
    for match in _finder.match(text) or []:
        pieces.append(text[end : match.last_index if match.raw in of_source else match.index])
        end = match.last_index
    return "".join([*pieces, text[end:]])


def has_address(text: str) -> bool:
    return bool(_finder.test(text))


def address_places(text: str) -> list[tuple[int, str]]:
    """Return where each http(s) address begins, and how it is written."""
    return [(match.index, match.raw) for match in _finder.match(text) or [] if of_the_web(match.url)]


def addresses(text: str) -> list[str]:
    return [match.url for match in _finder.match(text) or [] if match.url.startswith(("http://", "https://"))]
