"""Without a model Penny reads by extraction and says so."""

from collections.abc import Callable

import pytest

from tests.e2e.browser import check_layout
from tests.e2e.conftest import Desk
from tests.penny import Penny
from tests.stand_ins.articles import WATER
from tests.stand_ins.sites import Sites


@pytest.mark.long
def test_without_a_model_a_page_is_read_by_extraction_and_it_is_said(
    desk: Desk, start_penny: Callable[..., Penny], web: Sites
) -> None:
    fresh = start_penny()
    desk.panel.unpair()
    try:
        desk.panel.pair(fresh, "Modelless")
        before = desk.panel.last_seq()
        desk.panel.say(f"At what temperature is espresso brewed? {web.url('coffee.example', '/water')}")
        desk.panel.wait_ask()
        desk.panel.decide("once")
        answer = desk.panel.answer_after(before, 60)
        assert any(sentence in answer for sentence in WATER.paragraphs)
        assert "No model yet" in answer
        check_layout(desk.panel.page, f"{desk.browser.name}-without-model")
    finally:
        desk.panel.unpair()
        desk.panel.pair(desk.penny, f"Desk {desk.browser.name}")
