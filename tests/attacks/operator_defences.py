"""The defences of errands: what an operator may see and call, and the fences around its tab on both sides."""

from tests.attacks.defence_entry import Defence

QUESTIONS = "tests/attacks/test_question_switches.py::test_"
OPERATOR = "tests/attacks/test_operator_switches.py::test_"
ERRAND = "tests/attacks/test_errand_switches.py::test_"
TAB = "browser_ext/src/tools/acting/without.test.ts::"
ACT = "browser_ext/src/acting/actions/without.test.ts::"
ERRANDS = [
    Defence(
        "one site for an operator",
        "agents.llm.messages:covers",
        f"{OPERATOR}its_pages_are_of_one_site_and_without_that_rule_another_s_words_stand_beside_its_tools",
    ),
    Defence(
        "tools of one zone",
        "agents.llm.messages:_require_own_tools",
        f"{OPERATOR}a_planner_has_no_tool_of_an_operator_and_without_that_rule_it_acts",
    ),
    Defence(
        "no conversation for an operator",
        "agents.llm.messages:_require_own_turns",
        f"{OPERATOR}an_operator_hears_no_conversation_and_without_that_rule_it_stands_beside_a_page",
    ),
    Defence(
        "pages of errands for the operator alone",
        "agents.llm.messages:_require_no_site",
        f"{OPERATOR}a_page_of_an_errand_is_the_operator_s_and_without_that_rule_a_planner_with_tools_reads_it",
    ),
    Defence(
        "the site of an errand",
        "agents.gateway.page_calls:_require_here",
        f"{OPERATOR}what_a_tab_brings_is_of_its_site_and_without_that_look_a_redirect_shows_another",
    ),
    Defence(
        "the grant of an errand",
        "agents.gateway.page_calls:_require_granted",
        f"{OPERATOR}a_site_is_acted_on_while_its_grant_stands_and_without_that_look_after_it_was_revoked",
    ),
    Defence(
        "no value for a field of secrets",
        "agents.acting.entered:is_secret",
        f"{ERRAND}a_field_for_secrets_gets_nothing_and_without_that_rule_a_password_is_sent_and_shown",
    ),
    Defence(
        "the label of what was done",
        "agents.answers.reply:Reply.with_report",
        f"{ERRAND}what_was_done_has_its_site_s_label_and_without_it_a_page_s_words_stand_beside_a_planner_s_tools",
    ),
    Defence(
        "the site of a tab", "browser_ext/src/grants/grants.ts:covers", f"{TAB}the site of a tab, an act on another one"
    ),
    Defence(
        "the grant at an act",
        "browser_ext/src/tools/acting/errand_tabs.ts:siteUrl",
        f"{TAB}the grant at an act, a site that was revoked",
    ),
    Defence(
        "the journal of acts",
        "browser_ext/src/tools/acting/journal.ts:beginAct",
        f"{TAB}the journal of acts, an act that is made twice",
    ),
    Defence(
        "the questions that were asked",
        "browser_ext/src/tools/acting/journal.ts:takeYes",
        f"{TAB}the questions that were asked, a yes that nobody gave",
    ),
    Defence(
        "the verdict about an act",
        "browser_ext/src/acting/consequences/verdict.ts:consequencesOf",
        f"{ACT}the verdict about an act, a form that nobody said yes to",
    ),
    Defence(
        "the table of acts",
        "agents.acting.approval:decide",
        f"{QUESTIONS}no_act_passes_the_table_and_without_it_a_script_runs_unasked",
    ),
    Defence(
        "the source of a value",
        "agents.acting.approval:with_sources",
        f"{QUESTIONS}a_value_has_the_source_that_code_found_and_without_it_the_one_that_a_page_says",
    ),
    Defence(
        "an act shown whole",
        "agents.acting.approval:require_whole",
        f"{QUESTIONS}what_is_cut_is_not_asked_and_without_that_rule_the_owner_sees_a_part",
    ),
    Defence(
        "no secret asked for",
        "agents.acting.approval:wants_secret",
        f"{QUESTIONS}a_secret_is_not_asked_for_and_without_that_rule_the_operator_hears_it",
    ),
    Defence(
        "no yes in a messenger to what it cuts",
        "devices.grants.ask_texts:fits_line",
        f"{QUESTIONS}a_messenger_takes_no_yes_to_what_it_cannot_show_and_without_that_rule_it_does",
    ),
    Defence(
        "the look at what a page sends",
        "browser_ext/src/acting/actions/submits.ts:guardSubmits",
        f"{ACT}the look at what a page sends, a form behind another button",
    ),
    Defence(
        "the look at what the browser collected",
        "browser_ext/src/acting/actions/permission.ts:Permission.assertSent",
        "browser_ext/src/acting/actions/submits.test.ts::without that look, what a handler changed is sent",
    ),
    Defence(
        "the fence of a tab",
        "browser_ext/src/page_tabs/rules/fence.ts:openFence",
        f"{TAB}the fence of a tab, a page that leads to the sink",
    ),
]
