"""Search and read the pages of a thinking run: own sources first, then the web."""

import asyncio
import json
from collections.abc import Mapping
from itertools import zip_longest

from django.utils import timezone

from agents.embeddings import store
from agents.gateway.call import call_tool
from agents.gateway.catalog import BROWSE_URL, SEARCH_WEB
from agents.llm.messages import ToolRequest
from agents.runs.context import Content, Context
from agents.runs.give_way import run_between_turns
from agents.thinking import own_sources
from agents.thinking.looking import say_step
from agents.thinking.outcome import UNASKED, Discarded, not_allowed, search_failure
from agents.thinking.queries import queries_for
from devices.db import in_db
from devices.grants import asks, grants
from devices.grants.engines import first_engine_name
from devices.models import Ask
from devices.owner import muted_sites
from thoughts.models import Page, Source
from thoughts.taste import ranking

PAGES_SAYING_MIN = 2  # one page alone is an opinion


async def read_about(context: Context, *, explores: bool) -> None:
    own = await in_db(own_sources.pick_sources)(context)
    results = await _search_or_own(context, own)
    openable, unknown = await in_db(_openable_and_unknown)(
        context, results, {} if explores else await _expected_points(context, results)
    )
    of = min(len(own) + len(openable), int(context.numbers["PAGES_PER_THOUGHT"]))
    for number, source in enumerate(own, 1):
        await say_step(context, "reading", source.domain, number, of)
        await _look_at(context, source)
    own_count, has_own_find = len(context.handles.sources), any(read.reading.found for read in context.handles.sources)
    for count, handle in enumerate(openable, len(own)):
        if context.budget.spent or _has_read_enough(context, count):
            break
        await say_step(context, "reading", context.handles.domains[handle], count + 1, of)
        await _call_tool(context, BROWSE_URL.name, url=handle)
    if context.budget.spent:
        context.budget.leave_last_words()  # to write about what was read until then
    elif len(context.handles.sources) == own_count and not has_own_find and unknown:
        # No allowed page was relevant: ask for the best other site. The run waits without a worker slot.
        await say_step(context, "reading", context.handles.domains[unknown[0]])
        content = await _call_tool(context, BROWSE_URL.name, url=unknown[0])
        if why := UNASKED.get(content.get("error", "")):
            raise Discarded(
                f"None of the sites that were found about “{context.question}” is allowed yet, and {why}",
                content["error"],
            )
        if content.get("error") == "not_granted":
            raise Discarded(not_allowed(context.question, context.handles.domains[unknown[0]]), "not_granted")


async def _search_or_own(context: Context, own: list[Source]) -> list[str]:
    """Return the results to open; none if the search failed but there are own sources.

    Raises Discarded, BudgetSpent.
    """
    try:
        return await _search_results(context)
    except Discarded:
        if not own:
            raise
        return []


async def _look_at(context: Context, source: Source) -> None:
    """Read one own source, and the best page that it links."""
    if context.budget.spent:
        return
    content = await _call_tool(context, BROWSE_URL.name, url=context.handles.add_own(source.url, source.domain))
    await in_db(source.note_trouble)(str(content.get("error", "")))
    link = await in_db(own_sources.openable_link)(context, content.get("best_links", []))
    if link and not context.budget.spent:
        await _call_tool(context, BROWSE_URL.name, url=link)


async def _search_results(context: Context) -> list[str]:
    """Return the results to open, the best of each query first. Raises Discarded, BudgetSpent."""
    queries = await run_between_turns(context, lambda: queries_for(context))
    engine = await in_db(first_engine_name)()
    searches = []
    for query in queries:
        await say_step(context, "searching", engine)
        searches.append(await _call_tool(context, SEARCH_WEB.name, query=query))
        if context.budget.spent:
            raise context.budget.spent
    results = [search for search in searches if "error" not in search]
    if not results:
        raise search_failure(searches[0]["error"])
    best = [
        handle
        for handles in zip_longest(*(search.get("best", []) for search in results))
        for handle in handles
        if handle
    ]
    if not best:
        raise Discarded(f"The search for “{context.question}” brought no results.")
    return list({context.handles.urls[handle]: handle for handle in reversed(best)}.values())[::-1]


def _has_read_enough(context: Context, count: int) -> bool:
    """Return whether enough pages were opened, and two are relevant or no more may be opened."""
    budget, saying = context.budget, sum(source.reading.found for source in context.handles.sources)
    return count >= context.numbers["PAGES_PER_THOUGHT"] and (
        saying >= PAGES_SAYING_MIN or budget.pages >= budget.pages_max
    )


async def _call_tool(context: Context, tool: str, **arguments: str) -> Content:
    request = ToolRequest("code", tool, json.dumps(arguments))
    return await run_between_turns(context, lambda: call_tool(context, request))


async def _expected_points(context: Context, handles: list[str]) -> dict[str, float]:
    snippets, domains = (
        {handle: texts[handle] for handle in handles} for texts in (context.handles.snippets, context.handles.domains)
    )
    embedded = await asyncio.to_thread(store.embed_suggestions, snippets.values(), domains.values())
    if embedded is None:
        return {}
    finds = [(domains[handle], embedded.vectors[words]) for handle, words in snippets.items()]
    worths = await in_db(ranking.worths)(embedded.model, finds)
    return {handle: worth.points for handle, worth in zip(snippets, worths, strict=False)}


def _openable_and_unknown(
    context: Context, handles: list[str], worths: Mapping[str, float]
) -> tuple[list[str], list[str]]:
    """Return the results that may be opened, and those that need an ask.

    Drops blocked and muted ones, and pages that the owner keeps: they have read them. Pages never read come first, then
    the most expected points. Sites that the owner refused to another run within a day come last.
    """
    pages = Page.objects.filter(url__in=[context.handles.urls[handle] for handle in handles])
    kept_urls = set(pages.filter(kept__deleted_at=None, kept__isnull=False).values_list("url", flat=True))
    open_to_thinking = [
        handle
        for handle in handles
        if not muted_sites.is_muted(context.handles.urls[handle]) and context.handles.urls[handle] not in kept_urls
    ]
    decisions = {
        handle: grants.decide(context.handles.urls[handle], "read", context.run.pk) for handle in open_to_thinking
    }
    read_urls = set(pages.values_list("url", flat=True))
    openable = [handle for handle in open_to_thinking if decisions[handle].is_allowed]
    openable.sort(key=lambda handle: (context.handles.urls[handle] in read_urls, -worths.get(handle, 0.0)))
    declined = asks.hosts_declined(timezone.now() - Ask.LATE_FOR, context.run.pk)
    unknown = [handle for handle in open_to_thinking if decisions[handle].grant is None]
    unknown.sort(key=lambda handle: decisions[handle].host in declined)
    return openable, unknown
