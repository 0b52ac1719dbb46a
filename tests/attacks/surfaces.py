"""Every surface of the web pages on which Penny shows text, walked to its end."""

import math
import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote, urljoin

from playwright.sync_api import Page as Tab

from tests.attacks.row_values import GATHERED, OPEN_ASKS, STEPPED
from tests.attacks.sightings import Sightings, assert_whole
from tests.waiting import until

QUERY_CHARACTERS = 6000
# The models of the admin, and the field that begins with GATHERED in rows that hold many payloads.
MODELS = {
    "thoughts/thought": "title", "thoughts/page": "title", "thoughts/preference": "text", "thoughts/source": "title",
    "thoughts/importedfile": "name", "thoughts/visit": "title", "devices/message": "text", "devices/ask": "text",
    "devices/device": "label", "devices/grant": "host", "agents/run": "outcome", "agents/schedule": "name",
}  # fmt: skip
GATHERED_IN = [
    model for model in MODELS if model not in ("devices/grant", "agents/run")
]  # a host is short; for runs see `runs`
# Actions with a confirmation page, which shows the names of all rows.
ACTIONS = {
    "thoughts/thought": "delete_selected", "thoughts/preference": "delete_selected",
    "agents/schedule": "delete_selected",
    "devices/grant": "delete_selected", "devices/device": "revoke",
}  # fmt: skip


NEWEST = "?order=newest"  # "best first" may reorder the pages during the walk


def feed(tab: Tab, home: str, sightings: Sightings) -> None:
    """Every page of cards, and those that htmx loads on the first one."""
    for address in older_pages(tab, f"{home}/", NEWEST):
        tab.goto(address)
        sightings.act(tab, "feed", ".card")
    tab.goto(f"{home}/{NEWEST}")
    cards_before = tab.locator(".card").count()
    tab.locator("#older a").scroll_into_view_if_needed()
    until(lambda: tab.locator(".card").count() > cards_before, "htmx shows older thoughts")
    sightings.act(tab, "feed, by htmx", ".card")


def older_pages(tab: Tab, address: str, first: str = "") -> Iterator[str]:
    """Yield the address with the query `first`, then each older page that the last one links to."""
    query: str | None = first
    while query is not None:
        yield urljoin(address, query) if query else address
        older = tab.locator("#older a")
        query = older.get_attribute("href") if older.count() else None


PASSAGES = ".reader .passage, .reader .uncited li"


def dialogs(tab: Tab, home: str, sightings: Sightings) -> None:
    """The archived thoughts with their evidence in the dialog; the last also as a page, and why it is here."""
    thought = ""
    for address in older_pages(tab, f"{home}/archive/"):
        tab.goto(address)
        sightings.act(tab, "archive", ".card")
        for index in range(tab.locator(".card h2 a").count()):
            link = tab.locator(".card h2 a").nth(index)
            thought = str(link.get_attribute("href"))
            tab.evaluate("document.querySelector('#thought-body').replaceChildren()")
            link.evaluate("link => link.click()")
            tab.wait_for_selector("#thought[open] .reader", state="attached")
            sightings.act(tab, "dialog", PASSAGES)
            tab.keyboard.press("Escape")
            # The dialog goes back in the history when it closes; on its way it would break off what is opened next.
            until(lambda: tab.evaluate("location.pathname === '/archive/'"), "the address of the archive")
    tab.goto(home + thought)
    sightings.act(tab, "thought", PASSAGES)
    tab.goto(f"{home}{thought}why/")
    sightings.act(tab, "why it is here", "main h1")


def evidence(tab: Tab, home: str, sightings: Sightings) -> None:
    """The stored pages behind every fifth claim of the newest archived thought, in the usual run behind fewer."""
    tab.goto(f"{home}/archive/")
    tab.goto(home + str(tab.locator(".card h2 a").first.get_attribute("href")))
    links = tab.locator(".reader .cite a[href$='#quote']")
    addresses = [str(link.get_attribute("href")) for link in links.all()]
    assert addresses
    for address in addresses[:: 5 if sightings.is_whole else 40]:
        tab.goto(home + address)
        sightings.act(tab, "evidence", "#quote")


# Scroll the conversation up until its beginning is there.
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


def chat(tab: Tab, home: str, sightings: Sightings) -> None:
    """The last messages as the page brings them, then the whole conversation over the socket."""
    connect(tab, home)
    sightings.act(tab, "chat page", ".message")
    assert tab.evaluate(OLDER, 10_000) == 1
    sightings.act(tab, "chat", ".message")


def connect(tab: Tab, home: str) -> None:
    tab.goto(f"{home}/chat/")
    tab.wait_for_selector("#status[data-state=connected]", state="attached")


def chat_asks(tab: Tab, home: str, sightings: Sightings) -> None:
    """Half of the open asks; each holds every payload."""
    connect(tab, home)
    for _ in range(OPEN_ASKS // 2):
        tab.wait_for_selector(".ask")
        assert_whole(tab, ".ask", sightings)
        sightings.act(tab, "asks", ".ask")
        tab.evaluate("document.querySelector('.ask').classList.add('seen')")
        tab.click(".ask [data-decision=dismiss]:enabled")
        tab.wait_for_selector(".ask.seen", state="detached")


# Six thousand entries with seventeen thousand forms: Chromium alone needs half a minute to make them.
MANY_FORMS_MS = 120_000


def lists(tab: Tab, home: str, sightings: Sightings) -> None:
    tab.goto(f"{home}/interests/", timeout=MANY_FORMS_MS)
    sightings.act(tab, "preferences", ".rows li")
    tab.goto(f"{home}/interests/suggestions/", timeout=MANY_FORMS_MS)
    sightings.act(tab, "preferences", ".rows li")
    tab.goto(f"{home}/setup/")
    sightings.act(tab, "devices", ".rows li")
    tab.goto(f"{home}/settings/notifications/")
    sightings.act(tab, "settings", "main")
    for address in older_pages(tab, f"{home}/memory/history/"):
        tab.goto(address)
        sightings.act(tab, "history", "#visits li")


def background(tab: Tab, home: str, sightings: Sightings) -> None:
    """The watches with posts and visits, digests, taste, schedules and feed readers."""
    threads, address = [], f"{home}/watches/"
    while address:
        tab.goto(address)
        sightings.act(tab, "watches", ".watches > li")
        threads += [str(link.get_attribute("href")) for link in tab.locator(".watches h2 a", has_text="A thread").all()]
        older = tab.locator("main a.button", has_text="Older")
        address = f"{home}/watches/{older.get_attribute('href')}" if older.count() else ""
    for thread in threads:
        tab.goto(home + thread)
        sightings.act(tab, "posts", ".posts li")
    tab.goto(home + str(tab.locator("a", has_text="The page").first.get_attribute("href")))
    sightings.act(tab, "visit", "main")
    for path in ("digests", "interests/learned", "activity/routine", "permissions/feeds"):
        tab.goto(f"{home}/{path}/")
        sightings.act(tab, path, "main li")


def permissions(tab: Tab, home: str, sightings: Sightings) -> None:
    """The tabs of Permissions to their ends, and the pages of skills: waiting, edited, a version, tried."""
    for name in ("", "record/"):
        pages = max(1, math.ceil(len(sightings.texts) / 100))
        for page in range(1, pages + 2):  # the sites of other rows, too
            tab.goto(f"{home}/permissions/{name}?page={page}", timeout=MANY_FORMS_MS)
            sightings.act(tab, f"permissions/{name.strip('/') or 'sites'}", ".rows li")
    for name in ("browsers", "programs", "skills"):
        tab.goto(f"{home}/permissions/{name}/", timeout=MANY_FORMS_MS)
        sightings.act(tab, f"permissions/{name}", ".rows li")
    waiting = [
        str(link.get_attribute("href")) for link in tab.locator(".skills a[href*='/gathered-'][href$='/']").all()
    ]
    assert waiting
    for skill in waiting:
        for path in ("", "edit/", "versions/1/"):
            tab.goto(f"{home}{skill}{path}")
            sightings.act(tab, f"skill {path or 'that waits'}", "main")
        tab.goto(home + skill)
        tab.goto(home + str(tab.locator("a[href*='/trials/']").first.get_attribute("href")))
        sightings.act(tab, "trial of a skill", ".found")


def sources(tab: Tab, home: str, sightings: Sightings) -> None:
    """The list of the owner's sources to its end, and the result of each imported file."""
    page, pages = 1, math.ceil(len(sightings.texts) / 50) + 1
    while page <= pages:
        tab.goto(f"{home}/interests/sources/?page={page}")
        sightings.act(tab, "sources", ".sources > li")
        page += 1
    files = [str(link.get_attribute("href")) for link in tab.locator("a[href^='/interests/sources/files/']").all()]
    for file in range(1, max(int(address.split("/")[-2]) for address in files) + 1):  # the list names the newest alone
        tab.goto(f"{home}/interests/sources/files/{file}/")
        sightings.act(tab, "imported files", "#imported")


def admin(tab: Tab, home: str, sightings: Sightings) -> None:
    """The first page of each list; in the long run all pages."""
    for model in MODELS:
        page, pages = 1, 1
        while page <= pages:
            tab.goto(f"{home}/admin/{model}/?p={page}")
            sightings.act(tab, f"admin {model}", "#result_list tbody tr")
            pages, page = page_count(tab) if sightings.is_whole and page == 1 else pages, page + 1


def page_count(tab: Tab) -> int:
    numbers = re.findall(r"\d+", tab.locator(".paginator").inner_text())
    return math.ceil(int(numbers[-1]) / tab.locator("#result_list tbody tr").count())


def forms_of_the_admin(tab: Tab, home: str, sightings: Sightings) -> None:
    """The form of each row that holds many payloads, and of the first grants."""
    for model in (*GATHERED_IN, "devices/grant"):
        only = f"?{MODELS[model]}__startswith={GATHERED}" if model in GATHERED_IN else ""
        tab.goto(f"{home}/admin/{model}/{only}")
        rows = [str(link.get_attribute("href")) for link in tab.locator("#result_list tbody th a").all()]
        assert rows
        for row in rows[: None if only else 5]:
            tab.goto(f"{home}{row}")
            sightings.act(tab, f"form of {model}", "#content-main")


CONFIRM = """(action) => {
  const list = document.getElementById('changelist-form')
  for (const box of list.querySelectorAll('input[name=_selected_action]')) box.checked = true
  list.querySelector('input[name=select_across]').value = '1'
  list.querySelector('select[name=action]').value = action
  HTMLFormElement.prototype.submit.call(list)
}"""


def confirmations(tab: Tab, home: str, sightings: Sightings) -> None:
    """The confirmation before all rows are deleted or all devices revoked; nobody confirms."""
    for model, action in ACTIONS.items():
        tab.goto(f"{home}/admin/{model}/")
        with tab.expect_navigation():
            tab.evaluate(CONFIRM, action)
        sightings.act(tab, f"sure of {model}", "#content li")


def runs(tab: Tab, home: str, sightings: Sightings) -> None:
    """The steps of turns: as the admin lists them, and as the picture of the zones."""
    tab.goto(f"{home}/admin/agents/run/?q={STEPPED}")
    for run in [str(link.get_attribute("href")) for link in tab.locator("#result_list tbody th a").all()]:
        tab.goto(f"{home}{run}")
        sightings.act(tab, "admin steps", ".form-row.has_original")
        tab.goto(f"{home}/turns/{run.split('/')[-3]}/")
        sightings.act(tab, "flows", ".step")
    tab.goto(f"{home}/admin/agents/run/?kind__exact=thinking")
    thinking = [str(link.get_attribute("href")) for link in tab.locator("#result_list tbody th a").all()]
    for run in thinking[: 5 if sightings.is_whole else 2]:
        tab.goto(f"{home}/runs/{run.split('/')[-3]}/")
        sightings.act(tab, "flows of thinking", ".picture, .empty")


def answered(tab: Tab, home: str, sightings: Sightings) -> None:
    """Text of the URL that comes back in the page: searches and pages not found."""
    for words in gathered(sightings.texts, 2 * QUERY_CHARACTERS):
        tab.goto(f"{home}/admin/devices/grant/?q={words}")
        sightings.act(tab, "searches", "#searchbar")
        tab.goto(f"{home}/admin/devices/device/{words.replace('%0A', '%20')}/change/")  # no path has more than one line
        sightings.act(tab, "no such row", ":is(.messagelist li, #notices .notice)")
        tab.goto(f"{home}/permissions/?q={words}")
        sightings.act(tab, "searches of the sites", "#id_q")
    for words in gathered(sightings.texts):  # each of these addresses holds them twice
        tab.goto(f"{home}/?q={words}&source={words}")
        sightings.act(tab, "searches of the feed", "#id_q")
        tab.goto(f"{home}/memory/history/?q={words}&site={words}")
        sightings.act(tab, "searches of the history", "#id_q")
        tab.goto(f"{home}/nowhere/{words}?next={words}")
        sightings.act(tab, "not found", "h1")
    paths = ("", "archive/", "chat/", "setup/", "interests/", "permissions/", "activity/", "thoughts/count/")
    for path in paths[:: 1 if sightings.is_whole else 3]:
        tab.goto(f"{home}/{path}?before={words}&after={words}", timeout=MANY_FORMS_MS)
        sightings.act(tab, "not understood", "h1")


def signed_out(tab: Tab, home: str, sightings: Sightings) -> None:
    """The link of the sign-in page to the page after it; the tab is signed in again afterwards."""
    cookies = tab.context.cookies()
    tab.context.clear_cookies()
    for words in gathered(sightings.texts, 2 * QUERY_CHARACTERS):
        tab.goto(f"{home}/sign-in/?next=/{words}")
        sightings.act(tab, "sign-in", "h1")
    tab.context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": home} for cookie in cookies])


def gathered(texts: Sequence[str], most: int = QUERY_CHARACTERS) -> Iterator[str]:
    """Yield the payloads as a URL carries them, several at a time."""
    words = ""
    for text in texts:
        if len(words) > most:
            yield words
            words = ""
        words += quote(text.replace("\x00", "") + " ", safe="")
    yield words
