"""Decide whether a page is about health, money or sex, by its site, address and title.

Rather too much than too little is found.
"""

import unicodedata
from functools import lru_cache

from thoughts.text.private.words import Words, blank, data, entries, fold, on_one_line

TEXT_CHARACTERS = 4_000


def topic_of(domain: str, path: str, title: str) -> str | None:
    """Return `health`, `money` or `sex`, or None. The path may hold a query."""
    if topic := _sites_topic(domain):
        return topic
    whole = on_one_line(unicodedata.normalize("NFKC", f"{title} {domain} {path}"))[:TEXT_CHARACTERS]
    folded = fold(whole)
    text = blank(folded, _harmless().positions(folded))
    return next((topic for topic, words in _topics().items() if words.has_any(text)), None)


def _sites_topic(domain: str) -> str | None:
    labels = domain.split(".")
    for at in range(len(labels)):
        if topic := _sites().get(".".join(labels[at:])):
            return topic
    return next((topic for part, topic in _site_parts().items() if part in domain), None)


@lru_cache
def _topics() -> dict[str, Words]:
    return {
        topic: Words(entry for lines in languages.values() for entry in entries(lines))
        for topic, languages in data("topics")["words"].items()
    }


@lru_cache
def _harmless() -> Words:
    return Words(entries(data("topics")["harmless"]))


@lru_cache
def _sites() -> dict[str, str]:
    return {site: topic for topic, lines in data("topics")["sites"].items() for site in " ".join(lines).split()}


@lru_cache
def _site_parts() -> dict[str, str]:
    return {part: topic for topic, line in data("topics")["site_parts"].items() for part in line.split()}
