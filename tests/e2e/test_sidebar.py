"""The sidebar: how much of it is talk, where the caret is, how far the box is by keyboard, and what stays still."""

import pytest

from tests.e2e.browser import Page, check_layout, shows, visible
from tests.e2e.chromium import Chromium
from tests.e2e.conftest import Desk
from tests.e2e.panel import Chat
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_server import ModelServer, Reply, tool
from tests.stand_ins.sites import Sites

WIDTH, HEIGHT = 400, 800
ZOOMED = (WIDTH // 2, HEIGHT // 2)  # in CSS pixels, at 200 %
TALK_SHARE, STOPS_MAX, SHIFT_MAX = 0.82, 6, 0.05
REQUESTS_MAX, SCRIPT_BYTES_MAX = 15, 100_000  # of the chat page
AROUND = "innerHeight - document.querySelector('.conversation').getBoundingClientRect().height"
SHIFTED = """new Promise((done) => {
  let sum = 0
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => (sum += entry.value))).observe(
    { type: 'layout-shift', buffered: true })
  setTimeout(() => done(sum), 2000)
})"""
# By how many pixels the newest message and the box move within two seconds, from the first frame with both.
MOVED = """new Promise((done) => {
  const tops = [[], []], end = performance.now() + 2000
  const look = () => {
    const parts = [[...document.querySelectorAll('.message[data-seq]')].at(-1), document.querySelector('#composer')]
    if (parts.every(Boolean)) parts.forEach((part, place) => tops[place].push(part.getBoundingClientRect().top))
    if (performance.now() < end) requestAnimationFrame(look)
    else done(tops.map((all) => Math.max(...all) - Math.min(...all)))
  }
  look()
})"""
# Every other card becomes a low one.
UNEVEN = """
from thoughts.models import Thought
for find in Thought.objects.filter(hidden_at=None).order_by("pk")[::2]:
    find.claims.all().delete()
    find.pages.clear()
    find.text = find.html = "Short."
    find.sentences = []
    find.save()
"""
# Whether cards are drawn before they have their places: where they are, they move as soon as the script comes.
UNPACKED = """((grid) => {
  grid.classList.remove('packed')
  const { visibility } = getComputedStyle(grid)
  grid.classList.add('packed')
  return visibility
})(document.querySelector('.grid'))"""
# Pairs of boxes that share more than a pixel, and boxes that leave the panel sideways.
OVERLAPS = """(() => {
  const groups = ['.top > *', '.top, .conversation, .ask, .composer', '.write > *', '.bar > *', '.ask > *']
  const shown = (selector) => [...document.querySelectorAll(selector)]
    .filter((element) => element.checkVisibility() && !element.matches('.unseen'))
  const name = (element) => element.id || element.className || element.tagName
  const clash = (a, b) => {
    const [p, q] = [a.getBoundingClientRect(), b.getBoundingClientRect()]
    return Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1 &&
      Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 1
  }
  const wrong = groups.flatMap((group) => shown(group).flatMap((a, at, all) =>
    all.slice(at + 1).filter((b) => clash(a, b)).map((b) => `${name(a)} over ${name(b)}`)))
  const talk = document.querySelector('.conversation').getBoundingClientRect()
  const newest = document.querySelector('#newest')?.getBoundingClientRect()
  if (newest && (newest.top < talk.top || newest.bottom > talk.bottom)) wrong.push('#newest leaves the talk')
  const outside = shown('button, a, textarea, label').map((element) => [element, element.getBoundingClientRect()])
    .filter(([, { left, right }]) => left < -1 || right > innerWidth + 1)
  return wrong.concat(outside.map(([element]) => `${name(element)} leaves the panel`))
})()"""


# Paste or drop into the box; whether the browser is left to insert the words itself.
BRING = """((way, types, files) => {
  const data = new DataTransfer()
  Object.entries(types).forEach(([type, words]) => data.setData(type, words))
  files.forEach((name) => data.items.add(new File(['x'], name, { type: 'image/png' })))
  const event = way === 'paste' ? ['clipboardData', ClipboardEvent] : ['dataTransfer', DragEvent]
  const options = { [event[0]]: data, bubbles: true, cancelable: true }
  return document.querySelector('#composer').dispatchEvent(new event[1](way, options))
})"""
ENTER = "document.querySelector('#composer').dispatchEvent(new KeyboardEvent('keydown', %s))"
COMPOSED = "{ key: 'Enter', bubbles: true, cancelable: true, %s }"


def _tab_to_the_box(page: Page) -> list[str]:
    page.evaluate("(document.body.tabIndex = -1, document.body.focus(), document.body.removeAttribute('tabindex'))")
    stops: list[str] = []
    while len(stops) <= STOPS_MAX and "composer" not in stops:
        page.key("Tab")
        stops.append(str(page.evaluate("document.activeElement.id || document.activeElement.outerHTML.slice(0, 80)")))
    return stops


@pytest.mark.one_browser("firefox", "both browsers draw the same views")
def test_the_talk_has_most_of_the_panel_also_beside_a_page(desk: Desk, web: Sites) -> None:
    page = desk.panel.page
    desk.panel.ask("Hello")
    shows(page, "!document.querySelector('.answered')", "nothing of an answer before")
    for address in ("about:blank", web.url("coffee.example", "/water")):
        tab = desk.browser.page(address)
        if address != "about:blank":
            visible(page, "#include-page")
        with page.at_size(WIDTH, HEIGHT):
            shows(page, f"innerWidth === {WIDTH}", "the width of a sidebar")
            around = page.evaluate(AROUND)
        check_layout(page, f"{desk.browser.name}-composer")
        tab.close()
        assert around <= (1 - TALK_SHARE) * HEIGHT, address


@pytest.mark.one_browser("firefox", "both browsers draw the same views")
def test_the_panel_opens_still_with_the_caret_in_the_box_which_few_tab_stops_reach(
    desk: Desk, model: ModelServer
) -> None:
    page = desk.panel.page
    words = "An answer with `code`, [a link](https://a.example/) and words. " * 20
    model.on(lambda _: True, Reply(tokens=(words,)))
    page.goto("about:blank")  # a panel would draw every answer
    with desk.penny.client("Talker") as client:
        for number in range(20):
            last = client.ask(f"Question {number}")
    page.goto(desk.browser.panel_url)
    shows(page, f"!!document.querySelector('[data-seq=\"{last.seq}\"]')", "the last answer")
    page.goto(desk.browser.panel_url)
    assert max(page.evaluate(MOVED)) <= 1
    if isinstance(desk.browser, Chromium):
        assert float(page.evaluate(SHIFTED)) < SHIFT_MAX
    desk.panel.wait_connected()
    shows(page, "document.activeElement.id === 'composer'", "the caret in the box")
    shows(page, "document.querySelectorAll('.message[data-seq]').length >= 40", "forty messages")
    stops = _tab_to_the_box(page)
    assert (stops[-1], len(stops) <= STOPS_MAX) == ("composer", True), stops


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_panel_chat_and_feed_open_still_while_a_question_waits(
    desk: Desk, model: ModelServer, web: Sites, finds: None
) -> None:
    model.on(lambda request: bool(request.tools), tool("browse_url", url=web.url("museum.example", "/gaggia")))
    desk.panel.say(f"Read {web.url('museum.example', '/gaggia')}")
    desk.panel.wait_ask()
    desk.penny.manage("shell", "-v", "0", "-c", UNEVEN)
    other = desk.browser.page("about:blank")
    with other.at_size(1280, HEIGHT):
        other.goto(f"{desk.penny.url}/")
        visible(other, ".grid.packed .card")
        if isinstance(desk.browser, Chromium):
            assert float(other.evaluate(SHIFTED)) < SHIFT_MAX
        assert other.evaluate(UNPACKED) == "hidden"
    for page, address in ((desk.panel.page, desk.browser.panel_url), (other, f"{desk.penny.url}/chat/")):
        for width in (WIDTH, 1280):
            with page.at_size(width, HEIGHT):
                page.goto(address)
                if isinstance(desk.browser, Chromium):
                    assert float(page.evaluate(SHIFTED)) < SHIFT_MAX, (address, width)
                else:
                    newest, box = page.evaluate(MOVED)
                    assert box <= 1, (address, width)
                    assert page is other or newest <= 1, width  # the question reaches the chat page after its paint
                visible(page, ".ask button[data-decision]:enabled")
    other.close()
    desk.panel.decide("dismiss")


@pytest.mark.parametrize("browser", ["chromium"], indirect=True)
def test_the_chat_page_is_light(desk: Desk) -> None:
    """Only in Chromium: both load the same files."""
    desk.panel.ask("Hello")
    chat = Chat(desk.browser, desk.penny).page
    entries = "performance.getEntriesByType('resource')"
    scripts = f"{entries}.filter(({{ name }}) => new URL(name).pathname.endsWith('.js'))"
    size = f"{scripts}.reduce((sum, {{ encodedBodySize }}) => sum + encodedBodySize, 0)"
    addresses = chat.evaluate(f"[location.href, ...{entries}.map(({{ name }}) => name)]")
    addresses = [address for address in addresses if "/pictures/" not in address]  # of answers of other tests
    assert len(set(addresses)) <= REQUESTS_MAX, addresses  # the icon of the tab is the picture of the header
    assert 0 < int(chat.evaluate(size)) <= SCRIPT_BYTES_MAX
    chat.close()


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_nothing_overlaps_at_200_percent_with_a_page_a_question_and_a_draft(
    desk: Desk, model: ModelServer, web: Sites
) -> None:
    page = desk.panel.page
    desk.panel.ask("Hello")
    article = desk.browser.page(web.url("coffee.example", "/water"))
    visible(page, "#include-page")
    with page.at_size(*ZOOMED):
        shows(page, f"innerWidth === {ZOOMED[0]}", "the panel at 200 %")
        assert page.evaluate(OVERLAPS) == []
        model.on(lambda request: bool(request.tools), tool("browse_url", url=web.url("museum.example", "/gaggia")))
        desk.panel.say(f"Read {web.url('museum.example', '/gaggia')}")
        desk.panel.wait_ask()
        assert page.evaluate(OVERLAPS) == []
        page.evaluate("document.querySelector('#log').scrollTop = 0")
        page.fill("#composer", "A draft of several words that needs more than one line")
        assert page.evaluate(OVERLAPS) == []
        desk.panel.decide("dismiss")
    page.fill("#composer", "")
    article.close()


@pytest.mark.one_browser("chromium", "the server and shared code decide it")
def test_nothing_of_a_page_leaves_the_browser_before_its_chip_is_ticked(
    desk: Desk, model: ModelServer, web: Sites
) -> None:
    page = desk.panel.page
    article = desk.browser.page(web.url("coffee.example", "/water"))
    visible(page, "#include-page")
    assert page.evaluate("document.querySelector('#include-page').checked") is False
    desk.panel.ask("What do you think?")
    assert not any(words in request.everything for request in model.requests for words in WATER.paragraphs)
    assert not any(WATER.title in request.everything for request in model.requests)
    page.click("#include-page")
    visible(page, "#share-look")
    desk.panel.ask("What do you think now?")
    assert WATER.paragraphs[0] in model.requests[-1].everything
    article.close()


@pytest.mark.one_browser("firefox", "both browsers draw the same views")
def test_j_and_k_go_from_message_to_message_and_enter_into_one(desk: Desk) -> None:
    desk.panel.ask("First words")
    desk.panel.ask("Second words")
    page, last = desk.panel.page, desk.panel.last_seq()
    page.evaluate("document.querySelector('#log').focus()")
    for key, seq in (("k", last), ("k", last - 1), ("j", last)):
        page.key(key)
        shows(page, f"document.activeElement.dataset.seq === '{seq}'", f"the message {seq} with the focus")
    page.key("Enter")
    shows(page, "document.activeElement.closest('.message') && document.activeElement.tabIndex === 0", "its control")
    page.key("Escape")
    shows(page, "document.activeElement.id === 'log'", "the list again")


@pytest.mark.parametrize("browser", ["chromium"], indirect=True)
def test_the_box_takes_what_a_real_browser_brings(desk: Desk) -> None:
    """Only in Chromium: Firefox lets no script make the data of a paste."""
    page, before = desk.panel.page, desk.panel.last_seq()
    value = "document.querySelector('#composer').value"
    table = "{ 'text/plain': 'Coffee 12', 'text/html': '<table></table>' }"
    assert page.evaluate(f"{BRING}('paste', {table}, ['image.png'])")
    visible(page, "#attach-offered")
    assert not page.evaluate(f"{BRING}('drop', {{ 'text/plain': 'a passage' }}, [])")
    shows(page, f"{value} === 'a passage'", "the words that were dropped")
    for how in ("keyCode: 229", "isComposing: true"):
        page.evaluate(ENTER % (COMPOSED % how))
    page.fill("#composer", "")
    assert not page.evaluate(f"{BRING}('paste', {{ 'text/plain': 'a'.repeat(200000) }}, [])")
    shows(page, "document.querySelector('ul.files .name')?.innerText === 'pasted.txt'", "the file")
    assert (page.evaluate(value), desk.panel.last_seq()) == ("", before)
    page.click('[data-action="detach"]')
    shows(page, "!document.querySelector('ul.files .name')", "no file any more")
