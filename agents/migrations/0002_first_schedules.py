"""The schedules of a new Penny: thinking every 20 minutes, and a digest at six in the evening."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

FIRST = {
    "Thinking": {"kind": "thinking", "rrule": "FREQ=MINUTELY;INTERVAL=20"},
    "Digest": {"kind": "digest", "rrule": "FREQ=DAILY;BYHOUR=18;BYMINUTE=0;BYSECOND=0"},
}


def add(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Leave `next_run_at` empty: the first tick sets it on the owner's clock."""
    schedules = apps.get_model("agents", "Schedule").objects
    for name, values in FIRST.items():
        schedules.get_or_create(name=name, defaults=values)


def remove(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    schedules = apps.get_model("agents", "Schedule").objects
    for name, values in FIRST.items():
        schedules.filter(name=name, kind=values["kind"]).delete()


class Migration(migrations.Migration):
    replaces = [("agents", "0002_first_schedule"), ("agents", "0011_first_digest")]
    dependencies = [("agents", "0001_tables")]

    operations = [migrations.RunPython(add, remove)]
