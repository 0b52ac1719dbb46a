"""Both browsers, with the built extension, each paired with its own Penny."""

import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests import penny as pennies
from tests.e2e.browser import Browser
from tests.e2e.chromium import Chromium
from tests.e2e.firefox import Firefox
from tests.e2e.options import Options
from tests.e2e.panel import Panel
from tests.penny import Penny
from tests.stand_ins.model_server import ModelServer
from tests.stand_ins.sites import Sites
from tests.waiting import until

# These tests check the server or code of both browsers: the usual run takes one browser, the long run both.
IN_ONE = {
    "test_a_price_drop_is_on_the_feed_once_two_visits_confirm_it": "firefox",
    "test_a_power_cut_in_the_middle_of_an_answer_loses_nothing": "firefox",
    "test_silence_on_both_surfaces_takes_the_question_away_and_stores_nothing": "chromium",
    "test_the_admin_shows_the_device_without_a_key": "chromium",
    "test_a_turn_that_failed_is_tried_again_in_the_panel_and_in_the_web_page": "firefox",
    "test_a_no_on_one_surface_holds_for_the_other": "chromium",
    "test_a_task_s_question_stands_on_both_surfaces_until_a_word_answers_it": "chromium",
    "test_a_preference_becomes_a_thought_whose_card_opens_with_its_evidence": "firefox",
    "test_a_browser_is_unpaired_and_paired_again_with_a_code_of_the_setup_page": "firefox",
    "test_the_first_answer_on_either_surface_is_for_both_turns": "firefox",
    # Firefox asks for the permission
    "test_visits_are_reported_once_switched_on_and_without_excluded_ones": "firefox",
    "test_what_is_said_elsewhere_appears_here_too": "chromium",
    "test_markdown_is_shown_as_such_while_it_is_being_written": "chromium",
    "test_the_conversation_is_searched_on_both_surfaces_and_leads_to_the_match": "chromium",
    "test_a_long_answer_shows_its_beginning_and_a_short_one_its_end": "chromium",
    "test_scrolling_up_while_an_answer_grows_holds_on_both_surfaces": "chromium",
    "test_a_web_chat_that_is_made_narrower_stays_at_its_end": "chromium",
    "test_a_temporary_question_is_answered_and_leaves_nothing_behind": "chromium",
    "test_a_message_is_replied_to_and_edited_on_both_surfaces": "chromium",
    "test_a_file_is_sent_along_and_answered_from": "chromium",
    "test_a_picture_is_sent_along_and_shown_on_both_surfaces_also_after_a_reload": "chromium",
    "test_commands_are_listed_and_completed_by_keyboard_on_both_surfaces": "chromium",
    "test_one_click_sums_the_page_up": "chromium",
    # a test can dispatch its keys
    "test_a_key_sends_the_page_of_its_window_once_with_panels_in_several_windows_and_two_in_one": "chromium",
    "test_a_pdf_that_is_to_be_saved_is_read_and_not_saved": "firefox",
    "test_a_site_that_is_always_allowed_is_asked_for_once": "chromium",
    "test_the_panel_can_be_used_by_everybody": "chromium",
    "test_the_panel_s_search_and_what_a_page_would_send_can_be_used_by_everybody": "chromium",
    "test_the_first_run_can_be_used_by_everybody": "chromium",
    "test_the_options_page_can_be_used_by_everybody": "chromium",
    "test_the_feed_can_be_used_by_everybody": "chromium",
    "test_axe_finds_a_violation": "chromium",
    "test_a_chosen_theme_applies_to_the_options_page_and_the_panel": "chromium",
    "test_the_introduction_sets_what_it_asks": "firefox",
    "test_the_feed_is_read_by_keyboard_and_new_cards_move_nothing": "chromium",
    "test_a_thumb_of_the_feed_can_be_taken_back_in_the_web_chat": "chromium",
}
BROWSERS: dict[str, Callable[[], Browser]] = {"firefox": Firefox, "chromium": Chromium}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        name, _, parameters = item.name.partition("[")
        if name in IN_ONE and not parameters.startswith(IN_ONE[name]):
            item.add_marker(pytest.mark.long)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add Penny's rows and logs to a failure, because the failed wait seldom shows the cause."""
    report = yield
    desk = getattr(item, "funcargs", {}).get("desk")
    if report.when == "call" and report.failed and isinstance(desk, Desk):
        report.sections.append(("Penny's rows and logs", desk.penny.last_rows() + desk.penny.logs(most=600)))
    return report


@dataclass
class Desk:
    """A browser on the owner's desk, signed in and paired with a Penny, with an open panel."""

    browser: Browser
    penny: Penny
    panel: Panel


@pytest.fixture(scope="package", params=["firefox", "chromium"])
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """The browser. All tests run in the first browser before the second starts."""
    launched = BROWSERS[request.param]()
    try:
        yield launched
    finally:
        launched.quit()


@pytest.fixture(scope="package")
def _desk(browser: Browser, _model: ModelServer, web: Sites) -> Iterator[Desk]:
    with ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory(prefix="penny-"))
        penny = stack.enter_context(pennies.run_penny(Path(data), **pennies.with_model(_model.url)))
        penny.set("SEARCH_TEMPLATE", web.search_template)
        penny.set("OWNER_NAME", "Ada")  # otherwise Penny asks for the name in the middle of a test
        penny.allow_many_calls()
        browser.page(penny.manage("sign_in_link").strip()).close()
        panel = Panel(browser)
        panel.pair(penny, f"Desk {browser.name}")
        yield Desk(browser, penny, panel)


@pytest.fixture
def desk(_desk: Desk, model: ModelServer, web: Sites) -> Iterator[Desk]:
    """The paired browser. Afterwards it deletes all grants and checks that no tab is left."""
    web.visits.clear()
    tabs = len(_desk.browser.urls())
    yield _desk
    _desk.penny.admin_action("devices/grant", "delete_selected")
    until(lambda: len(_desk.browser.urls()) == tabs, f"no tab is left open of {_desk.browser.urls()}")


@pytest.fixture
def options(desk: Desk) -> Iterator[Options]:
    page = desk.browser.page(f"{desk.browser.origin}/options.html")
    yield Options(page)
    page.close()
