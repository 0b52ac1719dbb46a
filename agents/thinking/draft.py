"""From claims to a draft: by the writer, whose unsupported sentences are dropped, or from the claims' own sentences
without a model.
"""

from dataclasses import dataclass

from django.conf import settings

from agents.llm.messages import ModelFailed
from agents.llm.providers import Endpoint
from agents.runs.ask_model import ask_recorded
from agents.runs.context import Context
from agents.zones.inputs import Private, Source
from agents.zones.reader_answers import ReadingInvalid
from agents.zones.writer import draft_request
from agents.zones.writer_answers import Draft, parse_draft
from thoughts.rendering import escape_markdown
from thoughts.text.labels import OWNER, PENNY, union

ATTEMPTS = 2
TITLE_MAX = 120


@dataclass(frozen=True)
class Sentence:
    """One sentence in Markdown with the claims that support it, as positions (from 0) in the list of its draft's
    claims.
    """

    text: str
    paragraph: int
    claims: list[int]


@dataclass(frozen=True)
class Drafted:
    """A thought before it is stored. `claims` names a source and the number of its claim (from 0), each once.

    `origin`: the labels of all that it was drafted from, whether a claim of it was kept or not.
    """

    title: str
    text: str
    sentences: list[Sentence]
    claims: list[tuple[Source, int]]
    origin: list[str]
    is_extractive: bool


async def draft(context: Context, sources: list[Source]) -> Drafted:
    """Return the draft. Raises ModelFailed where a model is set and gives no usable one, BudgetSpent."""
    if settings.MODEL is None:
        return _by_extraction(sources)
    return supported(await _by_model(context, settings.MODEL, sources), sources)


async def _by_model(context: Context, endpoint: Endpoint, sources: list[Source]) -> Draft:
    language = Private(context.numbers["THOUGHT_LANGUAGE"])
    asked = draft_request(Private(context.question), sources, context.numbers["THOUGHT_WORDS_MIN"], language)
    for _ in range(ATTEMPTS):
        answer = await ask_recorded(context, endpoint, asked)
        try:
            return parse_draft(answer.text)
        except ReadingInvalid:
            continue
    raise ModelFailed("draft_invalid", "The model's draft could not be used, twice.")


def supported(drafted: Draft, sources: list[Source]) -> Drafted:
    """Return the draft without the sentences that no claim supports."""
    known = {f"{s.handle}.c{n + 1}": (s, n) for s in sources for n in range(len(s.reading.claims))}
    kept = [sentence for sentence in drafted.sentences if any(name in known for name in sentence.supports)]
    names = dict.fromkeys(name for sentence in kept for name in sentence.supports if name in known)
    places = {name: place for place, name in enumerate(names)}
    sentences = [
        Sentence(each.text.strip(), 0, [places[name] for name in dict.fromkeys(each.supports) if name in places])
        for each in kept
    ]
    text = " ".join(sentence.text for sentence in sentences)
    return Drafted(
        drafted.title.strip(), text, sentences, [known[name] for name in names], _origin(sources), is_extractive=False
    )


def _by_extraction(sources: list[Source]) -> Drafted:
    """Each source is a paragraph, and each of its claims a sentence that supports itself."""
    claims = [(source, number) for source in sources for number in range(len(source.reading.claims))]
    paragraphs = {source.handle: number for number, source in enumerate(sources)}
    sentences = [
        Sentence(escape_markdown(source.reading.claims[number].text), paragraphs[source.handle], [place])
        for place, (source, number) in enumerate(claims)
    ]
    first = sources[0].reading
    title = first.headline or first.claims[0].text
    text = "\n\n".join(escape_markdown(" ".join(claim.text for claim in source.reading.claims)) for source in sources)
    return Drafted(title[:TITLE_MAX], text, sentences, claims, _origin(sources), is_extractive=True)


def _origin(sources: list[Source]) -> list[str]:
    return union((OWNER, PENNY), (source.domain for source in sources))
