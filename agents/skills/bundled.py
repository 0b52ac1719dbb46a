"""The skills that come with Penny: files beside this one, stored when a worker starts."""

from pathlib import Path

from django.db import transaction
from django.utils import timezone

from agents.skills.documents import parse
from agents.skills.models import Skill, SkillVersion, digest
from agents.skills.versions import approve_version
from devices.db import one_at_a_time

FOLDER = Path(__file__).parent / "shipped"
SHIPPED = SkillVersion.Source.SHIPPED


def load(folder: Path = FOLDER) -> list[SkillVersion]:
    """Store the new and changed files; return their versions.

    A new version is approved at once if the owner never edited the skill. Otherwise it waits and shows the differences.
    """
    return [version for file in sorted(folder.glob("*/SKILL.md")) if (version := _store_file(file)) is not None]


@transaction.atomic
def _store_file(file: Path) -> SkillVersion | None:
    text = file.read_text(encoding="utf-8")
    one_at_a_time("skills")
    skill, _ = Skill.objects.get_or_create(name=file.parent.name)
    versions = skill.versions.all()
    if versions.filter(source=SHIPPED, sha256=digest(text)).exists():
        return None
    is_untouched = not versions.exclude(source=SHIPPED).exists()
    newest = versions.first()
    version = SkillVersion.of(parse(text), text, skill=skill, source=SHIPPED, number=newest.number + 1 if newest else 1)
    version.save()
    if is_untouched:
        approve_version(version, timezone.now())
    return version
