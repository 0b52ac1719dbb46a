"""The index of words: in SQLite an FTS5 table that three triggers keep like the table of words; in PostgreSQL a column with its index."""

import django.db.models.deletion
from django.db import migrations, models

SQLITE = [
    """
    CREATE VIRTUAL TABLE thoughts_words_index USING fts5(
        text, content='thoughts_words', content_rowid='id', tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Co'"
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
# Not `to_tsvector`: the words are taken apart already, and a language would take them apart again.
POSTGRESQL = [
    """
    ALTER TABLE thoughts_words ADD COLUMN lexemes tsvector
        GENERATED ALWAYS AS (array_to_tsvector(string_to_array(text, ' '))) STORED
    """,
    "CREATE INDEX thoughts_words_index ON thoughts_words USING gin (lexemes)",
]
AWAY = {
    "sqlite": [*(f"DROP TRIGGER thoughts_words_{done}" for done in ("added", "removed", "changed")), "DROP TABLE thoughts_words_index"],
    "postgresql": ["ALTER TABLE thoughts_words DROP COLUMN lexemes"],
}


def add(apps, editor):
    for statement in SQLITE if editor.connection.vendor == "sqlite" else POSTGRESQL:
        editor.execute(statement)


def remove(apps, editor):
    for statement in AWAY[editor.connection.vendor]:
        editor.execute(statement)


class Migration(migrations.Migration):

    dependencies = [
        ('thoughts', '0005_last_thoughts'),
    ]

    operations = [
        migrations.AddField(
            model_name='thought',
            name='indexed_at',
            field=models.DateTimeField(editable=False, help_text='When its words were taken into the index; empty: not yet.', null=True),
        ),
        migrations.AddIndex(
            model_name='thought',
            index=models.Index(fields=['preference', '-created_at', '-id'], name='feed_of_preference'),
        ),
        migrations.AddIndex(
            model_name='thought',
            index=models.Index(condition=models.Q(('indexed_at', None)), fields=['created_at'], name='not_indexed'),
        ),
        migrations.CreateModel(
            name='Words',
            fields=[
                ('id', models.BigIntegerField(primary_key=True, serialize=False)),
                ('thought', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='words', to='thoughts.thought')),
                ('text', models.TextField(help_text='Words without case and accents, apart by spaces.')),
            ],
        ),
        migrations.RunPython(add, remove),
    ]
