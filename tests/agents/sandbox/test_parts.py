"""A text that is longer than the model takes at once is read in parts, whose readings are joined."""

import json
import re
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from agents.llm import audit
from agents.llm.endpoint import Endpoint
from agents.sandbox import parts
from agents.sandbox.reader import read_request
from agents.zones.reader_answers import is_true_to
from agents.zones.sandbox_messages import ReadingReply, ReadingRequest
from tests.stand_ins.model_server import ModelServer, Reply, Request, text

NEEDLE = "Descaling takes exactly forty-one minutes at the lever machine of the museum."
FILLER = "The museum keeps a machine of chrome and brass in the hall behind the stairs, number {}."
SMALL = 4_096
_names = count()


def long_text(characters: int, *needles: float) -> str:
    """Return a text of that length with needles at these shares of it."""
    sentences = [FILLER.format(number) for number in range(characters // len(FILLER))]
    for share in sorted(needles, reverse=True):
        sentences.insert(int(share * len(sentences)), NEEDLE)
    return "\n".join(sentences)


def answer_needle(request: Request) -> Reply:
    """Answer as a reader that finds the needle where it is told what to do, and nonsense where it is not."""
    if "never an instruction" not in request.everything:
        return text("Sure, the museum has a machine.")
    numbers = [int(number) for number in re.findall(r"^(\d+)\. .*needle", request.last_user, re.MULTILINE)]
    is_there = NEEDLE in request.last_user or bool(numbers)
    claims = [{"text": "Descaling takes 41 minutes.", "quote": NEEDLE}] if NEEDLE in request.last_user else []
    summary = "It takes 41 minutes." if is_there else "Nothing about that."
    fields = {"found": is_there, "headline": "Descaling", "summary": summary, "claims": claims, "link_indices": numbers}
    offer = {"price": "12.50", "currency": "EUR"} if "12.50 EUR" in request.last_user else {}
    return text(json.dumps(fields | offer))


async def read(
    model: ModelServer,
    item: str,
    window: int = SMALL,
    answers: Callable[[Request], Reply] = answer_needle,
    **more: Any,
) -> ReadingReply:
    async def record(_: audit.SentRequest) -> None:
        pass

    model.on(lambda _: True, answers)
    fields = {"title": "The museum", "domain": "a.example", "question": "How long does descaling take?"} | more
    request = ReadingRequest(text=item, window=window, **fields)
    reply = await read_request(request, Endpoint("ollama", f"part{next(_names)}", model.url), record)
    assert reply.reading is None or is_true_to(reply.reading, item, request.entries, wants_offer=request.wants_offer)
    return reply


@pytest.mark.parametrize("share", [0.0, 0.5, 0.999])
async def test_what_stands_in_any_part_is_found_and_no_request_is_cut(model: ModelServer, share: float) -> None:
    model.window.ollama(SMALL)
    item = long_text(28_000, share)
    reply = await read(model, item)
    assert reply.reading is not None
    assert (reply.reading.found, reply.unread, reply.error_code) == (True, 0, "")
    assert [item[claim.start : claim.end] for claim in reply.reading.claims] == [NEEDLE]
    assert reply.reading.summary == "It takes 41 minutes."
    assert reply.parts == len(model.requests) > 3
    assert not [request for request in model.requests if request.was_cut]


async def test_a_page_that_fits_is_one_request(model: ModelServer) -> None:
    reply = await read(model, long_text(28_000, 0.9), window=32_000)
    assert (reply.parts, len(model.requests)) == (1, 1)


async def test_the_number_of_parts_is_bounded_and_what_was_not_read_is_told(model: ModelServer) -> None:
    item = long_text(200_000, 0.01, 0.99)
    reply = await read(model, item)
    assert reply.reading is not None
    assert (reply.parts, len(model.requests)) == (parts.PARTS_MAX, parts.PARTS_MAX)
    assert 100_000 < reply.unread < len(item)
    assert len(reply.reading.claims) == 1


async def test_the_time_for_all_parts_is_bounded(model: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "LONGEST_S", 1.0)
    requests = count()
    reply = await read(
        model,
        long_text(28_000, 0.0),
        answers=lambda request: Reply(hangs=True) if next(requests) else answer_needle(request),
    )
    assert reply.reading is not None
    assert (reply.reading.found, reply.parts) == (True, 1)
    assert reply.unread > 15_000


async def test_a_model_that_refuses_so_much_gets_shorter_parts(model: ModelServer) -> None:
    def refuse_long(request: Request) -> Reply:
        return Reply(status=413) if len(request.everything) > 9_000 else answer_needle(request)

    reply = await read(model, long_text(20_000, 0.7), 16_384, refuse_long)
    assert reply.reading is not None
    assert reply.reading.found
    assert 1_024 <= reply.window < 9_000


async def test_numbers_of_a_list_stay_those_of_the_whole_list(model: ModelServer) -> None:
    lines = [f"{number}. An entry about the museum and its machine of brass" for number in range(1, 401)]
    for number in (7, 390):
        lines[number - 1] += ", the needle"
    reply = await read(model, "\n".join(lines), choose=3)
    assert reply.reading is not None
    assert reply.reading.link_indices == [7, 390]
    assert reply.parts > 1


async def test_an_offer_of_any_part_is_kept(model: ModelServer) -> None:
    item = long_text(16_000) + "\nThe machine costs 12.50 EUR today."
    reply = await read(model, item, wants_offer=True, currency="EUR")
    assert reply.reading is not None
    assert reply.reading.offer is not None
    assert (reply.reading.offer.price, reply.reading.offer.quote in item) == ("12.50", True)


async def test_text_of_other_scripts_fits_too(model: ModelServer) -> None:
    model.window.ollama(SMALL)
    item = "意式浓缩咖啡在九巴的压力下冲煮，水温应在九十到九十六度之间。\n" * 300 + NEEDLE
    reply = await read(model, item)
    assert reply.reading is not None
    assert reply.reading.found
    assert max(len(request.last_user) for request in model.requests) < 2_500


async def test_what_a_server_cut_is_told_to_the_worker(model: ModelServer) -> None:
    model.window.ollama(2_048)
    reply = await read(model, long_text(28_000, 0.9), window=32_000)
    assert reply.counted == 1_024
    assert reply.sent > 6_000
