"""Find out whether a server cut a request that was too long for its model, and answered from the rest.

A small count of tokens shows nothing by itself: some servers leave out what they had from before. A probe does: a
request of a known length, whose words no server has.
"""

import asyncio
from dataclasses import asdict

import structlog

from agents.llm import audit, client, windows
from agents.llm.endpoint import KEY_VARIABLES
from agents.llm.messages import ModelFailed
from agents.llm.providers import Endpoint
from agents.zones.planner import probe_request

PROBE_WORDS_MAX = 30_000
CHARACTERS_MAX = 20_000  # a model may think before its word
ABOVE = 1.3  # an estimate may be so far above what a request has
log = structlog.get_logger("penny.model")


async def was_cut(endpoint: Endpoint, counted: int, sent: int, silence_s: float) -> bool:
    """Whether the server cuts requests to about `counted` tokens; its window is corrected then.

    `sent`: the tokens of the request, estimated.
    """
    if endpoint.provider in KEY_VARIABLES or windows.is_uncut(endpoint, counted):
        return False  # the makers' own servers refuse
    await asyncio.to_thread(windows.ask_now, endpoint)
    window = windows.window(endpoint)
    if window.source == "told" and window.tokens * ABOVE < sent:
        windows.limit_window(endpoint, window.tokens)  # also below a setting
        return True
    left = await _count_left(endpoint, 2 * counted + 500, silence_s)
    if left is None:
        return False
    if left == 0:
        windows.note_uncut(endpoint, counted)
        return False
    more = int(1.6 * left)  # some servers cut to half of the window
    fits = await _count_left(endpoint, more, silence_s) == 0
    windows.limit_window(endpoint, more if fits else left)
    log.warning("window.cut", model=str(endpoint), left=left, window=windows.window_of(endpoint))
    return True


async def _count_left(endpoint: Endpoint, words: int, silence_s: float) -> int | None:
    """Return to how many tokens a probe was cut; 0 if it was not, None if that is not known."""
    words = min(words, PROBE_WORDS_MAX)
    try:
        answer = await client.ask(endpoint, probe_request(words), _record, None, silence_s, CHARACTERS_MAX)
    except ModelFailed as failed:
        return 0 if failed.code == "model_context" else None  # who refuses does not cut
    return None if not answer.input_tokens else answer.input_tokens if answer.input_tokens < 0.9 * words else 0


async def _record(sent_request: audit.SentRequest) -> None:
    log.info("model.probed", **asdict(sent_request))
