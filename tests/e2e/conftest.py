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
from tests.e2e.finds import store_finds
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
    "test_silence_on_both_surfaces_takes_the_question_away_and_a_late_yes_asks_the_message_again": "chromium",
    "test_the_admin_shows_the_device_without_a_key": "chromium",
    "test_a_turn_that_failed_is_tried_again_in_the_panel_and_in_the_web_page": "firefox",
    "test_a_no_on_one_surface_holds_for_the_other": "chromium",
    "test_a_task_s_question_stands_aside_on_both_surfaces_until_a_word_answers_it": "chromium",
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
    "test_every_list_and_form_of_the_admin_can_be_used_by_everybody": "chromium",
    "test_the_places_stand_still_wherever_the_owner_is_and_whatever_they_count": "chromium",
    "test_a_chosen_theme_applies_to_the_options_page_and_the_panel": "chromium",
    "test_the_feed_is_read_by_keyboard_and_new_cards_move_nothing": "chromium",
    "test_a_thumb_of_the_feed_can_be_taken_back_in_the_web_chat": "chromium",
    "test_a_site_is_allowed_where_its_watch_waits_for_it": "chromium",
    "test_a_page_that_looks_like_penny_s_shows_its_own_address_and_gets_no_code_of_hers": "chromium",
    "test_panel_and_chat_open_still_while_a_question_waits": "chromium",
    "test_links_of_a_shared_page_are_followed_later_and_its_picture_needs_a_grant": "firefox",
    "test_a_video_is_found_and_read_with_its_transcript_and_its_comments": "chromium",
    "test_several_pages_are_read_in_one_call": "chromium",
    "test_a_password_is_never_chosen": "firefox",
    "test_what_does_not_fit_is_said_before_it_is_written": "chromium",
    "test_a_field_that_changed_meanwhile_is_left_alone": "firefox",
    "test_words_are_written_into_an_empty_field": "chromium",
    "test_an_empty_editor_that_plain_typing_breaks_gets_every_line": "chromium",
    "test_the_links_of_a_page_are_handles_and_one_of_them_is_read": "chromium",
    "test_a_site_allowed_for_an_hour_in_the_panel_says_how_long_and_when_it_was_used": "chromium",
    "test_an_answer_grows_word_by_word_and_ends_as_a_message": "chromium",
    "test_a_search_is_followed_to_a_page_by_its_handle": "chromium",
    "test_no_request_with_tools_holds_a_word_of_the_page": "chromium",
    "test_a_page_that_is_rendered_late_is_read_whole": "chromium",
    "test_a_modal_dialog_stands_first_with_one_line_for_all_beneath": "chromium",
    "test_an_open_menu_stands_first": "chromium",
    "test_more_than_twelve_like_siblings_are_folded": "chromium",
    "test_a_blocked_site_is_never_opened": "chromium",
    "test_a_redirect_within_the_grant_is_followed": "chromium",
    "test_an_address_that_the_owner_did_not_write_is_asked_about": "chromium",
    "test_a_redirect_to_another_site_is_followed_after_a_yes": "chromium",
    "test_the_conversation_is_there_when_the_panel_opens_again": "chromium",
    "test_a_failing_model_ends_in_a_message_that_says_so": "chromium",
    "test_a_turn_can_be_stopped_and_its_model_request_ends": "firefox",
    "test_markdown_is_shown_as_markup_and_html_as_text": "firefox",
    "test_code_tables_and_formulas_are_shown_for_what_they_are_on_both_surfaces": "firefox",
    "test_the_sidebar_stands_beside_a_page": "chromium",
    "test_a_question_halves_the_coin_of_sidebar_toolbar_and_tab": "chromium",
    "test_the_coin_says_whether_penny_may_read_works_waits_or_is_off_the_record": "firefox",
    "test_escape_pressed_twice_stops_an_errand": "firefox",
    "test_the_owner_answers_approves_and_gives_the_page_back_on_any_surface": "chromium",
    "test_print_shows_texts_and_sources_without_buttons": "firefox",
    "test_a_grant_of_another_device_appears_and_is_blocked_revoked_and_restored": "firefox",
    "test_a_site_is_added_by_name_and_a_refusal_says_why": "chromium",
    "test_every_control_has_a_name_and_the_export_holds_what_the_server_says": "chromium",
    "test_the_page_can_be_read_at_every_width_in_light_and_dark": "firefox",
    "test_the_panels_menu_leads_to_where_the_browser_is_renamed_and_its_switch_turned": "chromium",
    "test_metadata_is_looked_up_and_no_word_of_it_reaches_the_planner": "firefox",
    "test_a_revoked_browser_says_so_and_offers_to_pair_again": "firefox",
    "test_the_planner_learns_where_the_pdf_in_front_is": "firefox",
    "test_a_page_of_the_browser_offers_nothing_to_include": "firefox",
    "test_the_box_is_off_again_when_the_tab_shows_another_page": "firefox",
    "test_j_and_k_go_from_message_to_message_and_enter_into_one": "firefox",
    "test_nothing_overlaps_at_200_percent_with_a_page_a_question_and_a_draft": "chromium",
    "test_the_talk_has_most_of_the_panel_also_beside_a_page": "firefox",
    "test_hidden_text_of_a_page_never_reaches_the_model": "chromium",
    "test_the_tab_is_closed_when_the_turn_is_stopped": "chromium",
    "test_unpairing_removes_everything_stored": "chromium",
    "test_the_options_page_lists_shortcuts_and_stored_data": "chromium",
    "test_no_picture_is_taken_of_a_site_that_is_not_allowed": "chromium",
    "test_nothing_of_a_page_leaves_the_browser_before_its_chip_is_ticked": "chromium",
    "test_a_page_is_read_after_the_owner_allowed_it_once_and_is_asked_for_again": "chromium",
    "test_a_site_that_is_allowed_without_logins_does_not_know_the_owner": "chromium",
    "test_the_browser_opens_a_site_clean_whatever_the_call_says": "chromium",
    "test_a_page_that_leads_to_a_site_without_logins_is_opened_there_without": "firefox",
    "test_only_the_look_at_the_page_as_it_is_shown_keeps_them_out": "chromium",
    "test_ordinary_pages_keep_their_words": "firefox",
    "test_visible_words_are_extracted_however_they_are_shown": "chromium",
    "test_penny_s_page_offers_and_one_button_connects_the_browser": "firefox",
    "test_the_browser_reconnects_and_messages_from_meanwhile_arrive_once": "chromium",
    "test_the_panel_opens_still_with_the_caret_in_the_box_which_few_tab_stops_reach": "firefox",
    "test_a_page_is_previewed_sent_and_answered_from_alone": "chromium",
    "test_hidden_text_of_the_page_is_not_sent": "firefox",
    "test_controls_in_odd_places_have_numbers_and_others_have_none": "chromium",
    "test_credentials_are_masked": "firefox",
    "test_the_panel_is_legible_in_light_and_dark_and_when_narrow": "chromium",
    "test_the_history_is_read_after_a_yes_and_its_titles_reach_only_the_reader": "chromium",
    "test_an_endless_pdf_ends_with_its_call_and_others_are_read_meanwhile": "chromium",
}
# Pages of the site alone, which need nothing of the extension, and what both browsers do alike.
MODULES_IN_ONE = {
    "test_settings": "chromium",
    "test_odd_pages": "chromium",
    "test_palette": "firefox",
    "test_reader": "chromium",
    "test_handbook": "firefox",
    "test_model": "chromium",
    "test_keyboard": "chromium",
    "test_why_bar": "chromium",
    "test_admin": "chromium",
    "test_permissions": "chromium",
    "test_threads": "chromium",
    "test_looking": "chromium",
    "test_skills": "chromium",
    "test_interests": "firefox",
    "test_acting": "firefox",
    "test_acting_pages": "chromium",
    "test_acting_moves": "chromium",
    "test_obedient_operator": "chromium",
    "test_small_tasks": "chromium",
    "test_mode": "chromium",
    "test_demo_errand": "chromium",
    "test_taking_over": "chromium",
    "test_forms": "chromium",
}
BROWSERS: dict[str, Callable[[], Browser]] = {"firefox": Firefox, "chromium": Chromium}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        name, _, parameters = item.name.partition("[")
        browser = IN_ONE.get(name) or MODULES_IN_ONE.get(item.path.stem, "")
        if not parameters.startswith(browser):
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


@pytest.fixture(scope="package")
def second_penny(browser: Browser) -> Iterator[Penny]:
    """Another Penny, without a model. The tests of the admin fill it, after those that need it empty."""
    with tempfile.TemporaryDirectory(prefix="penny-") as data, pennies.run_penny(Path(data)) as penny:
        yield penny


@pytest.fixture(scope="module")
def finds(_desk: Desk) -> None:
    """Finds on the feed, for all tests of a module."""
    _desk.browser.page(store_finds(_desk.penny)).close()


@pytest.fixture
def options(desk: Desk) -> Iterator[Options]:
    page = desk.browser.page(f"{desk.browser.origin}/options.html")
    yield Options(page)
    page.close()
