"""What the owner removes and can bring back for a while, before it goes for good."""

from datetime import datetime, timedelta
from typing import Self, TypeVar

from django.db import models

Row = TypeVar("Row", bound=models.Model, covariant=True)


class RemovableQuerySet(models.QuerySet[Row]):
    """Rows with a `deleted_at`, which can be taken back for as long as `undo_for` says."""

    undo_for = timedelta(days=1)

    def kept(self) -> Self:
        """Return those that were not removed."""
        return self.filter(deleted_at=None)

    def forgotten(self, now: datetime) -> Self:
        """Return those that were removed so long ago that nobody can bring them back."""
        return self.filter(deleted_at__lt=now - self.undo_for)
