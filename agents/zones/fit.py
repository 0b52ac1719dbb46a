"""Shorten what a planner and a writer see to a number of tokens. Instructions, tools and the question stay whole.

Imports no Django.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial

from agents.llm.messages import CallTurn, Request, ResultTurn, ToolSpec
from agents.llm.tokens import TURN_TOKENS, cut_to, parts_of, request_tokens, tokens_of, turn_tokens
from agents.zones.inputs import Past, Private, SkillText, Source, Untrusted
from agents.zones.planner import planner_request
from agents.zones.writer import draft_request, writer_request
from thoughts.text.search_words import words_of

WORTH = 60  # tokens of a text below which it is left out
PASSAGE_TOKENS = 150
BRIEF_TOKENS = 300
# What stays of the readings, step by step: claims of each, and tokens of its summary.
_SHORTER = ((12, 250), (8, 150), (5, 100), (3, 60), (2, 30))


def fitting_planner_request(
    owner: Private,
    today: date,
    history: Sequence[Past],
    question: Private,
    steps: Sequence[CallTurn | ResultTurn],
    tools: Sequence[ToolSpec],
    skills: Sequence[SkillText],
    memories: Sequence[Private],
    room: int,
    *,
    others: Sequence[str] = (),
    is_temporary: bool = False,
) -> Request:
    """Build the planner's request. The oldest entries of the history fall out first, then skills and memories."""
    build = partial(planner_request, owner, today, others=others, is_temporary=is_temporary)
    steps = _newest_steps(steps, room - request_tokens(build([], question, [], tools)))
    left = room - request_tokens(build([], question, steps, tools))
    memories = _first_that_fit(memories, left // 2)
    left -= sum(tokens_of(memory.text) for memory in memories)
    skills = _fit_skills(skills, left // 2)
    left = room - request_tokens(build([], question, steps, tools, skills, memories))
    return build(newest_that_fit(history, left), question, steps, tools, skills, memories)


def newest_that_fit(history: Sequence[Past], room: int) -> list[Past]:
    """Return the newest entries that fit; the one before them is shortened."""
    chosen: list[Past] = []
    for entry in reversed(history):
        room -= TURN_TOKENS + 4 * len(entry.domains)
        size = tokens_of(entry.words.text) if entry.words else 8
        if size > room and entry.words and room >= WORTH:
            chosen.append(replace(entry, words=Private(cut_to(entry.words.text, room))))
        if size > room:
            break
        room -= size
        chosen.append(entry)
    return chosen[::-1]


def fitting_writer_request(
    question: Private, brief: Private | None, sources: Sequence[Source], items: Sequence[Untrusted], room: int
) -> Request:
    """Build the writer's request. Readings are shortened evenly; long texts to the passages that fit the question."""
    request = writer_request(question, brief, sources, items)
    if request_tokens(request) <= room:
        return request
    brief = Private(cut_to(brief.text, BRIEF_TOKENS)) if brief else None
    left = room - request_tokens(writer_request(question, brief, [], []))
    of_items = sum(tokens_of(item.text) + TURN_TOKENS for item in items)
    of_sources = request_tokens(writer_request(question, brief, sources, [])) - room + left
    for_items = min(of_items, max(left // 2, left - of_sources))
    sources = shorter_sources(
        sources, lambda some: request_tokens(writer_request(question, brief, some, [])) <= room - for_items
    )
    return writer_request(question, brief, sources, _shorter_items(items, question.text, for_items))


def fitting_draft_request(
    seed: Private, sources: Sequence[Source], words_min: int, language: Private | None, room: int
) -> Request:
    """Build the drafter's request. The last claims of the readings fall out first."""

    def build(some: Sequence[Source]) -> Request:
        return draft_request(seed, some, words_min, language)

    return build(shorter_sources(sources, lambda some: request_tokens(build(some)) <= room))


def shorter_sources(sources: Sequence[Source], fits: Callable[[Sequence[Source]], bool]) -> Sequence[Source]:
    """Return the sources with fewer claims and shorter summaries; then without those that do not answer."""
    shorter = sources
    for claims, tokens in ((12, 400), *_SHORTER):
        if fits(shorter):
            return shorter
        shorter = [_shorter(source, claims, tokens) for source in sources]
    answering = [source for source in shorter if source.reading.found] or shorter
    while len(answering) > 1 and not fits(answering):
        answering = answering[:-1]
    return answering


def _shorter(source: Source, claims: int, tokens: int) -> Source:
    reading = source.reading
    fields = {"claims": reading.claims[:claims], "summary": cut_to(reading.summary, tokens)}
    return replace(source, reading=reading.model_copy(update=fields))


def _shorter_items(items: Sequence[Untrusted], question: str, room: int) -> list[Untrusted]:
    """Return the items within their share of the room. Short ones leave theirs to the others."""
    texts, left = dict[int, str](), room
    by_size = sorted(range(len(items)), key=lambda place: len(items[place].text))
    for number, place in enumerate(by_size):
        share = max(0, left // (len(items) - number) - TURN_TOKENS)
        texts[place] = best_passages(items[place].text, question, share)
        left -= tokens_of(texts[place]) + TURN_TOKENS
    return [replace(item, text=texts[place]) for place, item in enumerate(items) if texts[place]]


def _newest_steps(steps: Sequence[CallTurn | ResultTurn], room: int) -> list[CallTurn | ResultTurn]:
    """Return the newest calls that fit, each with its results; the newest ones in any case."""
    groups: list[list[CallTurn | ResultTurn]] = []
    for step in steps:
        if isinstance(step, CallTurn) or not groups:
            groups.append([])
        groups[-1].append(step)
    while len(groups) > 1 and sum(turn_tokens(step) for group in groups for step in group) > room:
        del groups[0]
    return [step for group in groups for step in group]


def _first_that_fit(memories: Sequence[Private], room: int) -> list[Private]:
    chosen = []
    for memory in memories:
        room -= tokens_of(memory.text) + 2
        if room < 0:
            break
        chosen.append(memory)
    return chosen


def _fit_skills(skills: Sequence[SkillText], room: int) -> list[SkillText]:
    """Return the loaded skills, shortened where they have to be, then the offered ones that fit."""
    chosen = []
    for skill in sorted(skills, key=lambda skill: skill.instructions is None):
        if skill.instructions is not None and room >= WORTH:
            skill = replace(skill, instructions=Private(cut_to(skill.instructions.text, room - WORTH // 2)))
        room -= tokens_of(f"{skill.name} {(skill.instructions or skill.description).text}") + WORTH // 2
        if room >= 0:
            chosen.append(skill)
    return chosen


def best_passages(text: str, question: str, tokens: int) -> str:
    """Return the passages of a text that hold most of the question's words, in their order, with the beginning."""
    if tokens_of(text) <= tokens:
        return text
    passages = [part for _, part in parts_of(text, PASSAGE_TOKENS)]
    words = set(words_of(question))
    ranked = sorted(range(len(passages)), key=lambda place: (place != 0, -len(words & {*words_of(passages[place])})))
    chosen, left = list[int](), tokens
    for place in ranked:
        size = tokens_of(passages[place]) + 2
        if size <= left:
            chosen.append(place)
            left -= size
    return "\n…\n".join(passages[place] for place in sorted(chosen))
