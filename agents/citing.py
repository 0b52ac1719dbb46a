"""What a sentence of an answer rests on: [p1.c2] becomes a link to page p1, and one to the passage in it as it was read."""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from django.conf import settings
from django.urls import reverse

from agents.handles import Handles
from agents.readings import Claim
from devices.hosts import url_to_store
from thoughts.duplicates import cosine, words

_HANDLE = re.compile(r"\[([ps]\d+(?:\.[lrc]\d+)?(?:\s*,\s*[ps]\d+(?:\.[lrc]\d+)?)*)\]")
_SENTENCE = re.compile(r"\S.*?(?:[.!?…]+(?=\s|$)|$)(?:\s*\[[ps]\d[^\]]*\])*")
_NO_SENTENCES = re.compile(r"\s*[#|>]")  # headings, tables, quotations
SAYS_SOMETHING, NEARLY_THE_SAME = 4, 0.6  # words, and the cosine of their counts
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+|\]\s*")


class Cited(NamedTuple):
    """A claim of an answer: the key of its page, and the span of the page that supports it."""

    page: int
    text: str
    quote: str
    start: int
    end: int


class Linked(NamedTuple):
    """Markdown with its links, the addresses that it may link, and the claims whose numbers (from 1) stand in it."""

    text: str
    links: list[str]
    claims: list[Cited]


@dataclass
class Links:
    """The links of one answer, as they are written one after the other."""

    handles: Handles
    urls: list[str] = field(default_factory=list)
    claims: list[Cited] = field(default_factory=list)

    def page(self, handle: str) -> str:
        """Return a link to what a handle stands for, named by its domain; nothing for one that is unknown."""
        url, domain = self.handles.urls.get(handle), self.handles.domains.get(handle)
        if url is None or domain is None:
            return ""
        safe = url_to_store(url).replace("(", "%28").replace(")", "%29")
        self.urls.append(safe)
        return f"[{domain}]({safe})"

    def evidence(self, handle: str, claim: Claim) -> str:
        """Return a link, named by its number, to a claim in the page as it was stored."""
        page, turn_id = self.handles.pages.get(handle), self.handles.turn_id
        if page is None or turn_id is None:
            return ""
        cited = Cited(page.pk, claim.text, claim.quote, claim.start, claim.end)
        if cited not in self.claims:
            self.claims.append(cited)
        number = self.claims.index(cited) + 1
        url = settings.PUBLIC_URL + reverse("answer_evidence", args=[turn_id, number])
        self.urls.append(url)
        return f"[{number}]({url})"

    def done(self, text: str) -> Linked:
        return Linked(text, self.urls, self.claims)


def link_handles(text: str, handles: Handles) -> Linked:
    """Return Markdown in which [p1.c2] is a link named by the domain of p1 and one to its second claim; unknown handles go.

    Where a page is named without a claim, it is the claim whose words are most like those of the sentence.
    """
    links = Links(handles)

    def replace(match: re.Match[str]) -> str:
        named = [name.strip().partition(".c") for name in match[1].split(",")]
        pages = {handle: links.page(handle) for handle, _, _ in named}
        sentence = _sentence_before(text[: match.start()])
        claims = [(handle, claim) for handle, _, number in named for claim in _meant(handles, handle, number, sentence)]
        evidence = [links.evidence(handle, claim) for handle, claim in dict.fromkeys(claims)]
        return " ".join(filter(None, [", ".join(filter(None, pages.values())), *evidence]))

    return links.done(_HANDLE.sub(replace, text))


def cite_uncited(text: str, handles: Handles) -> str:
    """Return Markdown in which a sentence that names no source names the claim that says nearly the same, where there is one."""
    claims = ((handle, number, claim) for handle in handles.pages for number, claim in enumerate(handles.supports(handle), 1))
    known = [(f"{handle}.c{number}", words(claim.quote), words(claim.text)) for handle, number, claim in claims]

    def cited(match: re.Match[str]) -> str:
        said = words(match[0])
        if "[" in match[0] or len(said) < SAYS_SOMETHING:
            return match[0]
        likeness, name = max(((max(cosine(said, quote), cosine(said, claim)), name) for name, quote, claim in known), default=(0.0, ""))
        return f"{match[0]} [{name}]" if likeness >= NEARLY_THE_SAME else match[0]

    if "```" in text:
        return text
    return "\n".join(line if _NO_SENTENCES.match(line) else _SENTENCE.sub(cited, line) for line in text.split("\n"))


def _meant(handles: Handles, handle: str, number: str, sentence: str) -> list[Claim]:
    """Return the claim of that number (from 1), or those that a sentence rests on which names the page alone."""
    claims = handles.supports(handle)
    if number and 1 <= int(number) <= len(claims):
        return [claims[int(number) - 1]]
    said = words(sentence)
    alike, place = max(((cosine(said, words(claim.quote)), -place) for place, claim in enumerate(claims)), default=(0.0, 0))
    if alike:
        return [claims[-place]]
    # In another language than the page, say: all of what the writer saw of it, unless that was the whole page.
    return [] if handle in handles.passages else claims


def _sentence_before(text: str) -> str:
    """Return the last sentence of a text."""
    return next((piece for piece in reversed(_SENTENCE_END.split(text)) if piece.strip()), "")


_PASSAGE = re.compile(r"\S[^\n]*?(?:[.!?…](?=\s|$)|[。！？]|$)", re.MULTILINE)
PASSAGE_MIN, PASSAGE_MAX = 20, 300


def passages(text: str) -> list[Claim]:
    """Return the sentences of a page that no reader has read for its claims: each says itself."""
    found = (match for match in _PASSAGE.finditer(text) if PASSAGE_MIN <= len(match[0]) <= PASSAGE_MAX)
    return [Claim.model_construct(text=match[0], quote=match[0], start=match.start(), end=match.end()) for match in found]
