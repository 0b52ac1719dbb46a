from tests.e2e.browser import Browser, shows, text_of, visible
from tests.e2e.conftest import Desk
from tests.e2e.panel import Panel
from tests.penny import Penny


def test_a_new_browser_asks_for_a_code_and_says_when_it_is_wrong(browser: Browser, penny: Penny) -> None:
    panel = Panel(browser)
    visible(panel.page, "#code")
    panel.page.screenshot(f"{browser.name}-pairing", 400)
    panel.page.fill("#server", penny.url)
    panel.page.fill("#code", "0000 0000")
    panel.page.click("#pair")
    shows(panel.page, "document.querySelector('#problem').innerText.length > 10", "what is wrong")
    panel.close()


def test_a_code_of_the_setup_page_pairs_this_browser(browser: Browser, penny: Penny) -> None:
    setup = browser.page(penny.manage("sign_in_link").strip())
    setup.goto(f"{penny.url}/setup/")
    setup.screenshot(f"{browser.name}-setup", 1000)
    panel = Panel(browser)
    panel.pair(penny, f"Paired {browser.name}")
    panel.page.click("#menu")
    assert f"Paired {browser.name}" in text_of(panel.page, "#menu-items .paired")
    setup.goto(f"{penny.url}/setup/")
    assert f"Paired {browser.name}" in text_of(setup, "main")
    setup.close()
    panel.close()


def test_a_revoked_browser_says_so_and_offers_to_pair_again(desk: Desk) -> None:
    desk.penny.admin_action("devices/device", "revoke")
    visible(desk.panel.page, "#code")
    assert "removed" in text_of(desk.panel.page, "main")
    desk.panel.pair(desk.penny, f"Again {desk.browser.name}")
