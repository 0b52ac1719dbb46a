"""Fill the database with many thoughts; it generates a million in a minute or two."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.db import connection, models
from django.utils import timezone

from tests.bench.taste import world
from thoughts.index.finds import source_word
from thoughts.index.vectors import code_of
from thoughts.models import Claim, Page, Preference, Thought, ThoughtMeaning, Words

PAGES = 20_000
APART_S = 20  # between two thoughts: a million thoughts span eight months
MODEL = "benchmark"
OFTEN, SELDOM = "lever", "oolong"  # words of four thoughts in five, and of one in fifty thousand
SITE, OTHER_SITE = "often.example", "other.example"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
Columns = Mapping[str, str]


def fill(count: int, *, unread: int, saved: int) -> None:
    """Replace all thoughts by `count` new ones: the newest `unread` are new, `saved` are saved, evenly spread.

    Four in five belong to the first preference, another four to the first site, and another four contain OFTEN.
    """
    _make_room()
    _empty()
    now = timezone.now().replace(microsecond=0)
    begin = int((now - EPOCH).total_seconds()) - count * APART_S
    _insert(Preference, {"id": "i", "text": "'preference ' || i", "created_at": _moment(f"{begin}")}, 2)
    _insert(Page, _columns_of_page(begin), min(PAGES, count))
    _insert(Thought, _thought(begin, count, unread, saved), count)
    of = {"thought_id": _key(), "page_id": _page_key(count)}
    _insert(Thought.pages.through, of, count)
    _insert(Claim, of | {"text": "'It says.'", "quote": "'It says.'", "start": "0", '"end"': "8"}, count)
    _insert(
        Words,
        {"id": f"({begin} + i * {APART_S}) * 1024000000", "thought_id": _key(), "text": _words_of_thought(count)},
        count,
    )
    _write_meanings(count)
    _settle()


def _empty() -> None:
    """Delete all earlier rows; with TRUNCATE where the database has it."""
    tables = [
        model._meta.db_table
        for model in (Words, ThoughtMeaning, Claim, Thought.pages.through, Thought, Page, Preference)
    ]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"TRUNCATE {', '.join(tables)} CASCADE")
        else:
            for table in tables:
                cursor.execute(f"DELETE FROM {table}")


def _make_room() -> None:
    """Give SQLite a large cache and no syncs, because random keys scatter the writes."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA cache_size = -1500000")
            cursor.execute("PRAGMA synchronous = OFF")


def _settle() -> None:
    """Let PostgreSQL count its rows and SQLite write its log back, then reconnect."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def _insert(model: type[models.Model], columns: Columns, count: int, source: str = "") -> None:
    """Insert rows whose columns are SQL expressions over i, from 1 to `count`.

    Other columns get their defaults.
    """
    expressions, defaults = dict(columns), list[Any]()
    for field in model._meta.local_concrete_fields:
        column = '"end"' if field.column == "end" else str(field.column)
        if column not in expressions and not isinstance(field, models.AutoField):
            expressions[column] = "%s"
            defaults.append(
                field.get_db_prep_save(
                    field.get_default() if field.has_default() or not field.null else None, connection
                )
            )
    rows = source or f"({_series(count)}) AS numbers"
    with connection.cursor() as cursor:
        names, values = ", ".join(expressions), ", ".join(expressions.values())
        cursor.execute(f"INSERT INTO {model._meta.db_table} ({names}) SELECT {values} FROM {rows}", defaults)


def _series(count: int) -> str:
    if connection.vendor == "postgresql":
        return f"SELECT generate_series(1, {count}::bigint) AS i"
    return f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) SELECT i FROM n"


def _key() -> str:
    """Return the key of thought i: derived, yet as scattered as a random one."""
    return "md5(i::text)::uuid" if connection.vendor == "postgresql" else "md5(CAST(i AS TEXT))"


def _page_key(count: int) -> str:
    return f"i %% {min(PAGES, count)} + 1"


def _moment(seconds: str) -> str:
    return (
        f"to_timestamp({seconds})"
        if connection.vendor == "postgresql"
        else f"strftime('%%Y-%%m-%%d %%H:%%M:%%S', {seconds}, 'unixepoch')"
    )


def _columns_of_page(begin: int) -> Columns:
    domain = f"CASE WHEN i %% 5 = 0 THEN '{OTHER_SITE}' ELSE '{SITE}' END"
    text = "'It says. ' || " + " || ".join(
        ["'What a page says is read by nobody here, and takes its room all the same. '"] * 20
    )
    columns = {
        "url": "'https://' || i || '.example/'",
        "domain": domain,
        "title": "'Page ' || i",
        "text": text,
        "extracted_with": "'text'",
    }
    return columns | {"id": "i", "sha256": "''", "device_label": "'Desk'", "fetched_at": _moment(f"{begin} + i")}


def _thought(begin: int, count: int, unread: int, saved: int) -> Columns:
    """Return the columns of a thought.

    Half of the points are random; every fourth lies beneath its neighbour.
    """
    created = f"{begin} + i * {APART_S}"
    read = f"CASE WHEN i > {count - unread} THEN NULL ELSE {_moment(created)} END"
    apart = count // saved + (
        count // saved % 5 == 0
    )  # multiples of five decide on preferences and sites; saved thoughts must cover all
    keep = f"CASE WHEN i %% {apart} = 0 THEN {_moment(created)} ELSE NULL END"
    group = _key().replace("(i", "(i / 4") if connection.vendor == "sqlite" else "md5((i / 4)::text)::uuid"
    return {
        "id": _key(),
        "title": "'Thought ' || i",
        "text": (
            "'What is found about ' || i || ' is said in some twenty words, as those of a thought would be, and "
            "goes on for a while.'"
        ),
        "html": (
            "'<p>What is found about ' || i || ' is said in some twenty words, as those of a thought would be.</p>'"
        ),
        "origin": f"""'["owner", "penny", "{SITE}"]'""",
        "preference_id": "CASE WHEN i / 5 %% 5 = 0 THEN 2 ELSE 1 END",
        "created_at": _moment(created),
        "notified_at": read,
        "saved_at": keep,
        "points": "(i * 7919 %% 400) / 100.0",
        "stands_at": _moment(f"{created} + i * 7919 %% 400 * 2592"),
        "alike": f"CASE WHEN i %% 4 < 2 THEN {group} ELSE NULL END",
        "indexed_at": _moment(created),
        "embedded_with": f"'{MODEL}'",
    }


def _words_of_thought(count: int) -> str:
    """Return twenty words of 10,000, the word of the site, and OFTEN and SELDOM."""
    primes = (7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83)
    parts = [f"'w' || (i * {prime} + i / {prime}) %% 10000" for prime in primes]
    parts += [
        f"CASE WHEN i / 25 %% 5 = 0 THEN 'pump' ELSE '{OFTEN}' END",
        f"CASE WHEN i %% 50000 = 7 OR i > {count - 3} THEN '{SELDOM}' ELSE 'tea' END",
    ]
    parts += [
        f"CASE WHEN ({_page_key(count)}) %% 5 = 0 THEN '{source_word(OTHER_SITE)}' ELSE '{source_word(SITE)}' END"
    ]
    return " || ' ' || ".join(f"({part})" for part in parts)


def _write_meanings(count: int) -> None:
    """Write vectors distributed like those of texts.

    They repeat, but a search still compares each one.
    """
    vectors, binary = world(1).vectors, "bytea" if connection.vendor == "postgresql" else "blob"
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TEMPORARY TABLE made (n integer PRIMARY KEY, vector {binary}, code {binary})")
        rows = [(n, vector.astype("<f4").tobytes(), code_of(vector)) for n, vector in enumerate(vectors)]
        cursor.executemany("INSERT INTO made VALUES (%s, %s, %s)", rows)
    columns = {
        "thought_id": _key(),
        "model": f"'{MODEL}'",
        "dimension": str(vectors.shape[1]),
        "vector": "made.vector",
        "code": "made.code",
    }
    _insert(ThoughtMeaning, columns, count, f"({_series(count)}) AS numbers JOIN made ON made.n = i %% {len(vectors)}")
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE made")
