"""Earlier reactions did not say what stands of their thought: the newest to each says it now, which is all that anybody looks at."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def say(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    said = apps.get_model("devices", "Message").objects.filter(kind="reaction", thought__isnull=False)
    newest = {thought: (key, stands) for thought, key, stands in said.order_by("seq").values_list("thought", "pk", "thought__reaction")}
    for key, stands in newest.values():
        said.filter(pk=key).update(reaction=stands or 0)


class Migration(migrations.Migration):
    dependencies = [("devices", "0012_what_stands_after_a_reaction"), ("thoughts", "0004_reactions")]

    operations = [migrations.RunPython(say, migrations.RunPython.noop)]
