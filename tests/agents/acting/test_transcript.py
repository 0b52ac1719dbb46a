"""A transcript fits its model's window, and keeps the page, its last steps, and what was entered before them."""

import json

from agents.acting import calls
from agents.acting.step_texts import step_record
from agents.acting.transcript import (
    CHARACTERS_MAX,
    CUT_CHARACTERS,
    CUT_STEPS,
    LAST_STEPS,
    LINES_MAX,
    TURNS_MAX,
    Transcript,
)
from agents.llm.messages import CallTurn, PageTurn, ToolRequest, ToolSpec
from agents.zones.inputs import Private
from agents.zones.operator import operator_request

SITE, ROOM = "shop.example", 65_536
CLICK = ToolSpec("set", "Set a control.", {}, zone="operator")


def step(transcript: Transcript, number: int, result: str = "", line: str = "") -> None:
    request = ToolRequest(str(number), "set", json.dumps({"ref": number, "value": f"value {number}"}))
    call = CallTurn("", (request,))
    transcript.add(
        call, [(request, result or f"~ line {number}")], [line or f"{number} set [{number}] = value {number}"]
    )


def request_words(transcript: Transcript) -> str:
    request = operator_request(SITE, Private("Fill it"), [], transcript.material, transcript.turns, [CLICK], 5)
    return json.dumps(request.record())


def test_what_fits_stays_as_it_is() -> None:
    transcript = Transcript(SITE, "# Page")
    for number in range(1, 20):
        step(transcript, number)
    assert not transcript.fit("# New page", 100_000)
    assert transcript.material.text == "# Page"
    assert len(transcript.turns) == 2 * 19


def test_a_value_of_the_third_step_is_still_in_the_request_of_the_sixtieth() -> None:
    transcript = Transcript(SITE, "# Page\n" + "words " * 2_000)
    for number in range(1, 61):
        step(transcript, number, "~ line\n" + "changes " * 600)
        transcript.fit(f"# Page {number}\n" + "words " * 2_000, ROOM)
        assert len(request_words(transcript)) <= ROOM
    assert "3 set [3] = value 3" in request_words(transcript)
    assert "value 60" in request_words(transcript)


def test_calls_and_what_they_brought_stay_together() -> None:
    transcript = Transcript(SITE, "# Page")
    for number in range(1, 40):
        step(transcript, number, "x" * 3_000)
        transcript.fit("# Page", 30_000)
    turns = transcript.turns
    assert len(turns) <= 2 * (LAST_STEPS + 2)
    for call, result in zip(turns[::2], turns[1::2], strict=True):
        assert isinstance(call, CallTurn)
        assert isinstance(result, PageTurn)
        assert result.request in call.requests


def test_of_a_step_that_is_cut_away_ref_name_value_and_effect_stay() -> None:
    controls = {"7": "textbox Coupon", "8": "textbox Name", "2": "button Add to basket"}
    click = calls.Click(ref="2")
    fields = [{"ref": "7", "value": "SAVE10"}, {"ref": "8", "value": "Ada"}]
    fill = calls.Fill.model_validate({"fields": fields})
    assert step_record(3, "click", click, controls, "+ In your basket: 1") == (
        "3 Click [2 button Add to basket]: + In your basket: 1"
    )
    assert step_record(4, "fill", fill, controls, "!Unknown code") == (
        "4 Enter “SAVE10” into [7 textbox Coupon], “Ada” into [8 textbox Name]: !Unknown code"
    )


def test_a_failure_that_repeats_is_counted() -> None:
    transcript = Transcript(SITE, "# Page")
    for number in range(1, 12):
        step(transcript, number, line=f"{number} Click [2]: covered" if number < 4 else "")
    transcript.cut("# Page")
    assert transcript.older[0] == "1 Click [2]: covered (×3)"
    assert transcript.older[1] == "4 set [4] = value 4"


def test_many_steps_are_shortened_though_they_are_small() -> None:
    transcript = Transcript(SITE, "# Page")
    for number in range(1, TURNS_MAX):
        step(transcript, number)
        transcript.fit("# Page", 10_000_000)
        assert len(transcript.turns) <= TURNS_MAX
    step(transcript, 99, "x" * 8_000)
    transcript.page = "x" * CHARACTERS_MAX
    assert transcript.fit("# Page", 10_000_000)


def test_after_a_refusal_two_steps_and_the_beginning_of_the_page_stay() -> None:
    transcript = Transcript(SITE, "# Page")
    for number in range(1, 9):
        step(transcript, number)
    transcript.cut("# Page\n" + "line of words\n" * 1_000)
    assert len(transcript.turns) == 2 * CUT_STEPS
    assert len(transcript.page) <= CUT_CHARACTERS
    assert transcript.page.endswith("line of words")
    assert "6 set [6] = value 6" in transcript.material.text


def test_nothing_is_endless() -> None:
    transcript = Transcript(SITE, "# Page")
    for number in range(1, 1_000):
        step(transcript, number, "x" * 100_000, "y" * 1_000)
        transcript.fit("# Page", 20_000)
    assert len(transcript.older) <= LINES_MAX
    assert transcript.size < 120_000
