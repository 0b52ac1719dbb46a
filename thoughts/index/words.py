"""Look words up in the indexes that both databases keep: FTS5 of SQLite, the text search of PostgreSQL.

thoughts/text/search_words.py splits text into words, so that both index and search the same ones. An index over our own
rows (`LIKE`, or a table of words) was either a scan or many times as large.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Lookup, Model

from thoughts.models import ChunkWords, Words

INDEXED: tuple[type[Model], ...] = (Words, ChunkWords)  # of finds, of passages: the words in `text` have an index


def fts5_table(rows: type[Model]) -> str:
    return f"{rows._meta.db_table}_index"


@dataclass(frozen=True)
class Match:
    """What the words of a row hold: words that begin so and words that are so, all of them or `any_of` them.

    `between`: only these keys. `newest`: so many rows with the greatest keys are enough.
    """

    begin: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    any_of: bool = False
    between: tuple[int, int] | None = None
    newest: int | None = None

    def for_fts5(self) -> str:
        terms = [*(f'"{word}"*' for word in self.begin), *(f'"{word}"' for word in self.whole)]
        return (" OR " if self.any_of else " AND ").join(terms)

    def for_postgresql(self) -> str:
        terms = [*(f"'{word}':*" for word in self.begin), *(f"'{word}'" for word in self.whole)]
        return (" | " if self.any_of else " & ").join(terms)


class Holds(Lookup):
    """Whether a row matches. Both databases answer from their index, never by a scan."""

    lookup_name = "holds"
    prepare_rhs = False

    def as_sqlite(self, compiler: Any, connection: Any) -> tuple[str, list[str | int]]:
        index = fts5_table(self.lhs.target.model)
        some, keys = self._bounded(f"{index} MATCH %s", "rowid")
        return f"{self._key} IN (SELECT rowid FROM {index} WHERE {some})", [self.rhs.for_fts5(), *keys]  # noqa: S608

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, list[str | int]]:
        parameter, model = self.rhs.for_postgresql(), self.lhs.target.model
        if not self.rhs.newest:
            condition, keys = self._bounded(f'"{self.lhs.alias}"."lexemes" @@ %s::tsquery', self._key)
            return f"({condition})", [parameter, *keys]
        key = model._meta.pk.column
        some, keys = self._bounded('"lexemes" @@ %s::tsquery', key)
        return f"{self._key} IN (SELECT {key} FROM {model._meta.db_table} WHERE {some})", [parameter, *keys]  # noqa: S608

    @property
    def _key(self) -> str:
        return f'"{self.lhs.alias}"."{self.lhs.target.model._meta.pk.column}"'

    def _bounded(self, condition: str, key: str) -> tuple[str, tuple[int, ...]]:
        between = f" AND {key} BETWEEN %s AND %s" if self.rhs.between else ""
        newest = f" ORDER BY {key} DESC LIMIT {self.rhs.newest:d}" if self.rhs.newest else ""
        return f"{condition}{between}{newest}", self.rhs.between or ()


def count_rows(rows: type[Model], word: str) -> int:
    """Return how many rows hold a word. In SQLite the index has a table of these numbers."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"SELECT doc FROM {rows._meta.db_table}_counts WHERE term = %s", [word])  # noqa: S608
        else:
            cursor.execute(f"SELECT count(*) FROM {rows._meta.db_table} WHERE lexemes @@ %s::tsquery", [f"'{word}'"])  # noqa: S608
        row = cursor.fetchone()
    return int(row[0]) if row else 0
