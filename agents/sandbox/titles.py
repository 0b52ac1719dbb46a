"""Find topics in page titles without a model: phrases that many titles share.

Parts that a site adds to each of its titles are left out.
"""

import re
from collections import Counter
from collections.abc import Iterator

from bm25s.stopwords import STOPWORDS_EN_PLUS, STOPWORDS_FRENCH, STOPWORDS_GERMAN, STOPWORDS_ITALIAN, STOPWORDS_SPANISH

from agents.zones.reader_answers import Reading, of_candidates
from agents.zones.sandbox_messages import ReadingRequest
from thoughts.text.plain_words import is_plain

CANDIDATES = 5
PHRASE_TITLES, WORD_TITLES = 3, 4  # titles that must share a phrase, or a single word, which says less
PHRASE_MAX = 3
SITES_SAY_IT = 3  # a part that so many titles begin or end with belongs to the site
_PARTS = re.compile(r"\s+[|·•»–—-]\s+|\s*[|»•]\s*|:\s")
_WORD = re.compile(r"[^\W\d_]{3,}")
# Words of titles that are no topic.
_ABOUT_NOTHING = {
    "account", "article", "articles", "best", "blog", "buy", "cart", "channel", "check", "comment", "comments",
    "contact", "dashboard",
    "day", "days", "docs", "download", "edit", "episode", "error", "forum", "free", "guide", "help", "home",
    "homepage", "how", "inbox",
    "index", "info", "latest", "list", "login", "log", "mail", "menu", "message", "messages", "new", "news",
    "official", "online",
    "order", "page", "pages", "part", "pdf", "photo", "photos", "post", "posts", "price", "profile", "question",
    "questions", "reply",
    "results", "review", "reviews", "search", "settings", "shop", "sign", "site", "store", "test", "thread", "title",
    "tips", "today",
    "top", "topic", "tutorial", "untitled", "update", "updates", "using", "version", "video", "videos", "view",
    "watch", "web",
    "website", "welcome", "what", "why", "wiki", "with", "year", "years", "your", "youtube", "wikipedia", "google",
    "startseite",
    "suche", "seite", "neu", "kaufen", "anmelden",
}  # fmt: skip
_STOP = frozenset(_ABOUT_NOTHING).union(
    STOPWORDS_EN_PLUS, STOPWORDS_FRENCH, STOPWORDS_GERMAN, STOPWORDS_ITALIAN, STOPWORDS_SPANISH
)


def read_visited(request: ReadingRequest) -> Reading:
    """Return the topics that several titles share, the most frequent first."""
    return of_candidates(topics_of(request.text.splitlines()), "extractive")


def topics_of(titles: list[str]) -> list[str]:
    parts = [_PARTS.split(title.lower()) for title in dict.fromkeys(titles)]
    site_parts = {
        part for part, count in Counter(part for some in parts for part in set(some)).items() if count >= SITES_SAY_IT
    }
    counts: Counter[tuple[str, ...]] = Counter()
    for some in parts:
        counts.update({phrase for part in some if part not in site_parts for phrase in _phrases(part)})
    often = [phrase for phrase, count in counts.items() if count >= (PHRASE_TITLES if len(phrase) > 1 else WORD_TITLES)]
    best = sorted(often, key=lambda phrase: (-counts[phrase] * len(phrase), phrase))
    topics: list[tuple[str, ...]] = []
    for phrase in best:
        if (
            len(topics) < CANDIDATES
            and not any(set(phrase) & set(other) for other in topics)
            and is_plain(" ".join(phrase))
        ):
            topics.append(phrase)
    return [" ".join(phrase) for phrase in topics]


def _phrases(part: str) -> Iterator[tuple[str, ...]]:
    run: list[str] = []
    for word in [*_WORD.findall(part), ""]:
        if word and word not in _STOP:
            run.append(word)
            continue
        yield from (tuple(run[a:b]) for a in range(len(run)) for b in range(a + 1, min(a + PHRASE_MAX, len(run)) + 1))
        run = []
