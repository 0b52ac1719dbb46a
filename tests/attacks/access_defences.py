"""The defences of sockets, pairing, sign-in and web pages, in the order of README.md."""

from tests.attacks.defence_entry import DOOR, PAGES, SOCKETS, Defence

MODEL = "tests/penny_site/settings_pages/test_model.py::test_"
SIGN_IN = "tests/penny_site/sign_in/"
REACH = "tests/devices/channels/test_reach.py::test_"
ACCESS = [
    Defence("Host names of sockets", "penny_site.doors:validate_host", f"{SOCKETS}a_foreign_host_opens_no_socket"),
    Defence(
        "Host names of pages",
        "penny_site.settings:ALLOWED_HOSTS",
        f"{DOOR}a_foreign_host_gets_pages_where_nobody_looks",
    ),
    Defence(
        "web origins at the devices' door",
        "devices.sockets.consumers:is_device_origin",
        f"{SOCKETS}a_web_origin_opens_no_socket_of_devices",
    ),
    Defence(
        "the page's Origin at its socket",
        "devices.sockets.consumers:is_own_page",
        f"{SOCKETS}another_site_opens_no_socket_of_the_web_page_though_the_cookie_is_good",
    ),
    Defence(
        "the pinned Origin",
        "devices.access.handshake:Handshake.admit",
        f"{SOCKETS}the_right_key_under_another_origin_is_not_let_in",
    ),
    Defence(
        "the look for revocations",
        "devices.sockets.consumers:DeviceConsumer._watch",
        f"{SOCKETS}a_revoked_device_that_nobody_told_goes_and_without_the_look_it_stays",
    ),
    Defence(
        "few tries for a code",
        "devices.models:PairingCode.WRONG_ANSWERS",
        f"{DOOR}a_code_is_void_after_five_wrong_ones_and_without_that_rule_it_is_not",
    ),
    Defence(
        "two minutes for a code",
        "devices.models:PairingCode.LIFETIME",
        f"{DOOR}a_code_is_void_after_two_minutes_and_without_that_rule_it_is_not",
    ),
    Defence(
        "the sign-in before pages",
        "django.contrib.auth.middleware:LoginRequiredMiddleware",
        f"{PAGES}without_the_question_who_it_is_a_stranger_sees_the_feed",
    ),
    Defence(
        "the sign-in before the admin",
        "penny_site.admin_site:PennyAdmin.has_permission",
        f"{PAGES}the_admin_asks_by_itself_and_without_that_a_stranger_sees_the_conversation",
    ),
    Defence(
        "the old password before a new one",
        "penny_site.admin:OwnerAdmin.user_change_password",
        f"{SIGN_IN}test_password.py::test_the_admin_asks_for_the_old_password_and_with_its_own_form_it_does_not",
    ),
    Defence(
        "sockets that close with their session",
        "devices.access.sign_ins:close_sockets",
        f"{SIGN_IN}test_password.py::test_without_that_event_they_stay_open",
    ),
    Defence(
        "challenges without a row",
        "penny_site.sign_in.challenge:Challenge",
        f"{SIGN_IN}test_session_rows.py::test_with_a_session_for_a_challenge_each_request_makes_a_row_of_ninety_days",
    ),
    Defence(
        "what opens once",
        "devices.models:PairingCode.used_at, devices.models:SignInLink.used_at",
        f"{DOOR}codes_and_links_open_once_and_without_the_mark_of_their_use_again",
    ),
    Defence("the device's proof", "devices.access.keys:is_proof", f"{SOCKETS}another_key_is_not_let_in"),
    Defence(
        "a nonce for each socket",
        "devices.access.handshake:secrets.token_bytes",
        f"{SOCKETS}an_old_proof_is_not_let_in",
    ),
    Defence(
        "little before the proof",
        "devices.protocol:UNAUTHENTICATED_BYTES",
        f"{SOCKETS}four_kilobytes_are_all_that_a_stranger_may_send",
    ),
    Defence(
        "web origins at pairing",
        "devices.access.pairing:EXTENSION_ORIGIN",
        f"{DOOR}without_the_rule_for_origins_a_web_page_pairs",
    ),
    Defence(
        "JSON alone at pairing",
        "devices.access.views:pair",
        f"{DOOR}without_the_rule_for_json_a_plain_form_pairs",
    ),
    Defence(
        "writes from Penny's own pages alone",
        "penny_site.cross_site:own_writes",
        f"{DOOR}without_the_rule_for_writes_another_site_writes",
    ),
    Defence(
        "costly reads from Penny's own pages alone",
        "penny_site.cross_site:own_reads",
        "tests/penny_site/test_cross_site.py::test_without_that_rule_a_page_of_another_site_causes_costly_reads",
    ),
    Defence(
        "the table of callers",
        "agents.commands.authority:TOKEN",
        "tests/agents/commands/test_authority.py::test_without_that_row_a_program_would_answer_and_command",
    ),
    Defence(
        "unfinished answers of others",
        "agents.turns.store_question:_is_answer_to",
        "tests/agents/api/test_programs_go_on.py"
        "::test_a_program_goes_on_with_no_answer_of_the_owner_s_and_without_that_rule_it_does",
    ),
    Defence(
        "words from other sites",
        "penny_site.requests:is_from_here",
        "tests/penny_site/test_app.py::test_another_site_shares_nothing_and_without_that_rule_it_would",
    ),
    Defence(
        "the token of forms",
        "django.middleware.csrf:CsrfViewMiddleware",
        f"{DOOR}without_the_token_rule_a_form_of_another_site_writes",
    ),
    Defence(
        "the token of an undo",
        "penny_site.settings_pages.save:is_of_last_change",
        f"{PAGES}an_undo_needs_the_token_of_the_last_change_and_without_that_rule_any_will_do",
    ),
    Defence(
        "the counter of guesses",
        "devices.access.failed_attempts:is_too_often",
        f"{DOOR}without_the_counter_guessing_goes_on",
    ),
    Defence(
        "slow answers to many guesses",
        "penny_site.doors:SlowRefusals",
        f"{DOOR}an_answer_that_says_too_many_waits_and_others_do_not",
    ),
    Defence(
        "no refused address in a log", "penny_site.logs:logging_config", f"{DOOR}a_link_that_is_refused_is_in_no_log"
    ),
    Defence(
        "no way on from a model's port",
        "agents.llm.servers.model_names:opener",
        "tests/penny_site/test_no_fetches.py::test_without_that_rule_the_program_could_redirect_penny",
    ),
    Defence(
        "no keys in a backup",
        "penny_site.backups.make:_read_secrets",
        "tests/penny_site/backups/test_backup.py::test_everything_comes_back_byte_for_byte_with_secrets",
    ),
    Defence(
        "nobody let in by a backup",
        "penny_site.backups.restore:shut_restored_database",
        "tests/penny_site/backups/test_after_a_restore.py::"
        "test_without_shutting_what_was_restored_all_of_it_would_let_in",
    ),
    Defence(
        "few tries for a number's code",
        "devices.channels.signal.own_numbers:TRIES",
        "tests/agents/signal/test_own_numbers.py::test_without_that_bound_it_opens_after_any_number_of_wrong_ones",
    ),
    Defence(
        "redirects of outlets",
        "devices.channels.apprise:_follow_no_redirect",
        f"{REACH}without_that_it_leads_penny_anywhere",
    ),
    Defence(
        "private addresses of outlets",
        "devices.channels.reach:_check",
        f"{REACH}a_public_name_that_leads_to_this_machine_is_not_reached_and_without_the_bound_it_is",
    ),
    Defence(
        "redirects of the sign-in service",
        "penny_site.sign_in.oidc_session:ServiceSession",
        f"{SIGN_IN}test_oidc_reach.py::test_without_that_it_leads_anywhere",
    ),
    Defence(
        "private addresses of the sign-in service",
        "devices.channels.reach:_check",
        f"{SIGN_IN}test_oidc_reach.py::"
        "test_a_private_address_of_its_metadata_is_not_reached_and_without_the_bound_it_is",
    ),
    Defence(
        "sealed keys of models",
        "agents.model_choice.choose:seal",
        f"{MODEL}without_the_seal_the_key_stands_in_the_database",
    ),
    Defence(
        "a model's key for its address alone",
        "agents.model_choice.choose:is_same_address",
        f"{MODEL}without_the_rule_of_addresses_a_key_goes_to_another_one",
    ),
    Defence(
        "no key in a server's words",
        "agents.llm.translate:without_key",
        f"{MODEL}without_removing_it_a_server_s_words_hold_the_key",
    ),
    Defence(
        "few variables that are handed over",
        "penny_site.processes.supervisor:Child.may_take",
        "tests/penny_site/processes/test_handover.py::test_without_that_rule_any_variable_of_the_sandbox_is_changed",
    ),
]
