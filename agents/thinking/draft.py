"""Write a thought from claims: with the writer, or from the claims' own sentences.

A sentence of the writer that no claim supports is dropped.
"""

from dataclasses import dataclass
from functools import partial

from agents.llm.messages import ModelFailed
from agents.llm.providers import Endpoint
from agents.runs.context import Context
from agents.runs.fit import Build, ask_fitting
from agents.zones.again import ask_again
from agents.zones.fit import fitting_draft_request
from agents.zones.inputs import Private, Source
from agents.zones.model_json import ReadingInvalid
from agents.zones.writer_answers import Draft, parse_draft
from thoughts.rendering import escape_markdown
from thoughts.text.labels import OWNER, PENNY, union

ATTEMPTS = 2
TITLE_MAX = 120


@dataclass(frozen=True)
class Sentence:
    """One sentence in Markdown. `claims`: positions (from 0) in its draft's list of claims."""

    text: str
    paragraph: int
    claims: list[int]


@dataclass(frozen=True)
class ThoughtDraft:
    """A thought before it is stored.

    `claims`: each source with the number of its claim (from 0), each once. `origin`: the labels of all sources, also of
    those without a claim in the text.
    """

    title: str
    text: str
    sentences: list[Sentence]
    claims: list[tuple[Source, int]]
    origin: list[str]
    is_extractive: bool


async def draft_thought(context: Context, sources: list[Source]) -> ThoughtDraft:
    """Return the draft. Raises BudgetSpent, and ModelFailed if the model gives no usable one."""
    if context.models.main is None:
        return _by_extraction(sources)
    return supported_draft(await _by_model(context, context.models.main, sources), sources)


async def _by_model(context: Context, endpoint: Endpoint, sources: list[Source]) -> Draft:
    language = Private(context.numbers["THOUGHT_LANGUAGE"])
    parts = (Private(context.question), sources, context.numbers["THOUGHT_WORDS_MIN"], language)
    first_build: Build = partial(fitting_draft_request, *parts)
    build = first_build
    for _ in range(ATTEMPTS):
        answer = await ask_fitting(context, endpoint, build)
        try:
            return parse_draft(answer.text)
        except ReadingInvalid as why:
            build = _again(first_build, why)
    raise ModelFailed("draft_invalid", "The model's draft could not be used, twice.")


def _again(build: Build, why: ReadingInvalid) -> Build:
    return lambda room: ask_again(build(room), why)


def supported_draft(reply: Draft, sources: list[Source]) -> ThoughtDraft:
    claims = {f"{s.handle}.c{n + 1}": (s, n) for s in sources for n in range(len(s.reading.claims))}
    rows = [sentence for sentence in reply.sentences if any(name in claims for name in sentence.supports)]
    names = dict.fromkeys(name for sentence in rows for name in sentence.supports if name in claims)
    places = {name: place for place, name in enumerate(names)}
    sentences = [
        Sentence(row.text.strip(), 0, [places[name] for name in dict.fromkeys(row.supports) if name in places])
        for row in rows
    ]
    text = " ".join(sentence.text for sentence in sentences)
    return ThoughtDraft(
        reply.title.strip(), text, sentences, [claims[name] for name in names], _origin(sources), is_extractive=False
    )


def _by_extraction(sources: list[Source]) -> ThoughtDraft:
    claims = [(source, number) for source in sources for number in range(len(source.reading.claims))]
    paragraphs = {source.handle: number for number, source in enumerate(sources)}
    sentences = [
        Sentence(escape_markdown(source.reading.claims[number].text), paragraphs[source.handle], [place])
        for place, (source, number) in enumerate(claims)
    ]
    first = sources[0].reading
    title = first.headline or first.claims[0].text
    text = "\n\n".join(escape_markdown(" ".join(claim.text for claim in source.reading.claims)) for source in sources)
    return ThoughtDraft(title[:TITLE_MAX], text, sentences, claims, _origin(sources), is_extractive=True)


def _origin(sources: list[Source]) -> list[str]:
    return union((OWNER, PENNY), (source.domain for source in sources))
