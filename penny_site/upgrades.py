"""Decide by its applied migrations whether this version can update a database.

A few new migrations, which create the same tables, replace those of 0.1.0. A database with all migrations of 0.1.0
needs no change. A database with only some needs the missing ones, which no longer exist.
"""

from collections.abc import Iterable
from functools import cache

from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration

MigrationName = tuple[str, str]

# The newest commit that still has every migration of 0.1.0.
LAST_OF_0_1 = "the last Penny 0.1.0 (git checkout 45bd4cd)"
TOO_OLD = "was made by an early Penny 0.1.0, and this version cannot update it"
TOO_OLD_ADVICE = f"Start {LAST_OF_0_1} on it once, then this version again."


def known_migrations() -> set[MigrationName]:
    """Return the migrations of this version, and those that they replace."""
    replaced = {name for migration in _migrations().values() for name in migration.replaces}
    return replaced.union(_migrations())


def is_too_old(applied: Iterable[MigrationName]) -> bool:
    """Whether only some of the migrations that one of ours replaces are applied.

    Ours can then be neither run nor skipped.
    """
    present = set(applied)
    replaced = [set(migration.replaces) for migration in _migrations().values()]
    return any(present & names and names - present for names in replaced)


@cache
def _migrations() -> dict[MigrationName, Migration]:
    loader = MigrationLoader(None, load=False)
    loader.load_disk()
    return loader.disk_migrations
