"""Search engines: their names, for questions to the owner, and their addresses, for the settings."""

from constance import config

from devices.models import Ask, Grant
from devices.web.hosts import HostInvalid, grant_host

ENGINES = {
    "Bing": "https://www.bing.com/search?q={query}",
    "Brave": "https://search.brave.com/search?q={query}",
    "DuckDuckGo": "https://html.duckduckgo.com/html/?q={query}",
    "Ecosia": "https://www.ecosia.org/search?q={query}",
    "Google": "https://www.google.com/search?q={query}",
    "Kagi": "https://kagi.com/search?q={query}",
    "Mojeek": "https://www.mojeek.com/search?q={query}",
    "Startpage": "https://www.startpage.com/do/search?query={query}",
}


def engine_name(host: str) -> str:
    """Return the name of a search engine of the settings, else nothing. One without a name goes by its host."""
    return _NAMES.get(host, host) if host in engine_hosts() else ""


def known_name(host: str) -> str:
    """Return the name that the owner knows a searched site by."""
    return _NAMES.get(host, host)


def first_engine_name() -> str:
    """Return the name of the owner's search engine, the first of the settings."""
    return known_name(_host(str(config.SEARCH_TEMPLATE))) or "your search engine"


def engine_of(ask: Ask) -> str:
    """Return the name of the engine that a question is about, else nothing."""
    is_reading = ask.kind == Ask.Kind.GRANT and ask.capability == Grant.Capability.READ
    return engine_name(ask.host) if is_reading else ""


def engine_hosts() -> set[str]:
    templates = [str(config.SEARCH_TEMPLATE), *str(config.SEARCH_MORE).split()]
    return {host for template in templates if (host := _host(template))}


def _host(template: str) -> str:
    try:
        return grant_host(template.replace("{query}", "x"))
    except HostInvalid:
        return ""


_NAMES = {_host(template): name for name, template in ENGINES.items()}
_NAMES |= dict.fromkeys(("duckduckgo.com", "lite.duckduckgo.com"), "DuckDuckGo")
