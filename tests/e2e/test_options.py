"""Manage grants and settings on the options page of the extension."""

import json

import pytest

from tests.e2e.browser import check_layout, show_people, shows, text_of, texts_of, visible
from tests.e2e.conftest import Desk
from tests.e2e.options import API, COFFEE, Options, another_device, grants_by_host, send_grant
from tests.stand_ins.sites import Sites
from tests.waiting import until

LOOK_ALIKE = "xn--coffe-fsa.example"  # coffeé.example


@pytest.mark.one_browser("firefox", "the server decides it")
def test_a_grant_of_another_device_appears_and_is_blocked_revoked_and_restored(desk: Desk, options: Options) -> None:
    with another_device(desk.penny) as other:
        send_grant(other, COFFEE)
        options.wait(COFFEE, "allowed")
        options.press(COFFEE, "state")
        until(lambda: grants_by_host(other) == {COFFEE: ("blocked", "owner")}, "the server has it blocked")
        options.wait(COFFEE, "blocked")
        assert options.focused.startswith("Allow")
        options.press(COFFEE, "state")
        options.wait(COFFEE, "allowed")
        options.choose(f"{options.row(COFFEE)} select", "clean")
        until(lambda: grants_by_host(other) == {COFFEE: ("allowed", "clean")}, "the server has a clean session")
        options.press(COFFEE, "revoke")
        until(lambda: grants_by_host(other) == {}, "the server has no grant")
        options.wait(COFFEE, None)
        visible(options.page, "#undo")
        until(lambda: options.focused.startswith("Undo"), "the keyboard is at Undo")
        options.page.press("#undo button", "Enter")
        until(lambda: grants_by_host(other) == {COFFEE: ("allowed", "clean")}, "the server has it back")
        options.wait(COFFEE, "allowed")
        until(lambda: COFFEE in options.focused, "the row has the keyboard")


@pytest.mark.one_browser("chromium", "the server decides it")
def test_a_site_is_added_by_name_and_a_refusal_says_why(desk: Desk, options: Options) -> None:
    with another_device(desk.penny) as other:
        options.add("https://Shop.Example/a?b")
        until(lambda: grants_by_host(other) == {"shop.example": ("allowed", "owner")}, "the server has the host")
        options.wait("shop.example", "allowed")
        refusals = {
            desk.penny.url: "own address",
            "github.io": "public suffix",
            "me@shop.example": "user name",
            "  ": "first",
        }
        for wrong, why in refusals.items():
            options.add(wrong)
            shows(options.page, f"document.querySelector('#add-problem').innerText.includes({json.dumps(why)})", why)
            assert options.focused == "grant-host"
        assert set(grants_by_host(other)) == {"shop.example"}


@pytest.mark.one_browser("firefox", "both browsers draw the same views")
def test_the_page_can_be_read_at_every_width_in_light_and_dark(desk: Desk, options: Options) -> None:
    with another_device(desk.penny) as other:
        send_grant(other, COFFEE)
        send_grant(other, "lab.example", "blocked")
        send_grant(other, "coffeé.example")
        send_grant(other, "a-rather-long-name-of-a-shop-for-espresso-machines.shop.example", scope="hour")
    options.wait(LOOK_ALIKE, "allowed")
    assert LOOK_ALIKE in text_of(options.page, "#grants")
    assert "coffeé" not in text_of(options.page, "#grants")
    check_layout(options.page, f"{desk.browser.name}-options", 1500, (250, 400, 1200))
    assert options.sticking_out(250) == []
    options.page.fill("#search", "LAB")
    shows(options.page, "document.querySelectorAll('.grant').length === 1", "only what was searched for")
    assert "1 of 4" in text_of(options.page, ".search")


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_every_control_has_a_name_and_the_export_holds_what_the_server_says(desk: Desk, options: Options) -> None:
    with another_device(desk.penny) as other:
        send_grant(other, COFFEE)
        options.wait(COFFEE, "allowed")
        saved = json.loads(options.page.download("#export"))
        assert [entry["host"] for entry in saved["grants"]] == [COFFEE]
        assert saved["server"] == desk.penny.url
    name_of = "e => (e.getAttribute('aria-label') || e.innerText || e.labels?.[0]?.innerText || '').trim()"
    controls = "[...document.querySelectorAll('button, input, select, a')].filter(e => e.checkVisibility())"
    assert options.page.evaluate(f"{controls}.filter(e => !({name_of})(e)).map(e => e.outerHTML)") == []


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_the_panels_menu_leads_to_where_the_browser_is_renamed_and_its_switch_turned(desk: Desk) -> None:
    desk.panel.page.click("#menu")
    desk.panel.page.click("#options")
    address = f"{desk.browser.origin}/options.html"
    until(lambda: address in desk.browser.urls(), "the options page is open")
    desk.browser.close(address)
    page = desk.browser.page(address)
    page.fill("#label", "Kitchen")
    page.press("#label", "Enter")
    shows(page, "document.querySelector('#rename-outcome').innerText === 'Saved.'", "that it is saved")
    page.click("#tool-use")
    until(lambda: "off" in text_of(page, "#status"), "reading is off")
    listed = desk.penny.http.get("/setup/").text
    assert "Kitchen" in listed
    page.click("#tool-use")
    page.fill("#label", f"Desk {desk.browser.name}")
    page.press("#label", "Enter")
    until(lambda: f"Desk {desk.browser.name}" in desk.penny.http.get("/setup/").text, "the old name is back")
    page.close()


@pytest.mark.one_browser("chromium", "the server and shared code decide it")
def test_unpairing_removes_everything_stored(desk: Desk, options: Options) -> None:
    with another_device(desk.penny) as other:
        send_grant(other, COFFEE)
    desk.panel.page.fill("#composer", "A draft")
    shows(
        options.page, f"{API}.storage.local.get('draft').then(({{draft}}) => draft === 'A draft')", "the draft is kept"
    )
    stored_keys = f"{API}.storage.local.get(null).then(kept => Object.keys(kept))"
    until(lambda: {"pairing", "grants", "draft"} <= set(options.page.evaluate(stored_keys)), "things are kept")
    options.page.press("#forget", "Enter")
    until(lambda: options.focused == "Keep it", "the keyboard is where it does no harm")
    options.page.press("#forget-confirm", "Enter")
    visible(options.page, "#unpaired")
    until(lambda: options.page.evaluate(stored_keys) == [], "nothing is kept")
    assert options.focused == "Sites and settings"
    show_people(options.page, f"{desk.browser.name}-options-unpaired", 400, 600)
    visible(desk.panel.page, "#code")
    desk.panel.pair(desk.penny, f"Desk {desk.browser.name}")


@pytest.mark.one_browser("chromium", "the server decides it")
def test_a_site_allowed_for_an_hour_in_the_panel_says_how_long_and_when_it_was_used(
    desk: Desk, options: Options, web: Sites
) -> None:
    before = desk.panel.last_seq()
    desk.panel.say(f"How is espresso brewed? {web.url(COFFEE, '/water')}")
    desk.panel.page.fill("#composer", "Words that are being written")
    assert desk.panel.wait_ask() == COFFEE
    assert desk.panel.page.evaluate("document.activeElement.id") == "composer"
    badge = f"({API}.action ?? {API}.browserAction).getBadgeText({{}})"
    until(lambda: options.page.evaluate(badge) == "1", "the button says that a question waits")
    assert texts_of(desk.panel.page, ".ask button") == ["Allow", "Just once", "No", "⋯"]
    check_layout(desk.panel.page, f"{desk.browser.name}-ask", 700)
    desk.panel.decide("hour")
    assert desk.panel.page.evaluate("document.querySelector('#composer').value") == "Words that are being written"
    desk.panel.page.fill("#composer", "")
    desk.panel.answer_after(before)
    options.wait(COFFEE, "allowed")
    facts = f"document.querySelector('{options.row(COFFEE)}').innerText"
    shows(
        options.page,
        f"{facts}.includes('for an hour, until') && {facts}.includes('last used')",
        "how long, and the last use",
    )
    until(lambda: options.page.evaluate(badge) == "", "nothing waits")


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_the_options_page_lists_shortcuts_and_stored_data(desk: Desk, options: Options) -> None:
    shows(
        options.page,
        "document.querySelector('#shortcut-list')?.innerText.includes('Open the sidebar')",
        "the shortcut of the sidebar",
    )
    assert "" not in texts_of(options.page, "#shortcut-list dd")
    desk.panel.page.fill("#composer", "Seven words that are kept for later")
    shows(
        options.page,
        "document.querySelector('#kept-list').innerText.includes('35 characters')",
        "how long the draft is",
    )
    desk.panel.page.fill("#composer", "")
    shows(options.page, "document.querySelector('#kept-list').innerText.includes('none')", "that no draft is kept")
