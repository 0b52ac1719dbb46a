"""Every tool, consequence and certainty has one decision, and none without one passes."""

from itertools import combinations, product

import pytest

from agents.acting import policy
from agents.acting.policy import (
    CERTAINTIES,
    KINDS,
    OWNER_TASKS,
    TABLE,
    TOOLS,
    WAYS,
    Act,
    Answers,
    Control,
    Decision,
    Tool,
    Way,
    decide,
)
from devices.protocol import Certainty, Consequence, OwnerTask

BUTTON = Control("shop.example", "button", "▶")
LINK = Control("shop.example", "link", "▶")
DIGEST = "a" * 64
NOTHING = Answers()
READING: set[Tool] = {"look", "find", "hover", "scroll", "wait", "ask", "take_over", "done"}
CHANGING = sorted(set(TOOLS) - READING)
ENTERING: list[Tool] = ["set", "fill", "type", "select", "check"]
NEVER: set[Consequence] = {"carry", "call_api", "script"}
CASES = list(product(TOOLS, KINDS, CERTAINTIES))
ASKED = sorted(set(KINDS) - NEVER - {"leave", "credential"})


def act(tool: Tool, *kinds: Consequence, certainty: Certainty = "sure", task: OwnerTask | None = None) -> Act:
    return Act(tool, frozenset(kinds), certainty, BUTTON, task, DIGEST)


def test_the_table_has_a_row_for_each_kind_and_a_way_for_each_tool() -> None:
    assert set(TABLE) == set(KINDS)
    assert set(WAYS) == set(TOOLS)
    assert {len(row) for row in TABLE.values()} == {len(Way)}
    assert all(isinstance(decision, Decision) for row in TABLE.values() for decision in row)


def test_each_tool_kind_and_certainty_has_one_decision_and_none_is_done() -> None:
    decisions = {case: decide(act(case[0], case[1], certainty=case[2]), NOTHING) for case in CASES}
    assert len(decisions) == len(TOOLS) * len(KINDS) * len(CERTAINTIES)
    assert {case for case, decision in decisions.items() if decision < Decision.ASK} == set()


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_without_a_row_raises(kind: Consequence, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(policy.TABLE, kind)
    with pytest.raises(KeyError):
        decide(act("click", kind), NOTHING)


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_without_a_way_raises(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(policy.WAYS, tool)
    with pytest.raises(KeyError):
        decide(act(tool), NOTHING)


@pytest.mark.parametrize("kind", ASKED)
def test_a_consequence_is_asked_each_time(kind: Consequence) -> None:
    answered = Answers(allowed_controls={BUTTON})
    decisions = {(tool, certainty): decide(act(tool, kind, certainty=certainty), answered)
             for tool in CHANGING for certainty in CERTAINTIES}  # fmt: skip
    assert set(decisions.values()) == {Decision.ASK}


@pytest.mark.parametrize("kind", sorted(NEVER))
def test_what_no_tool_can_do_is_refused(kind: Consequence) -> None:
    assert {decide(act(tool, kind), NOTHING) for tool in TOOLS} == {Decision.REFUSE}


@pytest.mark.parametrize("kind", KINDS)
def test_a_tool_that_reads_has_no_consequence(kind: Consequence) -> None:
    assert {decide(act(tool, kind), NOTHING) for tool in READING} == {Decision.REFUSE}


def test_credentials_are_never_entered_but_a_form_that_holds_one_is_asked_about() -> None:
    assert {decide(act(tool, "credential"), NOTHING) for tool in ENTERING} == {Decision.HAND_OVER}
    assert decide(act("click", "credential", "sign_in"), NOTHING) is Decision.ASK
    assert decide(act("press", "credential", "sign_in"), NOTHING) is Decision.ASK


def test_leaving_the_site_is_a_grant_question_before_any_other() -> None:
    assert {decide(act(tool, "leave"), NOTHING) for tool in CHANGING} == {Decision.ASK_GRANT}
    assert decide(act("click", "leave", "buy"), NOTHING) is Decision.ASK_GRANT


@pytest.mark.parametrize("task", OWNER_TASKS)
def test_what_is_for_the_owner_is_handed_over_and_never_done(task: OwnerTask) -> None:
    decisions = {
        decide(act(tool, *kinds, certainty=certainty, task=task), Answers(allowed_controls={BUTTON}))
        for tool in CHANGING
        for certainty in CERTAINTIES
        for kinds in ((), ("submit",), ("buy", "leave"))
    }
    assert decisions == {Decision.HAND_OVER}


@pytest.mark.parametrize("tool", CHANGING)
def test_what_code_can_say_nothing_about_is_asked_once_per_site_role_and_name(tool: Tool) -> None:
    unknown = act(tool, certainty="none")
    assert decide(unknown, NOTHING) is Decision.ASK_ONCE
    assert decide(unknown, Answers(allowed_controls={LINK})) is Decision.ASK_ONCE
    assert decide(unknown, Answers(allowed_controls={BUTTON})) is Decision.DO
    assert decide(unknown, Answers(refused_controls={BUTTON})) is Decision.REFUSE


@pytest.mark.parametrize("kind", ASKED)
def test_a_content_that_was_refused_is_not_asked_again(kind: Consequence) -> None:
    assert decide(act("click", kind), Answers(refused_digests={DIGEST})) is Decision.REFUSE
    assert decide(act("click", kind), Answers(refused_digests={"b" * 64})) is Decision.ASK


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("certainty", ["sure", "words"])
def test_an_act_without_consequence_is_done(tool: Tool, certainty: Certainty) -> None:
    assert decide(act(tool, certainty=certainty), NOTHING) is Decision.DO


@pytest.mark.parametrize("tool", CHANGING)
def test_of_two_consequences_the_stricter_decides(tool: Tool) -> None:
    alone = {kind: decide(act(tool, kind), NOTHING) for kind in KINDS}
    for pair in combinations(KINDS, 2):
        assert decide(act(tool, *pair), NOTHING) is max(alone[kind] for kind in pair)
