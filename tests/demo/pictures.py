"""Take pictures of the demonstration: pages, panel, handbook and stores.

Pages appear at three widths in both themes, the panel at its own widths.
"""

import shutil
from pathlib import Path

from devices.protocol import GrantInfo, GrantRevoke, GrantsSync
from tests.demo.articles import ARTICLES
from tests.demo.sites import HOSTS, SHOP, DemoSites
from tests.e2e.browser import ROOT, Browser, Page, Scheme, shows, visible
from tests.e2e.firefox import Firefox
from tests.e2e.panel import Panel
from tests.penny import Penny
from tests.waiting import until

PAGES = [
    ("feed", "/"),
    *((name, f"/{name}/") for name in ("chat", "preferences", "watches", "schedules", "subscriptions", "setup")),
]
WIDTHS, PANEL_WIDTHS = (1200, 400, 250), (240, 360, 480)
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
WINDOW = (1280, 800)  # the size that both stores accept
SIDEBAR = 360
STORE = ROOT / "browser_ext" / "store" / "pictures"
README = ROOT / "penny_site" / "help" / "pictures"
READ = ARTICLES[0]
ABOUT_IT = "What does this page say, in two sentences?"
UNGRANTED = "How much is the keyboard on {url}, and is it in stock?"


def take_pictures(penny: Penny, browser: Browser, sites: DemoSites) -> None:
    """Save all pictures in artifacts/, and copy those of the handbook and the stores."""
    paths = _take_windows(penny, sites)
    for place in (STORE, README):
        place.mkdir(parents=True, exist_ok=True)
    for number, path in enumerate(paths, 1):
        shutil.copyfile(path, STORE / f"{number}.png")
    shutil.copyfile(paths[0], README / "feed.png")
    shutil.copyfile(paths[2], README / "sidebar.png")
    _take_pages(penny, browser)
    _take_options(browser)


def _take_pages(penny: Penny, browser: Browser) -> None:
    page = browser.page(penny.manage("sign_in_link").strip())
    for name, path in PAGES:
        page.goto(f"{penny.url}{path}")
        visible(page, "main")
        _take_all(page, name, WIDTHS)
    page.close()


def _take_options(browser: Browser) -> None:
    page = browser.page(f"{browser.origin}/options.html")
    visible(page, ".grant")
    _take_all(page, "options", WIDTHS)
    page.goto(browser.panel_url)
    visible(page, ".message[data-seq]")
    _take_all(page, "panel", PANEL_WIDTHS)
    page.close()


def _take_all(page: Page, name: str, widths: tuple[int, ...]) -> None:
    for width in widths:
        for scheme in SCHEMES:
            page.screenshot(f"demo-{name}-{width}-{scheme}", width, scheme=scheme)


def _take_windows(penny: Penny, sites: DemoSites) -> list[Path]:
    """Take windows of Firefox: feed, sidebar beside a page, question, options page, dark feed."""
    browser = Firefox()
    try:
        browser.marionette.set_pref("network.dns.localDomains", ",".join(HOSTS))
        browser.hide_sidebar()
        feed = browser.page(penny.manage("sign_in_link").strip())
        feed.goto(f"{penny.url}/")
        visible(feed, ".card")
        paths = [browser.window_screenshot("store-feed", WINDOW)]
        article = browser.page(sites.url(READ.host, READ.path))
        _ask_about(browser, penny)
        article.goto(sites.url(READ.host, READ.path))
        paths.append(browser.sidebar_screenshot("store-page", SIDEBAR, WINDOW))
        paths.append(_take_question(browser, penny, sites))
        browser.hide_sidebar()
        feed.goto(f"{browser.origin}/options.html")
        visible(feed, ".grant")
        paths.append(browser.window_screenshot("store-options", WINDOW))
        feed.goto(f"{penny.url}/")
        visible(feed, ".card")
        paths.append(browser.window_screenshot("store-feed-dark", WINDOW, scheme="dark"))
        return paths
    finally:
        browser.quit()


def _ask_about(browser: Firefox, penny: Penny) -> None:
    """Ask about the last active tab, in the panel as a tab of its own.

    The sidebar shows the same conversation.
    """
    panel = Panel(browser)
    panel.pair(penny, "Firefox")
    panel.page.click("#include-page")
    shows(panel.page, "!!document.querySelector('#share-look')", "that the page was read")
    panel.ask(ABOUT_IT, 60)
    panel.close()


def _take_question(browser: Firefox, penny: Penny, sites: DemoSites) -> Path:
    """Ask for a site whose grant was revoked; nobody answers."""
    with penny.client("Phone") as phone:
        phone.send(GrantRevoke(host=SHOP, capability="read"))
        until(lambda: not _has(phone.frames_of(GrantsSync), SHOP), "it is revoked")
        phone.say(UNGRANTED.format(url=sites.url(SHOP, "/keyboard")))
        return browser.sidebar_screenshot("store-question", SIDEBAR, WINDOW, moves=True)


def _has(syncs: list[GrantsSync], host: str) -> bool:
    grants: list[GrantInfo] = syncs[-1].grants if syncs else []
    return not syncs or any(grant.host == host for grant in grants)
