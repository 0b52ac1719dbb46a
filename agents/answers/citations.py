"""Turn handles in an answer into links: [p1.c2] links page p1 and the passage of claim 2."""

import math
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from agents.runs.handles import Handles
from agents.zones.reader_answers import Claim
from devices.web.hosts import url_to_store
from devices.web.links import link_to
from thoughts.models import Page
from thoughts.text.moments import moment_of, moment_url, moment_words
from thoughts.text.page_form import plain_view
from thoughts.text.words import reading_length, words

_HANDLE = re.compile(r"\[([bkps]\d+(?:\.[lrc]\d+)?(?:\s*,\s*[bkps]\d+(?:\.[lrc]\d+)?)*)\]")
_OF_A_KEPT_PAGE = re.compile(r"(k\d+)\.r(\d+)")  # a writer also gives the passage of a kept page as its claim, k1.c2
_SENTENCE = re.compile(r"\S.*?(?:[.!?…]+(?=\s|$)|$)(?:\s*\[[bkps]\d[^\]]*\])*")
_NO_SENTENCES = re.compile(r"\s*[#|>]")  # headings, tables, quotations
SAYS_SOMETHING, NEARLY_THE_SAME = 4, 0.6  # words, and the cosine of their counts
SENTENCE_MAX, COMPARED_MAX, NUMBER_DIGITS = 600, 100, 6
CLAIM_CHARACTERS = 300  # of a stored claim; a passage of a kept page may be longer
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+|\]\s*")


class Cited(NamedTuple):
    """A cited claim: the primary key of its page, and the span of the page that supports it."""

    page: int
    text: str
    quote: str
    start: int
    end: int


class Linked(NamedTuple):
    """Markdown, the addresses that it may link, and its claims, numbered from 1."""

    text: str
    links: list[str]
    claims: list[Cited]


@dataclass
class Links:
    """Collect the links of one answer in the order in which they are written."""

    handles: Handles
    urls: list[str] = field(default_factory=list)
    numbers: dict[Cited, int] = field(default_factory=dict)
    _stored_urls: dict[str, str] = field(default_factory=dict)  # by URL: an answer may cite one page in each sentence

    def page(self, handle: str) -> str:
        """Return a link to the page of a handle, named by its domain. Unknown handles give nothing."""
        url, domain = self.handles.urls.get(handle), self.handles.domains.get(handle)
        if url is None or domain is None:
            return ""
        return self._link(domain, self._stored(url))

    def evidence(self, handle: str, claim: Claim) -> str:
        """Return the number of a claim as a link to its evidence; of a transcript also the moment on the page."""
        page, turn_id = self.handles.pages.get(handle), self.handles.turn_id
        if page is None or turn_id is None:
            return ""
        key = Cited(page.pk, _short(claim.text), claim.quote, claim.start, claim.end)
        number = self.numbers.setdefault(key, len(self.numbers) + 1)
        evidence = self._link(str(number), link_to("answer_evidence", turn_id, number))
        return f"{evidence} {self._moment(handle, page, claim)}".rstrip()

    def _moment(self, handle: str, page: Page, claim: Claim) -> str:
        seconds, url = moment_of(page.text, claim.start), self.handles.urls.get(handle)
        there = "" if seconds is None or url is None else moment_url(self._stored(url), seconds)
        return self._link(f"at {moment_words(seconds)}", there) if there and seconds is not None else ""

    def _stored(self, url: str) -> str:
        if url not in self._stored_urls:
            self._stored_urls[url] = url_to_store(url)
        return self._stored_urls[url]

    def _link(self, name: str, url: str) -> str:
        safe = url.replace("(", "%28").replace(")", "%29")
        self.urls.append(safe)
        return f"[{name}]({safe})"

    @property
    def claims(self) -> list[Cited]:
        return list(self.numbers)

    def done(self, text: str) -> Linked:
        return Linked(text, self.urls, self.claims)


def link_handles(text: str, handles: Handles) -> Linked:
    """Replace the handles in Markdown by links. Unknown handles are dropped.

    A page that is named without a claim gets the claim whose words are most like those of the sentence before it.
    """
    links, likeness = Links(handles), Likeness(handles)

    def replace(match: re.Match[str]) -> str:
        references = [_OF_A_KEPT_PAGE.sub(r"\1.c\2", name.strip()).partition(".c") for name in match[1].split(",")]
        pages = {handle: links.page(handle) for handle, _, _ in references}
        sentence = _sentence_before(text[max(0, match.start() - SENTENCE_MAX) : match.start()])
        claims = [
            (handle, claim)
            for handle, _, number in references
            for claim in _cited_claims(likeness, handle, number, sentence)
        ]
        evidence = [links.evidence(handle, claim) for handle, claim in dict.fromkeys(claims)]
        return " ".join(filter(None, [", ".join(filter(None, pages.values())), *evidence]))

    return links.done(_HANDLE.sub(replace, text))


def _short(text: str) -> str:
    return text if len(text) <= CLAIM_CHARACTERS else text[: CLAIM_CHARACTERS - 2].rpartition(" ")[0] + " …"


class Likeness:
    """Compare sentences with the claims of pages.

    The number of comparisons is limited: a page may try to make the writer cite it without end.
    """

    def __init__(self, handles: Handles) -> None:
        self.handles, self.comparisons_left = handles, COMPARED_MAX
        self._claim_words: dict[str, list[tuple[Counter[str], float]]] = {}

    def nearest(self, handle: str, sentence: str) -> tuple[float, int]:
        """Return the cosine of the most similar claim of a page, and its index; (0, 0) for none."""
        if self.comparisons_left <= 0:
            return 0.0, 0
        self.comparisons_left -= 1
        counts = words(sentence)
        length = _length(counts)
        likenesses = [
            (_dot(counts, claim_words) / (length * claim_length), -place)
            for place, (claim_words, claim_length) in enumerate(self._of(handle))
            if length
        ]
        best, place = max(likenesses, default=(0.0, 0))
        return best, -place

    def _of(self, handle: str) -> list[tuple[Counter[str], float]]:
        if handle not in self._claim_words:
            counts = [words(claim.quote) for claim in self.handles.supports(handle)]
            self._claim_words[handle] = [(claim_words, _length(claim_words) or 1.0) for claim_words in counts]
        return self._claim_words[handle]


def _dot(one: Counter[str], other: Counter[str]) -> float:
    return float(sum(count * other[word] for word, count in one.items() if word in other))


def _length(counts: Counter[str]) -> float:
    return math.sqrt(sum(count * count for count in counts.values()))


def cite_uncited(text: str, handles: Handles) -> str:
    """Add a citation to each sentence without one that says nearly the same as a claim."""
    likeness = Likeness(handles)

    def add_citation(match: re.Match[str]) -> str:
        if "[" in match[0] or len(words(match[0][:SENTENCE_MAX])) < SAYS_SOMETHING:
            return match[0]
        nearest = [(*likeness.nearest(handle, match[0][:SENTENCE_MAX]), handle) for handle in handles.pages]
        alike, place, handle = max(nearest, default=(0.0, 0, ""))
        return f"{match[0]} [{handle}.c{place + 1}]" if alike >= NEARLY_THE_SAME else match[0]

    if "```" in text:
        return text
    return "\n".join(
        line if _NO_SENTENCES.match(line) else _SENTENCE.sub(add_citation, line) for line in text.split("\n")
    )


def _cited_claims(likeness: Likeness, handle: str, number: str, sentence: str) -> list[Claim]:
    """Return the claim with this number (from 1), else those that fit the sentence."""
    claims = likeness.handles.supports(handle)
    if 0 < len(number) < NUMBER_DIGITS and 1 <= int(number) <= len(claims):
        return [claims[int(number) - 1]]
    alike, place = likeness.nearest(handle, sentence)
    if alike:
        return [claims[place]]
    # No common words, for example another language: cite all claims, unless the writer saw the whole page.
    return [] if handle in likeness.handles.passages else claims


def _sentence_before(text: str) -> str:
    return next((piece for piece in reversed(_SENTENCE_END.split(text)) if piece.strip()), "")


_PASSAGE = re.compile(r"\S[^\n]*?(?:[.!?…](?=\s|$)|[。！？।؟۔።]|$)", re.MULTILINE)
PASSAGE_MIN, PASSAGE_MAX = 20, 300


def passages(text: str) -> list[Claim]:
    """Return the sentences of a page as claims. For pages that no reader has read."""
    page = plain_view(text)
    matches = (
        match for match in _PASSAGE.finditer(page.text) if PASSAGE_MIN <= reading_length(match[0]) <= PASSAGE_MAX
    )
    spans = ((match[0], *page.span(*match.span())) for match in matches)
    return [
        Claim.model_construct(text=words, quote=text[start:end], start=start, end=end) for words, start, end in spans
    ]
