from django.db import migrations
from django.db.models import F


def skip(apps, schema_editor):
    """What was said before Penny learned from it is not gone through now: that could be years of requests at once."""
    apps.get_model("devices", "Conversation").objects.update(learned_seq=F("last_seq"))


class Migration(migrations.Migration):
    dependencies = [("devices", "0009_learning")]

    operations = [migrations.RunPython(skip, migrations.RunPython.noop)]
