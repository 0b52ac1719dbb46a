"""The index of the words of thoughts."""

from django.db import migrations

from thoughts.migrations._word_index import word_index


class Migration(migrations.Migration):
    replaces = [("thoughts", "0006_words_of_thoughts")]
    dependencies = [("thoughts", "0001_tables")]

    operations = [word_index("thoughts_words", "id")]
