"""What does not fit into a model's window is not sent, and an answer to a request that was cut is no answer."""

from collections.abc import Callable, Iterator
from datetime import date
from itertools import count

import pytest
from constance.utils import get_values

from agents.llm import windows
from agents.llm.endpoint import Endpoint
from agents.llm.messages import ModelFailed, Request
from agents.llm.tokens import request_tokens
from agents.llm.windows import SMALL
from agents.models import Run, Step
from agents.runs import fit
from agents.runs.ask_model import ask_recorded
from agents.runs.context import Context
from agents.runs.fit import Unread, ask_fitting, note_long, window_notes
from agents.runs.handles import Handles
from agents.zones.fit import best_passages, fitting_planner_request, fitting_writer_request
from agents.zones.inputs import Past, Private, Source, Untrusted
from agents.zones.reader_answers import Claim, Reading
from devices.db import in_db
from tests.agents.background import SOME_MODELS
from tests.stand_ins.model_server import ModelServer, Reply, text

pytestmark = pytest.mark.django_db(transaction=True)
_names = count()
TODAY, QUESTION = date(2026, 11, 30), Private("And what did I say about the museum?")


@pytest.fixture(autouse=True)
def _nothing_is_known() -> Iterator[None]:
    windows.forget_windows()
    yield
    windows.forget_windows()


@pytest.fixture
async def context() -> Context:
    run = await Run.objects.acreate(kind="thinking")
    return Context(run, "thinking", Handles([]), "What?", SOME_MODELS, await in_db(get_values)())


def own(model: ModelServer, provider: str) -> Endpoint:
    """Return an endpoint that no other test uses: clients are cached for the process."""
    return Endpoint(provider, f"fit{next(_names)}", model.url)


def history(number: int) -> list[Past]:
    words = "The museum said so, and the lever machine stands there. " * 30
    return [Past("user" if n % 2 else "assistant", Private(f"Message {n}. {words}")) for n in range(number)]


def planner(entries: list[Past], question: Private = QUESTION) -> Callable[[int], Request]:
    return lambda room: fitting_planner_request(Private("Ada"), TODAY, entries, question, [], [], [], [], room)


async def test_nine_long_messages_fit_and_the_newest_stay(context: Context, model: ModelServer) -> None:
    model.window.ollama(SMALL)
    await ask_fitting(context, own(model, "ollama"), planner(history(20)))
    [request] = model.requests
    assert not request.was_cut
    assert "Message 19." in request.everything
    assert "Message 0." not in request.everything
    assert request.messages[0]["content"].startswith("You are Penny")
    assert request.last_user == QUESTION.text


async def test_a_question_that_is_too_long_is_refused_in_words_before_anything_is_sent(
    context: Context, model: ModelServer
) -> None:
    model.window.told_by = ""
    endpoint = own(model, "ollama")
    with pytest.raises(ModelFailed, match="4,096 tokens at once") as failed:
        await ask_fitting(context, endpoint, planner([], Private("价格" * 4_000)))
    assert failed.value.code == "model_context"
    assert "OLLAMA_CONTEXT_LENGTH=16384" in str(failed.value)
    assert model.requests == []


async def test_a_server_that_tells_more_than_the_guess_is_waited_for(context: Context, model: ModelServer) -> None:
    await ask_fitting(context, own(model, "openai-compatible"), planner(history(20)))
    [request] = model.requests
    assert "Message 0." in request.everything


@pytest.mark.parametrize("tells", [True, False])
async def test_an_answer_to_a_request_that_was_cut_is_none(context: Context, model: ModelServer, tells: bool) -> None:
    """The setting says more than the server takes: the window is corrected, and the request is made again, smaller."""
    context.numbers["MODEL_WINDOW"] = 32_000
    endpoint, withdrawn = own(model, "ollama"), list[bool]()
    model.window.ollama(SMALL, tells=tells)

    async def withdraw() -> None:
        withdrawn.append(True)

    model.on(lambda request: request.was_cut, text("Nonsense."))
    model.on(lambda request: not request.was_cut, text("Sense."))
    answer = await ask_fitting(context, endpoint, planner(history(20)), None, withdraw)
    assert (answer.text, withdrawn) == ("Sense.", [True])
    assert windows.window_of(endpoint, 32_000) <= SMALL
    steps = [step async for step in Step.objects.filter(run=context.run).order_by("pk")]
    assert [step.error_code for step in steps] == ["model_context", ""]


async def test_a_server_that_leaves_out_what_it_had_is_not_taken_to_cut(context: Context, model: ModelServer) -> None:
    context.numbers["MODEL_WINDOW"] = 32_000
    model.window.told_by = ""
    endpoint = own(model, "openai-compatible")
    model.on(lambda request: "Those were only words" not in request.last_user, _counting_eleven(model))
    for _ in range(2):
        await ask_fitting(context, endpoint, planner(history(20)))
    assert windows.window_of(endpoint, 32_000) == 32_000
    probes = [request for request in model.requests if "Those were only words" in request.last_user]
    assert (len(probes), len(model.requests)) == (1, 3)
    assert all("Message" not in request.everything for request in probes)


def _counting_eleven(model: ModelServer) -> Callable[[object], Reply]:
    def answer(request: object) -> Reply:
        request.tokens = 11  # type: ignore[attr-defined]
        return text("Fine.")

    return answer


async def test_a_refusal_as_too_long_is_made_again_with_less(context: Context, model: ModelServer) -> None:
    context.numbers["MODEL_WINDOW"] = 32_000
    model.on(lambda request: len(request.everything) > 12_000, Reply(status=413))
    answer = await ask_fitting(context, own(model, "openai-compatible"), planner(history(20)))
    assert answer.text.startswith("You said")
    assert len(model.requests[-1].everything) <= 12_000


async def test_one_that_refuses_whatever_it_gets_ends_in_words(context: Context, model: ModelServer) -> None:
    model.on(lambda _: True, Reply(status=413))
    with pytest.raises(ModelFailed, match="tokens at once"):
        await ask_fitting(context, own(model, "ollama"), planner(history(20)))
    assert len(model.requests) <= fit.TRIES


async def test_the_last_guard_sends_nothing_that_does_not_fit(context: Context, model: ModelServer) -> None:
    model.window.told_by = ""
    with pytest.raises(ModelFailed, match="4,096"):
        await ask_recorded(context, own(model, "ollama"), planner(history(20))(10**9))
    assert model.requests == []
    assert not await Step.objects.filter(run=context.run).aexists()


def source(number: int, *, answers: bool = True) -> Source:
    words = f"Claim of page {number}: " + "the machine is old " * 12
    claims = [Claim(text=words[:300], quote="x", start=0, end=1)] * 12
    summary = "It says much about the machine. " * 35
    reading = Reading(
        found=answers, headline="A machine", summary=summary, claims=claims, link_indices=[], made_with="model"
    )
    return Source(f"p{number}", "a.example", reading)


@pytest.mark.parametrize("room", [1_200, 3_000, 100_000])
def test_the_writer_gets_what_fits_of_readings_and_texts(room: int) -> None:
    sources = [source(number, answers=number != 2) for number in range(1, 7)]
    long = Untrusted("Filler of the file. " * 2_000 + "The needle is in the museum. " + "More. " * 3_000, frozenset())
    request = fitting_writer_request(QUESTION, Private("Say it."), sources, [long], room)
    [turn] = request.turns
    assert request_tokens(request) <= room
    assert turn.text.startswith(f"Question: {QUESTION.text}")  # type: ignore[union-attr]
    assert '"handle": "p1"' in turn.text  # type: ignore[union-attr]


def test_the_passages_that_fit_the_question_stay_in_their_order() -> None:
    words = [f"Paragraph {number} of many, which say little of what is asked. " * 6 for number in range(60)]
    words[40] = "The museum opens at nine. " * 8
    passages = best_passages("\n".join(words), "When does the museum open?", 600)
    assert passages.startswith("Paragraph 0 ")
    assert "The museum opens at nine." in passages
    assert passages.index("Paragraph 0 ") < passages.index("museum opens")


async def test_what_was_not_read_is_said_with_what_helps(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit, "_hinted", set())
    endpoint = Endpoint("ollama", "m", "http://127.0.0.1:11434/v1")
    note_long(context, endpoint, "a.example", 40_400, 89_500)
    note_long(context, endpoint, "notes.txt", None, 12_000)
    assert window_notes(context) == {
        "model_window": "I read the first 40 of 90 kB of a.example. Of the 12 kB of notes.txt I looked at the passages "
        "that fit your question best. m: 4,096 tokens (not told by the server), enough for short pages; start Ollama "
        "with OLLAMA_CONTEXT_LENGTH=16384."
    }


async def test_what_was_read_in_parts_as_a_whole_is_said_once(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fit, "_hinted", set())
    endpoint = Endpoint("ollama", "m", "http://127.0.0.1:11434/v1")
    note_long(context, endpoint, "a.example", 20_000, 20_000)
    assert "4,096 tokens" in window_notes(context)["model_window"]
    context.of(Unread).window_line = ""
    note_long(context, endpoint, "a.example", 20_000, 20_000)
    assert window_notes(context) == {}
