"""Records of a walk: payloads that stood there as text, and what should not be there."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from playwright.sync_api import Page as Tab

from agents.run_pages.recorded_text import visible
from tests.attacks.eye import ACT

NEVER = "x-none"
BEGINNING = 200  # characters of a payload by which it is known again; what is cut shorter shows fewer
CUT = {"admin devices/message": 80, "interests/learned": 75, "permissions/feeds": 55} | {
    "permissions/browsers": 55,
    "permissions/programs": 55,
    "permissions/skills": 110,
}
WORDS = """(selector) => {
  const fields = (element) => [element, ...element.querySelectorAll('input, textarea')].map(({ value }) => value ?? '')
  return [...document.querySelectorAll(selector)].flatMap((element) => [element.textContent, \
...fields(element)]).join(' ')
}"""


@dataclass
class Sightings:
    """What the walk recorded so far.

    `rows` counts the elements of each surface. `visible_payloads` holds the indices of payloads that stood there letter
    by letter, as text or in a field. `wrong` lists what should not be there. `site` serves the hostile pages.
    """

    texts: Sequence[str]
    is_whole: bool = False  # every page of the admin's lists, too
    site: str = ""
    rows: dict[str, int] = field(default_factory=dict)
    visible_payloads: dict[str, set[int]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def act(self, tab: Tab, surface: str, selector: str, own: str = NEVER) -> None:
        """Trigger everything on the page that can act, and record what should not be there."""
        self.rows[surface] = self.rows.get(surface, 0) + tab.locator(selector).count()
        self.read(surface, str(tab.evaluate(WORDS, selector)))
        self.wrong += [f"{surface} {line}" for line in tab.evaluate(ACT.replace("OWN", repr(own)))]
        tab.mouse.move(500, 350)
        tab.keyboard.press("Tab")

    def read(self, surface: str, words: str) -> None:
        indices, there = self.visible_payloads.setdefault(surface, set()), letters(words)
        cut = CUT.get(surface, BEGINNING)
        indices.update(
            index
            for index, text in enumerate(self.texts)
            if index not in indices and any(form in there for form in forms(text[:cut]))
        )


def letters(text: str) -> str:
    """Return the characters that every surface shows alike: printable ASCII without spaces."""
    return re.sub(r"[^!-~]", "", text)


@lru_cache(maxsize=50_000)
def forms(text: str) -> frozenset[str]:
    """Return a text as surfaces show it: plain, with visible codes, and inside JSON."""
    return frozenset(map(letters, (text, visible(text), json.dumps(text, ensure_ascii=False)[1:-1])))


Surface = Callable[[Tab, str, Sightings], None]


def assert_whole(tab: Tab, selector: str, sightings: Sightings) -> None:
    """Assert that the element ends with the last payload, as text."""
    words = tab.evaluate("selector => document.querySelector(selector).textContent", selector)
    assert sightings.texts[-1].replace("\x00", "\ufffd") in words
