"""Decide which skills apply: approved ones, on sites that the owner allowed to be read."""

from uuid import UUID

from django.db.models import Q

from agents.skills.models import Skill, SkillVersion
from agents.skills.patterns import place_of
from agents.zones.inputs import Private, SkillText
from devices.grants import grants
from devices.models import Grant
from devices.web.hosts import HostInvalid

OFFERED_MAX = 40


def active_for(url: str, run_id: UUID | None) -> SkillVersion | None:
    """Return the approved skill version for a page, None if there is none or it may not be read.

    If several match, the one with the most specific pattern wins.
    """
    try:
        if not may_be_read(url, run_id):
            return None
        host, path = place_of(url)
    except HostInvalid:
        return None
    matches = [
        (pattern.weight, -version.pk, version)
        for skill in Skill.objects.usable()
        if (version := in_use(skill)) is not None
        for pattern in version.patterns
        if pattern.matches(host, path)
    ]
    return max(matches, key=lambda match: match[:2])[2] if matches else None


def may_be_read(url: str, run_id: UUID | None) -> bool:
    """Whether the owner granted reading a page; a skill grants nothing. Raises HostInvalid."""
    return grants.decide(url, "read", run_id).is_allowed


def in_use(skill: Skill) -> SkillVersion | None:
    """Return the version that requests may hold: the approved one, even if there is a newer one."""
    return skill.approved


def offered_skills(run_id: UUID | None) -> list[SkillText]:
    """Return name and description of the skills for granted sites, without their instructions."""
    hosts = granted_hosts(run_id)
    versions = [version for skill in Skill.objects.usable() if (version := in_use(skill)) is not None] if hosts else []
    matching = [version for version in versions if version.meets(hosts)]
    return [SkillText(version.skill.name, Private(version.description)) for version in matching[:OFFERED_MAX]]


def load_skill(name: str, run_id: UUID | None) -> SkillText | None:
    if name not in {skill.name for skill in offered_skills(run_id)}:
        return None
    version = in_use(Skill.objects.usable().get(name=name))
    assert version is not None
    return SkillText(name, Private(version.description), Private(version.instructions))


def granted_hosts(run_id: UUID | None) -> list[str]:
    rows = Grant.objects.current().filter(capability="read", state=Grant.State.ALLOWED)
    return list(rows.filter(Q(run_id=None) | Q(run_id=run_id)).values_list("host", flat=True))
