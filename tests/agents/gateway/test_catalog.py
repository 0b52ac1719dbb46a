"""Every tool is classified, and its schema gives the planner nothing but arguments."""

import pytest

from agents.gateway.arguments import BrowseUrl
from agents.gateway.catalog import TOOLS, Tool, Unclassified, register

# The tools for commands.
OWN: dict[str, set[str]] = {
    "show": {"what", "words"},
    "propose": {"what", "words"},
    "remind": {"when", "what"},
    "schedule": {"when", "what"},
    "prefer": {"text", "feeling"},
    "set_profile": {"part", "value"},
    "think": {"words"},
    "find_thoughts": {"words"},
    "mute": {"until", "about"},
    "unmute": {"about"},
    "status": set(),
    "draw": {"what"},
}

READS = {"find_thoughts", "status", "draw"}


def tool(**changes: object) -> Tool:
    fields: dict[str, object] = {
        "name": "new_tool",
        "description": "Does something.",
        "arguments": BrowseUrl,
        "runs_on": "browser",
        "capability": "read",
        "callers": frozenset({"planner"}),
        "deadline": "TOOL_DEADLINE_S",
    }
    return Tool(**(fields | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "changes",
    [
        {"capability": None},
        {"callers": frozenset()},
        {"callers": frozenset({"program"}), "keeps": True},
    ],
)
def test_a_tool_without_a_classification_cannot_be_registered(changes: dict[str, object]) -> None:
    with pytest.raises(Unclassified):
        register(tool(**changes))
    assert "new_tool" not in TOOLS


def test_every_tool_says_where_it_runs_what_it_uses_who_calls_it_and_how_long_it_may_take() -> None:
    assert {(t.name, t.runs_on, t.capability, t.callers, t.deadline) for t in TOOLS.values()} == {
        (
            "browse_url",
            "browser",
            "read",
            frozenset({"planner", "program", "task", "thinking", "trial", "vault", "watch"}),
            "BROWSE_DEADLINE_S",
        ),
        ("search_web", "browser", "read", frozenset({"planner", "program", "task", "thinking"}), "TOOL_DEADLINE_S"),
        ("browse_urls", "server", None, frozenset({"planner", "program", "task"}), "BROWSE_DEADLINE_S"),
        ("search_youtube", "browser", "read", frozenset({"planner", "program", "task"}), "TOOL_DEADLINE_S"),
        ("read_metadata", "browser", "read", frozenset({"planner", "program", "task"}), "BROWSE_DEADLINE_S"),
        ("read_links", "browser", "read", frozenset({"planner", "program", "task"}), "BROWSE_DEADLINE_S"),
        ("get_current_tab", "browser", "read", frozenset({"planner"}), "TOOL_DEADLINE_S"),
        ("get_history", "browser", "history", frozenset({"planner"}), "TOOL_DEADLINE_S"),
        ("search_kept", "server", None, frozenset({"planner", "task"}), "TOOL_DEADLINE_S"),
        ("screenshot_page", "browser", "read", frozenset({"planner", "program"}), "TOOL_DEADLINE_S"),
        ("hand_over", "server", None, frozenset({"planner", "program"}), "TOOL_DEADLINE_S"),
        ("read_again", "server", None, frozenset({"planner", "program"}), "TOOL_DEADLINE_S"),
        ("watch", "server", None, frozenset({"planner"}), "TOOL_DEADLINE_S"),
        ("remember", "server", None, frozenset({"planner"}), "TOOL_DEADLINE_S"),
        ("act", "server", None, frozenset({"planner"}), "TOOL_DEADLINE_S"),
        ("use_skill", "server", None, frozenset({"planner", "program", "task"}), "TOOL_DEADLINE_S"),
        ("open_tools", "server", None, frozenset({"planner", "program", "task"}), "TOOL_DEADLINE_S"),
        *((name, "server", None, frozenset({"planner"}), "TOOL_DEADLINE_S") for name in set(OWN) - READS),
        *((name, "server", None, frozenset({"planner", "program"}), "TOOL_DEADLINE_S") for name in READS),
    }


def test_what_a_planner_is_told_of_a_tool_names_no_session_and_no_search_engine() -> None:
    fields = {name: set(tool.spec().schema["properties"]) for name, tool in TOOLS.items()}
    assert fields == {
        "act": {"where", "goal", "steps"},
        "browse_url": {"url"},
        "search_web": {"query"},
        "browse_urls": {"urls"},
        "search_youtube": {"query"},
        "read_metadata": {"url"},
        "read_links": {"url"},
        "get_current_tab": set(),
        "get_history": {"words", "days"},
        "search_kept": {"query", "site", "since", "until"},
        "screenshot_page": {"area", "selector"},
        "hand_over": {"handle"},
        "read_again": {"handle"},
        "use_skill": {"name"},
        "remember": {"text"},
        "open_tools": {"group"},
        "watch": {"page", "kind", "below", "currency", "when_back", "name"},
        **OWN,
    }
    assert all(tool.spec().schema["additionalProperties"] is False for tool in TOOLS.values())
