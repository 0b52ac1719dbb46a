"""Take a picture of the bar in a page of the demonstration."""

import shutil

from tests.demo.pictures import READ, README
from tests.demo.sites import DemoSites
from tests.e2e.bar import Bar
from tests.e2e.browser import Browser, visible

WIDTH, HEIGHT = 960, 640
CHOOSE = "(getSelection().selectAllChildren(document.querySelector('article p, main p')), true)"


def take_bar(browser: Browser, sites: DemoSites) -> None:
    """Save in-a-page.png for the handbook: a paragraph, and what explains it."""
    page = browser.page(sites.url(READ.host, READ.path))
    with page.at_size(WIDTH, HEIGHT):
        visible(page, "p")
        page.evaluate(CHOOSE)
        bar = Bar(browser, page, READ.path).call("Explain")
        page.key("Enter")
        bar.wait("Written by")
        shutil.copyfile(page.picture("handbook-in-a-page"), README / "in-a-page.png")
    page.close()
