"""Which skill is active for a page, and which are offered to a planner: approved ones, where the owner granted
reading, and nowhere else."""

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
    """Return what is used for a page: of the skills that mean it the one whose pattern says most about it, if the page
    may be read.
    """
    try:
        if not may_be_read(url, run_id):
            return None
        host, path = place_of(url)
    except HostInvalid:
        return None
    found = [
        (pattern.weight, -version.pk, version)
        for skill in Skill.objects.usable()
        if (version := in_use(skill)) is not None
        for pattern in version.patterns
        if pattern.matches(host, path)
    ]
    return max(found, key=lambda match: match[:2])[2] if found else None


def may_be_read(url: str, run_id: UUID | None) -> bool:
    """Whether the owner granted reading a page. A skill adds nothing to that. Raises HostInvalid."""
    return grants.decide(url, "read", run_id).is_allowed


def in_use(skill: Skill) -> SkillVersion | None:
    """Return the version that requests may hold: the one that the owner approved, never a newer one."""
    return skill.approved


def offered(run_id: UUID | None) -> list[SkillText]:
    """Return the names and descriptions of the skills for sites that may be read, without their instructions."""
    hosts = granted_hosts(run_id)
    versions = [version for skill in Skill.objects.usable() if (version := in_use(skill)) is not None] if hosts else []
    meant = [version for version in versions if version.meets(hosts)]
    return [SkillText(version.skill.name, Private(version.description)) for version in meant[:OFFERED_MAX]]


def loaded(name: str, run_id: UUID | None) -> SkillText | None:
    """Return an offered skill with its instructions; None for one that is not offered."""
    if name not in {skill.name for skill in offered(run_id)}:
        return None
    version = in_use(Skill.objects.usable().get(name=name))
    assert version is not None
    return SkillText(name, Private(version.description), Private(version.instructions))


def granted_hosts(run_id: UUID | None) -> list[str]:
    """Return the hosts that the owner allowed to be read, for always or for this run."""
    rows = Grant.objects.current().filter(capability="read", state=Grant.State.ALLOWED)
    return list(rows.filter(Q(run_id=None) | Q(run_id=run_id)).values_list("host", flat=True))
