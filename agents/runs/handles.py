"""Map handles to what a planner may not see, and decide which addresses the owner wrote.

p1: a page; p1.l3: a link on it; s1: a search; s1.r2: a result; k1: a page that the owner kept; k1.r2: a passage of it;
b1: a tab or an unread page; a41: an answer; t1: a thought; o1: a source of the owner's own.
"""

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from agents.zones.inputs import Source, Untrusted
from agents.zones.reader_answers import Claim, Reading
from devices.web.hosts import HostInvalid, clean_url, covers, grant_host, registrable_domain
from thoughts.models import Page
from thoughts.text.addresses import addresses, of_the_web
from thoughts.text.private.addresses import cut_secrets_in

_EDGES = ".,;:!?()<>\"'[]{}«»„“”"
_HANDLE = re.compile(r"[abkpst]\d+(\.[lrc]\d+)?", re.IGNORECASE)


class Link(NamedTuple):
    """A link of a page that was not read. Its text is untrusted."""

    text: str
    url: str


class HandleUnknown(ValueError):
    """A handle that this run does not have: invented, or of another run."""


@dataclass
class Handles:
    """The handles of one run, and the owner's words, whose addresses may be opened.

    `snippets`: the texts of search results; only code compares them. `passages`: sentences of pages that are answered
    from as a whole. `turn_id`: the turn whose answer lists its evidence. `earlier`: the answers that came with the
    question, which are stored nowhere else. `asked_sites`: sites that the owner is at, or keeps as sources.
    """

    owner_words: list[str]
    urls: dict[str, str] = field(default_factory=dict)
    domains: dict[str, str] = field(default_factory=dict)
    sources: list[Source] = field(default_factory=list)
    for_writer: list[Untrusted] = field(default_factory=list)
    thoughts: dict[str, UUID] = field(default_factory=dict)
    pages: dict[str, Page] = field(default_factory=dict)
    snippets: dict[str, str] = field(default_factory=dict)
    passages: dict[str, list[Claim]] = field(default_factory=dict)
    turn_id: UUID | None = None
    earlier: dict[str, Untrusted] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)  # metadata of pages, for the sandbox alone
    asked_sites: set[str] = field(default_factory=set)
    found_on: dict[str, str] = field(default_factory=dict)  # the site of a search, by its results
    kept_days: dict[str, date] = field(default_factory=dict)  # pages of the vault, and the days on which they were kept
    searches: int = 0
    places: int = 0
    own: int = 0

    @property
    def has_untrusted(self) -> bool:
        return bool(self.sources or self.for_writer)

    @property
    def origin(self) -> set[str]:
        return {source.domain for source in self.sources}.union(*(item.origin for item in self.for_writer))

    def resolve(self, text: str) -> tuple[str, bool]:
        """Return the URL of a handle or address, and whether it is known.

        Raises HandleUnknown, HostInvalid.

        Handles of this run and addresses that the owner wrote are known. No model sees the secrets of such an address:
        the address without them stands for it.
        """
        if text in self.urls:
            return self.urls[text], True
        if _HANDLE.fullmatch(text.strip()):
            raise HandleUnknown(text)
        url = clean_url(text if "://" in text else f"https://{text}")
        if not self.is_known(url) and url in self._typed_by_cut:
            return self._typed_by_cut[url], True
        return url, self.is_known(url)

    def is_known(self, url: str) -> bool:
        """Whether the owner wrote exactly this address.

        An address written with http may be opened with https, never the other way.
        """
        try:
            return clean_url(url) in self._typed
        except HostInvalid:
            return False

    def ask_for(self, host: str) -> None:
        """Note that the owner asks for a site without writing its address."""
        self.asked_sites.add(registrable_domain(host))

    def is_asked_for(self, text: str) -> bool:
        """Whether the owner asked for the site of a handle or an address.

        Of handles only those count that lead to a site that the owner wrote, is at, or keeps as a source, and the
        results of a search within the site that was searched. A page or a search chose all others.
        """
        if text not in self.urls:
            return True
        site = registrable_domain(grant_host(self.urls[text]))
        return site == self.found_on.get(text) or site in self.asked_sites or site in self._typed_sites

    def add_page(self, page: Page, url: str, domain: str, links: Sequence[str] | None = None) -> str:
        """Add a page and its links. `links`: their targets, if not those of the row."""
        handle = f"p{len(self.pages) - len(self.kept_days) + 1}"
        self.pages[handle] = page
        self.urls[handle], self.domains[handle] = url, domain
        urls = [link["url"] for link in page.links] if links is None else links
        self.urls |= {f"{handle}.l{number}": link for number, link in enumerate(urls, 1)}
        return handle

    def add_search(self, results: list[tuple[str, str, str]], site: str = "") -> str:
        """Add a search on a site and its results: address, domain and snippet of each."""
        self.searches += 1
        handle = f"s{self.searches}"
        for number, (url, domain, snippet) in enumerate(results, 1):
            key = f"{handle}.r{number}"
            self.urls[key], self.domains[key], self.snippets[key] = url, domain, snippet
            self.found_on[key] = registrable_domain(site)
        return handle

    def add_place(self, url: str, domain: str, links: Sequence[Link] = ()) -> str:
        """Add a page that was not read, and its links.

        Only a link within the same site gets a domain and may appear in an answer: the page alone chose the others.
        """
        self.places += 1
        handle = f"b{self.places}"
        self.urls[handle], self.domains[handle] = url, domain
        for number, link in enumerate(links, 1):
            self.urls[f"{handle}.l{number}"] = link.url
            if covers(domain, host := grant_host(link.url)):
                self.domains[f"{handle}.l{number}"] = host
        return handle

    def add_own(self, url: str, domain: str) -> str:
        self.own += 1
        handle = f"o{self.own}"
        self.urls[handle], self.domains[handle] = url, domain
        self.ask_for(grant_host(url))
        return handle

    def add_kept(self, page: Page, day: date, claims: Sequence[Claim]) -> list[str]:
        """Add passages of a page that is kept; return a handle for each. The writer gets each passage once."""
        handle = next((key for key in self.kept_days if self.pages[key].pk == page.pk), f"k{len(self.kept_days) + 1}")
        self.pages[handle], self.kept_days[handle], self.domains[handle] = page, day, page.domain
        if of_the_web(page.url):
            self.urls[handle] = page.url
        earlier = self.supports(handle)
        together = [*earlier, *(claim for claim in claims if claim not in earlier)]
        words = f"The owner kept this page on {day:%-d %B %Y}."
        reading = Reading.model_construct(
            found=True, headline="", summary=words, claims=together, link_indices=[], made_with="extractive"
        )
        self.sources = [source for source in self.sources if source.handle != handle]
        self.add_reading(handle, page.domain, reading)
        return [f"{handle}.r{together.index(claim) + 1}" for claim in claims]

    @property
    def kept_passages(self) -> int:
        """Return how many passages of the vault the writer gets."""
        return sum(len(self.supports(handle)) for handle in self.kept_days)

    def hand(self, item: Untrusted) -> None:
        """Pass an item to the writer, once."""
        if item not in self.for_writer:
            self.for_writer.append(item)

    def add_reading(self, handle: str, domain: str, reading: Reading) -> None:
        self.sources.append(Source(handle, domain, reading))

    def supports(self, handle: str) -> list[Claim]:
        """Return the claims of a page in the order in which the writer sees them."""
        read = (source.reading.claims for source in self.sources if source.handle == handle)
        return next(read, self.passages.get(handle, []))

    @cached_property
    def _typed(self) -> set[str]:
        """Every address that the owner wrote.

        Cached: an answer may hold as many addresses as the owner's words.
        """
        words = {word for text in self.owner_words for word in text.split() if _may_be_address(word)}
        return {url for word in words for url in _addresses_of_word(word)}

    @cached_property
    def _typed_by_cut(self) -> dict[str, str]:
        """What the owner wrote, by the address that a model sees of it; of several the first."""
        by_cut = dict[str, str]()
        for url in sorted(self._typed):
            with contextlib.suppress(HostInvalid):
                by_cut.setdefault(clean_url(cut_secrets_in(url)), url)
        return by_cut

    @cached_property
    def _typed_sites(self) -> set[str]:
        return {registrable_domain(grant_host(url)) for url in self._typed}


def _may_be_address(word: str) -> bool:
    """Whether a word has a dot or a colon, as every address; other scripts have their own dots."""
    return "." in word or ":" in word or not word.isascii()


def _addresses_of_word(word: str) -> Iterator[str]:
    """Yield the addresses that a word of the owner's may mean, normalized.

    Without a scheme it is https.
    """
    bare = word.strip(_EDGES)
    for spelling in {bare, *addresses(word)}:
        try:
            url = clean_url(spelling if "://" in spelling else f"https://{spelling}")
            if "://" in spelling or _is_site(spelling, grant_host(url)):
                yield url
                yield clean_url("https:" + url.partition(":")[2])
        except HostInvalid:
            continue


def _is_site(word: str, host: str) -> bool:
    """Whether a word without a scheme names a site.

    "1.5" and "3:1" do not, although URL parsers take them for IP addresses.
    """
    return ("." in word or ":" in word) and (host.partition(":")[0] in word or any(letter.isalpha() for letter in host))
