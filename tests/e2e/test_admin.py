"""The admin in real browsers: few clicks for each of its jobs, and nothing that axe-core objects to."""

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from tests.e2e.admin_rows import FILL, SITE, SKILL
from tests.e2e.axe import violations_now
from tests.e2e.browser import Browser, Page, Scheme, shows, text_of, visible
from tests.penny import Penny

pytestmark = pytest.mark.one_browser("chromium", "pages of the site alone")

CLICKS_MAX = 3
LISTED = ".notice.success"
# The height of what can be clicked; in a line of text a link has the height of the line.
SMALL = """[...document.querySelectorAll('main :is(a, button, summary, select, input:not([type=hidden]))')]
  .filter((e) => e.checkVisibility() && !e.matches('[type=checkbox], [type=radio], .soft a, .help a'))
  .filter((e) => e.getBoundingClientRect().height < 24).map((e) => e.outerHTML.slice(0, 160))"""
HEADINGS = """[...document.querySelectorAll('h1, h2, h3, h4')].filter((e) => e.checkVisibility())
  .map((e) => Number(e.tagName[1]))"""
SIDEWAYS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


class Owner:
    """An owner at the first page of the admin, whose clicks are counted."""

    def __init__(self, page: Page, home: str) -> None:
        self.page, self.clicks = page, 0
        page.goto(f"{home}/admin/")
        visible(page, ".daily")

    def click(self, selector: str, then: str) -> None:
        self.page.click(selector)
        self.clicks += 1
        visible(self.page, then)

    def press_in_row(self, row: str, button: str) -> str:
        """Press a button of a row of a list; return the message."""
        mark = f"""(() => {{
          const row = [...document.querySelectorAll('#result_list tbody tr')].find((e) => e.innerText.includes({row!r}))
          const wanted = [...row.querySelectorAll('button')].find((e) => e.firstChild.data.trim() === {button!r})
          wanted.id = 'wanted'
        }})()"""
        self.page.evaluate(mark)
        self.click("#wanted", LISTED)
        return text_of(self.page, LISTED)


@pytest.fixture(scope="module")
def penny(browser: Browser, second_penny: Penny) -> Penny:
    """A Penny with a row in every list, in which the browser is signed in."""
    second_penny.manage("shell", "-v", "0", "-c", FILL)
    browser.page(second_penny.manage("sign_in_link").strip()).close()
    return second_penny


@pytest.fixture
def admin_tab(browser: Browser, penny: Penny) -> Iterator[Page]:
    tab = browser.page(f"{penny.url}/admin/")
    yield tab
    tab.close()


def test_each_job_of_the_admin_takes_at_most_three_clicks(penny: Penny, admin_tab: Page) -> None:
    home = penny.url
    owner = Owner(admin_tab, home)
    owner.click(".daily a[href$='/devices/grant/add/']", "#id_host")
    admin_tab.fill("#id_host", "coffee.example")
    owner.click("[name=_save]", LISTED)
    assert "coffee.example" in text_of(admin_tab, "#result_list")
    assert owner.clicks == 2

    owner = Owner(admin_tab, home)
    owner.click(".daily h2 a[href$='/devices/grant/']", "#result_list")
    assert SITE in owner.press_in_row(SITE, "Revoke")
    assert SITE not in text_of(admin_tab, "#result_list")
    assert owner.clicks == 2
    owner.click(".notice button", "#result_list")
    shows(admin_tab, f"document.querySelector('#result_list').innerText.includes({SITE!r})", "the site again")
    assert owner.clicks <= CLICKS_MAX

    owner = Owner(admin_tab, home)
    owner.click(".daily h2 a[href$='/agents/skill/']", "#result_list")
    assert "Penny uses" in owner.press_in_row(SKILL, "Approve")
    assert "is off" in owner.press_in_row(SKILL, "Turn off")
    assert owner.clicks <= CLICKS_MAX

    owner = Owner(admin_tab, home)
    owner.click(".daily a[href$='/agents/schedule/add/']", "#id_kind")
    assert admin_tab.evaluate("document.querySelector('#id_kind').value") == "thinking"
    shows(admin_tab, "!document.querySelector('.of-rule').checkVisibility()", "no rule before one is chosen")
    admin_tab.fill("#id_at", "06:45")
    admin_tab.evaluate("document.querySelector('#id_at').dispatchEvent(new Event('input', {bubbles: true}))")
    shows(admin_tab, "document.querySelector('#times').innerText.match(/06:45/g)?.length === 5", "the next five times")
    owner.click("[name=_save]", LISTED)
    assert "daily at 06:45" in text_of(admin_tab, "#result_list")
    assert owner.clicks == 2

    owner = Owner(admin_tab, home)
    owner.click(".daily h2 a[href$='/agents/schedule/']", "#result_list")
    assert "has started" in owner.press_in_row("daily at 06:45", "Run now")
    assert "is paused" in owner.press_in_row("daily at 06:45", "Pause")
    assert owner.clicks <= CLICKS_MAX


def _pages(penny: Penny) -> list[str]:
    """Return every list, empty list and form of the admin; the settings have a page of their own kind."""
    index = penny.http.get("/admin/").text
    pages = ["/admin/"]
    for address in dict.fromkeys(re.findall(r'href="(/admin/[a-z]+/[a-z]+/)"', index)):
        if "/constance/" in address:
            continue
        html = penny.http.get(address).text
        row = re.search(r'<th[^>]*><a href="([^"]+/change/)[^"]*"', html)
        assert row, f"{address} has no row"
        pages += [address, f"{address}?q=nowhere", row[1], *re.findall(rf'href="({address}add/)"', html)]
    return pages


@pytest.mark.parametrize(
    ("width", "scheme", "leaves_out"),
    [(320, "light", "?q=nowhere"), pytest.param(1280, "dark", "nothing", marks=pytest.mark.long)],
)
def test_every_list_and_form_of_the_admin_can_be_used_by_everybody(
    penny: Penny, admin_tab: Page, width: int, scheme: Scheme, leaves_out: str
) -> None:
    pages = _pages(penny)
    assert len(pages) > 80
    wrong: list[str] = []
    with admin_tab.at_size(width, 800, scheme):
        for address in pages:
            if not address.endswith(leaves_out):
                admin_tab.goto(f"{penny.url}{address}")
                visible(admin_tab, "#content h1")
                wrong += [f"{address}: {one}" for one in _faults(admin_tab)]
    assert wrong == []


def _faults(page: Page) -> list[str]:
    page.evaluate("document.querySelectorAll('#changelist-filter').forEach((e) => e.setAttribute('open', ''))")
    faults = violations_now(page) + [f"{one} is small" for one in page.evaluate(SMALL)]
    if page.evaluate(SIDEWAYS):
        faults.append("scrolls sideways")
    levels = page.evaluate(HEADINGS)
    if levels[:1] != [1] or any(after > before + 1 for before, after in pairwise(levels)):
        faults.append(f"headings {levels}")
    return faults
