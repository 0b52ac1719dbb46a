from django.db import models


class Muting(models.Model):
    """That the owner muted Penny. There is one row while she is muted, and none otherwise."""

    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"until {self.until:%Y-%m-%d %H:%M}"
