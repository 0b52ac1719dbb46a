"""What each zone saw and answered in a step, in short phrases."""

import json
import re
from collections.abc import Iterator
from typing import Any

from agents.models import Step
from agents.run_pages.recorded_text import visible

_PLACEHOLDER = re.compile(r"\[(answer a|thought t)\d+(, from .+)?\]")


_SHARED_PAGE = re.compile(r"\n\nPage \[p\d+\]:\n")


_FILE = re.compile(r"\n\nHanded over:\n(?:File|Picture) [^\n]{1,80}:")


_SKILL = re.compile(r"^The owner's notes of the skill ([a-z0-9-]+):$", re.MULTILINE)


def saw_planner(request: dict[str, Any]) -> Iterator[str]:
    turns = list(request.get("turns") or [])
    last = max((number for number, turn in enumerate(turns) if turn.get("role") == "user"), default=0)
    earlier, results = turns[:last], sum(turn.get("role") == "tool" for turn in turns[last:])
    hidden = sum(bool(_PLACEHOLDER.match(str(turn.get("text", "")))) for turn in earlier)
    yield "the question"
    if earlier:
        yield f"history: {_count_noun(len(earlier), 'message')}, {_count_noun(hidden, 'placeholder')} in it"
    if results:
        yield f"{_count_noun(results, 'tool result')}: handles, domains, counts"
    if skills := _SKILL.findall(str(request.get("instructions", ""))):
        yield f"your skill{'s' if len(skills) > 1 else ''} {', '.join(skills)}"


def saw_operator(request: dict[str, Any]) -> Iterator[str]:
    """Say what it saw of its one site. It holds no conversation and no memory."""
    turns = list(request.get("turns") or [])
    page = str(turns[0].get("text", "")) if turns else ""
    yield "the goal"
    yield f"the page of {request.get('site', '')}, {_count_noun(len(page), 'character')}"
    if results := sum(turn.get("role") == "tool" for turn in turns):
        yield f"{_count_noun(results, 'result')} of its own steps there"


def saw_reader(request: dict[str, Any]) -> Iterator[str]:
    if request.get("visited"):
        yield f"titles of pages that you visited, {_count_noun(int(request.get('characters') or 0), 'character')}"
        return
    yield "the question"
    if request.get("picture"):
        yield "a picture"
        return
    kind = "a numbered list" if request.get("choose") else "page text"
    yield f"{kind} of {_count_noun(int(request.get('characters') or 0), 'character')}"
    if skill := request.get("skill"):
        yield f"your skill {skill}"


def saw_writer(request: dict[str, Any]) -> Iterator[str]:
    words = "\n\n".join(str(turn.get("text", "")) for turn in request.get("turns") or [])
    yield "the preference" if words.startswith("The owner likes:") else "the question"
    for mark, name in (
        ("\n\nBrief: ", "the planner's brief"),
        ("\n\nClaims:\n", "claims"),
    ):
        if mark in words:
            yield name
    yield from _saw_readings(words.partition("\n\nReadings:\n")[2].partition("\n")[0])
    if page := _SHARED_PAGE.search(words):
        yield f"the page that you shared, {_count_noun(len(words) - page.end(), 'character')}"
    files = len(_FILE.findall(words))
    if files:
        yield (
            f"what {_count_noun(files, 'file')} of yours say{'s' if files == 1 else ''} or "
            f"show{'s' if files == 1 else ''}"
        )
    if answer_count := words.count("\n\nHanded over:\n") - files:
        yield f"{_count_noun(answer_count, 'earlier answer')} handed over"


def _saw_readings(line: str) -> Iterator[str]:
    """Say what the list of readings holds: pages that were read, and passages of pages that are kept."""
    try:
        sources = list(json.loads(line)) if line else []
    except ValueError:
        yield "readings"
        return
    passages = [source["claims"] for source in sources if str(source.get("handle", "")).startswith("k")]
    if len(passages) < len(sources):
        yield "readings"
    if passages:
        yield f"{_count_noun(sum(map(len, passages)), 'passage')} of pages that you kept"


def saw_wording(request: dict[str, Any]) -> Iterator[str]:
    words = "\n\n".join(str(turn.get("text", "")) for turn in request.get("turns") or [])
    if words.startswith("The owner asks: "):
        yield "your instruction"
    _, mark, passage = words.partition("Passage:\n")
    if mark:
        yield f"the passage that you chose, {_count_noun(len(passage), 'character')}"


def describe_answer(step: Step) -> Iterator[str]:
    if step.kind == Step.Kind.TOOL:
        yield from _describe_result(step.result)
    elif step.zone == "reader":
        yield from _describe_reading(step.result.get("reading") or {})
    else:
        yield from (
            f"{call.get('tool')} {arguments_text(str(call.get('arguments', '')))}"
            for call in step.result.get("calls") or []
        )
        if text := str(step.result.get("text") or ""):
            yield f"text of {_count_noun(len(text), 'character')}"


_NOUNS = {"count": "result"}


def _describe_result(content: dict[str, Any]) -> Iterator[str]:
    if handle := content.get("handle"):
        yield f"{handle}, from {content['domain']}" if content.get("domain") else str(handle)
    if "found" in content:
        yield "answers the question" if content["found"] else "does not answer the question"
    if outcome := content.get("outcome"):
        yield f"{outcome}: {str(content['why']).replace('_', ' ')}" if content.get("why") else str(outcome)
    for key in ("steps", "count", "claims", "links", "characters"):
        if isinstance(content.get(key), int):
            yield _count_noun(content[key], _NOUNS.get(key, key[:-1]))


def _describe_reading(reading: dict[str, Any]) -> Iterator[str]:
    if indices := reading.get("link_indices"):
        yield f"chose {', '.join(str(index) for index in indices)}"
        return
    yield (
        f"found, with {_count_noun(len(reading.get('claims') or []), 'claim')}"
        if reading.get("found")
        else "not found there"
    )


def _count_noun(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def arguments_text(arguments: str, most: int = 90) -> str:
    try:
        text = ", ".join(str(value) for value in json.loads(arguments).values())
    except (ValueError, AttributeError):
        text = arguments
    return visible(text if len(text) <= most else f"{text[: most - 1]}…")
