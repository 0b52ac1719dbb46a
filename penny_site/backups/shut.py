"""Shut a restored database: nothing out of a backup lets anybody in, or hears of the owner.

Devices, programs with tokens and subscriptions wait until the owner switches each on again.
"""

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection, transaction

from devices.access import waiting
from penny_site.backups.database_copy import LETS_IN
from thoughts.subscriptions.models import Subscription


def shut_restored_database() -> None:
    """Bring the database up to date, then end or hold whatever let somebody in."""
    call_command("migrate", no_backup=True, verbosity=0)
    with transaction.atomic():
        with connection.cursor() as cursor:
            for table in sorted(set(LETS_IN).intersection(connection.introspection.table_names(cursor))):
                cursor.execute(f"DELETE FROM {table}")  # noqa: S608  our own names
        User.objects.update(password=make_password(None))
        waiting.hold_devices()
        Subscription.objects.update(waits=True)
