"""The interface of both browsers, so that a test is written once and runs in both."""

import json
import os
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal, Protocol

from tests.waiting import until

ROOT = Path(__file__).resolve().parent.parent.parent
ARTIFACTS = ROOT / "artifacts"
TAKES_PICTURES = bool(
    os.environ.get("TEST_PICTURES")
)  # for people; a picture takes half a second, and there are hundreds
OUTPUT = ROOT / "browser_ext" / ".output"
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
SIDEBAR_WIDTHS = (240, 360, 480)  # pixels


# The elements that scroll sideways, except the row of pages, code, formulas and tables.
SIDEWAYS = """[...document.querySelectorAll('*')]
  .filter((e) => e.scrollWidth > e.clientWidth + 1 && (e === document.documentElement || \
/auto|scroll/.test(getComputedStyle(e).overflowX)))
  .filter((e) => !e.matches('nav, pre, table, .formula, .formula *')).map((e) => e.outerHTML.slice(0, 200))"""


class Page(Protocol):
    """A tab. Selectors are CSS, expressions are JavaScript. `evaluate` returns JSON values."""

    def goto(self, url: str) -> None: ...
    def evaluate(self, expression: str) -> Any: ...
    def click(self, selector: str) -> None: ...
    def fill(self, selector: str, text: str) -> None: ...
    def press(self, selector: str, key: Literal["Enter", "Escape"], times: int = 1) -> None:
        """Press a key on an element; several times at once, however slow the machine is."""

    def key(self, key: str) -> None:
        """Press a key where the focus is: a letter, Enter, Escape, Tab, Shift+Tab, ArrowUp or ArrowDown."""
        ...

    def press_at(self, x: int, y: int) -> None:
        """Press the mouse at a place, counted from the right and the bottom."""
        ...

    def download(self, selector: str) -> str:
        """Click an element that saves a file; return the file's text."""
        ...

    def at_size(self, width: int, height: int = 800, scheme: Scheme = "light") -> AbstractContextManager[None]: ...

    def picture(self, name: str) -> Path:
        """Take a picture of the visible part of the page."""
        ...

    def screenshot(self, name: str, width: int, height: int = 800, scheme: Scheme = "light") -> Path: ...
    def close(self) -> None: ...


class Browser(Protocol):
    """A real browser with the built extension loaded."""

    name: str

    @property
    def downloads(self) -> Path:
        """Return the folder of saved files."""
        ...

    @property
    def panel_url(self) -> str: ...
    @property
    def origin(self) -> str: ...
    def page(self, url: str) -> Page: ...
    def urls(self) -> list[str]:
        """Return the URLs of all tabs, also hidden ones."""
        ...

    def close(self, url: str) -> None: ...

    def quit(self) -> None: ...


def manifest(build: Path) -> dict[str, Any]:
    assert build.exists(), f"{build} is not there: make install builds the extension"
    return dict(json.loads((build / "manifest.json").read_text()))


def artifact(name: str) -> Path:
    ARTIFACTS.mkdir(exist_ok=True)
    return ARTIFACTS / f"{name}.png"


def show_people(page: Page, name: str, width: int, height: int = 800, scheme: Scheme = "light") -> None:
    """With TEST_PICTURES, take a picture."""
    if TAKES_PICTURES:
        page.screenshot(name, width, height, scheme)


def check_layout(page: Page, name: str, height: int = 800, widths: Iterable[int] = SIDEBAR_WIDTHS) -> None:
    """Assert that nothing on a page scrolls sideways.

    With TEST_PICTURES, take pictures in both themes.
    """
    for width in widths:
        for scheme in SCHEMES if TAKES_PICTURES else SCHEMES[:1]:
            with page.at_size(width, height, scheme):
                if TAKES_PICTURES:
                    page.picture(f"{name}-{width}-{scheme}")
                wide = page.evaluate(SIDEWAYS)
                assert wide == [], (name, width, wide)


def shows(page: Page, expression: str, what: str, deadline_s: float = 20.0) -> Any:
    """Wait until a JavaScript expression is truthy; return its value.

    A TypeError counts as false.
    """
    guarded = (
        f"(() => {{ try {{ return ({expression}) }} catch (error) {{ if (error instanceof TypeError) return "
        f"null; throw error }} }})()"
    )
    return until(lambda: page.evaluate(guarded), f"the page shows {what}", deadline_s)


def text_of(page: Page, selector: str) -> str:
    return str(page.evaluate(f"(document.querySelector({json.dumps(selector)})?.innerText || '')"))


def texts_of(page: Page, selector: str) -> list[str]:
    return [
        str(text)
        for text in page.evaluate(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.innerText)")
    ]


def visible(page: Page, selector: str, deadline_s: float = 20.0) -> None:
    selector_json = json.dumps(selector)
    shows(page, f"!!document.querySelector({selector_json})?.checkVisibility()", selector, deadline_s)


Start = Callable[[], Browser]
