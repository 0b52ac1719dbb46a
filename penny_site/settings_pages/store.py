"""Where the owner's settings are stored."""

from typing import Any

from constance import settings
from constance.backends.database import DatabaseBackend


class Store(DatabaseBackend):  # type: ignore[misc]  # it has no types
    """The library's table. Reading a setting that has no row returns its default.

    The library would store the default then: a reader would wait for the database's lock, and a later version's better
    default would reach nobody.
    """

    def get(self, key: str) -> Any:
        value = super().get(key)
        return settings.CONFIG[key][0] if value is None else value
