"""Ask a model one word, as a trial: whether it answers, and if not, why."""

import asyncio
from dataclasses import asdict

import structlog

from agents.llm import audit, client
from agents.llm.failures.refusals import failure_of
from agents.llm.failures.retries import Patience
from agents.llm.messages import ModelFailed
from agents.llm.providers import Endpoint
from agents.runs.right_path import with_right_path
from agents.zones.planner import trial_request

PATIENCE_S = 2.0
CHARACTERS_MAX = 20_000  # a model may think before its word
log = structlog.get_logger("penny.model")


async def try_model(endpoint: Endpoint, silence_s: float) -> None:
    """Ask for one word. Raises ModelFailed with what was wrong and what to do.

    Takes as long as `silence_s` at most. No step records the request: it belongs to no run and holds nothing of the
    owner's. The log has its zone, hash and size.
    """
    if endpoint.lacks_key:
        raise failure_of("model_key_missing", endpoint)
    try:
        async with asyncio.timeout(silence_s):
            await client.ask(
                endpoint, trial_request(), _record, None, silence_s, CHARACTERS_MAX, patience=Patience(PATIENCE_S)
            )
    except ModelFailed as error:
        raise await with_right_path(endpoint, error) from error
    except TimeoutError:
        raise ModelFailed(
            "model_slow", f"{endpoint} did not answer within {silence_s:.0f} s. Try again, or choose a smaller model."
        ) from None


async def _record(sent_request: audit.SentRequest) -> None:
    log.info("model.tried", **asdict(sent_request))
