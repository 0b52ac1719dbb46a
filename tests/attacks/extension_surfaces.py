"""Every surface of the extension's pages that shows text of others, walked to its end."""

import math
from urllib.parse import quote

from playwright.sync_api import Page as Tab

from tests.attacks.row_values import OPEN_ASKS, PER_GATHERING
from tests.attacks.sightings import BEGINNING, Sightings, assert_whole
from tests.attacks.surfaces import OLDER, connect
from tests.waiting import until

LAST_WORD = "That was all."
PER_PAGE = 200  # payloads of a page that is shared
PER_TITLE = 10  # a browser cuts what is longer than 4,096 characters


def own_elements(home: str) -> str:
    """Return the selector of the panel's own elements: links to Penny, her pictures, her mark."""
    return f'a[href^="{home}/"], img[src^="{home}/"], img.mark'


def panel(tab: Tab, home: str, sightings: Sightings) -> None:
    """The conversation in the side panel, back to its beginning."""
    tab.wait_for_selector(".message[data-seq]")
    assert tab.evaluate(OLDER, 10_000) == 1
    sightings.act(tab, "panel", ".message", own_elements(home))


def panel_asks(tab: Tab, home: str, sightings: Sightings) -> None:
    """Half of the asks; the web chat shows the others."""
    for _ in range(OPEN_ASKS // 2):
        tab.wait_for_selector(".ask button[data-decision=dismiss]:enabled")
        assert_whole(tab, ".ask", sightings)
        sightings.act(tab, "panel asks", ".ask", own_elements(home))
        tab.click(".ask button[data-decision=dismiss]")


def stream(tab: Tab, home: str, sightings: Sightings) -> None:
    """An answer while it streams, in the panel and in the web chat; then the owner stops it."""
    tab.fill("#composer", "Say it")
    tab.press("#composer", "Enter")
    tab.wait_for_selector(f".message.turn .streaming:has-text('{LAST_WORD}')")
    sightings.act(tab, "panel stream", ".message.turn", own_elements(home))
    web = tab.context.new_page()
    connect(web, home)
    web.wait_for_selector(f"#log :text('{LAST_WORD}')")
    sightings.act(web, "chat stream", ".message.running")
    web.close()
    tab.click("#stop")
    tab.wait_for_selector(".message.out[data-kind=cancelled]")


ANSWERS = ".message.out[data-kind=chat][data-turn]"


def final(tab: Tab, home: str, sightings: Sightings) -> None:
    """Finished answers, stored and sent to every device, with many payloads in each."""
    for part in range(math.ceil(len(sightings.texts) / PER_GATHERING)):
        answer(tab, f"Say part {part}.")
    sightings.act(tab, "panel final", ANSWERS, own_elements(home))
    web = tab.context.new_page()
    connect(web, home)
    sightings.act(web, "chat final", ".message.out.chat")
    web.close()


def answer(tab: Tab, words: str) -> None:
    before = tab.locator(ANSWERS).count()
    tab.fill("#composer", words)
    tab.press("#composer", "Enter")
    until(lambda: tab.locator(ANSWERS).count() > before, f"the answer to {words!r} is stored", 60)


READ_TITLE = """async (number) => {
  const title = () => document.querySelector('.share-title')?.textContent ?? ''
  for (let wait = 0; !title().startsWith(`${number} `) && wait < 500; wait++) await new Promise((r) => setTimeout(r, \
10))
  return title()
}"""
SHOW = "([title, path]) => { document.title = title; history.replaceState({}, '', path) }"


def share_titles(tab: Tab, home: str, sightings: Sightings) -> None:
    """The title and URL of the page beside the panel."""
    beside = tab.context.new_page()
    beside.goto(f"{sightings.site}/text/0")
    for number in range(0, len(sightings.texts), PER_TITLE):
        some = [text[:BEGINNING] for text in sightings.texts[number : number + PER_TITLE]]
        beside.evaluate(SHOW, [f"{number} {' '.join(some)}", f"/{quote(some[0], safe='')}"])
        sightings.read("panel title", str(tab.evaluate(READ_TITLE, number)))
        if number % PER_PAGE == 0:
            sightings.act(tab, "panel share", ".share-title", own_elements(home))
    beside.close()


def share_pages(tab: Tab, home: str, sightings: Sightings) -> None:
    """Hostile pages that the owner includes: their preview, and the sent message."""
    for number in range(math.ceil(len(sightings.texts) / PER_PAGE)):
        for kind in ("text", "links"):
            beside = tab.context.new_page()
            beside.goto(f"{sightings.site}/{kind}/{number}")
            include(tab, f"{kind}/{number}")
            sightings.act(tab, f"panel {kind}", ".share-links li, .share-text", own_elements(home))
            if kind == "links":
                answer(tab, "Say part 0.")
                sightings.act(tab, "panel shared", ".message .page", own_elements(home))
            beside.close()


def include(tab: Tab, name: str) -> None:
    until(lambda: name in str(tab.text_content("#share-page")), f"the panel names {name}")
    tab.click("#include-page")
    tab.wait_for_selector("#share-look")
    tab.click("#share-look summary")


def options(tab: Tab, home: str, sightings: Sightings) -> None:
    tab.wait_for_selector(".grant")
    sightings.act(tab, "options", ".grant", own_elements(home))
