"""Defences of an errand's values and of its report, switched off in the test's own process."""

import json
from dataclasses import replace
from datetime import date

import pytest

from agents.acting import calls, entered
from agents.acting.entered import may_be_shown, refuse_secrets
from agents.acting.report import Report
from agents.acting.step_texts import step_line
from agents.answers.conversation.history import Entry, planner_history
from agents.answers.reply import Reply
from agents.runs.context import ToolRefused
from agents.zones.inputs import Private
from agents.zones.planner import planner_request

SITE, SECRET = "shop.example", "hunter22"


def test_a_field_for_secrets_gets_nothing_and_without_that_rule_a_password_is_sent_and_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    call, controls = calls.Set(ref="9", value=SECRET), {"9": "textbox Password secret"}

    def live_line() -> str:
        return step_line("set", call, SITE, is_shown=may_be_shown(call, controls))

    with pytest.raises(ToolRefused, match="secret_refused"):
        refuse_secrets(call, controls, SITE)
    assert SECRET not in live_line()
    monkeypatch.setattr(entered, "is_secret", lambda _: False)
    refuse_secrets(call, controls, SITE)
    assert SECRET in live_line()


def test_what_was_done_has_its_site_s_label_and_without_it_a_page_s_words_stand_beside_a_planner_s_tools() -> None:
    order = "Clicked “Order 9 more”"

    def next_request(reply: Reply) -> str:
        history = planner_history([Entry(1, "out", "chat", reply.text, reply.origin)], {})
        request = planner_request(Private("Ada"), date(2026, 3, 2), history, Private("And now?"), [], [])
        return json.dumps(request.record(), ensure_ascii=False)

    reply = Reply("Stopped.", [], []).with_report(Report(order, frozenset({SITE})))
    assert order in reply.text
    assert order not in next_request(reply)
    assert order in next_request(replace(reply, origin=["owner", "penny"]))
