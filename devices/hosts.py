"""URLs and hosts as the browsers see them (WHATWG URL), and which of them a grant may name."""

import ipaddress
from functools import lru_cache
from urllib.parse import urlsplit

import ada_url
from django.conf import settings
from publicsuffixlist import PublicSuffixList

SECRET_WORDS = (
    "token", "key", "apikey", "api_key", "access_token", "auth", "authorization", "code", "credential", "jwt", "pass", "passwd", "password",
    "secret", "session", "sessionid", "sid", "sig", "signature", "state", "ticket", "otp", "nonce", "phpsessid", "jsessionid",
)  # fmt: skip


class HostInvalid(ValueError):
    """A host or URL that Penny does not open; the text says why, for people."""


@lru_cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()  # bundled list, private part included; an unlisted top-level name is its own suffix


def parse_url(text: str) -> ada_url.URL:
    """Return the parsed http(s) URL. Raises HostInvalid."""
    try:
        url = ada_url.URL(text.strip())
    except ValueError:
        raise HostInvalid("That is not a web address.") from None
    if url.protocol not in ("http:", "https:"):
        raise HostInvalid("Penny opens only http and https addresses.")
    if url.username or url.password:
        raise HostInvalid("Penny opens no address that carries a user name or password.")
    if not url.hostname:
        raise HostInvalid("That address has no host.")
    return url


def clean_url(text: str) -> str:
    """Return the URL in its normal form, without a fragment. Raises HostInvalid."""
    url = parse_url(text)
    url.hash = ""
    return str(url.href)


def url_to_store(text: str) -> str:
    """Return the URL without parameters that look like secrets. Raises HostInvalid."""
    url = parse_url(text)
    url.hash = ""
    parameters = ada_url.URLSearchParams(url.search)
    for name in list(parameters.keys()):
        if any(word in name.lower().replace("-", "_").split("_") or word == name.lower() for word in SECRET_WORDS):
            parameters.delete(name)
    if parameters.size != ada_url.URLSearchParams(url.search).size:
        url.search = str(parameters)
    return str(url.href)


def grant_host(url_text: str) -> str:
    """Return the host of a URL as grants name it: punycode, no last dot; IP literals and localhost with their port. Raises HostInvalid."""
    url = parse_url(url_text)
    host = url.hostname.rstrip(".")
    if not host:
        raise HostInvalid("That address has no host.")
    if _is_exact(host):
        return f"{host}:{url.port or ('443' if url.protocol == 'https:' else '80')}"
    return host


def normalise_host(text: str) -> str:
    """Return what the owner typed (a host or an address) as a host that a grant may name. Raises HostInvalid."""
    text = text.strip()
    host = grant_host(text if "://" in text else f"http://{text}")
    if host == own_host() or host in _own_aliases():
        raise HostInvalid("Penny's own address can never be granted.")
    if not _is_exact(host.rpartition(":")[0] or host) and _suffixes().privatesuffix(host) is None:
        raise HostInvalid(f"{host} is a public suffix: many people's sites live below it. Grant one of those sites.")
    return host


def own_host() -> str:
    return grant_host(settings.PUBLIC_URL)


def covers(granted: str, host: str) -> bool:
    """Whether a grant for `granted` speaks of `host`: itself or a subdomain; IP literals and localhost only exactly."""
    return host == granted or (":" not in granted and host.endswith("." + granted))


def _own_aliases() -> set[str]:
    port = urlsplit(settings.PUBLIC_URL).port or (443 if settings.PUBLIC_URL.startswith("https") else 80)
    return {f"{name}:{port}" for name in settings.LOOPBACK_NAMES} if settings.IS_LOOPBACK else set()


def _is_exact(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True
