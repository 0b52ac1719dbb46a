"""Counts of what left this machine: a day, a way, a host. No address and no words."""

import re
from datetime import date
from zoneinfo import ZoneInfo

from constance import config
from django.db import models
from django.db.models import F
from django.utils import timezone

HOSTS_A_DAY = 2_000
OTHERS = "others"
HOST_CHARACTERS = 253
_ODD = re.compile(r"[^A-Za-z0-9.:\[\] -]")
_HERE = re.compile(r"localhost|127(\.\d+){3}|\[::1\]|::1")


class HostCountQuerySet(models.QuerySet["HostCount"]):
    def add(self, way: str, host: str) -> None:
        """Count one on the owner's day. Call it in the transaction that stores what it counts, so that it counts once.

        This machine's own host is not counted. After 2,000 hosts of a day the further ones are counted together.
        """
        host = _ODD.sub("", host)[:HOST_CHARACTERS] or OTHERS
        if _HERE.fullmatch(host):
            return
        day = timezone.localdate(timezone=ZoneInfo(config.TIMEZONE))
        if self._counted(day, way, host):
            return
        if self.filter(day=day).count() >= HOSTS_A_DAY:
            host = OTHERS
        self.get_or_create(day=day, way=way, host=host)
        self._counted(day, way, host)

    def _counted(self, day: date, way: str, host: str) -> int:
        return self.filter(day=day, way=way, host=host).update(count=F("count") + 1)


class HostCount(models.Model):
    """How often something of one kind went to one host on one day."""

    class Way(models.TextChoices):
        MODEL = "model", "question to a model"
        PAGE = "page", "page opened"
        SEARCH = "search", "search"
        MESSAGE = "message", "message to you"

    day = models.DateField()
    way = models.CharField(max_length=7, choices=Way)
    host = models.CharField(max_length=HOST_CHARACTERS)
    count = models.PositiveIntegerField(default=0)

    objects = HostCountQuerySet.as_manager()

    class Meta:
        # The index also finds the counts of a day, and those that are too old.
        constraints = [models.UniqueConstraint(fields=["day", "way", "host"], name="one_count_of_a_day")]

    def __str__(self) -> str:
        return f"{self.day}: {self.host}"


class PutAwayReceipt(models.Model):
    """That the owner put the receipt of a week away. Only the newest one stays."""

    week = models.DateField(primary_key=True, help_text="The Sunday on which the week began.")

    def __str__(self) -> str:
        return f"{self.week}"
