from django.db import models
from django.utils import timezone


class Muting(models.Model):
    """That the owner muted Penny. There is one row while she is muted, and none otherwise."""

    until = models.DateTimeField()
    set_at = models.DateTimeField(default=timezone.now)
    keeps_moment = models.BooleanField(default=False, help_text="In every time zone, as for “2 hours”.")

    def __str__(self) -> str:
        return f"until {self.until:%Y-%m-%d %H:%M}"
