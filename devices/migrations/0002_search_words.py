"""The words of messages, as every search compares them."""

from django.db import migrations

from thoughts.migrations._fill_search_words import fill_words
from thoughts.models.search_words import SearchWordsField


class Migration(migrations.Migration):
    dependencies = [("devices", "0001_tables")]

    operations = [
        migrations.AddField("message", "words", SearchWordsField(of=("text",))),
        migrations.RunPython(fill_words("devices", "Message"), migrations.RunPython.noop),
    ]
