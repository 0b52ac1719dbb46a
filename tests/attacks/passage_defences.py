"""The defences of passages: of pages that are kept, and of pages in front of the owner."""

from tests.attacks.defence_entry import Defence

PASSAGES = [
    Defence(
        "kept passages apart from planners",
        "agents.llm.messages:_require_typed",
        "tests/agents/tools/test_search_kept.py::test_a_planner_gets_no_passage_and_without_the_typed_fields_it_does",
    ),
    Defence(
        "finds without kept passages",
        "agents.zones.writer:_require_of_the_web",
        "tests/agents/tools/test_search_kept.py::test_a_find_takes_no_passage_and_without_that_rule_it_does",
    ),
    Defence(
        "what is never kept by itself",
        "agents.vault.auto:bare_domain, agents.vault.auto:is_correspondence, agents.vault.auto:topic_of, "
        "agents.vault.auto:secrets_in, agents.vault.auto:MASKED_PART, agents.vault.auto:WORDS_LEAST",
        "tests/agents/vault/test_auto.py::test_what_is_never_kept_is_refused_by_its_own_rule",
    ),
    Defence(
        "the names of slots in a passage",
        "agents.zones.wording:_without_slots",
        "tests/agents/answers/test_wording.py::test_a_passage_names_no_slot_and_without_that_rule_it_does",
    ),
    Defence(
        "addresses of words for a passage",
        "agents.zones.wording:drop_addresses",
        "tests/agents/answers/test_wording.py::test_words_have_no_address_of_a_model_and_without_that_rule_they_have",
    ),
]
