from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

NAME = "Thinking"


def add(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Its first time is set by the first tick, on the owner's clock."""
    apps.get_model("agents", "Schedule").objects.get_or_create(name=NAME, defaults={"rrule": "FREQ=MINUTELY;INTERVAL=20"})


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("agents", "Schedule").objects.filter(name=NAME).delete()


class Migration(migrations.Migration):
    dependencies = [("agents", "0001_initial")]
    operations = [migrations.RunPython(add, remove)]
