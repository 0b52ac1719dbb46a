"""Which earlier databases this Penny can take over, judged by the migrations that were applied to them.

A few migrations that make the same tables replaced those of 0.1.0. A database to which all of 0.1.0's were applied
needs no change. A database to which some were applied needs the others, which are gone.
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
    """Return the migrations that this Penny has, and those that they replace."""
    replaced = {name for migration in _migrations().values() for name in migration.replaces}
    return replaced.union(_migrations())


def is_too_old(applied: Iterable[MigrationName]) -> bool:
    """Whether the migrations that one of ours replaces were applied in part: ours can then be neither run nor
    skipped.
    """
    there = set(applied)
    replaced = [set(migration.replaces) for migration in _migrations().values()]
    return any(there & names and names - there for names in replaced)


@cache
def _migrations() -> dict[MigrationName, Migration]:
    loader = MigrationLoader(None, load=False)
    loader.load_disk()
    return loader.disk_migrations
