"""Handles stand for what a planner may not see: p1 a page, p1.l3 a link on it, s1 a search, s1.r2 a result, a41 an answer."""

from dataclasses import dataclass, field

from agents.readings import Reading
from agents.zones import Source, Untrusted
from devices.hosts import HostInvalid, clean_url
from thoughts.models import Page

_EDGES = ".,;:!?()<>\"'[]{}«»„“”"


@dataclass
class Handles:
    """All that one run has met, by handle, and the owner's words in which addresses may stand."""

    owner_words: list[str]
    urls: dict[str, str] = field(default_factory=dict)
    domains: dict[str, str] = field(default_factory=dict)
    sources: list[Source] = field(default_factory=list)
    handed: list[Untrusted] = field(default_factory=list)
    pages: dict[str, Page] = field(default_factory=dict)
    searches: int = 0

    @property
    def has_untrusted(self) -> bool:
        return bool(self.sources or self.handed)

    @property
    def origin(self) -> set[str]:
        return {source.domain for source in self.sources}.union(*(item.origin for item in self.handed))

    def resolve(self, text: str) -> tuple[str, bool]:
        """Return the URL that `text` means, and whether it is known: a handle, or an address that the owner wrote. Raises HostInvalid."""
        if text in self.urls:
            return self.urls[text], True
        url = clean_url(text if "://" in text else f"https://{text}")
        return url, self.is_known(url)

    def is_known(self, url: str) -> bool:
        """Whether the owner wrote this address."""
        return _bare(url) in self._typed()

    def add_page(self, page: Page, url: str, domain: str) -> str:
        handle = f"p{len(self.pages) + 1}"
        self.pages[handle] = page
        self.urls[handle], self.domains[handle] = url, domain
        for number, link in enumerate(page.links, 1):
            self.urls[f"{handle}.l{number}"] = link["url"]
        return handle

    def add_search(self, urls: list[tuple[str, str]]) -> str:
        self.searches += 1
        handle = f"s{self.searches}"
        for number, (url, domain) in enumerate(urls, 1):
            self.urls[f"{handle}.r{number}"], self.domains[f"{handle}.r{number}"] = url, domain
        return handle

    def add_reading(self, handle: str, domain: str, reading: Reading) -> None:
        self.sources.append(Source(handle, domain, reading))

    def _typed(self) -> set[str]:
        words = {word.strip(_EDGES) for text in self.owner_words for word in text.split()}
        return {_bare(word) for word in words if "." in word or ":" in word}


def _bare(url: str) -> str:
    """Return an address without scheme and last slash, so that what the owner typed and what a model writes of it compare equal."""
    try:
        url = clean_url(url if "://" in url else f"https://{url}")
    except HostInvalid:
        return ""
    return url.partition("://")[2].rstrip("/")
