"""Read an item that does not fit into the model's window in parts, and join their readings."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from itertools import chain, zip_longest
from typing import TypeVar

from agents.llm import windows
from agents.llm.messages import Request
from agents.llm.providers import Endpoint
from agents.llm.tokens import cut_to, request_tokens, tokens_of
from agents.zones.mending import cut
from agents.zones.reader_answers import Offer, Reading
from agents.zones.sandbox_messages import ATTEMPTS_MAX, ReadingReply, ReadingRequest
from thoughts.text.plain_words import NotPlain, plain

PARTS_MAX = 8
LONGEST_S = 125.0  # for all parts: the sandbox ends a reading soon after
PART_TOKENS_MIN = 200
HEADLINE, SUMMARY, CLAIMS, INDICES, CANDIDATES = 120, 1_200, 12, 10, 5

T = TypeVar("T")
Build = Callable[[ReadingRequest], Request]
Read = Callable[[Request], Awaitable[ReadingReply]]


async def read_whole_or_in_parts(request: ReadingRequest, endpoint: Endpoint, build: Build, read: Read) -> ReadingReply:
    """Return one reply. `build` makes the prompt of an item; `read` has it read, for quotes of the whole text.

    A model that refuses a part as too long gets shorter ones.
    """
    started_at, start, replies, limit = asyncio.get_running_loop().time(), 0, list[ReadingReply](), 0
    while start < len(request.text) or not replies:
        window = limit or request.window or windows.window_of(endpoint)
        part = _next_part(request, start, window, build)
        left_s = LONGEST_S - (asyncio.get_running_loop().time() - started_at)
        if part is None or len(replies) == PARTS_MAX or left_s <= 0:
            break
        prompt = build(request.model_copy(update={"text": part}))
        try:
            async with asyncio.timeout(left_s if replies else None):
                reply = await read(prompt)
        except TimeoutError:
            break
        if reply.error_code == "model_context" and window > windows.LEAST:
            limit = max(windows.LEAST, min(window, request_tokens(prompt)) // 2)
            continue
        replies.append(reply)
        if reply.error_code and reply.error_code not in ("reading_invalid", "model_empty"):
            break
        start = _start_of_next(request.text, start + len(part))
    return _join(request, replies, start, limit)


def _next_part(request: ReadingRequest, start: int, window: int, build: Build) -> str | None:
    """Return what fits of the text from `start`; None where next to nothing would."""
    rest = request.text[start:]
    around = request_tokens(build(request.model_copy(update={"text": ""})))
    room = windows.room_in(window) - around
    if tokens_of(rest) <= room:
        return rest
    if room < PART_TOKENS_MIN:
        return None
    if not (request.choose or request.visited):
        return cut_to(rest, room)
    head = cut_to(rest, room)  # between two entries of a list
    return head if rest[len(head) : len(head) + 1] == "\n" else head.rpartition("\n")[0] or head


def _start_of_next(text: str, start: int) -> int:
    return start + len(text[start:]) - len(text[start:].lstrip())


def _join(request: ReadingRequest, replies: Sequence[ReadingReply], end: int, limit: int) -> ReadingReply:
    readings = [reply.reading for reply in replies if reply.reading is not None]
    failed = next((reply.error_code for reply in replies if reply.error_code), "") if replies else "model_context"
    odd = next((reply for reply in replies if reply.counted), None)
    return ReadingReply(
        request=request.digest(),
        reading=_join_readings(readings) if readings else None,
        error_code="" if readings else failed,
        outcomes=[code for reply in replies for code in reply.outcomes][:ATTEMPTS_MAX],
        parts=len(replies),
        unread=len(request.text) - end if readings else 0,
        window=limit,
        counted=odd.counted if odd else 0,
        sent=odd.sent if odd else 0,
        input_tokens=sum(reply.input_tokens for reply in replies),
        output_tokens=sum(reply.output_tokens for reply in replies),
    )


def _join_readings(readings: Sequence[Reading]) -> Reading:
    """Return one reading of all parts; what answers the question stands before what does not."""
    if len(readings) == 1:
        return readings[0]
    answering = [reading for reading in readings if reading.found]
    telling = answering or readings[:1]
    claims = _in_turn([reading.claims for reading in answering] or [reading.claims for reading in readings])
    if len(claims) < CLAIMS and answering:
        claims += _in_turn([reading.claims for reading in readings if not reading.found])
    return Reading(
        found=bool(answering),
        headline=next((reading.headline for reading in telling if reading.headline), "")[:HEADLINE],
        summary=_join_summaries([reading.summary for reading in telling if reading.summary]),
        claims=sorted(claims[:CLAIMS], key=lambda claim: claim.start),
        link_indices=list(dict.fromkeys(_in_turn([reading.link_indices for reading in readings])))[:INDICES],
        made_with="model",
        unsupported=sum(reading.unsupported for reading in readings),
        candidates=list(dict.fromkeys(_in_turn([reading.candidates for reading in readings])))[:CANDIDATES],
        offer=_best_offer(readings),
    )


def _best_offer(readings: Sequence[Reading]) -> Offer | None:
    offers = [reading.offer for reading in readings if reading.offer]
    return next((offer for offer in offers if offer.price), offers[0] if offers else None)


def _join_summaries(summaries: Sequence[str]) -> str:
    """Return the summaries together, each with its share; without one that is no plain words beside the others."""
    share = SUMMARY // max(len(summaries), 1) - 1
    joined = ""
    for summary in summaries:
        try:
            joined = plain(f"{joined} {cut(summary, share)}".strip())
        except NotPlain:
            continue
    return cut(joined, SUMMARY)


def _in_turn(lists: Sequence[Sequence[T]]) -> list[T]:
    """Return the first of each list, then the second of each, and so on."""
    return [value for value in chain.from_iterable(zip_longest(*lists)) if value is not None]
