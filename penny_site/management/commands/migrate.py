import sys
from typing import Any

from django.core.management.base import CommandParser
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from penny_site.backups.make import BackupFailed, make_backup
from penny_site.environment import EnvironmentInvalid
from penny_site.sqlite.base import DatabaseWrapper
from penny_site.sqlite.rewrite import rewrite_once
from penny_site.upgrades import TOO_OLD, TOO_OLD_ADVICE, is_too_old


class Command(migrate.Command):
    """Migrate as Django does, after a backup. Refuse a database that is too old.

    The first update erases what earlier versions deleted from the file of SQLite.
    """

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--no-backup", action="store_true", help="change the database without a backup of it")
        parser.add_argument("--if-pending", action="store_true", help="do nothing if every migration is applied")

    def handle(self, *args: Any, **options: Any) -> None:
        database = options["database"]
        applied = MigrationRecorder(connections[database]).applied_migrations()
        if is_too_old(applied):
            raise EnvironmentInvalid(f"the database {TOO_OLD}. Nothing was changed. {TOO_OLD_ADVICE}")
        # Django would build the models of all migrations first: a fifth of the CPU time of a command.
        if options["if_pending"] and not _has_pending_migrations(database):
            return
        skips_backup = options["no_backup"] or options["plan"] or options["check_unapplied"]
        if not skips_backup and database == "default" and applied and _has_pending_migrations(database):
            try:
                path = make_backup("before an update")
            except BackupFailed as error:
                self.stderr.write(
                    f"penny: the database was not updated, because it could not be backed up first: {error}. "
                    "To go on without: manage.py migrate --no-backup"
                )
                sys.exit(2)
            if options["verbosity"]:
                self.stdout.write(f"Backed up to {path}")
        super().handle(*args, **options)
        connection = connections[database]
        if isinstance(connection, DatabaseWrapper) and not (options["plan"] or options["check_unapplied"]):
            rewrite_once(connection, is_new=not applied)


def _has_pending_migrations(database: str) -> bool:
    executor = MigrationExecutor(connections[database])
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
