"""Leave out of a copy of the database what the owner forgot of the vault and can still bring back by an undo.

SQLite's copy loses these rows. A dump of PostgreSQL holds whole tables, so it leaves out the tables that have such
rows, and a file beside it holds the rest of them. `agents/worker/forget_kept.py` deletes the same from the database
when the time for an undo is over.
"""

import os
import re
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

_ENTRIES = "SELECT id FROM thoughts_kept WHERE deleted_at IS NOT NULL"
_PAGES = "SELECT page_id FROM thoughts_kept WHERE deleted_at IS NOT NULL"
_CITING = (
    "SELECT run.id FROM agents_run AS run JOIN devices_message AS message ON message.turn_id = run.turn_id "  # noqa: S608
    f"WHERE message.id IN (SELECT message_id FROM devices_messageclaim WHERE page_id IN ({_PAGES})) "
    f"OR message.id IN (SELECT message_id FROM devices_message_sources WHERE page_id IN ({_PAGES}))"
)
_SEARCHED = "SELECT run_id FROM agents_step WHERE kind = 'tool' AND name = 'search_kept'"
_WORDS_OF_STEP = (
    "CAST(agents_step.origin AS text) || CAST(agents_step.request AS text) || CAST(agents_step.result AS text)"
)
_END = b"\\.\n"  # of the rows of a table, as in a script of PostgreSQL; no row is written like it
_COLUMNS = re.compile(r'"[a-z_0-9]+"(, "[a-z_0-9]+")*')


@dataclass(frozen=True)
class _Rule:
    """The rows of a table that hold what is forgotten. `blank`: values that take its place; without, the row goes."""

    table: str
    condition: str
    blank: Mapping[str, str] = field(default_factory=dict)


# In this order: no condition needs a row of a table before it. `FIND` is the function that finds a text in another.
_RULES = (
    _Rule(
        "agents_step",
        f"(run_id IN ({_CITING}) OR run_id IN ({_SEARCHED})) AND EXISTS (SELECT 1 FROM thoughts_page AS page "  # noqa: S608
        f"WHERE page.id IN ({_PAGES}) AND FIND({_WORDS_OF_STEP}, page.domain) > 0)",
        {"request": "{}", "result": "{}"},
    ),
    _Rule(
        "devices_message",
        "deleted_at IN (SELECT deleted_at FROM thoughts_kept WHERE deleted_at IS NOT NULL)",
        {"text": "", "html": "", "words": ""},
    ),
    _Rule("devices_messageclaim", f"page_id IN ({_PAGES})"),
    _Rule("devices_message_sources", f"page_id IN ({_PAGES})"),
    _Rule("thoughts_chunkwords", f"chunk_id IN (SELECT id FROM thoughts_chunk WHERE kept_id IN ({_ENTRIES}))"),  # noqa: S608
    _Rule("thoughts_chunk", f"kept_id IN ({_ENTRIES})"),
    _Rule(
        "thoughts_wrongreading",
        f"EXISTS (SELECT 1 FROM thoughts_page AS page WHERE page.id IN ({_PAGES}) "  # noqa: S608
        "AND page.url = thoughts_wrongreading.url AND page.text = thoughts_wrongreading.text)",
    ),
    _Rule("thoughts_page", f"id IN ({_PAGES}) AND NOT (ELSEWHERE)"),
    _Rule("thoughts_kept", "deleted_at IS NOT NULL"),
)
TABLES = tuple(rule.table for rule in _RULES)


def _condition(rule: _Rule, find: str, references: Iterable[tuple[str, str]]) -> str:
    """Return a rule's condition. `references`: table and column of every reference to a page."""
    elsewhere = [
        f'EXISTS (SELECT 1 FROM "{table}" AS other WHERE other."{column}" = thoughts_page.id)'  # noqa: S608  names of the schema
        for table, column in references
        if table not in TABLES
    ]
    return rule.condition.replace("FIND", find).replace("ELSEWHERE", " OR ".join(["1 = 0", *elsewhere]))


# SQLite
# ---------------------------------------------------------------------------------------------------------------------


def remove_forgotten(copy: sqlite3.Connection) -> None:
    """Remove forgotten entries with their passages, their words and what they left in answers and records."""
    if not copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'thoughts_kept'").fetchone():
        return  # a copy made before the vault's tables
    if not copy.execute(_ENTRIES).fetchone():
        return
    references = [
        (str(table), str(key[3]))
        for (table,) in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for key in copy.execute(f'PRAGMA foreign_key_list("{table}")')
        if key[2] == "thoughts_page"
    ]
    with copy:
        for rule in _RULES:
            change = f"UPDATE {rule.table} SET {_assignments(rule)}" if rule.blank else f"DELETE FROM {rule.table}"  # noqa: S608
            copy.execute(f"{change} WHERE {_condition(rule, 'instr', references)}")


def _assignments(rule: _Rule) -> str:
    return ", ".join(f"{column} = '{value}'" for column, value in rule.blank.items())


# PostgreSQL
# ---------------------------------------------------------------------------------------------------------------------


def has_forgotten(cursor: Any) -> bool:
    cursor.execute("SELECT to_regclass('thoughts_kept') IS NOT NULL")
    if not cursor.fetchone()[0]:
        return False
    cursor.execute(f"SELECT EXISTS ({_ENTRIES})")
    return bool(cursor.fetchone()[0])


def write_rows(cursor: Any, target: Path) -> dict[str, int]:
    """Write the rows of TABLES without what is forgotten, as of this transaction; return how many by table.

    The file holds for each table its name and columns, its rows as COPY writes them, and a line that ends them.
    """
    cursor.execute(
        "SELECT conrelid::regclass::text, attname FROM pg_constraint "
        "JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1] "
        "WHERE contype = 'f' AND confrelid = 'thoughts_page'::regclass"
    )
    references, counts = cursor.fetchall(), dict[str, int]()
    with open(target, "xb", opener=partial(os.open, mode=0o600)) as file:
        for rule in _RULES:
            columns = _columns(cursor, rule.table)
            file.write(f"{rule.table}: {', '.join(columns)}\n".encode())
            counts[rule.table] = 0
            with cursor.copy(f"COPY ({_query(rule, columns, references)}) TO STDOUT") as rows:
                for piece in rows:
                    counts[rule.table] += bytes(piece).count(b"\n")  # those within a row are written otherwise
                    file.write(piece)
            file.write(_END)
    return counts


def _columns(cursor: Any, table: str) -> list[str]:
    """Return the quoted columns of a table, without those that the database works out itself."""
    cursor.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema() "
        "AND table_name = %s AND is_generated = 'NEVER' ORDER BY ordinal_position",
        [table],
    )
    return [f'"{row[0]}"' for row in cursor.fetchall()]


def _query(rule: _Rule, columns: list[str], references: Iterable[tuple[str, str]]) -> str:
    condition = _condition(rule, "strpos", references)
    others = f"SELECT {', '.join(columns)} FROM {rule.table} WHERE ({condition}) IS NOT TRUE"  # noqa: S608
    if not rule.blank:
        return others
    blank = {f'"{column}"': f"'{value}'" for column, value in rule.blank.items()}
    values = [blank.get(column, column) for column in columns]
    return f"{others} UNION ALL SELECT {', '.join(values)} FROM {rule.table} WHERE {condition}"  # noqa: S608


def write_script(source: Path, script: Path) -> None:
    """Write the script of psql that brings rows back. Raises ValueError for a file that Penny did not write.

    psql takes what follows a table's last row as commands, so that the names are checked.
    """
    with source.open("rb") as file, script.open("xb") as target:
        while line := file.readline():
            table, _, columns = line.decode().removesuffix("\n").partition(": ")
            if table not in TABLES or not _COLUMNS.fullmatch(columns):
                raise ValueError("it holds rows of no table that is known")
            target.write(f"COPY public.{table} ({columns}) FROM stdin;\n".encode())
            while (row := file.readline()) and row != _END:
                target.write(row)
            if not row:
                raise ValueError("the last row is missing in it")
            target.write(_END)
