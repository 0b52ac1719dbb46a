"""Pair, unpair and revoke a real browser."""

import pytest

from tests.e2e.browser import check_layout, show_people, shows, text_of, visible
from tests.e2e.conftest import Desk


@pytest.mark.one_browser("firefox", "the server decides it")
def test_a_browser_is_unpaired_and_paired_again_with_a_code_of_the_setup_page(desk: Desk) -> None:
    desk.panel.unpair()
    check_layout(desk.panel.page, f"{desk.browser.name}-pairing")
    desk.panel.page.fill("#server", desk.penny.url)
    desk.panel.page.fill("#code", "0000 0000")
    desk.panel.page.click("#pair")
    shows(desk.panel.page, "document.querySelector('#problem').innerText.length > 10", "what is wrong")
    setup = desk.browser.page(f"{desk.penny.url}/setup/")
    show_people(setup, f"{desk.browser.name}-setup", 1000)
    desk.panel.pair(desk.penny, f"Paired {desk.browser.name}")
    setup.goto(f"{desk.penny.url}/setup/")
    assert f"Paired {desk.browser.name}" in text_of(setup, "main")
    setup.close()
    desk.panel.page.click("#menu")
    assert f"Paired {desk.browser.name}" in text_of(desk.panel.page, "#menu-items .paired")
    desk.panel.page.click("#menu")


@pytest.mark.one_browser("firefox", "the server decides it")
def test_a_revoked_browser_says_so_and_offers_to_pair_again(desk: Desk) -> None:
    desk.penny.admin_action("devices/device", "revoke")
    visible(desk.panel.page, "#code", 5)
    assert "removed" in text_of(desk.panel.page, "main")
    desk.panel.pair(desk.penny, f"Again {desk.browser.name}")


@pytest.mark.one_browser("chromium", "the server decides it")
def test_the_admin_shows_the_device_without_a_key(desk: Desk) -> None:
    admin = desk.browser.page(f"{desk.penny.url}/admin/devices/device/")
    assert desk.browser.name in text_of(admin, "#result_list")
    show_people(admin, f"{desk.browser.name}-admin", 1100)
    admin.close()
