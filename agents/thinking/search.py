import asyncio
import json
from collections.abc import Mapping
from itertools import zip_longest

from agents.embeddings import store
from agents.gateway.call import call_tool
from agents.gateway.catalog import BROWSE_URL, SEARCH_WEB
from agents.llm.messages import ToolRequest
from agents.runs.context import Content, Context
from agents.runs.give_way import behind_chats
from agents.thinking import own_sources
from agents.thinking.outcome import SEARCH_FAILURES, UNASKED, Discarded
from agents.thinking.queries import queries_for
from devices.db import in_db
from devices.grants import grants
from devices.owner import muted_sites
from thoughts.models import Page, Source
from thoughts.taste import ranking

PAGES_SAYING_MIN = 2  # one page alone is an opinion


async def read_about(context: Context, *, explores: bool) -> None:
    own = await in_db(own_sources.pick)(context)
    found = await _searched(context, own)
    granted, unknown = await in_db(_sorted)(context, found, {} if explores else await _worths(context, found))
    for source in own:
        await _look_at(context, source)
    read_of_own, found_there = len(context.handles.sources), any(read.reading.found for read in context.handles.sources)
    for opened, handle in enumerate(granted, len(own)):
        if context.budget.spent or _has_read_enough(context, opened):
            break
        await _call(context, BROWSE_URL.name, url=handle)
    if context.budget.spent:
        context.budget.leave_last_words()  # to write what was found until then
    elif len(context.handles.sources) == read_of_own and not found_there and unknown:
        # Nothing that is allowed was worth it: ask for the best of the others. The run waits for the answer without a
        # slot.
        content = await _call(context, BROWSE_URL.name, url=unknown[0])
        if why := UNASKED.get(content.get("error", "")):
            raise Discarded(f"None of the sites that were found about “{context.question}” is allowed yet, and {why}")


async def _searched(context: Context, own: list[Source]) -> list[str]:
    """Return the results that are worth opening; none where the search failed and there are sources to look at instead.

    Raises Discarded, BudgetSpent.
    """
    try:
        return await _search(context)
    except Discarded:
        if not own:
            raise
        return []


async def _look_at(context: Context, source: Source) -> None:
    """Read one of the owner's own sources, and where nothing there is about the seed, the best page that it links
    to.
    """
    if context.budget.spent:
        return
    content = await _call(context, BROWSE_URL.name, url=context.handles.add_own(source.url, source.domain))
    await in_db(source.note_trouble)(str(content.get("error", "")))
    link = await in_db(own_sources.openable_link)(context, content.get("best_links", []))
    if link and not context.budget.spent:
        await _call(context, BROWSE_URL.name, url=link)


async def _search(context: Context) -> list[str]:
    """Return the results that are worth opening, the best of each search first. Raises Discarded, BudgetSpent."""
    queries = await behind_chats(context, lambda: queries_for(context))
    searches = []
    for query in queries:
        searches.append(await _call(context, SEARCH_WEB.name, query=query))
        if context.budget.spent:
            raise context.budget.spent
    found = [search for search in searches if "error" not in search]
    if not found:
        code = searches[0]["error"]
        raise Discarded(SEARCH_FAILURES.get(code, f"The search failed ({code})."))
    best = [
        handle for handles in zip_longest(*(search.get("best", []) for search in found)) for handle in handles if handle
    ]
    if not best:
        raise Discarded(f"The search for “{context.question}” brought no results.")
    return list({context.handles.urls[handle]: handle for handle in reversed(best)}.values())[::-1]


def _has_read_enough(context: Context, opened: int) -> bool:
    """Whether the pages of one thought are opened, and more than one of them says something about it, or no more may be
    opened.
    """
    budget, saying = context.budget, sum(source.reading.found for source in context.handles.sources)
    return opened >= context.numbers["PAGES_PER_THOUGHT"] and (
        saying >= PAGES_SAYING_MIN or budget.pages >= budget.pages_max
    )


async def _call(context: Context, tool: str, **arguments: str) -> Content:
    request = ToolRequest("code", tool, json.dumps(arguments))
    return await behind_chats(context, lambda: call_tool(context, request))


async def _worths(context: Context, handles: list[str]) -> dict[str, float]:
    """Return what results would be worth to the owner, by what the engine says of them and where they are; nothing
    where nobody knows.
    """
    said, domains = (
        {handle: known[handle] for handle in handles} for known in (context.handles.snippets, context.handles.domains)
    )
    embedded = await asyncio.to_thread(store.embedded, said.values(), domains.values())
    if embedded is None:
        return {}
    finds = [(domains[handle], embedded.vectors[words]) for handle, words in said.items()]
    worths = await in_db(ranking.worths)(embedded.model, finds)
    return {handle: worth.points for handle, worth in zip(said, worths, strict=False)}


def _sorted(context: Context, handles: list[str], worths: Mapping[str, float]) -> tuple[list[str], list[str]]:
    """Return the results that may be opened, and those that would need an ask. Blocked and muted ones go.

    Those never read before come first, of these what is worth most to the owner.
    """
    open_to_thinking = [handle for handle in handles if not muted_sites.is_muted(context.handles.urls[handle])]
    decisions = {
        handle: grants.decide(context.handles.urls[handle], "read", context.run.pk) for handle in open_to_thinking
    }
    seen = set(
        Page.objects.filter(url__in=[context.handles.urls[handle] for handle in handles]).values_list("url", flat=True)
    )
    granted = [handle for handle in open_to_thinking if decisions[handle].is_allowed]
    granted.sort(key=lambda handle: (context.handles.urls[handle] in seen, -worths.get(handle, 0.0)))
    return granted, [handle for handle in open_to_thinking if decisions[handle].grant is None]
