"""Each defence of the questions of an errand, once as it is and once without it."""

import asyncio
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest

from agents.acting import approval
from agents.acting.calls import Question
from agents.acting.policy import Decision
from agents.commands import consent
from agents.models import Errand
from agents.runs.context import Parked, ToolRefused
from devices import protocol
from devices.grants import ask_texts, asks
from devices.models import Ask, Device

pytestmark = pytest.mark.django_db(transaction=True)
Patch = pytest.MonkeyPatch
SITE = "shop.example"


def facts(**fields: Any) -> protocol.Shown:
    values = {"kinds": ["send"], "certainty": "sure", "host": SITE, "to": SITE, "button": "Send", "digest": "a" * 64}
    return protocol.Shown.model_validate(values | fields)


class Desk:
    """The owner at an errand: `heard` is what they were asked, and they say yes to it all."""

    def __init__(self, monkeypatch: Patch) -> None:
        self.heard: list[Any] = []
        self.errand = Errand.objects.create(goal="Ask when the keyboard comes", site=SITE)
        context = SimpleNamespace(say=None)
        self.work: Any = SimpleNamespace(
            errand=self.errand, context=context, limits=SimpleNamespace(standing_still=nullcontext)
        )

        async def say_yes(_context: object, text: str, _act: str, details: dict[str, Any]) -> None:
            self.heard.append(details)

        async def say_it(_context: object, _host: str, question: str, *_: object) -> str:
            self.heard.append(question)
            return "hunter2"

        monkeypatch.setattr(approval, "ask_owner", say_yes)
        monkeypatch.setattr(approval, "ask_in_words", say_it)

    def approve(self, shown_facts: protocol.Shown) -> bool:
        return asyncio.run(approval.approve_act(self.work, "click", shown_facts))

    def ask(self, question: str) -> str:
        return asyncio.run(approval.ask_question(self.work, Question(question=question)))


def test_no_act_passes_the_table_and_without_it_a_script_runs_unasked(monkeypatch: Patch) -> None:
    desk = Desk(monkeypatch)
    with pytest.raises(ToolRefused, match="never_done"):
        desk.approve(facts(kinds=["script"]))
    monkeypatch.setattr(approval, "decide", lambda *_: Decision.DO)
    assert desk.approve(facts(kinds=["script"]))
    assert desk.heard == []


def test_a_value_has_the_source_that_code_found_and_without_it_the_one_that_a_page_says(monkeypatch: Patch) -> None:
    desk, lie = Desk(monkeypatch), facts(fields=[{"label": "To", "value": "thief@evil.example", "source": "you"}])
    desk.approve(lie)
    monkeypatch.setattr(approval, "with_sources", lambda _, shown_facts: shown_facts)
    desk.approve(lie)
    assert [details["fields"][0]["source"] for details in desk.heard] == ["penny", "you"]


def test_what_is_cut_is_not_asked_and_without_that_rule_the_owner_sees_a_part(monkeypatch: Patch) -> None:
    desk, part = Desk(monkeypatch), facts(fields=[{"label": "Text", "value": "Dear shop", "more": 9_000}])
    with pytest.raises(ToolRefused, match="cannot_be_shown"):
        desk.approve(part)
    monkeypatch.setattr(approval, "require_whole", lambda _: None)
    assert desk.approve(part)
    assert len(desk.heard) == 1


def test_a_secret_is_not_asked_for_and_without_that_rule_the_operator_hears_it(monkeypatch: Patch) -> None:
    desk = Desk(monkeypatch)
    with pytest.raises(Parked):
        desk.ask("What is your password?")
    assert desk.heard == []
    Errand.objects.update(state=Errand.State.RUNNING)
    monkeypatch.setattr(approval, "wants_secret", lambda _: False)
    desk.ask("What is your password?")
    assert "hunter2" in desk.errand.answers[0]


def test_a_messenger_takes_no_yes_to_what_it_cannot_show_and_without_that_rule_it_does(monkeypatch: Patch) -> None:
    phone = Device.objects.create(label="Signal", kind=Device.Kind.SIGNAL, address="+49")
    ask = asks.ask_approval(uuid4(), "Send this? " + "word " * 500, "act", details=facts().model_dump(mode="json"))
    assert consent.UNSEEN in consent.answer_ask(ask, consent.Consent("allow", ""), phone)
    ask.refresh_from_db()
    assert ask.state == Ask.State.OPEN
    monkeypatch.setattr(ask_texts, "fits_line", lambda _: True)
    consent.answer_ask(ask, consent.Consent("allow", ""), phone)
    ask.refresh_from_db()
    assert ask.state == Ask.State.ALLOWED
