"""Search the handbook by words in titles, headings and text, ignoring case and accents."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from penny_site.help.handbook import CONTENTS, Handbook, Page, Section
from thoughts.text.search_words import fold_letters
from thoughts.text.snippets import WORD, Part, is_form, snippet

QUERY_CHARACTERS = 100
QUERY_WORDS = 8
HITS_MAX = 12
# Weights of a match by its place.
_IN_TITLE, _IN_HEADING, _IN_TEXT = 100, 10, 1
# Words of a question without a subject.
_FILLERS = {
    "a", "about", "an", "and", "are", "as", "at", "be", "by", "can", "could", "do", "does", "for", "from", "has",
    "have", "her", "how", "i", "if", "in", "is", "it", "me", "my", "of", "on", "or", "penny", "see", "set", "she",
    "should", "that", "the", "there", "this", "to", "use", "want", "what", "when", "where", "which", "who", "why",
    "will", "with", "you", "your",
}  # fmt: skip


@dataclass(frozen=True)
class Hit:
    page: Page
    section: Section
    snippet: list[Part]

    @property
    def is_whole_page(self) -> bool:
        return self.section is self.page.sections[0]

    @property
    def address(self) -> str:
        return self.page.address + ("" if self.is_whole_page else f"#{self.section.id}")


@dataclass(frozen=True)
class SearchResult:
    query: str
    hits: list[Hit]
    has_all_words: bool


@dataclass(frozen=True)
class _Indexed:
    """A section with its folded words, by the weight of their place."""

    page: Page
    section: Section
    words: dict[int, frozenset[str]]

    def rank(self, query_forms: list[frozenset[str]]) -> tuple[int, int, int]:
        """Return how many query words the section has, their lowest weight, and the sum of weights.

        Each query word is given as its forms. The lowest weight goes before the sum: two words in a heading say more
        than one in a title and one in the text.
        """
        places = [
            next((place for place, words in self.words.items() if not words.isdisjoint(forms)), 0)
            for forms in query_forms
        ]
        return sum(place > 0 for place in places), min(filter(None, places), default=0), sum(places)


def search(handbook: Handbook, query: str) -> SearchResult:
    """Return the best section of each page with all words of the query.

    If no section has all words, return those with the most words.
    """
    query = " ".join(query.replace("\0", " ")[:QUERY_CHARACTERS].split())
    words = _query_words(query)
    index = _index(handbook)
    query_forms = [frozenset(form for form in _vocabulary(handbook) if is_form(form, word)) for word in words]
    ranked = [(section.rank(query_forms), section) for section in index]
    most = max((rank[0] for rank, _ in ranked), default=0)
    hits: dict[str, Hit] = {}
    for _, best in sorted((item for item in ranked if item[0][0] == most > 0), key=lambda item: item[0], reverse=True):
        hits.setdefault(best.page.name, Hit(best.page, best.section, snippet(best.section.text, words)))
    return SearchResult(query, list(hits.values())[:HITS_MAX], most == len(words))


def _query_words(query: str) -> list[str]:
    words = list(dict.fromkeys(_words(query)))
    return ([word for word in words if word not in _FILLERS] or words)[:QUERY_WORDS]


def _words(text: str) -> Iterator[str]:
    return (fold_letters(match[0]) for match in WORD.finditer(text))


@lru_cache(maxsize=1)
def _index(handbook: Handbook) -> list[_Indexed]:
    return [
        _Indexed(page, section, _words_by_place(page, section))
        for page in handbook.pages.values()
        if page.name != CONTENTS
        for section in page.sections
    ]


@lru_cache(maxsize=1)
def _vocabulary(handbook: Handbook) -> frozenset[str]:
    return frozenset().union(*(words for section in _index(handbook) for words in section.words.values()))


def _words_by_place(page: Page, section: Section) -> dict[int, frozenset[str]]:
    places = {_IN_TITLE: page.title, _IN_HEADING: section.heading, _IN_TEXT: section.text}
    return {place: frozenset(_words(text)) for place, text in places.items()}
