"""List Penny's defences under their names in README.md, each with the test that needs it.

The switches exist in the tests alone: `without.py` switches a running Penny, the others patch the test's process or
the page in the browser. Where several defences stop an attack, the others are off in both halves of the test.
"""

from tests.attacks.access_defences import ACCESS
from tests.attacks.defence_entry import PAGES, PERMITS, RUNS, SWITCHES, WITHOUT, Defence
from tests.attacks.extension_defences import IN_THE_EXTENSION
from tests.attacks.operator_defences import ERRANDS
from tests.attacks.passage_defences import PASSAGES

REQUESTS = [
    Defence(
        "types of text",
        "agents.zones.inputs:require",
        f"{SWITCHES}a_page_is_no_question_and_without_the_types_it_stands_beside_tools",
    ),
    Defence(
        "the owner's own words",
        "agents.learning.from_messages:own_words",
        "tests/agents/learning/test_learning.py::test_without_that_rule_the_words_of_others_would_be_learned_from",
    ),
    Defence(
        "forms of names",
        "agents.zones.inputs:require_text",
        f"{SWITCHES}a_domain_is_a_domain_and_without_the_form_of_names_it_says_anything",
    ),
    Defence(
        "bounded names of sites",
        "agents.answers.conversation.site_names:site_name",
        "tests/agents/answers/test_site_names.py::"
        "test_an_obedient_model_finds_no_order_in_a_domain_and_without_the_bound_it_does",
    ),
    Defence(
        "typed results of tools",
        "agents.llm.messages:_require_typed",
        f"{SWITCHES}a_tool_returns_typed_values_and_without_that_check_the_words_of_a_page",
    ),
    Defence(
        "labels of requests",
        "agents.llm.messages:TRUSTED",
        f"{SWITCHES}a_request_with_a_domain_s_label_has_no_tools_and_without_that_rule_it_has",
    ),
    Defence(
        "pictures for the reader alone",
        "agents.llm.messages:_require_seen_by_reader",
        f"{SWITCHES}a_picture_is_for_the_reader_alone_and_without_that_rule_it_stands_beside_tools",
    ),
    Defence(
        "the seal of requests",
        "agents.llm.messages:SEAL",
        f"{SWITCHES}requests_are_made_in_one_place_and_without_the_seal_anywhere",
    ),
    Defence(
        "the seal of permits",
        "devices.sockets.permits:PERMIT_SEAL",
        f"{PERMITS}a_permit_is_made_by_the_gateway_and_without_its_seal_by_anybody",
    ),
    Defence(
        "what a permit is for",
        "devices.sockets.permits:Permit.require",
        f"{PERMITS}a_permit_is_for_its_site_and_session_and_without_that_check_for_any",
    ),
    Defence(
        "the seal of what browsers bring",
        "devices.sockets.permits:Sealed.opened",
        f"{PERMITS}what_a_browser_brought_is_opened_by_the_gateway_and_without_its_seal_by_anybody",
    ),
    Defence(
        "placeholders for answers",
        "agents.answers.conversation.history:_HOUSE",
        "tests/agents/answers/test_follow_ups.py::test_only_the_placeholder_keeps_the_words_of_an_answer_from_the_planner",
    ),
    Defence(
        "the seal of temporary answers",
        "agents.answers.conversation.temporary_chat:signing.loads",
        "tests/agents/answers/test_temporary_follow_ups.py::test_only_the_seal_keeps_a_device_from_calling_a_page_s_words_penny_s",
    ),
    Defence(
        "the label of a program's list",
        "agents.api.question:ATTACHMENT",
        "tests/agents/api/test_list_labels.py::test_a_program_s_list_is_beside_no_tools_and_without_its_label_it_is",
    ),
    Defence(
        "blocks of documents",
        "agents.api.question:split_blocks",
        "tests/agents/api/test_list_labels.py::test_a_document_is_beside_no_tools_and_without_its_block_it_is",
    ),
    Defence("labels of answers", "agents.answers.writer:with_sources", WITHOUT),
    Defence("the union of labels", "agents.runs.handles:Handles.origin", WITHOUT),
    Defence("the writer's last word", "agents.runs.handles:Handles.has_untrusted", WITHOUT),
    Defence(
        "embeddings apart",
        "agents.embeddings.embed:_require_apart",
        "tests/agents/embeddings/test_embed.py::test_the_owners_words_and_the_webs_never_leave_together_and_without_that_rule_they_do",
    ),
    Defence("the audit", "agents.llm.audit:record_before_sending", WITHOUT),
    Defence(
        "memories that the owner confirmed",
        "agents.memory.models:MemoryQuerySet.confirmed",
        "tests/agents/memory/test_memory.py::test_words_of_a_page_are_told_to_nobody_before_the_owner_confirms_and_without_that_rule_they_are",
    ),
    Defence(
        "approval of skills",
        "agents.skills.active:in_use",
        "tests/agents/skills/test_skills.py::test_what_was_not_approved_reaches_no_request_and_without_that_rule_it_would",
    ),
]
READINGS = [
    Defence(
        "plain readings",
        "thoughts.text.plain_words:has_disguised_address",
        f"{SWITCHES}a_reading_is_plain_words_and_without_each_check_it_holds_more",
    ),
    Defence(
        "quotes of claims",
        "agents.zones.reader_answers:locate",
        f"{SWITCHES}a_claim_needs_its_quote_and_without_that_check_it_could_say_anything",
    ),
    Defence(
        "replies of the sandbox checked again",
        "agents.pages.read:is_true_to",
        f"{SWITCHES}a_reply_of_the_sandbox_is_checked_again_and_without_that_a_made_up_quote_counts",
    ),
    Defence(
        "confinement of the sandbox",
        "agents.sandbox.confinement:confine",
        "tests/agents/sandbox/test_sandbox.py::test_the_same_code_reaches_it_where_nothing_is_closed",
    ),
    Defence(
        "sockets of the internet alone",
        "agents.sandbox.seccomp:filter_calls",
        "tests/agents/sandbox/test_sandbox.py"
        "::test_hostile_code_finds_no_other_redis_and_without_the_filter_it_publishes_there",
    ),
    Defence(
        "the readers' Redis",
        "penny_site.processes.plan:READERS_RIGHTS",
        f"{SWITCHES}the_readers_redis_writes_no_file_and_without_its_user_it_does",
    ),
    Defence(
        "pictures encoded anew",
        "agents.sandbox.images:encode",
        "tests/agents/pages/test_pictures.py::test_nothing_but_the_pixels_is_kept",
    ),
    Defence(
        "typed metadata",
        "devices.protocol:Metadata",
        "tests/agents/pages/test_store_page.py::test_without_the_types_all_that_a_page_says_about_itself_would_be_stored",
    ),
    Defence("metadata apart from texts", "agents.pages.store:new_page", WITHOUT),
    Defence(
        "the look at the page as it is shown",
        "browser_ext/src/extract/visibility/visibility.ts:visibilityOfPage",
        "tests/e2e/test_hidden_text.py::test_only_the_look_at_the_page_as_it_is_shown_keeps_them_out",
    ),
    Defence(
        "no definitions in a file",
        "thoughts.sources.markup:parse_markup",
        "tests/thoughts/sources/test_source_files.py::test_without_that_rule_they_would",
    ),
    Defence("cleaning of characters", "thoughts.text.cleaning:clean_text, thoughts.text.cleaning:clean_line", WITHOUT),
    Defence(
        "a history that is not shared",
        "agents.learning.history_reports:_check_shared",
        "tests/agents/learning/test_history_reports.py::test_without_that_switch_whatever_a_device_tells_would_be_stored",
    ),
    Defence(
        "bare domains of visits",
        "agents.learning.history_reports:bare_domain",
        "tests/agents/learning/test_history_reports.py::test_without_that_rule_an_address_with_its_path_would_be_stored",
    ),
    Defence(
        "bare titles of visits",
        "agents.learning.history_reports:bare_title",
        "tests/agents/learning/test_history_reports.py::test_without_that_rule_the_address_that_a_page_without_a_title_has_for_one_would_be_stored",
    ),
    Defence(
        "secrets in titles of visits",
        "devices.web.visits:hide_secrets",
        "tests/agents/learning/test_history_reports.py::test_without_the_look_for_secrets_the_code_in_a_title_would_be_stored",
    ),
    Defence(
        "visits that are nobody's business",
        "agents.learning.history_reports:is_private_visit",
        "tests/agents/learning/test_history_reports.py::"
        "test_what_the_extension_leaves_out_is_left_out_here_too_and_without_that_rule_it_is_stored",
    ),
    Defence(
        "Penny's own pages are not shared",
        "devices.web.address:Address.is_own",
        "tests/agents/answers/test_shared_page.py::test_only_the_check_of_her_own_names_keeps_pennys_page_out",
    ),
]
GRANTS = [
    Defence("grants", "devices.grants.grants:decide", WITHOUT),
    Defence("the session of a grant", "devices.grants.grants:decide", WITHOUT),
    Defence(
        "the label of what was heard",
        "agents.turns.confirm_words:ATTACHMENT",
        "tests/agents/signal/test_files_on_signal.py::test_what_was_heard_is_beside_no_tools_before_the_yes_and_without_its_label_it_is",
    ),
    Defence("the final address", "agents.gateway.decisions:recheck", WITHOUT),
    Defence(
        "logins for what the owner asked for",
        "agents.runs.handles:Handles.is_asked_for",
        "tests/agents/gateway/test_logins.py::test_only_these_rules_keep_logins_from_another_site_and_the_owner_signed_in",
    ),
    Defence(
        "addresses that act",
        "agents.gateway.open_page:acts",
        "tests/agents/gateway/test_logins.py::test_only_these_rules_keep_logins_from_another_site_and_the_owner_signed_in",
    ),
    Defence("approval of unknown addresses", "agents.gateway.approvals:approve_address", WITHOUT),
    Defence("the yes to a look at the history", "agents.gateway.approvals:approve", WITHOUT),
    Defence("the prompt queue", "devices.grants.asks:_open_asks", WITHOUT),
    Defence(
        "public suffixes",
        "devices.web.hosts:_suffixes",
        f"{SWITCHES}a_public_suffix_cannot_be_granted_and_without_the_list_it_could",
    ),
    Defence(
        "Penny's own address",
        "devices.web.hosts:is_own",
        f"{SWITCHES}pennys_own_address_cannot_be_granted_and_without_that_rule_it_could",
    ),
    Defence(
        "secrets in addresses",
        "devices.web.hosts:without_secrets",
        f"{SWITCHES}what_looks_like_a_secret_is_cut_and_without_that_rule_it_is_stored",
    ),
    Defence(
        "secrets in the words of requests",
        "agents.zones.inputs:cut_secrets_in",
        "tests/agents/zones/test_secrets.py::test_secrets_of_addresses_reach_no_model_and_without_that_rule_they_do",
    ),
    Defence(
        "secrets in steps",
        "agents.runs.steps:json_to_store",
        f"{RUNS}a_step_keeps_no_secret_of_an_address_and_without_that_rule_it_does",
    ),
    Defence("rates", "agents.gateway.rate_limits:rate_refusal", WITHOUT),
    Defence(
        "rates of whole domains",
        "agents.gateway.rate_limits:registrable_domain",
        "tests/agents/gateway/test_rate_limits.py::test_without_the_registrable_domain_a_site_would_make_hosts_without_end",
    ),
    Defence(
        "skills within the grants",
        "agents.skills.active:may_be_read",
        "tests/agents/skills/test_skills.py::test_a_skill_is_active_only_where_reading_is_granted_and_without_that_rule_anywhere",
    ),
    Defence(
        "muted sites",
        "devices.owner.muted_sites:is_muted",
        f"{RUNS}thinking_keeps_away_from_a_muted_site_and_without_that_rule_it_reads_it",
    ),
    Defence(
        "the stop",
        "devices.owner.stop:is_stopped",
        "tests/agents/runs/test_stop.py::test_the_gateway_refuses_what_a_run_calls_after_the_stop_and_without_that_rule_it_does_not",
    ),
    Defence(
        "budgets",
        "agents.runs.budget:Budget._take",
        "tests/agents/runs/test_budgets.py::test_with_more_to_spend_the_same_planner_opens_more",
    ),
    Defence(
        "one budget for all attempts",
        "agents.runs.budget:Budget.store",
        f"{RUNS}attempts_share_a_budget_and_without_what_is_written_down_each_has_its_own",
    ),
    Defence(
        "one budget for a day",
        "agents.runs.day_budget:DayBudget.check",
        f"{RUNS}runs_share_a_day_and_without_that_check_each_has_its_own",
    ),
    Defence(
        "labels of digests",
        "agents.schedules.digest:union",
        "tests/agents/schedules/test_digest.py::test_titles_of_a_digest_reach_no_planner_and_without_its_labels_they_would",
    ),
]
DISPLAY = [
    Defence(
        "no page speaks over Signal",
        "agents.outbox.reword:shared_passages",
        "tests/agents/outbox/test_reword.py::test_without_that_check_a_page_would_speak_over_signal",
    ),
    Defence(
        "the owner's numbers alone",
        "agents.signal.inbox:_sender",
        "tests/agents/signal/test_messages_on_signal.py::test_without_the_look_at_who_writes_a_stranger_asks",
    ),
    Defence(
        "the code of a number",
        "devices.channels.signal.own_numbers:is_proven",
        "tests/agents/signal/test_own_numbers.py::test_without_the_code_a_wrong_digit_lets_somebody_in",
    ),
    Defence("answers without addresses", "thoughts.text.addresses:drop_addresses", WITHOUT),
    Defence("links of known addresses", "devices.conversation.messages:render_safe", WITHOUT),
    Defence("safe HTML", "devices.conversation.messages:render_safe", WITHOUT),
    Defence(
        "Markdown, bleach and nh3, each alone",
        "thoughts.rendering:_to_html, thoughts.rendering:_clean, thoughts.rendering:_gate",
        "tests/thoughts/test_rendering.py::test_with_every_gate_off_the_same_payloads_act",
    ),
    Defence(
        "Content Security Policy",
        "penny_site.middleware:HEADERS",
        "tests/attacks/test_shown.py::test_without_both_defences_payloads_run_and_ask_elsewhere",
    ),
    Defence(
        "headers against other sites",
        "penny_site.middleware:HEADERS",
        f"{PAGES}other_sites_may_nothing_and_without_the_headers_all_that_browsers_let_them",
    ),
    Defence(
        "links that tell nothing",
        "thoughts.rendering:REL",
        f"{PAGES}a_link_tells_its_site_nothing_and_without_its_rel_who_opened_it",
    ),
]
DEFENCES = [*REQUESTS, *PASSAGES, *READINGS, *GRANTS, *DISPLAY, *IN_THE_EXTENSION, *ACCESS, *ERRANDS]
