"""Fill the pages of Permissions with payloads: programs, skills, trials of skills, the record."""

from tests.attacks.row_values import PER_GATHERING, clean, gathered

FIELDS_OF_A_TRIAL = [{"name": "posts", "css": ".post", "many": True}]


def fill_permissions(texts: list[str]) -> None:
    fill_programs(texts)
    fill_skills(texts)
    for number, first in enumerate(range(0, len(texts), PER_GATHERING)):
        fill_trial(f"gathered-{number}", texts[first : first + PER_GATHERING])
    fill_record(texts)


def fill_programs(texts: list[str]) -> None:
    from devices.models import Device
    from devices.models.sign_in import ApiToken

    devices = Device.objects.bulk_create(
        [Device(label=clean(text)[:64], kind=Device.Kind.API) for text in texts], batch_size=500
    )
    tokens = [ApiToken(device=device, digest=f"{index:064}") for index, device in enumerate(devices)]
    ApiToken.objects.bulk_create(tokens, batch_size=500)


def fill_skills(texts: list[str]) -> None:
    """Store an approved skill for every payload."""
    from agents.models import Skill, SkillVersion

    skills = Skill.objects.bulk_create([Skill(name=f"hostile-{index}") for index in range(len(texts))], batch_size=500)
    versions = [
        SkillVersion(
            skill=skill, number=1, source="imported", title=clean(text)[:40], reads=clean(text)[:120], document=text
        )
        for skill, text in zip(skills, texts, strict=True)
    ]
    for version in SkillVersion.objects.bulk_create(versions, batch_size=500):
        Skill.objects.filter(pk=version.skill_id).update(approved=version)


def fill_trial(name: str, texts: list[str]) -> None:
    """Store a skill that waits for approval, whose parts hold many payloads, and a trial that found them."""
    from agents.models import Run, Skill, SkillTrial, SkillVersion

    words = gathered(texts)
    version = SkillVersion.objects.create(
        skill=Skill.objects.create(name=name),
        number=1,
        source="imported",
        document=words,
        description=words,
        domains=list(map(clean, texts)),
        selectors=FIELDS_OF_A_TRIAL,
        warnings=list(map(clean, texts)),
    )
    page = {"url": words, "domain": words, "title": words, "matches": False, "can_select": True, "text": words}
    page["fields"] = [{"name": "posts", "css": ".post", "texts": list(map(clean, texts))}]
    run = Run.objects.create(kind="trial", state="done", outcome=words)
    SkillTrial.objects.create(version=version, run=run, url=words, found=page)


def fill_record(texts: list[str]) -> None:
    from django.utils import timezone

    from devices.models import HostCount

    today = timezone.localdate()
    rows = [HostCount(day=today, way=HostCount.Way.PAGE, host=clean(text)[:200]) for text in texts]
    HostCount.objects.bulk_create(rows, ignore_conflicts=True, batch_size=500)
