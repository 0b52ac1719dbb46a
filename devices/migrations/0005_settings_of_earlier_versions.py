"""Keep the earlier defaults where Penny is in use: quiet hours and few interruptions are for new installations."""

from typing import Any

from constance import codecs
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

EARLIER = {"QUIET_FROM": "", "QUIET_TO": "", "DAY_INTERRUPTIONS_MAX": 12}


def keep(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if is_in_use(apps):
        stored = apps.get_model("constance", "Constance").objects
        for name, value in EARLIER.items():
            stored.get_or_create(key=name, defaults={"value": codecs.dumps(value)})


def is_in_use(apps: Any) -> bool:
    """Whether the owner signed in, connected something or wrote something: a new database holds none of it."""
    return (
        apps.get_model("auth", "User").objects.filter(last_login__isnull=False).exists()
        or apps.get_model("devices", "Device").objects.exists()
        or apps.get_model("devices", "Message").objects.exists()
    )


class Migration(migrations.Migration):
    dependencies = [
        ("devices", "0004_muting"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("constance", "0003_drop_pickle"),
    ]
    operations = [migrations.RunPython(keep, migrations.RunPython.noop)]
