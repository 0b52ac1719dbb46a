"""A thinking run: code decides, the model judges. One seed → search → read → claims → a thought, or the recorded reason why none."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from constance import config
from constance.utils import get_values
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from agents.embeddings import store
from agents.gateway.call import call_tool
from agents.gateway.catalog import BROWSE_URL, SEARCH_WEB
from agents.gateway.permits import Content, Context
from agents.llm.client import ToolRequest
from agents.models import Run
from agents.runs import day_budget
from agents.runs.budget import BudgetSpent
from agents.runs.give_way import behind_chats
from agents.runs.handles import Handles
from agents.thinking import own_sources
from agents.thinking import seed as thinking_seed
from agents.thinking.draft import Drafted, Sentence, draft
from agents.thinking.queries import queries_for
from agents.zones.inputs import Source as ReadSource
from devices.conversation.unread import tell_unread
from devices.db import in_db
from devices.grants import grants
from devices.models import Device
from devices.owner import muted_sites
from thoughts.duplicates import Meant, Runs, is_disliked, is_told, told_quotes, twin_of
from thoughts.embeddings import Embedded, words_of
from thoughts.models import Claim, Page, Preference, Source, Thought
from thoughts.preferences import candidates
from thoughts.rendering import render_inline, render_safe
from thoughts.taste import ranking
from thoughts.taste.ranking import Worth
from thoughts.text.labels import union

PAGES_SAYING_MIN = 2  # one page alone is an opinion
BESIDE_POINTS = 1.0  # by which a page may be worth less than another in the same thought


class Discarded(Exception):
    """The run keeps nothing; the text says why."""


async def think(run: Run) -> None:
    """Carry out one thinking run, as far as its budget goes. Raises ModelFailed, Parked."""
    try:
        seed, explores = await in_db(_begin)(run)
        numbers = await in_db(get_values)()
        context = Context(run, "thinking", Handles([seed.text]), seed.text, settings.MODEL is not None, numbers, _quiet, _nothing_waits)
        await _read_about(context, explores=explores)
        sources = [source for source in context.handles.sources if source.reading.found and source.reading.claims]
        if not sources:
            raise Discarded(_nothing_read(context))
        sources = await in_db(_wanted)(await in_db(_untold)(context, seed, sources))
        sources = sources if explores else await _liked_enough(sources)
        drafted = await behind_chats(context, lambda: draft(context, sources))
        meant = await asyncio.to_thread(store.meant, drafted.title, drafted.text, drafted.origin)
        await in_db(_keep)(context, seed, drafted, explores, meant, await asyncio.to_thread(_suggested, context.handles))
    except Discarded as reason:
        await in_db(run.end)(Run.State.DISCARDED, outcome=str(reason))
    except BudgetSpent as spent:
        await in_db(run.end)(Run.State.DISCARDED, outcome=str(spent), error_code=spent.code)


def _begin(run: Run) -> tuple[Preference, bool]:
    """Return the seed, moved to the end of the line, and whether it explores. Whatever can stop a run without any cost stops it here."""
    if paused := day_budget.why_paused(timezone.now()):
        raise paused
    if not Device.objects.capable(SEARCH_WEB.name):
        raise Discarded("No browser is connected. Open the browser that you paired, or pair one on the setup page.")
    unread = Thought.objects.unread().filter(opened_at=None).count()
    if unread >= config.UNREAD_THOUGHTS_MAX:
        raise Discarded(f"{unread} thoughts are unread. Penny thinks again when you have looked at some.")
    seed, explores = thinking_seed.pick(run)
    if seed is None:
        raise Discarded(_no_seed())
    if seed.muted:
        raise Discarded(f"“{seed.text}” is muted. Unmute it on the preferences page to think about it again.")
    seed.mark_used(timezone.now())
    Run.objects.filter(pk=run.pk).update(preference=seed, explores=explores)
    return seed, explores


def _no_seed() -> str:
    if Preference.objects.filter(valence=Preference.Valence.LIKE).exists():
        return "There is no preference to think about: those that there are are muted, or rest. The preferences page says more."
    return "There is no preference to think about. Add one on the feed page."


async def _read_about(context: Context, *, explores: bool) -> None:
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
        # Nothing that is allowed was worth it: ask for the best of the others. The run waits for the answer without a slot.
        content = await _call(context, BROWSE_URL.name, url=unknown[0])
        if why := _UNASKED.get(content.get("error", "")):
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
    """Read one of the owner's own sources, and where nothing there is about the seed, the best page that it links to."""
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
        raise Discarded(_SEARCH_FAILURES.get(code, f"The search failed ({code})."))
    best = [handle for handles in zip_longest(*(search.get("best", []) for search in found)) for handle in handles if handle]
    if not best:
        raise Discarded(f"The search for “{context.question}” brought no results.")
    return list({context.handles.urls[handle]: handle for handle in reversed(best)}.values())[::-1]


def _has_read_enough(context: Context, opened: int) -> bool:
    """Whether the pages of one thought are opened, and more than one of them says something about it, or no more may be opened."""
    budget, saying = context.budget, sum(source.reading.found for source in context.handles.sources)
    return opened >= context.numbers["PAGES_PER_THOUGHT"] and (saying >= PAGES_SAYING_MIN or budget.pages >= budget.pages_max)


def _untold(context: Context, seed: Preference, sources: list[ReadSource]) -> list[ReadSource]:
    """Leave out pages that still say what they said when a thought cited them, or when the last thought about the seed was made, and of the
    others what recent thoughts rest on already, whichever page it was read on: another site tells the same, or a page goes on.

    Beside that what is new would be taken for a repetition. Raises Discarded.
    """
    pages = {source.handle: context.handles.pages[source.handle] for source in sources}
    known = Q(thoughts__isnull=False) | (Q(fetched_at__lt=seed.last_thought.created_at) if seed.last_thought else Q())
    told = set(Page.objects.filter(known, url__in=[page.url for page in pages.values()]).values_list("url", "sha256"))
    quoted = told_quotes()
    news = [_news(source, quoted) for source in sources if (pages[source.handle].url, pages[source.handle].sha256) not in told]
    untold = [source for source in news if source.reading.claims]
    if not untold:
        raise Discarded(f"There is nothing new about “{context.question}” on the pages that say something.")
    return untold


def _news(source: ReadSource, quoted: list[Runs]) -> ReadSource:
    claims = [claim for claim in source.reading.claims if not is_told(claim.quote, quoted)]
    return replace(source, reading=source.reading.model_copy(update={"claims": claims}))


def _wanted(sources: list[ReadSource]) -> list[ReadSource]:
    """Leave out pages that are about something disliked: one of them must not cost the owner what the others say. Raises Discarded."""
    vetoes = [is_disliked(source.reading.headline, " ".join(claim.text for claim in source.reading.claims)) for source in sources]
    wanted = [source for source, veto in zip(sources, vetoes, strict=True) if veto is None]
    veto = next((veto for veto in vetoes if veto), None)
    if veto and not wanted:
        raise Discarded(f"You dislike “{veto.preference.text}” (by its {veto.how}).")
    return wanted


async def _liked_enough(sources: list[ReadSource]) -> list[ReadSource]:
    """Leave out pages that are like what the owner disliked, and those worth far less than the best: it is not to stand beside them.

    Where the run explores this is not asked: what was disliked once gets its chance there. Raises Discarded.
    """
    texts = [words_of(source.reading.headline, " ".join(claim.text for claim in source.reading.claims)) for source in sources]
    embedded = await asyncio.to_thread(store.embedded, texts, [source.domain for source in sources])
    if embedded is None:
        return sources
    finds = [(source.domain, embedded.vectors[text]) for source, text in zip(sources, texts, strict=True)]
    worths = await in_db(ranking.worths)(embedded.model, finds) or [Worth(0.0)] * len(sources)
    if all(worth.like for worth in worths):
        raise Discarded(f"Like “{worths[0].like}”, which you did not like.")
    best = max(worth.points for worth in worths if not worth.like)
    return [source for source, worth in zip(sources, worths, strict=True) if not worth.like and worth.points >= best - BESIDE_POINTS]


def _nothing_read(context: Context) -> str:
    if context.budget.spent:
        return f"Nothing about “{context.question}” was found in time. {context.budget.spent}"
    count = len(context.handles.pages)
    if not count:
        return f"No page about “{context.question}” could be read: none of the sites that were found is allowed, or none answered."
    return f"Read {count} page{'s' if count > 1 else ''} about “{context.question}”; nothing there was about it."


_UNASKED = {
    "asked_already": "another question of thinking waits for you. "
    "Answer that one, in any browser of yours or under Schedules, and Penny asks again.",
    "no_attention": "you muted me, or today you were asked as much as your settings let me.",
}
_SEARCH_FAILURES = {
    "blocked": "You blocked the search engine. Choose another in the settings, or allow it under Grants.",
    "not_granted": "The search engine is not allowed yet.",
    **{code: f"The search engine is not allowed yet, and {why}" for code, why in _UNASKED.items()},
    "no_browser": "The browser disconnected before the search.",
    "muted_site": "You muted the search engine's site. Choose another engine in the settings, or unmute it on the preferences page.",
    "rate_limited": "The search engine was asked too often within one minute. Penny tries again at the next time.",
    "rate_limited_overall": "Too many pages were opened within one minute. Penny tries again at the next time.",
    "limits_away": "The counter of calls does not answer, so nothing was opened. The setup page says more.",
}


async def _call(context: Context, tool: str, **arguments: str) -> Content:
    request = ToolRequest("code", tool, json.dumps(arguments))
    return await behind_chats(context, lambda: call_tool(context, request))


async def _worths(context: Context, handles: list[str]) -> dict[str, float]:
    """Return what results would be worth to the owner, by what the engine says of them and where they are; nothing where nobody knows."""
    said, domains = ({handle: known[handle] for handle in handles} for known in (context.handles.said, context.handles.domains))
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
    decisions = {handle: grants.decide(context.handles.urls[handle], "read", context.run.pk) for handle in open_to_thinking}
    seen = set(Page.objects.filter(url__in=[context.handles.urls[handle] for handle in handles]).values_list("url", flat=True))
    granted = [handle for handle in open_to_thinking if decisions[handle].is_allowed]
    granted.sort(key=lambda handle: (context.handles.urls[handle] in seen, -worths.get(handle, 0.0)))
    return granted, [handle for handle in open_to_thinking if decisions[handle].grant is None]


def _keep(context: Context, seed: Preference, drafted: Drafted, explores: bool, meant: Meant | None, suggested: Embedded | None) -> None:
    """Store the thought with its claims, unless it is thin, a repetition, or disliked. Raises Discarded."""
    run, spent = context.run, context.budget.spent
    least = config.THOUGHT_WORDS_MIN // (2 if drafted.is_extractive else 1)
    if len(drafted.text.split()) < least:
        raise Discarded(f"The find about “{seed.text}” came to fewer than {least} words.")
    if muted := _muted_meanwhile(drafted, context.handles):
        raise Discarded(f"You muted {muted} meanwhile.")
    if twin := twin_of(drafted.title, drafted.text, meant):
        raise Discarded(f"The same as “{twin.thought.title}” (by its {twin.how}).")
    if veto := is_disliked(drafted.title, drafted.text, meant):
        raise Discarded(f"You dislike “{veto.preference.text}” (by its {veto.how}).")
    with transaction.atomic():
        if not Preference.objects.select_for_update(no_key=True).filter(pk=seed.pk).exists():
            raise Discarded("What it was about was deleted meanwhile.")
        thought = _store(seed, drafted, context.handles, explores)
        _suggest(seed, context.handles, suggested)
        outcome = f"Found “{thought.title}”. {spent or ''}".strip()
        if not run.end(Run.State.DONE, outcome=outcome, error_code=spent.code if spent else "", thought=thought):
            transaction.set_rollback(True)  # another attempt has this run now, and with it the right to store
            return
        Run.objects.filter(pk=run.pk).update(is_extractive=drafted.is_extractive)
        tell_unread()


def _muted_meanwhile(drafted: Drafted, handles: Handles) -> str:
    """Return the domain of a page that the find came from and whose site was muted after it was read."""
    pages = [handles.pages[source.handle] for source, _ in drafted.claims]
    return next((page.domain for page in pages if muted_sites.is_muted(page.url)), "")


def _store(seed: Preference, drafted: Drafted, handles: Handles, explores: bool) -> Thought:
    used = {source.handle for source, _ in drafted.claims}
    thought = Thought.objects.create(
        title=drafted.title,
        text=drafted.text,
        html=render_safe(drafted.text, []),
        sentences=[_sentence(each) for each in drafted.sentences],
        preference=seed,
        seed_text=seed.text,
        origin=drafted.origin,
        is_extractive=drafted.is_extractive,
        explores=explores,
    )
    thought.pages.set([handles.pages[handle] for handle in used])
    Preference.objects.filter(pk=seed.pk).update(last_thought=thought)
    Claim.objects.bulk_create([_claim(thought, source, number, handles) for source, number in drafted.claims])
    return thought


def _suggested(handles: Handles) -> Embedded | None:
    found = [source for source in handles.sources if source.reading.candidates]
    origin = union(*(handles.pages[source.handle].origin for source in found))
    return store.embedded([text for source in found for text in source.reading.candidates], origin)


def _suggest(seed: Preference, handles: Handles, suggested: Embedded | None) -> None:
    """Offer the owner what else there is to like on the pages that were read."""
    for source in handles.sources:
        candidates.suggest(source.reading.candidates, Preference.Source.PAGE, handles.pages[source.handle], seed, suggested)


def _sentence(drafted: Sentence) -> dict[str, Any]:
    return {"html": render_inline(drafted.text), "paragraph": drafted.paragraph, "claims": [place + 1 for place in drafted.claims]}


def _claim(thought: Thought, source: ReadSource, number: int, handles: Handles) -> Claim:
    page, claim = handles.pages[source.handle], source.reading.claims[number]
    assert page.text[claim.start : claim.end] == claim.quote
    return Claim(thought=thought, page=page, text=claim.text, quote=claim.quote, start=claim.start, end=claim.end)


def _nothing_waits() -> None:
    """A thinking run holds nobody up while it starts."""


async def _quiet(_: str) -> None:
    """A background run shows its state in the admin, not in the conversation."""
