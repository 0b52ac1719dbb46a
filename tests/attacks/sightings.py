"""What a walk through the surfaces finds: which payloads stand there as words, how many things, and what should not be
there.
"""

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
CUT = {"admin devices/message": 80, "taste": 75, "subscriptions": 55}
WORDS = """(selector) => {
  const fields = (element) => [element, ...element.querySelectorAll('input, textarea')].map(({ value }) => value ?? '')
  return [...document.querySelectorAll(selector)].flatMap((element) => [element.textContent, \
...fields(element)]).join(' ')
}"""


@dataclass
class Sightings:
    """What was found so far. `rows` counts the shown things by surface, `shown` says which payloads stood there letter
    by letter as text or in a field, `wrong` what should not be there. `site` is where hostile pages stand.
    """

    texts: Sequence[str]
    is_whole: bool = False  # every page of the admin's lists, too
    site: str = ""
    rows: dict[str, int] = field(default_factory=dict)
    visible_payloads: dict[str, set[int]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def act(self, tab: Tab, surface: str, selector: str, own: str = NEVER) -> None:
        """Do everything on the page that can be done, and note what should not be there."""
        self.rows[surface] = self.rows.get(surface, 0) + tab.locator(selector).count()
        self.read(surface, str(tab.evaluate(WORDS, selector)))
        self.wrong += [f"{surface} {line}" for line in tab.evaluate(ACT.replace("OWN", repr(own)))]
        tab.mouse.move(500, 350)
        tab.keyboard.press("Tab")

    def read(self, surface: str, words: str) -> None:
        """Note which payloads stand in words that are shown."""
        indices, there = self.visible_payloads.setdefault(surface, set()), letters(words)
        cut = CUT.get(surface, BEGINNING)
        indices.update(
            index
            for index, text in enumerate(self.texts)
            if index not in indices and any(form in there for form in forms(text[:cut]))
        )


def letters(text: str) -> str:
    """Return what of a text every surface shows the same way: neither spaces nor what a browser leaves out."""
    return re.sub(r"[^!-~]", "", text)


@lru_cache(maxsize=50_000)
def forms(text: str) -> frozenset[str]:
    """Return the ways in which a text is shown: as it is, with the codes of what cannot be seen, and inside of JSON."""
    return frozenset(map(letters, (text, visible(text), json.dumps(text, ensure_ascii=False)[1:-1])))


Surface = Callable[[Tab, str, Sightings], None]


def assert_whole(tab: Tab, selector: str, sightings: Sightings) -> None:
    """Whatever is shown there ends with the last of the payloads, as text."""
    words = tab.evaluate("selector => document.querySelector(selector).textContent", selector)
    assert sightings.texts[-1].replace("\x00", "\ufffd") in words
