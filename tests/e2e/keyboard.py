"""A person who has a keyboard alone: real keys, with the focus looked at after each."""

import json
from typing import Any

from marionette_driver.errors import MarionetteException
from playwright.sync_api import Error

from tests.e2e.browser import Page, shows
from tests.waiting import until

# Where the focus is, and whether one sees it: by an outline, a shadow, or a card around it. Headings and regions take
# the focus from a script to be read out, and time fields show it inside.
FOCUS = """(() => {
  const e = document.activeElement
  if (!e || e === document.body || e === document.documentElement) return {name: '', isSeen: false}
  const isRinged = (x) => {
    const style = x && getComputedStyle(x)
    return x && ((style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none')
  }
  const box = e.getBoundingClientRect()
  const isInView = box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight
  const isRead = e.tabIndex === -1 || e.type === 'time'
  const around = e.closest('.card:has(h2 a:focus-visible), label, .box')
  return {name: e.outerHTML.slice(0, 200), isSeen: isInView && (isRead || isRinged(e) || isRinged(around))}
})()"""
# Whether the next stop is outside of the page, in the browser. A group of radio buttons is one stop.
IS_LAST = """(() => {
  const stops = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]'
  const last = [...document.querySelectorAll(stops)].filter((e) => e.checkVisibility()).at(-1)
  const here = document.activeElement
  return last === here || (last?.type === 'radio' && here.type === 'radio' && last.name === here.name)
})()"""
MOST = 80


class Keyboard:
    def __init__(self, page: Page) -> None:
        self.page = page

    def focus(self) -> str:
        """Return the element with the focus. Fails if the focus is lost, or nobody can see it."""
        focus: dict[str, Any] = self.page.evaluate(FOCUS)
        assert focus["name"], "the focus is on the page itself"
        assert focus["isSeen"], f"nobody sees the focus on {focus['name']}"
        return str(focus["name"])

    def is_on(self, selector: str) -> bool:
        return bool(self.page.evaluate(f"document.activeElement.matches({json.dumps(selector)})"))

    def reach(self, selector: str, most: int = MOST, key: str = "Tab") -> None:
        """Press Tab until the focus is on an element; each stop on the way must be seen."""
        path = []
        for _ in range(most):
            if self.is_on(selector):
                self.focus()
                return
            leaves = key == "Tab" and bool(self.page.evaluate(IS_LAST))
            self.page.key(key)
            if not (leaves and self.is_on("body")):
                path.append(self.focus())
        raise AssertionError(f"{selector} is not within {most} stops: {path}")

    def skip_to_content(self) -> None:
        """Begin at the content of a page that was just loaded. An address may lead there already."""
        if self.is_on("#main"):
            return
        shows(self.page, "document.readyState === 'complete'", "the whole page")
        self.page.key("Tab")
        shows(self.page, "document.activeElement.matches('.skip')", "the first stop with the focus")
        self.focus()
        self.page.key("Enter")
        shows(self.page, "document.activeElement.id === 'main'", "the content with the focus")

    def press(self, selector: str, then: str, key: str = "Enter") -> None:
        """Reach an element, press a key on it, and wait until an expression is true, on this page or the next."""
        self.reach(selector)
        self.page.evaluate("window.wasHere = true")
        self.page.key(key)
        until(lambda: self._is_true(then), f"{selector} leads to {then}")

    def go(self, selector: str, to: str) -> None:
        """Press Enter on what leads to another page, and begin at the content of that page."""
        self.press(selector, f"!window.wasHere && !!document.querySelector({json.dumps(to)})")
        self.skip_to_content()

    def _is_true(self, expression: str) -> bool:
        """Evaluate on a page that may just go, which no script survives."""
        try:
            return bool(self.page.evaluate(f"document.readyState === 'complete' && ({expression})"))
        except (Error, MarionetteException):
            return False

    def write(self, words: str) -> None:
        for letter in words:
            self.page.key(letter)
