"""Write, import, approve, decline and restore skills.

Each change is a version; none is lost.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from agents.skills.documents import Document, DocumentInvalid, parse
from agents.skills.models import Skill, SkillVersion, digest
from agents.skills.sites import with_sites
from devices import disk
from devices.db import one_at_a_time

SKILLS_MAX, VERSIONS_MAX = 200, 200
SITES_MISSING = "This skill names no sites. Say which sites it is for, then approve it: metadata, domains."
Source = SkillVersion.Source


@transaction.atomic
def write_version(text: str, source: Source, *, skill: Skill | None = None, approve: bool = False) -> SkillVersion:
    """Store a document as the newest version of its skill; approve it if `approve`.

    `skill`: the skill to edit, otherwise the one that the document names. A document equal to the newest version is not
    stored again. Raises DocumentInvalid, DiskFull.
    """
    disk.check_room()
    document = parse(text)
    if approve and not document.patterns:
        raise DocumentInvalid(SITES_MISSING)
    one_at_a_time("skills")
    if skill is not None and document.name != skill.name:
        raise DocumentInvalid(f"name: this skill is called {skill.name}. Make a new one for another name.")
    target = skill or _skill_named(document.name)
    if source == Source.OWNER and skill is None and target.deleted_at is None and target.versions.exists():
        raise DocumentInvalid(
            f"name: there is a skill called {document.name} already. Edit that one, or choose another name."
        )
    version = _add_version(target, document, text, source)
    if target.deleted_at is not None:  # a deleted skill starts again: no version is in use
        Skill.objects.filter(pk=target.pk).update(deleted_at=None, approved=None)
    if approve:
        approve_version(version, timezone.now())
    return version


def _skill_named(name: str) -> Skill:
    skill, is_new = Skill.objects.get_or_create(name=name)
    if is_new and Skill.objects.kept().count() > SKILLS_MAX:
        raise DocumentInvalid(f"There are {SKILLS_MAX} skills already. Delete one that you do not use.")
    return skill


def _add_version(skill: Skill, document: Document, text: str, source: Source) -> SkillVersion:
    newest = skill.versions.first()
    if newest is not None and newest.sha256 == digest(text) and newest.declined_at is None:
        return newest
    if skill.versions.count() >= VERSIONS_MAX:
        raise DocumentInvalid(f"This skill has {VERSIONS_MAX} versions. Export it, delete it, and import it again.")
    number = (skill.versions.aggregate(last=Max("number"))["last"] or 0) + 1
    version = SkillVersion.of(document, text, skill=skill, number=number, source=source)
    version.save()
    return version


@transaction.atomic
def approve_version(version: SkillVersion, now: datetime) -> None:
    """Use a version from now on. An older one may be approved again. Raises DocumentInvalid without sites."""
    if not version.domains:
        raise DocumentInvalid(SITES_MISSING)
    one_at_a_time("skills")
    SkillVersion.objects.filter(pk=version.pk).update(approved_at=now, declined_at=None)
    Skill.objects.filter(pk=version.skill_id).update(approved=version)


def name_sites(version: SkillVersion, sites: str) -> SkillVersion:
    """Store the version that names these sites. It waits for approval. Raises DocumentInvalid, DiskFull."""
    source = SkillVersion.Source(version.source)
    return write_version(with_sites(version.document, sites), source, skill=version.skill)


@transaction.atomic
def withdraw_approval(version: SkillVersion) -> None:
    """Stop using a version; it waits for approval again."""
    Skill.objects.filter(pk=version.skill_id, approved=version).update(approved=None)
    SkillVersion.objects.filter(pk=version.pk).update(approved_at=None)


def decline(version: SkillVersion, now: datetime) -> None:
    SkillVersion.objects.filter(pk=version.pk, approved_at=None).update(declined_at=now)


def undecline(version: SkillVersion) -> None:
    SkillVersion.objects.filter(pk=version.pk).update(declined_at=None)
