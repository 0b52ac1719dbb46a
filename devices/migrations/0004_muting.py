from datetime import datetime
from typing import Any

from constance import codecs
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.utils.dateparse import parse_datetime
from django.utils.timezone import is_aware

SETTING = "MUTED_UNTIL"


def move_from_settings(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    row = apps.get_model("constance", "Constance").objects.filter(key=SETTING).first()
    until = _moment(row.value) if row else None
    if until is not None:
        apps.get_model("devices", "Muting").objects.create(pk=1, until=until)
    if row:
        row.delete()


def move_to_settings(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    muting = apps.get_model("devices", "Muting").objects.first()
    if muting:
        value = codecs.dumps(muting.until.isoformat(timespec="seconds"))
        apps.get_model("constance", "Constance").objects.update_or_create(key=SETTING, defaults={"value": value})


def _moment(value: str) -> datetime | None:
    try:
        moment = parse_datetime(str(codecs.loads(value)))
    except ValueError:
        return None
    return moment if moment is not None and is_aware(moment) else None


class Migration(migrations.Migration):
    dependencies = [("devices", "0003_waiting_since_a_restore"), ("constance", "0003_drop_pickle")]
    operations = [
        migrations.CreateModel(
            name="Muting",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("until", models.DateTimeField()),
            ],
        ),
        migrations.RunPython(move_from_settings, move_to_settings),
    ]
