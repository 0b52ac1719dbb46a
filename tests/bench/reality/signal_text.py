"""Signal: what a phone shows of an answer, and what is taken of each kind of message."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tests.bench.reality.outcome import Outcome

# Number, Markdown, the text that the phone shows, and its styles.
SHOWN: list[tuple[str, str, str, dict[str, set[str]]]] = [
    ("B659", r"`grep 'a\|b' f`", r"grep 'a\|b' f", {r"grep 'a\|b' f": {"`"}}),
    ("B660", "```\nsed 's/a\\|b/x/'\n```", r"sed 's/a\|b/x/'", {r"sed 's/a\|b/x/'": {"`"}}),
    ("B663", r"C:\\**name**", "C:\\name", {"name": {"**"}}),
    ("B664", "***both***", "both", {"both": {"**", "*"}}),
    ("B671", "`2**10 * 3`", "2**10 * 3", {"2**10 * 3": {"`"}}),
    ("B672", "# T\n\n- a\n- [n](https://a.de)\n\n---", "T\n\n• a\n• n (https://a.de)\n\n———", {"T": {"**"}}),
    ("B673", "👩‍👧 **b**", "👩‍👧 b", {"b": {"**"}}),
]
# Number, a message, and its words; nothing where it is passed over, and None where its kind is named.
TAKEN: list[tuple[str, dict[str, Any], str | None]] = [
    ("B678", {"message": "\ufffc hi", "mentions": [{"start": 0, "length": 1}]}, "\ufffc hi"),
    ("B683", {"message": "yes", "quote": {"id": 1, "author": "x", "mentions": [{"start": 0}]}}, "yes"),
    ("B684", {"viewOnce": True, "attachments": [{"id": "a", "contentType": "image/png"}]}, None),
    ("B687", {"sticker": {"packId": "a", "stickerId": 1}}, None),
    ("B689", {"pollCreate": {"question": "When?", "allowMultiple": False, "options": ["a", "b"]}}, None),
    ("B691", {"message": "a\x00b"}, "ab"),
]
PASSED_OVER: list[dict[str, Any]] = [
    {"syncMessage": {"readMessages": [{"timestamp": 1}]}},
    {"typingMessage": {"action": "STARTED"}},
    {"callMessage": {"offerMessage": {"id": 1}}},
    {"storyMessage": {"allowsReplies": True}},
    {"syncMessage": {"type": "CONTACTS_SYNC"}},
]


def outcomes() -> list[Outcome]:
    from devices.channels.signal.text import styled
    from tests.stand_ins.signal_phone import show_on_phone

    results = []
    for number, markdown, text, styles in SHOWN:
        result = show_on_phone(styled(markdown))
        is_right = (result.text, result.styles, result.left_open) == (text, styles, [])
        results.append(Outcome(number, "K19", is_right, repr(result)))
    results += [*_parts(), *asyncio.run(_signal_messages())]
    return results


def _parts() -> list[Outcome]:
    from devices.channels.parts import split_parts
    from devices.channels.signal.text import LIMITS, styled
    from tests.stand_ins.signal_phone import show_on_phone

    text = ("漢字。" * 900 + "👩‍👩‍👧‍👦🇩🇪" * 60 + " https://a.de/" + "x" * 300)[:5000]
    parts = split_parts(styled(text), LIMITS)
    whole = "".join(show_on_phone(part).text for part in parts)
    is_whole = whole.replace("\n", "").replace(" ", "") == text.replace(" ", "")
    is_short = all(len(part.encode()) <= 2000 for part in parts)
    return [Outcome("B676", "K19", is_whole, whole[-200:]), Outcome("B677", "K19", is_short, str(len(parts)))]


async def _signal_messages() -> list[Outcome]:
    from agents.signal.files import fetch_content
    from devices.channels.signal.frames import Unreadable, parse_frame, without_nul

    results = []
    for number, data, words in TAKEN:
        frame = parse_frame(without_nul(json.dumps(_envelope({"dataMessage": {"timestamp": 1, **data}}))))
        message = frame.envelope.dataMessage if frame else None
        content = await fetch_content(message) if message else None
        is_right = content is not None and (content.text == words if words else bool(content.refusals))
        results.append(Outcome(number, "K19b", is_right, repr(content)))
    for content_of_frame in PASSED_OVER:
        frame = parse_frame(json.dumps(_envelope(content_of_frame)))
        is_over = frame is not None and frame.envelope.dataMessage is None and frame.envelope.to_self("+1") is None
        results.append(Outcome("B686", "K19b", is_over, repr(frame)))
    edit = parse_frame(
        json.dumps(_envelope({"editMessage": {"targetSentTimestamp": 1, "dataMessage": {"message": "anew"}}}))
    )
    change = edit.envelope.edit_by("+1") if edit else None
    is_right = change is not None and (await fetch_content(change.dataMessage)).text == "anew"
    results.append(Outcome("B679", "K19b", is_right, repr(edit)))
    results += _other_acts(_data, Unreadable)
    return results


def _data(**fields: Any) -> Any:
    from devices.channels.signal.frames import parse_frame

    frame = parse_frame(json.dumps(_envelope({"dataMessage": {"timestamp": 1, **fields}})))
    assert frame is not None
    return frame.envelope.dataMessage


def _other_acts(data: Any, unreadable: type[Exception]) -> list[Outcome]:
    target = {"targetAuthor": "+1", "targetAuthorNumber": "+1", "targetSentTimestamp": 1}
    reactions = [
        data(reaction={"emoji": emoji, "isRemove": is_gone, **target}).reaction
        for emoji, is_gone in (("👍🏽", False), ("👍", True))
    ]
    is_taken = [(one.emoji, one.isRemove) for one in reactions] == [("👍🏽", False), ("👍", True)]
    results = [Outcome("B681", "K19b", is_taken, repr(reactions))]
    group = data(message="x", groupInfo={"groupId": "g"})
    results.append(Outcome("B682", "K19b", bool(group.groupInfo), repr(group)))
    try:
        result = repr(data(attachments=[{"contentType": "image/png"}]))
    except unreadable as error:
        result = f"counted: {error}"
    results.append(Outcome("B692", "K19b", result.startswith("counted"), result))
    return results


def _envelope(content: dict[str, Any]) -> dict[str, Any]:
    return {"account": "+1", "envelope": {"source": "+2", "sourceNumber": "+2", "timestamp": 1, **content}}
