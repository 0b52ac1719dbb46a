"""The lines between `manage.py hands` and its run."""

from django.db import models


class HandsLine(models.Model):
    """One line that the command wrote, or one event that the run wrote for it.

    The run deletes a line that it takes, and all events but the last ones. The tick deletes the rest a minute after the
    run ended.
    """

    run = models.ForeignKey("Run", on_delete=models.CASCADE, related_name="hands_lines")
    is_event = models.BooleanField()
    body = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{'event' if self.is_event else 'line'} {self.pk}"
