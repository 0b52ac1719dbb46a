"""An answer says first what an errand did and what it left undone, however it ended."""

from devices import protocol as p
from tests.agents.acting.conftest import approve, steer
from tests.agents.acting.shop import HOST, Shop
from tests.agents.acting.test_errands import DONE, GOAL, ask_to_act, is_operator, script
from tests.agents.acting.test_steering import begin, end_of, last_state
from tests.client import Client
from tests.stand_ins.model_server import ModelServer, Reply, ToolUse, text, tool
from tests.waiting import until

SLOW = text("I think about it for a long time, word by word.", every_s=5)
LEFT = f"Not done: what was left of “{GOAL}”."
CLICKED = f"On {HOST} I did this:\n\n- Clicked “Add to basket”"


def stop_at(actor: Client, model: ModelServer, requests: int) -> p.Message:
    """Stop the errand while the operator thinks for the nth time; return the message at the end."""
    turn_id = begin(actor)
    until(lambda: len([one for one in model.requests if is_operator(one)]) == requests, "the operator thinks", 20)
    steer(actor, last_state(actor, "running").id, "stop")
    return end_of(actor, turn_id).message


def test_after_stop_the_answer_says_what_was_done_and_what_was_not(actor: Client, model: ModelServer) -> None:
    calls = Reply(tools=(ToolUse("click", {"ref": 2}), ToolUse("set", {"ref": 3, "value": "ada@home.example"})))
    script(model, calls, SLOW)
    message = stop_at(actor, model, 2)
    assert message.kind == "cancelled"
    entered = "- Entered “ada@home.example” into “Your e-mail”"
    assert message.text == f"{CLICKED}\n{entered}\n\n{LEFT}\n\nStopped."
    assert HOST in message.origin


def test_what_was_done_stands_in_no_later_request_with_tools(actor: Client, model: ModelServer) -> None:
    script(model, tool("click", ref=2), SLOW)
    stop_at(actor, model, 2)
    model.requests.clear()
    actor.ask("What did you do?")
    assert [request for request in model.requests if request.tools]
    assert all("Add to basket" not in request.everything for request in model.requests if request.tools)


def test_after_stop_before_any_act_the_answer_says_that_nothing_was_changed(actor: Client, model: ModelServer) -> None:
    script(model, SLOW)
    assert stop_at(actor, model, 1).text == f"On {HOST} I changed nothing.\n\n{LEFT}\n\nStopped."


def test_an_errand_that_ends_otherwise_says_first_what_was_done(actor: Client, model: ModelServer) -> None:
    script(model, tool("click", ref=2), *[tool("look")] * 30)
    answer = ask_to_act(actor)
    assert answer.text.startswith(f"{CLICKED}\n\n{LEFT}\n\n")
    assert f"I went in circles on {HOST} and stopped." in answer.text
    assert answer.text.count("I did this") == 1


def test_what_the_owner_did_not_approve_is_said(actor: Client, model: ModelServer, mart: Shop) -> None:
    mart.needs = {"2": ["buy"]}
    script(model, tool("click", ref=2), tool("done", outcome="failed", summary="You said no."))
    turn_id = begin(actor)
    approve(actor, "deny")
    words = end_of(actor, turn_id).message.text
    assert words.startswith(f"On {HOST} I changed nothing.\n\nWithout your yes I did not do this:")
    assert "- Clicked “Add to basket”" in words


def test_what_was_approved_is_not_said_to_be_refused(actor: Client, model: ModelServer, mart: Shop) -> None:
    mart.needs = {"2": ["buy"]}
    script(model, tool("click", ref=2), tool("done", outcome="partial", summary="Half of it."))
    turn_id = begin(actor)
    approve(actor, "allow")
    words = end_of(actor, turn_id).message.text
    assert words.startswith(f"{CLICKED}\n\n{LEFT}")
    assert "Without your yes" not in words


def test_an_act_that_was_under_way_may_have_happened(actor: Client, model: ModelServer, mart: Shop) -> None:
    def stop(_: p.Action) -> None:
        mart.before_act = None
        steer(actor, errand.id, "stop")

    mart.before_act = stop
    script(model, tool("click", ref=2))
    turn_id = begin(actor)
    errand = last_state(actor, "running")
    words = end_of(actor, turn_id).message.text
    assert "nobody can tell" in words
    assert "- Clicked “Add to basket”" in words


def test_a_password_of_the_goal_is_neither_entered_nor_shown(actor: Client, model: ModelServer, mart: Shop) -> None:
    mart.text += "\n[4 textbox Password secret]"
    enter = Reply(tools=(ToolUse("set", {"ref": 4, "value": "hunter22"}),))
    script(model, enter, tool("done", outcome="failed", summary="Only you enter it."))
    answer = ask_to_act(actor)
    assert mart.acts == []
    assert "hunter22" not in answer.text
    lines = [frame.errand.line for frame in actor.frames_of(p.ErrandChanged)]
    assert f"Entering “••••” on {HOST}" in lines
    assert all("hunter22" not in line for line in lines)
    assert any("secret_refused" in request.everything for request in model.requests if is_operator(request))


def test_of_what_is_done_the_writer_gets_the_steps(actor: Client, model: ModelServer) -> None:
    script(model, tool("click", ref=2), DONE)
    answer = ask_to_act(actor)
    assert "I did this" not in answer.text
    [writer] = [request for request in model.requests if "Handed over:" in request.everything]
    words = f"What was done on {HOST}, Done: The keyboard is in the basket.\n- Clicked “Add to basket”"
    assert words in writer.last_user
