"""Interests, memory and digests in a real browser: changed in place, undone, usable by everybody."""

import pytest

from tests.e2e.axe import axe_violations
from tests.e2e.browser import check_layout, shows, text_of, texts_of, visible
from tests.e2e.conftest import Desk

pytestmark = pytest.mark.one_browser("firefox", "pages of the site alone")

INTERESTS = """
from thoughts.models import Candidate, Preference, Thought
for text, strength, muted in (("slow trains", 2.4, False), ("loud trains", 1, True)):
    like, _ = Preference.objects.get_or_create(text=text, defaults={"strength": strength, "muted": muted})
Thought.objects.create(title="A train that takes its time", text="It does.", preference=like)
Preference.objects.get_or_create(text="gossip about trains", valence=-1)
Candidate.objects.get_or_create(text="sleeper trains", source="page", origin=["rails.example"])
"""
ROW = "[...document.querySelectorAll('.interests li')].find(row => row.innerText.includes('slow trains')).id"
NAMES = ".interests .name b"
WIDTHS = (320, 400)


def test_an_interest_is_changed_in_place_and_the_change_undone(desk: Desk) -> None:
    desk.penny.manage("shell", "-v", "0", "-c", INTERESTS)
    page = desk.browser.page(desk.penny.manage("sign_in_link").strip())
    page.goto(f"{desk.penny.url}/interests/")
    row = f"#{page.evaluate(ROW)}"
    page.click(f"{row} .pop summary")
    wrong = axe_violations(page)
    page.click(f"{row} .menu a[href$='/edit/']")
    shows(page, f"document.activeElement.matches('{row} input[name=text]')", "the field with the focus")
    wrong += axe_violations(page)
    page.fill(f"{row} input[name=text]", "very slow trains")
    page.press(f"{row} input[name=text]", "Enter")
    shows(page, "document.querySelector('.notice.success')?.innerText.includes('very slow trains')", "what it says now")
    assert "very slow trains" in texts_of(page, NAMES)
    page.click(".notice.success button")
    shows(page, "document.querySelector('.notice.success')?.innerText.includes('“slow trains”')", "that it is undone")
    assert text_of(page, f"{row} b") == "slow trains"
    check_layout(page, f"{desk.browser.name}-interests", widths=WIDTHS)
    for path in ("suggestions", "learned"):
        page.goto(f"{desk.penny.url}/interests/{path}/")
        visible(page, "h1")
        wrong += axe_violations(page)
        check_layout(page, f"{desk.browser.name}-{path}", widths=WIDTHS)
    page.close()
    assert wrong == []
