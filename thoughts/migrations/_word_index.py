"""The index of a table of words. SQLite: an FTS5 table kept by three triggers. PostgreSQL: a column with an index."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def word_index(table: str, key: str, options: str = "", *, has_counts: bool = False) -> migrations.RunPython:
    """`has_counts`: SQLite keeps how many rows hold each word."""
    remove_old = f"INSERT INTO {table}_index({table}_index, rowid, text) VALUES ('delete', old.{key}, old.text);"  # noqa: S608
    add_new = f"INSERT INTO {table}_index(rowid, text) VALUES (new.{key}, new.text);"  # noqa: S608
    triggers = {
        "added": f"INSERT ON {table} BEGIN {add_new} END",
        "removed": f"DELETE ON {table} BEGIN {remove_old} END",
        "changed": f"UPDATE ON {table} BEGIN {remove_old} {add_new} END",
    }
    counts = [f"CREATE VIRTUAL TABLE {table}_counts USING fts5vocab({table}_index, row)"] if has_counts else []
    # `to_tsvector` would split by the rules of a language the words that Penny has split already.
    to_add = {
        "sqlite": [
            f"CREATE VIRTUAL TABLE {table}_index USING fts5(text, content='{table}', content_rowid='{key}',{options} "
            "tokenize=\"unicode61 remove_diacritics 0 categories 'L* M* N* Co'\")",
            *counts,
            *(f"CREATE TRIGGER {table}_{name} AFTER {does}" for name, does in triggers.items()),
        ],
        "postgresql": [
            f"ALTER TABLE {table} ADD COLUMN lexemes tsvector "
            "GENERATED ALWAYS AS (array_to_tsvector(string_to_array(text, ' '))) STORED",
            f"CREATE INDEX {table}_index ON {table} USING gin (lexemes)",
        ],
    }
    to_remove = {
        "sqlite": [
            *(f"DROP TRIGGER {table}_{name}" for name in triggers),
            *(f"DROP TABLE {table}_counts" for _ in counts),
            f"DROP TABLE {table}_index",
        ],
        "postgresql": [f"ALTER TABLE {table} DROP COLUMN lexemes"],
    }

    def add(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        for statement in to_add[editor.connection.vendor]:
            editor.execute(statement)

    def remove(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        for statement in to_remove[editor.connection.vendor]:
            editor.execute(statement)

    return migrations.RunPython(add, remove)
