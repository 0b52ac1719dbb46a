"""URLs and hosts as browsers see them (WHATWG URL), and which of them a grant may name.

browser_ext/src/hosts.ts has the same rules, except for public suffixes. Both are tested with
tests/devices/web/hosts_table.json.
"""

import ipaddress
import re
from functools import lru_cache

import ada_url
from django.conf import settings
from publicsuffixlist import PublicSuffixList

from thoughts.text.covering import covers as covers
from thoughts.text.private.url_secrets import without_secret_segments, without_secrets

DEFAULT_PORTS = {"http:": "80", "https:": "443"}
HOST_CHARACTERS = 253  # the limit of DNS, with labels of 63
LABEL = re.compile(r"[a-z0-9_-]{1,63}")


class HostInvalid(ValueError):
    """A host or URL that Penny does not open. The text says why, for people.

    `code` is one of no_address, scheme, userinfo, bad_host, own, public_suffix, bad_scope, too_wide.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@lru_cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()  # bundled, with the private part; an unlisted top-level name is its own suffix


def parse_url(text: str) -> ada_url.URL:
    """Parse an http(s) URL. Raises HostInvalid."""
    try:
        url = ada_url.URL(text)
    except ValueError:
        raise HostInvalid("no_address", "That is not a web address.") from None
    if _is_undecodable(str(url.hostname)):
        raise HostInvalid("no_address", "That is not a web address.")
    if url.protocol not in DEFAULT_PORTS:
        raise HostInvalid("scheme", "Penny opens only http and https addresses.")
    if url.username or url.password:
        raise HostInvalid("userinfo", "Penny opens no address that carries a user name or password.")
    if not _is_host(url):
        raise HostInvalid("bad_host", "That address has no host that can exist.")
    return url


def clean_url(text: str) -> str:
    """Return the URL in its normal form, without a fragment. Raises HostInvalid."""
    url = parse_url(text)
    url.hash = ""
    return str(url.href)


def url_to_store(text: str) -> str:
    """Return the URL without its fragment and without secrets. Raises HostInvalid."""
    url = parse_url(text)
    url.hash = ""
    cut_secrets(url)
    return str(url.href)


def cut_secrets(url: ada_url.URL) -> None:
    url.pathname = without_secret_segments(url.pathname)
    url.search = without_secrets(url.search.removeprefix("?"))


def grant_host(url_text: str) -> str:
    """Return the host of a URL as grants name it. Raises HostInvalid.

    Punycode, no last dot. IP literals and localhost with their port.
    """
    return host_of(parse_url(url_text))


def host_of(url: ada_url.URL) -> str:
    """Return the host of a parsed URL as grants name it."""
    host = _bare_host(url)
    return f"{host}:{url.port or DEFAULT_PORTS[url.protocol]}" if _is_exact(host) else host


def normalise_host(text: str) -> str:
    """Return the host or address that the owner typed as a grantable host. Raises HostInvalid."""
    text = text.strip()
    host = grant_host(text if "://" in text else f"http://{text}")
    if is_own(host):
        raise HostInvalid("own", "Penny's own address can never be granted.")
    if ":" not in host and _suffixes().privatesuffix(host) is None:
        raise HostInvalid(
            "public_suffix", f"{host} is a public suffix: many people's sites live below it. Grant one of those sites."
        )
    return host


def is_own(host: str) -> bool:
    """Whether a host, as grants name it, is Penny herself, by whatever name."""
    return _place(host) == _own_place(settings.PUBLIC_URL)


@lru_cache(maxsize=1)
def _own_place(public_url: str) -> str:
    return _place(grant_host(public_url))


def _bare_host(url: ada_url.URL) -> str:
    return str(url.hostname).removesuffix(".")


def _is_host(url: ada_url.URL) -> bool:
    host = _bare_host(url)
    if host.startswith("["):
        return True
    return len(host) <= HOST_CHARACTERS and all(LABEL.fullmatch(label) for label in host.split("."))


def _is_undecodable(host: str) -> bool:
    """Return whether a label claims to be punycode and is not.

    Browsers refuse such a host, this parser does not.
    """
    return any(label.startswith("xn--") and ada_url.idna_to_unicode(label) == label for label in host.split("."))


def _is_exact(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    return _address(host) is not None


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the IP address of a literal; IPv4 in IPv6 notation as IPv4."""
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None
    return (address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None) or address


def is_loopback(name: str) -> bool:
    """Whether a host name, without port, is this machine's own."""
    address = _address(name)
    return name in ("localhost", "") or bool(address and (address.is_loopback or address.is_unspecified))


def _place(host: str) -> str:
    """Return the same text for all names of this machine, on one port."""
    name, _, port = host.rpartition(":")
    if not name:
        return host
    address = _address(name)
    is_here = address is None or address.is_loopback or address.is_unspecified
    return f"{'localhost' if is_here else address}:{port}"


def registrable_domain(host: str) -> str:
    """Return the registrable domain of a host from `grant_host`; without one the host itself."""
    return host if ":" in host or _address(host) else _suffixes().privatesuffix(host) or host
