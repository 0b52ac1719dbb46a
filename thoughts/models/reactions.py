"""Table of reactions to thoughts."""

from django.db import models

from thoughts.models.preferences import Preference
from thoughts.models.thoughts import Thought


class ReactionQuerySet(models.QuerySet["Reaction"]):
    def standing(self) -> "ReactionQuerySet":
        """Return reactions that were not undone, the newest first.

        The first one counts; undoing it restores the one before.
        """
        return self.filter(undone_at=None).order_by("-id")


class Reaction(models.Model):
    """The owner's thumb up or down for a thought, with its effects, which an undo reverses."""

    thought = models.ForeignKey(Thought, on_delete=models.CASCADE, related_name="reactions")
    valence = models.SmallIntegerField("reaction", choices=Preference.Valence)
    preference = models.ForeignKey(Preference, null=True, on_delete=models.SET_NULL, related_name="reactions")
    strength_change = models.FloatField(default=0, help_text="What it added to the strength of the preference.")
    notified_before = models.DateTimeField("read before", null=True)
    device_label = models.CharField("given on", max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField("undone", null=True)

    objects = ReactionQuerySet.as_manager()

    class Meta:
        verbose_name = "thumb"
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.get_valence_display()}: {self.thought.title}"
