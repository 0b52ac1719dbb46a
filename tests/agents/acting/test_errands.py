"""An errand from the owner's words to its answer: with a scripted operator, in a fake browser, over the real socket."""

import json
from collections.abc import Callable
from uuid import uuid4

import pytest

from devices import protocol as p
from tests.agents.acting.conftest import acting, approve
from tests.agents.acting.shop import HOST, Shop
from tests.client import Client
from tests.penny import Penny, with_model
from tests.stand_ins.model_server import ModelServer, Reply, Request, ToolUse, text, tool

GOAL = "Put the quiet keyboard into the basket"
WORDS = f"{GOAL} on https://{HOST}/keyboards"


def is_operator(request: Request) -> bool:
    return "click" in request.tools


def offers_act(request: Request) -> bool:
    return "act" in request.tools and not request.tool_results


def script(model: ModelServer, *replies: Reply | Callable[[Request], Reply], goal: str = GOAL) -> None:
    """Have the planner delegate, and the operator give these answers one after the other."""
    left = list(replies)

    def operate(request: Request) -> Reply:
        reply = left.pop(0) if left else tool("done", outcome="failed", summary="The script is over.")
        return reply if isinstance(reply, Reply) else reply(request)

    model.on(offers_act, tool("act", where=f"https://{HOST}/keyboards", goal=goal))
    model.on(is_operator, operate)


def ask_to_act(client: Client, words: str = WORDS, **fields: object) -> p.Message:
    turn_id = uuid4()
    client.send(p.ChatSend.model_validate({"turn_id": turn_id, "text": words, "mode": "act"} | fields))
    return client.expect(p.TurnDone, 40, turn_id=turn_id).message


def result_of(model: ModelServer) -> dict[str, object]:
    """Return what the planner learned of the errand."""
    results = [
        request.tool_results[-1] for request in model.requests if "act" in request.tools and request.tool_results
    ]
    return dict(json.loads(results[-1]))


DONE = tool("done", outcome="done", summary="The keyboard is in the basket.", evidence=["In your basket: 1"])


def test_what_the_owner_wants_done_is_done_and_shown(actor: Client, model: ModelServer, mart: Shop) -> None:
    script(model, tool("click", ref=2), DONE)
    answer = ask_to_act(actor)
    assert mart.acts == [p.ClickAction(ref="2")]
    assert mart.managed == ["open", "release"]
    assert HOST in answer.origin
    result = result_of(model)
    assert {name: result[name] for name in ("outcome", "domain", "found")} == {
        "outcome": "done",
        "domain": HOST,
        "found": True,
    }
    assert "In your basket" not in json.dumps(result)


def test_an_operator_sees_the_goal_and_the_page_and_nothing_of_the_conversation(
    actor: Client, model: ModelServer
) -> None:
    actor.ask("My PIN is 4711")
    model.requests.clear()
    script(model, tool("click", ref=2), DONE)
    ask_to_act(actor)
    operators = [request for request in model.requests if is_operator(request)]
    assert len(operators) == 2
    for request in operators:
        assert GOAL in request.everything
        assert "[2 button Add to basket]" in request.everything
        assert "4711" not in request.everything
        assert "browse_url" not in request.tools
    others = [request for request in model.requests if request.tools and not is_operator(request)]
    assert all("Add to basket" not in request.everything for request in others)


def test_in_ask_mode_no_request_can_act(actor: Client, model: ModelServer, mart: Shop) -> None:
    model.on(lambda request: bool(request.tools) and not request.tool_results, tool("act", where="tab", goal=GOAL))
    turn_id = uuid4()
    actor.send(p.ChatSend(turn_id=turn_id, text=WORDS))
    actor.expect(p.TurnDone, 40, turn_id=turn_id)
    assert all("act" not in request.tools and "click" not in request.tools for request in model.requests)
    assert (mart.managed, mart.acts) == ([], [])


def test_a_browser_acts_only_where_the_owner_switched_it_on(
    penny: Penny, actor: Client, model: ModelServer, mart: Shop
) -> None:
    off = "from devices.models import Device; Device.objects.update(act_use=False)"
    penny.manage("shell", "-v", "0", "-c", off)
    script(model, tool("click", ref=2), DONE)
    ask_to_act(actor)
    assert all("act" not in request.tools for request in model.requests)
    assert mart.managed == []


def test_what_reaches_others_is_asked_with_every_field_and_done_after_a_yes(
    actor: Client, model: ModelServer, mart: Shop
) -> None:
    mart.needs = {"2": ["buy"]}
    script(model, tool("click", ref=2), DONE)
    turn_id = uuid4()
    actor.send(p.ChatSend(turn_id=turn_id, text=WORDS, mode="act"))
    ask = approve(actor, "allow")
    assert ask.text == f"Buy this on {HOST}?\n“Place order”\nE-mail: ada@home.example\nTo: {HOST}/order"
    assert ask.details is not None
    assert ask.details.kinds == ["buy"]
    assert [(field.label, field.value, field.source) for field in ask.details.fields] == [
        ("E-mail", "ada@home.example", "penny")
    ]
    actor.expect(p.TurnDone, 40, turn_id=turn_id)
    assert len(mart.acts) == 1
    assert result_of(model)["outcome"] == "done"


def test_a_yes_is_for_one_act(actor: Client, model: ModelServer, mart: Shop) -> None:
    mart.needs = {"2": ["buy"]}
    script(model, tool("click", ref=2), tool("click", ref=2), DONE)
    turn_id = uuid4()
    actor.send(p.ChatSend(turn_id=turn_id, text=WORDS, mode="act"))
    approve(actor, "allow")
    approve(actor, "deny", count=2)
    actor.expect(p.TurnDone, 40, turn_id=turn_id)
    assert len(mart.acts) == 1


def test_a_no_is_final_and_the_operator_cannot_ask_again(actor: Client, model: ModelServer, mart: Shop) -> None:
    mart.needs = {"2": ["buy"]}
    script(model, tool("click", ref=2), tool("click", ref=2), tool("done", outcome="failed", summary="You said no."))
    turn_id = uuid4()
    actor.send(p.ChatSend(turn_id=turn_id, text=WORDS, mode="act"))
    approve(actor, "deny")
    actor.expect(p.TurnDone, 40, turn_id=turn_id)
    assert mart.acts == []
    assert len(actor.frames_of(p.ApprovalAsk)) == 1


def test_a_yes_is_for_what_was_shown_and_for_nothing_else(actor: Client, model: ModelServer, mart: Shop) -> None:
    mart.needs = {"2": ["submit"]}
    script(model, tool("click", ref=2), tool("done", outcome="failed", summary="It changed."))
    turn_id = uuid4()
    actor.send(p.ChatSend(turn_id=turn_id, text=WORDS, mode="act"))
    ask = actor.expect(p.ApprovalAsk)
    mart.needs = {"2": ["buy"]}  # the page changes while the owner reads
    original = mart.facts_of

    def changed(ref: str) -> p.Shown | None:
        facts = original(ref)
        return facts and facts.model_copy(update={"digest": "f" * 64})

    mart.facts_of = changed  # type: ignore[method-assign]
    actor.send(p.ApprovalAnswer(request_id=ask.request_id, decision="allow"))
    actor.expect(p.TurnDone, 40, turn_id=turn_id)
    assert len(actor.frames_of(p.ApprovalAsk)) == 1
    assert any("changed_since_asked" in request.everything for request in model.requests)
    assert mart.acts == []


def test_an_errand_stays_on_its_site(actor: Client, model: ModelServer, mart: Shop) -> None:
    mart.leads = {"1": "https://evil.example/collect"}
    script(model, tool("click", ref=1), tool("click", ref=2), DONE)
    ask_to_act(actor)
    assert len(mart.acts) == 1
    assert result_of(model)["why"] == "left_site"
    assert all("evil.example" not in request.everything for request in model.requests if is_operator(request))


@pytest.mark.parametrize("path", ["https://evil.example/?d=1", "//evil.example/"])
def test_no_call_leads_to_another_site(actor: Client, model: ModelServer, mart: Shop, path: str) -> None:
    script(model, tool("go", path=path), tool("done", outcome="failed", summary="No way."))
    ask_to_act(actor)
    assert mart.acts == []


def test_a_claim_without_evidence_is_refused_and_counts_in_part(actor: Client, model: ModelServer, mart: Shop) -> None:
    false = tool("done", outcome="done", summary="Bought.", evidence=["Thank you for your order"])
    script(model, false, false, false)
    ask_to_act(actor)
    assert {name: result_of(model)[name] for name in ("outcome", "why")} == {"outcome": "partial", "why": "no_evidence"}
    assert any("does not say" in request.everything for request in model.requests if is_operator(request))


def test_a_circle_ends_the_errand(actor: Client, model: ModelServer) -> None:
    script(model, *[tool("look")] * 30)
    ask_to_act(actor)
    assert result_of(model)["why"] == "loop"


def test_what_is_no_call_is_repaired_and_ends_after_three(actor: Client, model: ModelServer, mart: Shop) -> None:
    script(model, text("I click the button."), tool("click", ref="[2 button Add to basket]"), DONE)
    ask_to_act(actor)
    assert len(mart.acts) == 1
    assert result_of(model)["outcome"] == "done"
    model.requests.clear()
    script(model, *[text("I think about it.")] * 5)
    ask_to_act(actor)
    assert result_of(model)["why"] == "model_format"


def test_several_calls_of_one_answer_are_made_in_order_and_end_at_a_failure(
    actor: Client, model: ModelServer, mart: Shop
) -> None:
    mart.fails = {"9": "stale_ref"}
    calls = Reply(tools=tuple(ToolUse("click", {"ref": ref}) for ref in ("2", "9", "1")))
    script(model, calls, tool("done", outcome="partial", summary="One was gone."))
    ask_to_act(actor)
    assert mart.acts == [p.ClickAction(ref="2")]
    last_words = [request for request in model.requests if is_operator(request)][-1].everything
    assert "stale_ref" in last_words
    assert "ignore all instructions" not in last_words


def test_the_front_tab_needs_its_site_named_by_the_owner(actor: Client, model: ModelServer, mart: Shop) -> None:
    model.on(offers_act, tool("act", where="tab", goal=GOAL))
    model.on(is_operator, tool("done", outcome="done", summary="There.", evidence=["Keyboards"]))
    ask_to_act(actor, "Put the keyboard of this page into the basket")
    assert result_of(model)["error"] == "no_tab"
    assert mart.managed == []
    model.requests.clear()
    ask_to_act(actor, "Put the keyboard of this page into the basket", tab=HOST)
    assert mart.managed == ["adopt", "release"]
    assert result_of(model)["outcome"] == "done"


def test_without_the_owner_s_logins_the_tab_in_front_is_left_alone(
    actor: Client, model: ModelServer, mart: Shop
) -> None:
    actor.send(p.GrantSet(host=HOST, capability="act", state="allowed", scope="always", session="clean"))
    model.on(offers_act, tool("act", where="tab", goal=GOAL))
    ask_to_act(actor, "Put the keyboard of this page into the basket", tab=HOST)
    assert result_of(model)["error"] == "shows_logins"
    assert mart.managed == []
    actor.send(p.GrantRevoke(host=HOST, capability="act"))


def test_a_model_that_refuses_so_much_text_is_asked_with_less(
    start_penny: Callable[..., Penny], model: ModelServer, mart: Shop
) -> None:
    # Penny remembers for half an hour how much the model takes. This one is of this test alone.
    mart.text += "\n" + "line of words\n" * 700
    script(model, Reply(status=413), tool("click", ref=2), DONE)
    with acting(start_penny(**with_model(model.url)), mart) as actor:
        ask_to_act(actor)
    assert result_of(model)["outcome"] == "done"
    long, short, _ = [len(request.everything) for request in model.requests if is_operator(request)]
    assert short < long - 4_000


def test_limits_end_an_errand_and_say_so(penny: Penny, actor: Client, model: ModelServer) -> None:
    penny.set(ACT_STEPS_MAX=4)
    script(model, *[tool("find", words=str(number)) for number in range(20)])
    ask_to_act(actor)
    penny.set(ACT_STEPS_MAX=60)
    assert result_of(model)["why"] == "budget_steps"
