"""Keep five pages in the demonstration, ask about them, and take pictures of the list and of the proof."""

import re
import shutil

from tests.demo.articles import ARTICLES
from tests.demo.pictures import README
from tests.demo.sites import DemoSites
from tests.e2e.browser import Browser, shows, visible
from tests.e2e.panel import Panel
from tests.penny import Penny
from tests.waiting import until

READ = (*ARTICLES[:4], ARTICLES[8])  # three are about night trains
QUESTION = "What did I read about berths on night trains?"
PROOF = re.compile(r"/turns/[0-9a-f-]{36}/evidence/\d+/")
WIDTH, HEIGHT = 960, 640


def keep_pages(penny: Penny, browser: Browser, sites: DemoSites) -> None:
    """Open each page, and press *Keep this page* in the panel beside it."""
    panel = Panel(browser)
    for posted in READ:
        tab = browser.page(sites.url(posted.host, posted.path))
        beside = f"document.querySelector('#share-page')?.innerText.includes({posted.article.title[:20]!r})"
        shows(panel.page, beside, f"{posted.path} beside the panel")
        panel.page.click("#keep-page")
        visible(panel.page, "#keep-undo")
        tab.close()
    until(lambda: all(posted.article.title in _kept_list(penny) for posted in READ), "five pages are kept", 60)
    panel.close()


def ask_with_proof(penny: Penny) -> tuple[str, ...]:
    """Ask what was read; return the addresses of the passages that the answer is made from."""
    with penny.client("Phone") as phone:
        answer = phone.ask(QUESTION, 60)
    return tuple(dict.fromkeys(PROOF.findall(answer.text)))


def take_proof(penny: Penny, browser: Browser, proof: str) -> None:
    """Save kept-pages.png and kept-proof.png for the handbook."""
    page = browser.page(penny.manage("sign_in_link").strip())
    for name, address, selector in (("kept-pages", "/kept/", ".kept .title"), ("kept-proof", proof, "mark")):
        page.goto(f"{penny.url}{address}")
        visible(page, selector)
        shutil.copyfile(page.screenshot(f"handbook-{name}", WIDTH, HEIGHT), README / f"{name}.png")
    page.close()


def _kept_list(penny: Penny) -> str:
    return penny.http.get("/kept/").text
