"""What models write as a call: what has one plain meaning is done, of the rest the mistake is named."""

import json
from typing import Any

import pytest

from agents.acting.calls import Acting, Call, Done, Look, Question, TakeOver
from agents.acting.page_tools import PAGE_TOOLS, SPECS, CallInvalid, Unclassified, _register, parse
from agents.llm.messages import ToolRequest
from devices import protocol as p


def read(tool: str, arguments: Any) -> Call:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return parse(ToolRequest("1", tool, text))[1]


def action(tool: str, arguments: Any) -> p.Action:
    call = read(tool, arguments)
    assert isinstance(call, Acting)
    return call.action()


@pytest.mark.parametrize(
    "ref", ["12", 12, "[12]", "ref=12", "@12", "#12", " 12 ", "[12 button Pay]", "12 button Pay", "ref 12"]
)
def test_a_ref_is_read_however_it_is_written(ref: object) -> None:
    assert action("click", {"ref": ref}) == p.ClickAction(ref="12")


@pytest.mark.parametrize("ref", ["", "0", "button", None, 1.5, [1], "12345678", True, "x" * 9 + "1"])
def test_what_is_no_ref_is_refused(ref: object) -> None:
    with pytest.raises(CallInvalid, match="ref"):
        read("click", {"ref": ref})


def field(ref: str, value: str | bool | list[str]) -> p.SetAction:
    return p.SetAction(fields=[p.FieldValue(ref=ref, value=value)])


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("click", {"element": "3"}, p.ClickAction(ref="3")),
        ("click", {"ref": 3, "keys": "Control", "why": "to open it"}, p.ClickAction(ref="3", keys=["Control"])),
        ("set", {"ref": 3, "value": 2}, field("3", "2")),
        ("set", {"ref": 3, "text": "Ada"}, field("3", "Ada")),
        ("set", {"ref": 3, "value": True}, field("3", True)),
        ("set", {"ref": 3, "value": ["a", 2]}, field("3", ["a", "2"])),
        ("set", {"ref": 3, "value": "a", "submit": "yes"}, field("3", "a").model_copy(update={"submits": True})),
        ("fill", {"fields": {"ref": "[3]", "value": "a"}}, field("3", "a")),
        ("select", {"ref": 3, "options": "Germany"}, field("3", "Germany")),
        ("select", {"ref": 3, "option": ["a", "b"]}, field("3", ["a", "b"])),
        ("check", {"ref": 3}, field("3", True)),
        ("check", {"ref": 3, "checked": "false"}, field("3", False)),
        ("type", {"text": 12}, p.TypeAction(text="12")),
        ("press", {"key": "enter"}, p.PressAction(keys="Enter")),
        ("press", {"keys": "ctrl + a"}, p.PressAction(keys="Control+a")),
        ("press", {"keys": ["Control", "A"]}, p.PressAction(keys="Control+A")),
        ("press", {"keys": "ctrl-A"}, p.PressAction(keys="Control+A")),
        ("press", {"keys": "down", "times": 3}, p.PressAction(keys="ArrowDown", times=3)),
        ("hover", {"ref": 3}, p.HoverAction(ref="3")),
        ("scroll", {}, p.ScrollAction(to="down")),
        ("scroll", {"direction": "end"}, p.ScrollAction(to="end")),
        ("go", {"to": "back"}, p.GoAction(to="back")),
        ("go", {"url": "/cart"}, p.GoAction(to="path", path="/cart")),
        ("wait", {"for": "text", "value": "Thanks"}, p.WaitAction(until="text", value="Thanks")),
    ],
)
def test_one_plain_meaning_is_done(tool: str, arguments: dict[str, Any], expected: p.Action) -> None:
    assert action(tool, arguments) == expected


@pytest.mark.parametrize(
    ("tool", "arguments", "mistake"),
    [
        ("fly", {}, "There is no tool 'fly'"),
        ("click", {}, "ref"),
        ("click", "[1, 2]", "click"),
        ("click", "ref 12", "no JSON object"),
        ("go", {"path": "//evil.example"}, "one slash"),
        ("go", {"path": "https://evil.example/"}, "one slash"),
        ("go", {"to": "ref"}, "needs a ref"),
        ("fill", {"fields": []}, "fields"),
        ("fill", {"fields": [{"ref": 1, "value": "x"}] * 21}, "fields"),
        ("set", {"ref": 1, "value": "x" * 20_001}, "value"),
        ("press", {"keys": "Enter, then Tab"}, "keys"),
        ("wait", {"ms": 999_999}, "ms"),
        ("check", {"ref": 1, "on": "perhaps"}, "on"),
        ("done", {"summary": "x"}, "outcome"),
        ("ask", {}, "question"),
    ],
)
def test_of_the_rest_the_mistake_is_named(tool: str, arguments: Any, mistake: str) -> None:
    with pytest.raises(CallInvalid, match=mistake) as error:
        read(tool, arguments)
    assert len(str(error.value)) <= 300


def test_calls_that_do_not_act() -> None:
    assert read("look", "") == Look()
    assert read("look", {"filter": "controls", "part": 2}) == Look(filter="controls", part=2)
    assert read("ask", {"question": "Which size?", "options": "S"}) == Question(question="Which size?", options=["S"])
    assert read("take_over", {"reason": "captcha"}) == TakeOver(why="captcha")
    assert read("done", {"status": "success", "summary": "Done.", "quote": "Thanks"}) == Done(
        outcome="done", summary="Done.", evidence=["Thanks"]
    )


def test_a_tool_that_acts_says_what_it_may_do() -> None:
    class Jump(Acting):
        pass

    with pytest.raises(Unclassified):
        _register("jump", "Jump.", Jump)  # type: ignore[arg-type]
    assert "jump" not in PAGE_TOOLS


def test_the_schemas_are_small() -> None:
    """A request holds them each time. The bound is in characters: about four are a token."""
    text = json.dumps([[spec.name, spec.description, spec.schema] for spec in SPECS])
    assert len(text) / 4 <= 1_450
    assert all(spec.zone == "operator" for spec in SPECS)
