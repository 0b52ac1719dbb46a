"""The codes of the vectors that there are. A part at a time: a vector is a thousand times as long as a row of most tables."""

from django.db import migrations

BATCH = 2000


def fill(apps, editor):
    import numpy as np

    meanings = apps.get_model("thoughts", "ThoughtMeaning").objects
    while rows := list(meanings.filter(code=b"")[:BATCH]):
        for row in rows:
            row.code = np.packbits(np.frombuffer(row.vector, "<f4") > 0).tobytes()
        meanings.bulk_update(rows, ["code"], batch_size=200)


class Migration(migrations.Migration):

    dependencies = [
        ('thoughts', '0016_codes_of_meanings'),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
