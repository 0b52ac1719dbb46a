from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def fill(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    Thought = apps.get_model("thoughts", "Thought")
    for preference in apps.get_model("thoughts", "Preference").objects.all():
        preference.last_thought = Thought.objects.filter(preference=preference).order_by("-created_at").first()
        preference.save(update_fields=["last_thought"])


class Migration(migrations.Migration):
    dependencies = [("thoughts", "0004_reactions")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
