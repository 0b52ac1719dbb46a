import asyncio
from dataclasses import replace

from django.db.models import Q

from agents.embeddings import store
from agents.runs.context import Context
from agents.thinking.outcome import Discarded
from agents.zones.inputs import Source as ReadSource
from devices.db import in_db
from thoughts.duplicates import Runs, is_disliked, is_told, told_quotes
from thoughts.embeddings import words_of
from thoughts.models import Page, Preference
from thoughts.taste import ranking
from thoughts.taste.ranking import Worth

BESIDE_POINTS = 1.0  # by which a page may be worth less than another in the same thought


def leave_out_known(context: Context, seed: Preference, sources: list[ReadSource]) -> list[ReadSource]:
    """Leave out pages that still say what they said when a thought cited them, or when the last thought about the seed
    was made, and of the others what recent thoughts rest on already, whichever page it was read on: another site tells
    the same, or a page goes on.

    Beside that what is new would be taken for a repetition. Raises Discarded.
    """
    pages = {source.handle: context.handles.pages[source.handle] for source in sources}
    known = Q(thoughts__isnull=False) | (Q(fetched_at__lt=seed.last_thought.created_at) if seed.last_thought else Q())
    told = set(Page.objects.filter(known, url__in=[page.url for page in pages.values()]).values_list("url", "sha256"))
    quoted = told_quotes()
    news = [
        _news(source, quoted)
        for source in sources
        if (pages[source.handle].url, pages[source.handle].sha256) not in told
    ]
    untold = [source for source in news if source.reading.claims]
    if not untold:
        raise Discarded(f"There is nothing new about “{context.question}” on the pages that say something.")
    return untold


def _news(source: ReadSource, quoted: list[Runs]) -> ReadSource:
    claims = [claim for claim in source.reading.claims if not is_told(claim.quote, quoted)]
    return replace(source, reading=source.reading.model_copy(update={"claims": claims}))


def leave_out_disliked(sources: list[ReadSource]) -> list[ReadSource]:
    """Leave out pages that are about something disliked: one of them must not cost the owner what the others say.
    Raises Discarded.
    """
    vetoes = [
        is_disliked(source.reading.headline, " ".join(claim.text for claim in source.reading.claims))
        for source in sources
    ]
    wanted = [source for source, veto in zip(sources, vetoes, strict=True) if veto is None]
    veto = next((veto for veto in vetoes if veto), None)
    if veto and not wanted:
        raise Discarded(f"You dislike “{veto.preference.text}” (by its {veto.how}).")
    return wanted


async def liked_enough(sources: list[ReadSource]) -> list[ReadSource]:
    """Leave out pages that are like what the owner disliked, and those worth far less than the best: it is not to stand
    beside them.

    Where the run explores this is not asked: what was disliked once gets its chance there. Raises Discarded.
    """
    texts = [
        words_of(source.reading.headline, " ".join(claim.text for claim in source.reading.claims)) for source in sources
    ]
    embedded = await asyncio.to_thread(store.embedded, texts, [source.domain for source in sources])
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
