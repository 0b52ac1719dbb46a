"""Take pictures of an errand for the handbook: the approval, the page meanwhile, and the end."""

import shutil
from pathlib import Path

from tests.demo.pictures import README
from tests.demo.script import GOAL
from tests.demo.sites import SHOP, DemoSites
from tests.e2e.browser import shows, visible
from tests.e2e.chromium import Chromium
from tests.e2e.panel import Panel

WIDTH, HEIGHT = 400, 640
ASK = '.ask button[data-decision="allow"]:enabled'


def take_errand(browser: Chromium, sites: DemoSites) -> None:
    """Save act-question.png, act-page.png and act-done.png. The browser may act, and has a scripted model."""
    panel = Panel(browser)
    page = panel.page
    shows(page, "!!document.querySelector('#mode-act') && !document.querySelector('label.off')", "may act")
    if page.evaluate(
        "!!document.querySelector('#stop')?.checkVisibility()"
    ):  # the question of an earlier picture waits
        panel.stop()
        shows(page, "!document.querySelector('.ask')", "no question")
    page.click("label:has(#mode-act)")
    page.fill("#composer", f"{GOAL} on {sites.url(SHOP, '/keyboard')}")
    before = panel.last_seq()
    page.press("#composer", "Enter")
    panel.wait_ask()
    panel.decide("run")
    visible(page, ASK)
    _keep("act-question", page.screenshot("handbook-act-question", WIDTH, HEIGHT))
    _keep("act-page", browser.opened_at(sites.url(SHOP, "/keyboard")).screenshot("handbook-act-page", 960, HEIGHT))
    page.click(ASK)
    panel.answer_after(before, 60)
    _keep("act-done", page.screenshot("handbook-act-done", WIDTH, HEIGHT))
    panel.close()


def _keep(name: str, picture: Path) -> None:
    README.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(picture, README / f"{name}.png")
