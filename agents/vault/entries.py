"""What the page of kept pages lists: entries the newest first, or those that a search found with their passages."""

from dataclasses import dataclass, field

from django.urls import reverse

from agents.vault.ask_search import find_kept
from agents.vault.search import Found, Passage, Scope
from thoughts.feed.cards import cursor_text, read_cursor
from thoughts.index.passages import contacts_for, passage_words
from thoughts.models import Kept
from thoughts.text.moments import moment_of, moment_words
from thoughts.text.search_words import words_of
from thoughts.text.snippets import Part, snippet

ENTRIES_SHOWN, CONTACTS_SHOWN = 24, 3
# Those that `language_of` tells apart.
LANGUAGES = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "nl": "Dutch",
    "pt": "Portuguese",
    "sv": "Swedish",
    "pl": "Polish",
}


@dataclass(frozen=True)
class Shown:
    """A passage in the list, the address at which it is marked within its page, and its moment in a transcript."""

    address: str
    words: list[Part]
    moment: str = ""


@dataclass(frozen=True)
class Row:
    entry: Kept
    passages: list[Shown] = field(default_factory=list)
    contacts: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        """Return where the entry is shown, at its best passage."""
        return self.passages[0].address if self.passages else reverse("kept_page", args=[self.entry.pk])

    @property
    def language(self) -> str:
        return LANGUAGES.get(self.entry.language, "")


@dataclass(frozen=True)
class Listed:
    """`older`: the cursor of the next page, or empty. `waiting`: entries that are not yet found by their meaning."""

    rows: list[Row]
    older: str = ""
    waiting: int = 0
    words_only: bool = False


def newest_entries(scope: Scope, before: str) -> Listed:
    """Return a page of entries, the newest first. A malformed cursor is the start."""
    rows = Kept.objects.filter(scope.of()).select_related("page").defer("page__text", "page__left_out")
    entries = list(rows.before(read_cursor(before))[: ENTRIES_SHOWN + 1])
    has_older, entries = len(entries) > ENTRIES_SHOWN, entries[:ENTRIES_SHOWN]
    older = cursor_text(entries[-1].last_seen_at, entries[-1].pk) if has_older else ""
    return Listed([Row(entry) for entry in entries], older)


def search_entries(question: str, scope: Scope) -> Listed:
    """Return the entries that a search finds, the best first, each with its passages."""
    result = find_kept(question, scope)
    return Listed(rows_of(result, question, scope), "", result.waiting, result.words_only)


def rows_of(result: Found, question: str, scope: Scope) -> list[Row]:
    """Return the entries of a result that are still there, in its order."""
    by_entry = dict[object, list[Passage]]()
    for passage in result.passages:
        by_entry.setdefault(passage.entry, []).append(passage)
    entries = Kept.objects.filter(scope.of()).select_related("page").in_bulk(list(by_entry))
    words = list(dict.fromkeys(words_of(question)))
    return [
        Row(
            entry,
            [_to_show(entry, passage, words) for passage in passages if passage.end],
            contacts_for(entry, words)[:CONTACTS_SHOWN],
        )
        for key, passages in by_entry.items()
        if (entry := entries.get(key))
    ]


def _to_show(entry: Kept, passage: Passage, words: list[str]) -> Shown:
    text = passage_words(entry.page, passage.start, passage.end)
    address = f"{reverse('kept_page', args=[entry.pk])}?passage={passage.start}-{passage.end}#quote"
    seconds = moment_of(entry.page.text, passage.start)
    moment = "" if seconds is None else moment_words(seconds)
    return Shown(address, snippet(" ".join(text.split()), words), moment)
