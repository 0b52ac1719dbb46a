"""The word index. SQLite: an FTS5 table kept by three triggers. PostgreSQL: a column with an index."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

SQLITE = [
    """
    CREATE VIRTUAL TABLE thoughts_words_index USING fts5(
        text, content='thoughts_words', content_rowid='id',
        tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Co'"
    )
    """,
    """
    CREATE TRIGGER thoughts_words_added AFTER INSERT ON thoughts_words BEGIN
        INSERT INTO thoughts_words_index(rowid, text) VALUES (new.id, new.text);
    END
    """,
    """
    CREATE TRIGGER thoughts_words_removed AFTER DELETE ON thoughts_words BEGIN
        INSERT INTO thoughts_words_index(thoughts_words_index, rowid, text) VALUES ('delete', old.id, old.text);
    END
    """,
    """
    CREATE TRIGGER thoughts_words_changed AFTER UPDATE ON thoughts_words BEGIN
        INSERT INTO thoughts_words_index(thoughts_words_index, rowid, text) VALUES ('delete', old.id, old.text);
        INSERT INTO thoughts_words_index(rowid, text) VALUES (new.id, new.text);
    END
    """,
]
# `to_tsvector` would split by the rules of a language the words that Penny has split already.
POSTGRESQL = [
    """
    ALTER TABLE thoughts_words ADD COLUMN lexemes tsvector
        GENERATED ALWAYS AS (array_to_tsvector(string_to_array(text, ' '))) STORED
    """,
    "CREATE INDEX thoughts_words_index ON thoughts_words USING gin (lexemes)",
]
REMOVE = {
    "sqlite": [
        "DROP TRIGGER thoughts_words_added",
        "DROP TRIGGER thoughts_words_removed",
        "DROP TRIGGER thoughts_words_changed",
        "DROP TABLE thoughts_words_index",
    ],
    "postgresql": ["ALTER TABLE thoughts_words DROP COLUMN lexemes"],
}


def add(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    for statement in SQLITE if editor.connection.vendor == "sqlite" else POSTGRESQL:
        editor.execute(statement)


def remove(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    for statement in REMOVE[editor.connection.vendor]:
        editor.execute(statement)


class Migration(migrations.Migration):
    replaces = [("thoughts", "0006_words_of_thoughts")]
    dependencies = [("thoughts", "0001_tables")]

    operations = [migrations.RunPython(add, remove)]
