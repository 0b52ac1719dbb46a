"""As many thoughts as somebody wants, which the database writes itself: a million of them in a minute or two. For
benchmarks.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.db import connection, models
from django.utils import timezone

from tests.bench.taste import world
from thoughts.embeddings import code_of
from thoughts.feed.word_index import source_word
from thoughts.models import Claim, Page, Preference, Thought, ThoughtMeaning, Words

PAGES = 20_000
APART_S = 20  # between two thoughts: a million of them are eight months
MODEL = "benchmark"
OFTEN, SELDOM = "lever", "oolong"  # words of four thoughts in five, and of one in fifty thousand
SITE, OTHER_SITE = "often.example", "other.example"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
Columns = Mapping[str, str]


def fill(count: int, *, unread: int, saved: int) -> None:
    """Put `count` thoughts in the place of those that there are, the newest `unread` of them new, and `saved` of all
    saved, evenly spread.

    Four in five are of the first preference, four others of the first site, and four others say OFTEN.
    """
    _make_room()
    _empty()
    now = timezone.now().replace(microsecond=0)
    begin = int((now - EPOCH).total_seconds()) - count * APART_S
    _write(Preference, {"id": "i", "text": "'preference ' || i", "created_at": _moment(f"{begin}")}, 2)
    _write(Page, _page(begin), min(PAGES, count))
    _write(Thought, _thought(begin, count, unread, saved), count)
    of = {"thought_id": _key(), "page_id": _page_key(count)}
    _write(Thought.pages.through, of, count)
    _write(Claim, of | {"text": "'It says.'", "quote": "'It says.'", "start": "0", '"end"': "8"}, count)
    _write(Words, {"id": f"({begin} + i * {APART_S}) * 1024000000", "thought_id": _key(), "text": _words(count)}, count)
    _write_meanings(count)
    _settle()


def _empty() -> None:
    """Leave nothing of what was there before; without a look at each row where the database can."""
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
    """Let SQLite write as one that has the machine for itself: keys are scattered, and so are the places of its indexes
    that they go to.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA cache_size = -1500000")
            cursor.execute("PRAGMA synchronous = OFF")


def _settle() -> None:
    """Do what is done in a while: PostgreSQL counts its rows, and Penny's tick writes SQLite's log back. Then go on as
    Penny does.
    """
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def _write(model: type[models.Model], columns: Columns, count: int, source: str = "") -> None:
    """Write rows whose columns are SQL over i, from 1 to `count`; the columns that are not named have their
    defaults.
    """
    named, left = dict(columns), list[Any]()
    for field in model._meta.local_concrete_fields:
        column = '"end"' if field.column == "end" else str(field.column)
        if column not in named and not isinstance(field, models.AutoField):
            named[column] = "%s"
            left.append(
                field.get_db_prep_save(
                    field.get_default() if field.has_default() or not field.null else None, connection
                )
            )
    rows = source or f"({_series(count)}) AS numbers"
    with connection.cursor() as cursor:
        words = (
            f"INSERT INTO {model._meta.db_table} ({', '.join(named)}) SELECT {', '.join(named.values())} FROM {rows}"
        )
        cursor.execute(words, left)


def _series(count: int) -> str:
    if connection.vendor == "postgresql":
        return f"SELECT generate_series(1, {count}::bigint) AS i"
    return f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) SELECT i FROM n"


def _key() -> str:
    """Return the key of thought i: made up, and as scattered as a random one."""
    return "md5(i::text)::uuid" if connection.vendor == "postgresql" else "md5(CAST(i AS TEXT))"


def _page_key(count: int) -> str:
    return f"i %% {min(PAGES, count)} + 1"


def _moment(seconds: str) -> str:
    return (
        f"to_timestamp({seconds})"
        if connection.vendor == "postgresql"
        else f"strftime('%%Y-%%m-%%d %%H:%%M:%%S', {seconds}, 'unixepoch')"
    )


def _page(begin: int) -> Columns:
    domain = f"CASE WHEN i %% 5 = 0 THEN '{OTHER_SITE}' ELSE '{SITE}' END"
    text = "'It says. ' || " + " || ".join(
        ["'What a page says is read by nobody here, and takes its room all the same. '"] * 20
    )
    said = {
        "url": "'https://' || i || '.example/'",
        "domain": domain,
        "title": "'Page ' || i",
        "text": text,
        "extracted_with": "'text'",
    }
    return said | {"id": "i", "sha256": "''", "device_label": "'Desk'", "fetched_at": _moment(f"{begin} + i")}


def _thought(begin: int, count: int, unread: int, saved: int) -> Columns:
    """Half of its points are thrown. Every fourth is folded beneath its neighbour."""
    made = f"{begin} + i * {APART_S}"
    read = f"CASE WHEN i > {count - unread} THEN NULL ELSE {_moment(made)} END"
    apart = count // saved + (
        count // saved % 5 == 0
    )  # fives decide on preferences and sites: the saved ones shall be of all of them
    keep = f"CASE WHEN i %% {apart} = 0 THEN {_moment(made)} ELSE NULL END"
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
        "created_at": _moment(made),
        "notified_at": read,
        "saved_at": keep,
        "points": "(i * 7919 %% 400) / 100.0",
        "stands_at": _moment(f"{made} + i * 7919 %% 400 * 2592"),
        "alike": f"CASE WHEN i %% 4 < 2 THEN {group} ELSE NULL END",
        "indexed_at": _moment(made),
        "embedded_with": f"'{MODEL}'",
    }


def _words(count: int) -> str:
    """Return twenty words of a vocabulary of ten thousand, the word of the site, and OFTEN and SELDOM where they
    belong.
    """
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
    """Write vectors that lie as those of texts do. They come again and again: a search looks at each of them all the
    same.
    """
    vectors, binary = world(1).vectors, "bytea" if connection.vendor == "postgresql" else "blob"
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TEMPORARY TABLE made (n integer PRIMARY KEY, vector {binary}, code {binary})")
        rows = [(n, each.astype("<f4").tobytes(), code_of(each)) for n, each in enumerate(vectors)]
        cursor.executemany("INSERT INTO made VALUES (%s, %s, %s)", rows)
    columns = {
        "thought_id": _key(),
        "model": f"'{MODEL}'",
        "dimension": str(vectors.shape[1]),
        "vector": "made.vector",
        "code": "made.code",
    }
    _write(ThoughtMeaning, columns, count, f"({_series(count)}) AS numbers JOIN made ON made.n = i %% {len(vectors)}")
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE made")
