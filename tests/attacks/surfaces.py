"""Every surface on which Penny shows words, walked through in a real browser to its end: given a tab, her address and what was seen."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from playwright.sync_api import Page as Tab

from tests.attacks.eye import ACT
from tests.attacks.rows import OPEN_ASKS, STEPPED
from tests.waiting import until

LAST_WORD = "That was all."
QUERY_CHARACTERS = 6000
NEVER = "x-none"
MODELS = (
    "thoughts/thought", "thoughts/page", "thoughts/preference", "devices/message", "devices/ask", "devices/device", "devices/grant",
    "agents/run", "agents/schedule",
)  # fmt: skip


@dataclass
class Seen:
    """What was found so far; `rows` counts the shown things by surface, `wrong` says what should not be there."""

    texts: Sequence[str]
    is_whole: bool = False  # every page of the admin's lists, too
    rows: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def act(self, tab: Tab, surface: str, selector: str, own: str = NEVER) -> None:
        """Do everything on the page that can be done, and note what should not be there."""
        self.rows[surface] = self.rows.get(surface, 0) + tab.locator(selector).count()
        self.wrong += [f"{surface} {line}" for line in tab.evaluate(ACT.replace("OWN", repr(own)))]
        tab.mouse.move(500, 350)
        tab.keyboard.press("Tab")


Surface = Callable[[Tab, str, Seen], None]

# The web pages ------------------------------------------------------------------------------------------------------------------


def feed(tab: Tab, home: str, seen: Seen) -> None:
    """Every page of the cards; on the first also what htmx loads by itself."""
    for address in older_pages(tab, f"{home}/"):
        tab.goto(address)
        seen.act(tab, "feed", ".card")
    tab.goto(f"{home}/")
    shown = tab.locator(".card").count()
    tab.locator("#older a").scroll_into_view_if_needed()
    until(lambda: tab.locator(".card").count() > shown, "htmx shows older thoughts")
    seen.act(tab, "feed, by htmx", ".card")


def older_pages(tab: Tab, address: str) -> Iterator[str]:
    """Yield addresses as long as the page that was opened last leads to an older one."""
    first = address
    while address:
        yield address
        older = tab.locator("#older a")
        address = f"{first}{older.get_attribute('href')}" if older.count() else ""


def dialogs(tab: Tab, home: str, seen: Seen) -> None:
    """The thoughts of the archive, each in the dialog with its fifty claims, quotes and pages; the last also as a page."""
    thought = ""
    for address in older_pages(tab, f"{home}/archive/"):
        tab.goto(address)
        for index in range(tab.locator(".card h2 a").count()):
            link = tab.locator(".card h2 a").nth(index)
            thought = str(link.get_attribute("href"))
            tab.evaluate("document.querySelector('#thought-body').replaceChildren()")
            link.evaluate("link => link.click()")
            tab.wait_for_selector("#thought[open] .evidence, #thought[open] .soft", state="attached")
            seen.act(tab, "dialog", ".evidence li")
            tab.keyboard.press("Escape")
    tab.goto(home + thought)
    seen.act(tab, "thought", ".evidence li")


EARLIER = """async (most) => {
  const oldest = () => Number(document.querySelector('[data-seq]').dataset.seq)
  const button = document.getElementById('earlier')
  for (let round = 0; round < most && !button.hidden; round++) {
    const before = oldest()
    button.click()
    for (let wait = 0; oldest() === before && !button.hidden && wait < 1000; wait++) await new Promise((r) => setTimeout(r, 10))
  }
  return oldest()
}"""


def chat(tab: Tab, home: str, seen: Seen) -> None:
    """The conversation to its beginning, as it comes over the socket, and every question that is open."""
    connect(tab, home)
    assert tab.evaluate(EARLIER, 10_000) == 1
    seen.act(tab, "chat", ".message")


def connect(tab: Tab, home: str) -> None:
    tab.goto(f"{home}/chat/")
    tab.wait_for_selector("#connection[data-state=connected]", state="attached")


def chat_asks(tab: Tab, home: str, seen: Seen) -> None:
    """Half of the questions that are open; each holds every payload."""
    connect(tab, home)
    for _ in range(OPEN_ASKS // 2):
        tab.wait_for_selector("#asks .ask")
        assert_whole(tab, "#asks .ask", seen)
        seen.act(tab, "asks", "#asks .ask")
        tab.evaluate("document.querySelector('#asks .ask').classList.add('seen')")
        tab.click("#asks button:has-text('Not now')")
        tab.wait_for_selector("#asks .seen", state="detached")


def assert_whole(tab: Tab, selector: str, seen: Seen) -> None:
    """Whatever is shown there ends with the last of the payloads, as text."""
    shown = tab.evaluate("selector => document.querySelector(selector).textContent", selector)
    assert seen.texts[-1].replace("\x00", "\ufffd") in shown


def lists(tab: Tab, home: str, seen: Seen) -> None:
    tab.goto(f"{home}/preferences/")
    seen.act(tab, "preferences", ".rows li")
    tab.goto(f"{home}/setup/")
    seen.act(tab, "devices", ".rows li")


def admin(tab: Tab, home: str, seen: Seen) -> None:
    """Each list, and the page of one row."""
    for model in MODELS:
        page, pages = 1, 1
        while page <= pages:
            tab.goto(f"{home}/admin/{model}/?p={page}")
            seen.act(tab, f"admin {model}", "#result_list tbody tr")
            pages, page = page_count(tab) if seen.is_whole and page == 1 else pages, page + 1
        row = tab.locator("#result_list tbody th a").first.get_attribute("href")
        tab.goto(f"{home}{row}")
        seen.act(tab, "admin row", "#content-main")


def page_count(tab: Tab) -> int:
    """Return how many pages a list has of which the first is shown."""
    numbers = re.findall(r"\d+", tab.locator(".paginator").inner_text())
    return math.ceil(int(numbers[-1]) / tab.locator("#result_list tbody tr").count())


def runs(tab: Tab, home: str, seen: Seen) -> None:
    """The steps of runs: as the admin lists them, and as the picture of which zone saw what."""
    tab.goto(f"{home}/admin/agents/run/?q={STEPPED}")
    for run in [str(link.get_attribute("href")) for link in tab.locator("#result_list tbody th a").all()]:
        tab.goto(f"{home}{run}")
        seen.act(tab, "admin steps", ".form-row.has_original")
        tab.goto(f"{home}/runs/{run.split('/')[-3]}/")
        seen.act(tab, "flows", ".step")


def answered(tab: Tab, home: str, seen: Seen) -> None:
    """What stands in the address itself and comes back in the page: what was searched for, and what was not found."""
    for words in gathered(seen.texts):
        tab.goto(f"{home}/admin/devices/grant/?q={words}")
        seen.act(tab, "searches", "#searchbar")
        tab.goto(f"{home}/nowhere/{words}?next={words}")
        seen.act(tab, "not found", "h1")


def gathered(texts: Sequence[str]) -> Iterator[str]:
    """Yield the payloads as they stand in an address, several at a time."""
    words = ""
    for text in texts:
        if len(words) > QUERY_CHARACTERS:
            yield words
            words = ""
        words += quote(text + " ", safe="")
    yield words


# The extension's own pages ------------------------------------------------------------------------------------------------------

OLDER = """async (most) => {
  const log = document.getElementById('log')
  const oldest = () => Number(log.querySelector('[data-seq]').dataset.seq)
  for (let round = 0; round < most && oldest() > 1; round++) {
    const before = oldest()
    for (let wait = 0; oldest() === before && wait < 1000; wait++) {
      log.scrollTop = wait % 2 ? 1 : 0
      await new Promise((r) => setTimeout(r, 10))
    }
  }
  return oldest()
}"""


def own(home: str) -> str:
    """Return the selector of what the panel itself puts there: links to Penny, her pictures, her mark."""
    return f'a[href^="{home}/"], img[src^="{home}/"], img.mark'


def panel(tab: Tab, home: str, seen: Seen) -> None:
    """The conversation in the side panel, to its beginning."""
    tab.wait_for_selector(".message[data-seq]")
    assert tab.evaluate(OLDER, 10_000) == 1
    seen.act(tab, "panel", ".message", own(home))


def panel_asks(tab: Tab, home: str, seen: Seen) -> None:
    """Half of the questions; the web chat shows the others."""
    for _ in range(OPEN_ASKS // 2):
        tab.wait_for_selector(".ask button[data-decision=dismiss]:enabled")
        assert_whole(tab, ".ask", seen)
        seen.act(tab, "panel asks", ".ask", own(home))
        tab.click(".ask button[data-decision=dismiss]")


def stream(tab: Tab, home: str, seen: Seen) -> None:
    """An answer that is being written, in the side panel and in the web chat at once; then it is stopped."""
    tab.fill("#composer", "Say it")
    tab.press("#composer", "Enter")
    tab.wait_for_selector(f".message.turn .streaming:has-text('{LAST_WORD}')")
    assert_whole(tab, ".message.turn .streaming", seen)
    seen.act(tab, "panel stream", ".message.turn", own(home))
    web = tab.context.new_page()
    connect(web, home)
    web.wait_for_selector(f"#log :text('{LAST_WORD}')")
    seen.act(web, "chat stream", ".message")
    web.close()
    tab.click("#stop")
    tab.wait_for_selector(".message.out[data-kind=cancelled]")


def options(tab: Tab, home: str, seen: Seen) -> None:
    """The list of sites, which holds a grant for every payload."""
    tab.wait_for_selector(".grant")
    seen.act(tab, "options", ".grant", own(home))
