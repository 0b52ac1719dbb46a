"""The table of asks for words where the owner's cursor is."""

from datetime import datetime

from django.db import models

from devices.models import Device


class WordingAskQuerySet(models.QuerySet["WordingAsk"]):
    def open(self) -> "WordingAskQuerySet":
        return self.filter(run__ended_at=None)

    def over(self, before: datetime) -> "WordingAskQuerySet":
        return self.filter(run__ended_at__lt=before)


class WordingAsk(models.Model):
    """What a run of that kind works on, and the text that came of it. A minute after its end the row goes.

    `frame`: the `text.ask`; `done`: the `text.done`, empty before.
    """

    run = models.OneToOneField("Run", on_delete=models.CASCADE, related_name="wording")
    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="wordings")
    ref = models.UUIDField()
    frame = models.JSONField()
    done = models.JSONField(default=dict)
    is_temporary = models.BooleanField(default=False)

    objects = WordingAskQuerySet.as_manager()

    class Meta:
        verbose_name = "ask for words"
        verbose_name_plural = "asks for words"
        constraints = [models.UniqueConstraint(fields=["device", "ref"], name="one_ask_for_words")]

    def __str__(self) -> str:
        return str(self.ref)
