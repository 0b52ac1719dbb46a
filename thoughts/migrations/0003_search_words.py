"""The words of sources, as every search compares them. The word index of the feed is built anew by the tick."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from thoughts.migrations._fill_search_words import fill_words
from thoughts.models.search_words import SearchWordsField


def index_anew(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("thoughts", "Thought").objects.update(indexed_at=None)


class Migration(migrations.Migration):
    dependencies = [("thoughts", "0002_word_index")]

    operations = [
        migrations.AddField(
            "source", "words", SearchWordsField(of=("title", "folder", "tags", "url", "feed_url"))
        ),
        migrations.RunPython(fill_words("thoughts", "Source"), migrations.RunPython.noop),
        migrations.RunPython(index_anew, migrations.RunPython.noop),
    ]
