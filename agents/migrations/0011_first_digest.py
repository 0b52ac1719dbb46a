from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

NAME = "Digest"


def add(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """At six in the evening, until the owner chooses another time."""
    values = {"kind": "digest", "rrule": "FREQ=DAILY;BYHOUR=18;BYMINUTE=0;BYSECOND=0"}
    apps.get_model("agents", "Schedule").objects.get_or_create(name=NAME, defaults=values)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("agents", "Schedule").objects.filter(name=NAME, kind="digest").delete()


class Migration(migrations.Migration):
    dependencies = [("agents", "0010_schedules_and_the_days_budget")]
    operations = [migrations.RunPython(add, remove)]
