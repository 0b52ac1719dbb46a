"""Sites as planners learn them: the registrable domain, bounded. Whoever owns a domain chooses each word below it."""

import re
from collections.abc import Iterable
from typing import Any

from agents.llm.messages import LONG_NAME, TYPED
from devices.web.hosts import registrable_domain

MOST = 8
_PORT = re.compile(r":\d{1,5}$")


def site_name(host: str) -> str:
    """Return the registrable domain of a host without its port, LONG_NAME for one that could say something."""
    name = registrable_domain(_PORT.sub("", host) if host.count(":") == 1 or "]" in host else host)
    return name if TYPED["domain"].fullmatch(name) else LONG_NAME


def site_names(hosts: Iterable[str]) -> tuple[str, ...]:
    """Return the names of sites, each once, at most MOST."""
    return tuple(dict.fromkeys(map(site_name, hosts)))[:MOST]


def with_site_names(content: Any, field: str = "") -> Any:
    """Return a copy of a tool's result in which each `domain` is a site's name."""
    if isinstance(content, dict):
        return {name: with_site_names(value, name) for name, value in content.items()}
    if isinstance(content, list):
        return [with_site_names(value, field) for value in content]
    return site_name(content) if field == "domain" and isinstance(content, str) else content
