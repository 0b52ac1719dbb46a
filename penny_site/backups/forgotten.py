"""Take out of a copy of the database what the owner forgot of the vault and can still bring back by an undo.

`agents/worker/forget_kept.py` deletes the same from the database when the time for an undo is over.
"""

import sqlite3

_ENTRIES = "SELECT id FROM thoughts_kept WHERE deleted_at IS NOT NULL"
_PAGES = "SELECT page_id FROM thoughts_kept WHERE deleted_at IS NOT NULL"
_CHUNKS = f"SELECT id FROM thoughts_chunk WHERE kept_id IN ({_ENTRIES})"  # noqa: S608
_CITING = (
    "SELECT run.id FROM agents_run AS run JOIN devices_message AS message ON message.turn_id = run.turn_id "  # noqa: S608
    f"WHERE message.id IN (SELECT message_id FROM devices_messageclaim WHERE page_id IN ({_PAGES})) "
    f"OR message.id IN (SELECT message_id FROM devices_message_sources WHERE page_id IN ({_PAGES}))"
)
_SEARCHED = "SELECT run_id FROM agents_step WHERE kind = 'tool' AND name = 'search_kept'"
# In this order: a later statement needs the rows of an earlier one no more.
_STATEMENTS = (
    f"""UPDATE agents_step SET request = '{{}}', result = '{{}}'
        WHERE (run_id IN ({_CITING}) OR run_id IN ({_SEARCHED}))
        AND EXISTS (SELECT 1 FROM thoughts_page AS page WHERE page.id IN ({_PAGES})
            AND instr(agents_step.origin || agents_step.request || agents_step.result, page.domain))""",  # noqa: S608
    f"""UPDATE devices_message SET text = '', html = '', words = ''
        WHERE deleted_at IN (SELECT deleted_at FROM thoughts_kept WHERE id IN ({_ENTRIES}))""",  # noqa: S608
    f"DELETE FROM devices_messageclaim WHERE page_id IN ({_PAGES})",  # noqa: S608
    f"DELETE FROM devices_message_sources WHERE page_id IN ({_PAGES})",  # noqa: S608
    f"DELETE FROM thoughts_chunkwords WHERE chunk_id IN ({_CHUNKS})",  # noqa: S608
    f"DELETE FROM thoughts_chunk WHERE kept_id IN ({_ENTRIES})",  # noqa: S608
)


def remove_forgotten(copy: sqlite3.Connection) -> None:
    """Remove forgotten entries with their passages, their words and what they left in answers and records."""
    if not copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'thoughts_kept'").fetchone():
        return  # a copy made before the vault's tables
    pages = [row[0] for row in copy.execute(_PAGES)]
    if not pages:
        return
    with copy:
        for statement in _STATEMENTS:
            copy.execute(statement)
        copy.execute(f"DELETE FROM thoughts_kept WHERE id IN ({_ENTRIES})")  # noqa: S608
        references = _references_to_pages(copy)
        for page in pages:
            if not any(copy.execute(query, [page]).fetchone() for query in references):
                copy.execute("DELETE FROM thoughts_page WHERE id = ?", [page])


def _references_to_pages(copy: sqlite3.Connection) -> list[str]:
    """Return the queries that find what else refers to a page."""
    return [
        f'SELECT 1 FROM "{table}" WHERE "{key[3]}" = ? LIMIT 1'  # noqa: S608  names of the schema
        for (table,) in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for key in copy.execute(f'PRAGMA foreign_key_list("{table}")')
        if key[2] == "thoughts_page"
    ]
