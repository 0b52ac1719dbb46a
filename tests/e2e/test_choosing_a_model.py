"""Choose a model on its page in real browsers: the page tests it by itself, and the next answer comes from it."""

import pytest

from tests.e2e.axe import axe_violations
from tests.e2e.browser import check_layout, shows, text_of, visible
from tests.e2e.conftest import Desk
from tests.e2e.test_accessibility import open_page
from tests.penny import Penny
from tests.stand_ins.model_server import NAME, ModelServer

pytestmark = pytest.mark.one_browser("chromium", "pages of the site alone")

WIDTHS = (320, 400, 1280)


def test_a_model_is_chosen_tested_and_given_up_on_its_page(desk: Desk, second_penny: Penny, model: ModelServer) -> None:
    desk.browser.page(second_penny.manage("sign_in_link").strip()).close()
    with open_page(desk, f"{second_penny.url}/settings/model/", "#servers ul, #servers code") as page:
        assert axe_violations(page) == []
        check_layout(page, f"{desk.browser.name}-model-none", widths=WIDTHS)
        page.click("#server summary")
        page.fill("#id_server-url", model.url)
        page.fill("#id_server-name", NAME)
        page.fill("#id_server-key", "sk-secret")
        page.press("#id_server-key", "Enter")
        shows(page, "document.querySelector('#model-state')?.textContent.includes('It answers.')", "the test", 60)
        reading = f"document.querySelector('#model-state').textContent.includes('Pages are read with {NAME}.')"
        shows(page, reading, "the reader has the model", 60)
        assert page.evaluate("document.documentElement.outerHTML.includes('sk-secret')") is False
        page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
        assert axe_violations(page) == []
        check_layout(page, f"{desk.browser.name}-model-chosen", widths=WIDTHS)
        page.evaluate("document.querySelector('.sure').open = true")
        page.click(".sure .stop")
        visible(page, "#notices .notice")
        assert "Penny uses no model any more. The key is deleted." in text_of(page, "#notices")
