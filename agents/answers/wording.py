"""Find words for a passage of a page: stream them to the browser that asked, and to nobody else."""

from typing import Any

import structlog
from constance.utils import get_values
from django.db import transaction

from agents.llm.messages import Answer, ModelFailed
from agents.llm.providers import Endpoint
from agents.model_choice.in_use import Models, models_in_use
from agents.models import Memory, Run, WordingAsk
from agents.runs import failure_texts, give_way
from agents.runs.ask_model import ask_recorded
from agents.runs.budget_spent import BudgetSpent
from agents.runs.context import Context
from agents.runs.handles import Handles
from agents.runs.stream import PIECE_CHARACTERS
from agents.zones.inputs import Private, Untrusted
from agents.zones.slots import fill_in, hide_values, names_in
from agents.zones.wording import worded, wording_request
from devices import events, protocol
from devices.db import in_db
from thoughts.text.cleaning import clean_text
from thoughts.text.labels import of_host

NO_MODEL = "Penny has no model, which this needs. Choose one on Settings › Model."
log = structlog.get_logger("penny.wording")


class _Pieces:
    """The pieces of a text on their way to one browser."""

    def __init__(self, frame: protocol.TextAsk, group: str) -> None:
        self._ref, self._group, self._index = frame.ref, group, 0

    async def send(self, text: str) -> None:
        for start in range(0, len(text), PIECE_CHARACTERS):
            self._index += 1
            piece = text[start : start + PIECE_CHARACTERS]
            await events.asend_frame(protocol.TextDelta(ref=self._ref, index=self._index, text=piece), self._group)


async def find_words(run: Run) -> None:
    """Do the one task of a run, and send what came of it."""
    give_way.preempt_background()
    ask = await in_db(_ask_of)(run)
    if ask is None:
        await in_db(run.end)(Run.State.CANCELLED, outcome=failure_texts.RUN["cancelled"], error_code="cancelled")
        return
    frame, group = protocol.TextAsk.model_validate(ask.frame), events.device_group(ask.device_id)
    await events.asend_frame(protocol.TextStarted(ref=frame.ref), group)
    try:
        done = await _words_for(run, frame, _Pieces(frame, group))
    except (ModelFailed, BudgetSpent) as error:
        await _fail(run, frame, group, error.code, str(error))
    except Exception:
        log.exception("wording.failed", run=str(run.pk))
        await _fail(run, frame, group, "internal", failure_texts.RUN["internal"])
    else:
        if await in_db(_end_with)(run, ask, done):
            await events.asend_frame(done, group)


async def _words_for(run: Run, frame: protocol.TextAsk, pieces: _Pieces) -> protocol.TextDone:
    context = Context(run, "wording", Handles([frame.instruction]), frame.instruction, *await in_db(_setting)())
    endpoint = context.models.main
    if endpoint is None:
        raise ModelFailed("no_model", NO_MODEL)
    answer = await _request_words(context, endpoint, frame, pieces)
    source = f"{frame.text}\n{frame.instruction}"
    text = worded(await in_db(_with_own_values)(answer.text, source), source)
    if not text:
        raise ModelFailed("model_broken", f"{endpoint} answered nothing. Try again.")
    return protocol.TextDone(ref=frame.ref, text=text, origin=[of_host(frame.host)], made_by=endpoint.name)


async def _request_words(context: Context, endpoint: Endpoint, frame: protocol.TextAsk, pieces: _Pieces) -> Answer:
    origin = frozenset({of_host(frame.host)})
    request = wording_request(
        frame.task,
        Untrusted(clean_text(frame.text), origin),
        instruction=Private(frame.instruction) if frame.instruction.strip() else None,
        style=frame.style,
        platform=frame.platform,
        language=frame.to,
        limit=frame.limit,
    )
    return await ask_recorded(context, endpoint, request, pieces.send)


def _with_own_values(text: str, source: str) -> str:
    """Return a text with the values of the slots that the passage itself held, which its request had as names.

    The value of any other slot is not told: the text has `[email?]` in its place.
    """
    slots, written = Memory.objects.slots(), names_in(source)
    own = names_in(hide_values(source, slots)) - written
    values = {name: slots[name] if name in own else f"[{name}?]" for name in slots if name not in written}
    return fill_in(text, values)


def _setting() -> tuple[Models, dict[str, Any]]:
    return models_in_use(), get_values()


def _ask_of(run: Run) -> WordingAsk | None:
    return WordingAsk.objects.filter(run=run).first()


@transaction.atomic
def _end_with(run: Run, ask: WordingAsk, done: protocol.TextDone) -> bool:
    """End the run and keep its text for a browser that reconnects; return whether this attempt held it."""
    if not run.end(Run.State.DONE, outcome=f"{len(done.text):,} characters."):
        return False
    WordingAsk.objects.filter(pk=ask.pk).update(done=done.model_dump(mode="json"))
    return True


async def _fail(run: Run, frame: protocol.TextAsk, group: str, code: str, why: str) -> None:
    if await in_db(run.end)(Run.State.FAILED, outcome=why, error_code=code):
        await events.asend_frame(protocol.Error(code=code, message=why, ref=str(frame.ref)), group)
