"""What counts as silence of a model, and what was heard before it is kept."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from agents.llm.client import ask
from agents.llm.messages import ModelFailed
from agents.llm.streams.silence import Silence
from agents.zones.planner import trial_request
from tests.agents.llm.streams import DONE, Pause, Refusal, ask_for, delta, serve

LONGEST_S, HALF = 0.4, Pause(0.2)


def test_a_look_counts_for_its_own_length_and_a_word_ends_the_silence() -> None:
    silence = Silence(2.0)
    assert [silence.look() for _ in range(19)] == [False] * 19
    silence.hear()
    assert [silence.look() for _ in range(20)] == [False] * 19 + [True]


def test_the_pause_after_a_refusal_is_no_silence() -> None:
    silence = Silence(2.0)
    silence.pause()
    assert not any(silence.look() for _ in range(100))
    silence.ask()
    assert [silence.look() for _ in range(20)] == [False] * 19 + [True]


async def test_what_the_model_writes_while_this_process_stands_still_is_read() -> None:
    texts: list[str] = []

    async def on_text(text: str) -> None:
        if not texts:
            threading.Event().wait(3 * LONGEST_S)  # blocks the loop: nothing of this process runs
        texts.append(text)

    async def record(_: object) -> None:
        pass

    events = [delta(content="One "), HALF, delta(content="two."), delta("stop"), DONE]
    with serve(events) as server:
        answer = await ask(server.endpoint, trial_request(), record, on_text, LONGEST_S)
    assert (answer.text, "".join(texts)) == ("One two.", "One two.")


@pytest.mark.parametrize("is_cut", [True, False])
async def test_what_was_heard_before_the_end_is_shown_with_what_was_held_back(is_cut: bool) -> None:
    texts: list[str] = []
    events: list[Any] = [delta(content="One two ✿F"), *([] if is_cut else [Pause(5)])]
    with serve(events, is_cut=is_cut) as server, pytest.raises(ModelFailed) as failure:
        await ask_for(server, LONGEST_S, texts)
    assert "".join(texts) == "One two ✿F"
    assert (failure.value.code, "not whole" in str(failure.value)) == (
        "model_cut_off" if is_cut else "model_slow",
        True,
    )


async def test_thoughts_alone_are_no_answer_that_is_kept() -> None:
    with serve([delta(reasoning="Hm."), Pause(5)]) as server, pytest.raises(ModelFailed) as failure:
        await ask_for(server, LONGEST_S)
    assert str(failure.value).startswith("The model said nothing for 0.4 s. Try again")


async def test_a_server_that_asks_to_be_asked_later_was_not_silent() -> None:
    refusal = Refusal(429, "{}", headers={"Retry-After": "1"})
    answers: Iterator[Any] = iter([refusal, [delta(content="Hello."), delta("stop"), DONE]])
    refusal.headers |= {"x-should-retry": "true"}
    with serve(lambda _: next(answers)) as server:
        reply, _ = await ask_for(server, LONGEST_S)
    assert reply.text == "Hello."
