"""Select the sources of a thought: leave out what is known, disliked, or far weaker."""

import asyncio
from dataclasses import replace

from django.db.models import Q

from agents.embeddings import store
from agents.runs.context import Context
from agents.thinking.outcome import Discarded
from agents.zones.inputs import Source as ReadSource
from devices.db import in_db
from thoughts.duplicates import Runs, is_disliked, is_repeated_quote, recent_quotes
from thoughts.index.meanings import words_of
from thoughts.models import Page, Preference
from thoughts.taste import ranking
from thoughts.taste.ranking import Worth

BESIDE_POINTS = 1.0  # how far a page may be below the best page of its thought


def leave_out_known(context: Context, seed: Preference, sources: list[ReadSource]) -> list[ReadSource]:
    """Leave out pages without news, and claims that recent thoughts rest on. Raises Discarded.

    A page without news says the same as when a thought cited it, or as when the last thought about the seed was made. A
    claim is known from any page: another site may tell the same, or a page may continue. Beside known claims a new one
    would pass for a repetition.
    """
    pages = {source.handle: context.handles.pages[source.handle] for source in sources}
    query = Q(thoughts__isnull=False) | (Q(fetched_at__lt=seed.last_thought.created_at) if seed.last_thought else Q())
    versions = set(
        Page.objects.filter(query, url__in=[page.url for page in pages.values()]).values_list("url", "sha256")
    )
    quotes = recent_quotes()
    news = [
        _news(source, quotes)
        for source in sources
        if (pages[source.handle].url, pages[source.handle].sha256) not in versions
    ]
    untold = [source for source in news if source.reading.claims]
    if not untold:
        raise Discarded(f"There is nothing new about “{context.question}” on the pages that say something.")
    return untold


def _news(source: ReadSource, quotes: list[Runs]) -> ReadSource:
    claims = [claim for claim in source.reading.claims if not is_repeated_quote(claim.quote, quotes)]
    return replace(source, reading=source.reading.model_copy(update={"claims": claims}))


def leave_out_disliked(sources: list[ReadSource]) -> list[ReadSource]:
    """Leave out pages about something disliked, and keep the others. Raises Discarded."""
    vetoes = [
        is_disliked(source.reading.headline, " ".join(claim.text for claim in source.reading.claims))
        for source in sources
    ]
    rest = [source for source, veto in zip(sources, vetoes, strict=True) if veto is None]
    veto = next((veto for veto in vetoes if veto), None)
    if veto and not rest:
        raise Discarded(f"You dislike “{veto.preference.text}” (by its {veto.how}).")
    return rest


async def liked_enough(sources: list[ReadSource]) -> list[ReadSource]:
    """Leave out pages like disliked finds, and pages far below the best. Raises Discarded.

    A run that explores skips this: what was disliked once gets a second chance.
    """
    texts = [
        words_of(source.reading.headline, " ".join(claim.text for claim in source.reading.claims)) for source in sources
    ]
    embedded = await asyncio.to_thread(store.embed_suggestions, texts, [source.domain for source in sources])
    if embedded is None:
        return sources
    finds = [(source.domain, embedded.vectors[text]) for source, text in zip(sources, texts, strict=True)]
    worths = await in_db(ranking.worths)(embedded.model, finds) or [Worth(0.0)] * len(sources)
    if all(worth.like for worth in worths):
        raise Discarded(f"Like “{worths[0].like}”, which you did not like.")
    best = max(worth.points for worth in worths if not worth.like)
    return [
        source
        for source, worth in zip(sources, worths, strict=True)
        if not worth.like and worth.points >= best - BESIDE_POINTS
    ]
