"""What the owner is asked in an errand: before an act, and by the operator."""

import hashlib

import pytest

from devices import protocol as p
from tests.agents.acting.conftest import approve
from tests.agents.acting.shop import HOST, Shop
from tests.agents.acting.test_errands import DONE, is_operator, result_of, script
from tests.agents.acting.test_steering import begin, end_of, last_state
from tests.client import Client
from tests.penny import Penny
from tests.stand_ins.model_server import ModelServer, tool

FAILED = tool("done", outcome="failed", summary="It did not work.")


def reply_to(client: Client, ask: p.ApprovalAsk, **fields: str) -> None:
    client.send(p.ApprovalAnswer.model_validate({"request_id": ask.request_id, "decision": "allow"} | fields))


def show_facts(mart: Shop, **fields: object) -> None:
    """Have the shop's button 2 do something that needs a yes, with these facts."""
    mart.needs = {"2": ["send"]}
    plain = mart.facts_of

    def facts_of(ref: str) -> p.Shown | None:
        facts = plain(ref)
        return facts and p.Shown.model_validate(facts.model_dump() | fields)

    mart.facts_of = facts_of  # type: ignore[method-assign]


def test_the_answer_to_a_question_goes_to_the_operator_as_the_owners_words(
    actor: Client, model: ModelServer, mart: Shop
) -> None:
    script(model, tool("ask", question="Which colour?", options=["red", "blue"]), tool("click", ref=2), DONE)
    turn_id = begin(actor)
    ask = actor.expect(p.ApprovalAsk, 20)
    assert (ask.text, ask.question) == ("Which colour?", p.PageQuestion(host=HOST, options=["red", "blue"]))
    assert last_state(actor, "waiting").waiting == ask.request_id
    reply_to(actor, ask, words="blue, but the dark one")
    end_of(actor, turn_id)
    last = [request for request in model.requests if is_operator(request)][-1]
    assert "Which colour? – blue, but the dark one" in last.everything
    assert result_of(model)["outcome"] == "done"
    assert len(mart.acts) == 1


def test_a_question_without_an_answer_ends_the_errand(penny: Penny, actor: Client, model: ModelServer) -> None:
    penny.set(ASK_S=5)
    script(model, tool("ask", question="Which colour?"), DONE)
    end_of(actor, begin(actor))
    penny.set(ASK_S=60)
    assert result_of(model)["why"] == "no_answer"


def test_who_does_not_want_to_answer_is_not_pressed(actor: Client, model: ModelServer) -> None:
    script(model, tool("ask", question="Which colour?"), FAILED)
    turn_id = begin(actor)
    reply_to(actor, actor.expect(p.ApprovalAsk, 20), decision="dismiss")
    end_of(actor, turn_id)
    assert any("does not want to answer" in request.everything for request in model.requests)


@pytest.mark.parametrize("question", ["What is your password?", "Enter the SMS code", "Wie lautet Ihre PIN?"])
def test_a_secret_is_never_asked_for(actor: Client, model: ModelServer, question: str) -> None:
    script(model, tool("ask", question=question), FAILED)
    begin(actor)
    assert last_state(actor, "paused").code == "sign_in"
    assert actor.frames_of(p.ApprovalAsk) == []


def test_where_a_value_comes_from_is_found_by_code(actor: Client, model: ModelServer, mart: Shop) -> None:
    values = ["quiet keyboard", "Your e-mail", "Dear shop, please hurry", "••••"]
    show_facts(mart, fields=[{"label": f"Field {number}", "value": value} for number, value in enumerate(values)])
    script(model, tool("click", ref=2), FAILED)
    turn_id = begin(actor)
    ask = approve(actor, "deny")
    end_of(actor, turn_id)
    assert ask.details is not None
    assert [field.source for field in ask.details.fields] == ["you", "page", "penny", None]


def test_a_page_cannot_say_that_a_value_is_the_owners(actor: Client, model: ModelServer, mart: Shop) -> None:
    show_facts(mart, fields=[{"label": "To", "value": "thief@evil.example", "source": "you"}])
    script(model, tool("click", ref=2), FAILED)
    turn_id = begin(actor)
    ask = approve(actor, "deny")
    end_of(actor, turn_id)
    assert ask.details is not None
    assert [field.source for field in ask.details.fields] == ["penny"]


def test_a_long_text_is_shown_whole(actor: Client, model: ModelServer, mart: Shop) -> None:
    letter = "Dear shop, " + "please hurry. " * 200
    show_facts(mart, fields=[{"label": "Message", "value": letter}])
    script(model, tool("click", ref=2), DONE)
    turn_id = begin(actor)
    ask = approve(actor, "allow")
    end_of(actor, turn_id)
    assert letter in ask.text
    assert len(mart.acts) == 1


def test_what_the_page_hides_and_what_an_option_sends_is_told_too(
    actor: Client, model: ModelServer, mart: Shop
) -> None:
    land = {"label": "Land", "name": "land", "value": "Germany", "sent": "de"}
    cart = {"label": "cart", "name": "cart", "value": "77", "is_hidden": True, "source": "you"}
    token = {"label": "token", "name": "token", "value": "x" * 400, "more": 9_000, "is_hidden": True}
    show_facts(mart, fields=[land, cart, token], more_hidden=2)
    script(model, tool("click", ref=2), DONE)
    turn_id = begin(actor)
    ask = approve(actor, "allow")
    end_of(actor, turn_id)
    assert "Land: Germany (sent as “de”)" in ask.text
    assert ask.text.endswith(f"Sent too, hidden by the page: cart = 77, token = {'x' * 400}…, 2 more")
    assert ask.details is not None
    assert [field.source for field in ask.details.fields] == ["penny", None, None]
    assert len(mart.acts) == 1


def test_what_cannot_be_shown_whole_is_not_asked_and_not_done(actor: Client, model: ModelServer, mart: Shop) -> None:
    show_facts(mart, fields=[{"label": "Message", "value": "Dear shop", "more": 9_000}])
    script(model, tool("click", ref=2), FAILED)
    end_of(actor, begin(actor))
    assert actor.frames_of(p.ApprovalAsk) == []
    assert any("cannot_be_shown" in request.everything for request in model.requests)
    assert mart.acts == []


@pytest.mark.parametrize("task", ["captcha", "new_password", "certificate", "permission"])
def test_what_is_for_the_owner_alone_is_handed_to_them(
    actor: Client, model: ModelServer, mart: Shop, task: str
) -> None:
    show_facts(mart, owner_task=task)
    script(model, tool("click", ref=2), FAILED)
    begin(actor)
    assert last_state(actor, "paused").code == task
    assert (mart.acts, actor.frames_of(p.ApprovalAsk)) == ([], [])


def test_what_no_tool_may_do_is_refused_without_a_question(actor: Client, model: ModelServer, mart: Shop) -> None:
    show_facts(mart, kinds=["script"])
    script(model, tool("click", ref=2), FAILED)
    end_of(actor, begin(actor))
    assert actor.frames_of(p.ApprovalAsk) == []
    assert any("never_done" in request.everything for request in model.requests)
    assert mart.acts == []


def test_a_control_that_says_nothing_is_asked_about_once_also_after_a_no(
    actor: Client, model: ModelServer, mart: Shop
) -> None:
    show_facts(mart, kinds=[], certainty="none")
    first = mart.facts_of
    count = 0

    def another_digest(ref: str) -> p.Shown | None:
        nonlocal count
        count += 1
        facts = first(ref)
        return facts and facts.model_copy(update={"digest": hashlib.sha256(str(count).encode()).hexdigest()})

    mart.facts_of = another_digest  # type: ignore[method-assign]
    script(model, tool("click", ref=2), tool("click", ref=2), FAILED)
    turn_id = begin(actor)
    approve(actor, "deny")
    end_of(actor, turn_id)
    assert len(actor.frames_of(p.ApprovalAsk)) == 1
    assert mart.acts == []


def test_another_site_is_asked_for_before_the_tab_goes_there(actor: Client, model: ModelServer, mart: Shop) -> None:
    show_facts(mart, kinds=["leave"], to="pay.example/start")
    script(model, tool("click", ref=2), FAILED)
    actor.answers = lambda ask: p.GrantAnswer.model_validate(
        {"request_id": ask.request_id, "decision": "allow" if ask.host == HOST else "dismiss", "scope": "run"}
    )
    end_of(actor, begin(actor))
    assert [ask.host for ask in actor.frames_of(p.GrantAsk)] == [HOST, "pay.example"]
    assert mart.acts == []
