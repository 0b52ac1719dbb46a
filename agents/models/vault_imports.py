"""The table of imports of what was kept elsewhere."""

from django.db import models
from django.utils import timezone


class VaultImport(models.Model):
    """A file that the owner brought from a Penny. All that it holds is untrusted text.

    `facts`: those that wait for the owner's word, in full. None of them is in a request until then.
    """

    name = models.CharField("file", max_length=200)
    size_bytes = models.PositiveBigIntegerField(default=0)
    run = models.ForeignKey("Run", null=True, on_delete=models.SET_NULL, related_name="vault_imports", editable=False)
    is_waiting = models.BooleanField("waits to be read", default=True)
    pages = models.PositiveIntegerField(default=0, help_text="In the file.")
    done = models.PositiveIntegerField(default=0, help_text="Pages of the file that were looked at.")
    added = models.PositiveIntegerField("new", default=0)
    present = models.PositiveIntegerField("here already", default=0)
    left_out = models.JSONField(default=dict, help_text="How many pages were left out, by the reason.")
    problems = models.JSONField(default=list, help_text="The first that were left out: line, title, reason.")
    facts = models.JSONField(default=list, help_text="Those that wait for your word.")
    facts_added = models.PositiveIntegerField(default=0)
    facts_present = models.PositiveIntegerField(default=0)
    facts_left_out = models.JSONField(default=list, help_text="What was left out, and why.")
    refusal = models.CharField("refused", max_length=500, blank=True, help_text="Why nothing could be read.")
    created_at = models.DateTimeField("imported", default=timezone.now)

    class Meta:
        verbose_name = "import of kept pages"
        verbose_name_plural = "imports of kept pages"
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name

    @property
    def percent(self) -> int:
        return min(99, 100 * self.done // max(1, self.pages))

    @property
    def left_out_count(self) -> int:
        return sum(self.left_out.values())
