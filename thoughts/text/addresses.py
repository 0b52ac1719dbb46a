"""Web addresses in text that somebody else wrote. Knows no Django, so that the sandbox uses it too."""

from urllib.parse import urlsplit

from linkify_it import LinkifyIt

# Fuzzy finds would take every "example.com" for an address: names of sites are words, and stay.
_finder = LinkifyIt(options={"fuzzy_link": False, "fuzzy_email": False, "fuzzy_ip": False})


def of_the_web(url: str) -> str:
    """Return an address of the web, nothing for any other: whatever is stored, a link runs nothing and leads nowhere
    else.
    """
    try:
        urlsplit(url)
    except ValueError:  # no address at all, such as "https://[x]/"
        return ""
    return url if url.lower().startswith(("http://", "https://")) else ""


def drop_addresses(text: str) -> str:
    """Return text without its web addresses."""
    kept, end = [], 0
    for match in _finder.match(text) or []:
        kept.append(text[end : match.index])
        end = match.last_index
    return "".join([*kept, text[end:]])


def has_address(text: str) -> bool:
    return bool(_finder.test(text))


def addresses(text: str) -> list[str]:
    """Return the http(s) addresses in text."""
    return [match.url for match in _finder.match(text) or [] if match.url.startswith(("http://", "https://"))]
