"""Axe-core finds no violation on the pages of Permissions, and none is wider than a small phone."""

from collections.abc import Iterator

import pytest

from penny_site.frame.places import PERMISSIONS
from tests.e2e.axe import axe_violations
from tests.e2e.browser import SIDEWAYS, Page, visible
from tests.e2e.conftest import Desk

pytestmark = pytest.mark.one_browser("chromium", "pages of the site alone")

SKILL = "/permissions/skills/of/axe-board/"
FILL = """
from agents.models import Run, SkillTrial, SkillVersion
from agents.skills import versions
from devices.grants import grants
grants.set_grant("axe.example", "read", "allowed")
grants.set_grant("axe-blocked.example", "read", "blocked")
text = '''---
name: axe-board
description: Reads threads.
metadata:
  domains: axe.example/*
  selectors: |
    title: h1
    posts[]: .post
---
Count the answer.'''
first = versions.write_version(text, SkillVersion.Source.OWNER, approve=True)
versions.write_version(text + " And its date.", SkillVersion.Source.IMPORTED)
fields = [{"name": "title", "css": "h1", "texts": []}, {"name": "posts", "css": ".post", "texts": ["One.", "Two."]}]
page = {"url": "https://axe.example/", "domain": "axe.example", "title": "Board", "matches": False}
page |= {"text": "All of it.", "can_select": True, "characters": 10, "words": 4321}
for result in (page | {"fields": fields}, page | {"fields": fields[:1]}, {}):
    run = Run.objects.create(kind="trial", state="done" if result else "failed", outcome="I could not reach it.")
    SkillTrial.objects.create(version=first, run=run, url="https://axe.example/", found=result)
print([trial.pk for trial in SkillTrial.objects.filter(version=first)])
"""
CLEAN = """
from agents.models import Run, Skill
from devices.grants import grants
from devices.models import Device
from thoughts.subscriptions.models import Subscription
Run.objects.filter(trial__version__skill__name="axe-board").delete()
Skill.objects.filter(name="axe-board").delete()
Device.objects.filter(label="Axe").delete()
Subscription.objects.filter(name="Axe").delete()
for host in ("axe.example", "axe-blocked.example"):
    grants.revoke_grant(host, "read")
"""


@pytest.fixture
def trials(desk: Desk) -> Iterator[list[str]]:
    """The pages of three trials: with finds, without any, and of a page that could not be reached."""
    numbers = desk.penny.manage("shell", "-v", "0", "-c", FILL).strip("[]\n ").split(", ")
    yield [f"{SKILL}trials/{number}/" for number in numbers]
    desk.penny.manage("shell", "-v", "0", "-c", CLEAN)


def wrong_on(page: Page) -> list[str]:
    return axe_violations(page, widths=(320,), besides=_elements_too_wide)


def _elements_too_wide(page: Page) -> list[str]:
    return [f"too wide: {element}" for element in page.evaluate(SIDEWAYS)]


def test_the_pages_of_permissions_can_be_used_by_everybody(desk: Desk, trials: list[str]) -> None:
    skills = [SKILL, f"{SKILL}edit/", f"{SKILL}versions/2/", "/permissions/skills/new/", *trials]
    page = desk.browser.page(f"{desk.penny.url}/permissions/")
    wrong = {}
    try:
        for address in [*(tab.address for tab in PERMISSIONS.tabs), *skills]:
            page.goto(desk.penny.url + address)
            visible(page, "main h1")
            wrong[address] = wrong_on(page)
        for address, field in (("/permissions/programs/", "#id_label"), ("/permissions/feeds/", "#id_name")):
            page.goto(desk.penny.url + address)
            page.fill(field, "Axe")
            page.click("form.adding .primary")
            visible(page, "#made")
            wrong[f"{address}, with what is shown once"] = wrong_on(page)
    finally:
        page.close()
    assert {address: lines for address, lines in wrong.items() if lines} == {}
