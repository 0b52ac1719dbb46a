"""Rows that the owner removes and can restore for a while."""

from datetime import datetime, timedelta
from typing import Self, TypeVar

from django.db import models

Row = TypeVar("Row", bound=models.Model, covariant=True)


class RemovableQuerySet(models.QuerySet[Row]):
    """Rows with a `deleted_at`, which can be restored for `undo_for`."""

    undo_for = timedelta(days=1)

    def kept(self) -> Self:
        return self.filter(deleted_at=None)

    def restorable(self, now: datetime) -> Self:
        """Return the deleted rows that can still be brought back."""
        return self.filter(deleted_at__gte=now - self.undo_for)

    def forgotten(self, now: datetime) -> Self:
        """Return the rows whose time for an undo is over."""
        return self.filter(deleted_at__lt=now - self.undo_for)
