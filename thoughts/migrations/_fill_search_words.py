"""Fill a new column of search words, row by row."""

from collections.abc import Callable

from django.apps.registry import Apps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

ROWS = 500


def fill_words(app: str, name: str) -> Callable[[Apps, BaseDatabaseSchemaEditor], None]:
    def fill(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        for row in apps.get_model(app, name).objects.order_by().iterator(ROWS):
            row.save(update_fields=["words"])

    return fill
