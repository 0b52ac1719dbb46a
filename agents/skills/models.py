"""Skills and their versions.

Requests may hold the version that the owner approved, no other.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db import models
from django.utils import timezone

from agents.skills.documents import (
    DESCRIPTION_CHARACTERS,
    NAME_CHARACTERS,
    READS_CHARACTERS,
    TITLE_CHARACTERS,
    Document,
)
from agents.skills.patterns import Pattern
from agents.skills.words import field_label, first_sentence, site_words, skill_label


class SkillQuerySet(models.QuerySet["Skill"]):
    def kept(self) -> "SkillQuerySet":
        return self.filter(deleted_at=None)

    def usable(self) -> "SkillQuerySet":
        return (
            self.kept()
            .filter(is_on=True)
            .exclude(approved=None)
            .select_related("approved__skill")
            .defer("approved__document")
        )


class Skill(models.Model):
    """A document of instructions for a site. `approved`: the version in use; newer ones wait."""

    name = models.CharField(max_length=NAME_CHARACTERS, unique=True)
    approved = models.ForeignKey(
        "SkillVersion",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The version in use.",
    )
    is_on = models.BooleanField("on", default=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = SkillQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def newest(self) -> "SkillVersion":
        return max(self.versions.all(), key=lambda version: version.number)

    @property
    def waiting(self) -> "SkillVersion | None":
        """Return the newest version above the one in use that is neither approved nor declined."""
        current = self.approved.number if self.approved else 0
        newer = [
            version
            for version in self.versions.all()
            if version.number > current and version.approved_at is None and version.declined_at is None
        ]
        return max(newer, key=lambda version: version.number, default=None)

    @property
    def shown(self) -> "SkillVersion":
        return self.approved or self.newest

    @property
    def short_name(self) -> str:
        """The name for people."""
        return self.shown.label

    def reaches(self, hosts: Iterable[str]) -> bool:
        """Whether it can be used on one of the readable hosts.

        A skill for any site needs at least one.
        """
        if not self.is_on or self.approved is None:
            return False
        hosts = list(hosts)
        return self.approved.meets(hosts) or (bool(hosts) and self.approved.is_for_any)

    def set_paused(self, paused: bool) -> None:
        type(self).objects.filter(pk=self.pk).update(is_on=not paused)

    def set_deleted(self, at: datetime | None) -> None:
        type(self).objects.filter(pk=self.pk).update(deleted_at=at)


class SkillVersion(models.Model):
    """One state of a skill's document, never changed. The parsed parts are stored beside it."""

    class Source(models.TextChoices):
        SHIPPED = "shipped", "came with Penny"
        OWNER = "owner", "written here"
        IMPORTED = "imported", "brought from a file"

    skill = models.ForeignKey(Skill, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    source = models.CharField(max_length=8, choices=Source)
    document = models.TextField()
    sha256 = models.CharField(max_length=64, editable=False)
    description = models.CharField(max_length=DESCRIPTION_CHARACTERS)
    title = models.CharField(max_length=TITLE_CHARACTERS, default="", blank=True)
    reads = models.CharField(max_length=READS_CHARACTERS, default="", blank=True)
    domains = models.JSONField(default=list)
    selectors = models.JSONField(default=list)
    instructions = models.TextField()
    warnings = models.JSONField(default=list)
    created_at = models.DateTimeField(default=timezone.now)
    approved_at = models.DateTimeField(null=True, blank=True)
    declined_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["skill", "number"], name="skill_version_once")]

    def __str__(self) -> str:
        return f"{self.skill.name}, version {self.number}"

    @property
    def state(self) -> str:
        """Return its state: used, waiting, declined or former."""
        if self.skill.approved_id == self.pk:
            return "used"
        waiting = self.skill.waiting
        return "waiting" if waiting and waiting.pk == self.pk else "declined" if self.declined_at else "former"

    @classmethod
    def of(cls, document: Document, text: str, **fields: Any) -> "SkillVersion":
        """Return an unsaved version."""
        return cls(
            document=text,
            sha256=digest(text),
            description=document.description,
            title=document.title,
            reads=document.reads,
            domains=[str(pattern) for pattern in document.patterns],
            selectors=[asdict(selector) for selector in document.selectors],
            instructions=document.instructions,
            warnings=list(document.warnings),
            **fields,
        )

    @property
    def label(self) -> str:
        """The name for people."""
        return self.title or skill_label(self.skill.name)

    @property
    def label_and_number(self) -> str:
        return f"{self.label}, version {self.number}"

    @property
    def sentence(self) -> str:
        return f"Reads {self.reads.removesuffix('.')}." if self.reads else first_sentence(self.description)

    @property
    def field_labels(self) -> list[str]:
        return [field_label(selector["name"]) for selector in self.selectors]

    @property
    def sites(self) -> list[str]:
        return [site_words(pattern) for pattern in self.domains]

    @property
    def patterns(self) -> list[Pattern]:
        return [Pattern.stored(text) for text in self.domains]

    @property
    def is_for_any(self) -> bool:
        return any(pattern.host == "*" for pattern in self.patterns)

    def meets(self, hosts: Iterable[str]) -> bool:
        """Whether it names a site among the hosts. Patterns for any site do not count."""
        patterns = self.patterns
        return any(pattern.meets(host) for host in hosts for pattern in patterns)


class SkillTrial(models.Model):
    """A trial of a version on one page. `found`: words of the web, for its own page alone."""

    version = models.ForeignKey(SkillVersion, on_delete=models.CASCADE, related_name="trials")
    run = models.OneToOneField("agents.Run", on_delete=models.CASCADE, related_name="trial")
    url = models.TextField()
    found = models.JSONField(default=dict)

    class Meta:
        ordering = ["-pk"]


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
