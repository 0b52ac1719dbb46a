"""Search what the owner kept. The planner gets handles, sites, days and closeness; the passages go to the writer."""

import asyncio
import re
from collections import Counter
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from agents.embeddings import embed
from agents.embeddings.embed import NotEmbedded
from agents.gateway.arguments import SearchKept
from agents.gateway.catalog import Tool
from agents.models import Step
from agents.runs.context import Content, Context, ToolRefused
from agents.vault import search
from agents.vault.search import Found, Passage, Scope
from agents.zones.inputs import Private
from agents.zones.reader_answers import Claim
from devices.db import in_db
from devices.web.hosts import HostInvalid, grant_host
from thoughts.models import Kept
from thoughts.text.addresses import drop_addresses
from thoughts.text.chunks import CHUNK_MAX, chunk_words
from thoughts.text.cleaning import clean_text
from thoughts.text.private.addresses import cut_secrets_in

_HEADING = re.compile(r"^(#{1,6} .*\w)$", re.M)


async def search_kept(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Hand the best passages to the writer. Returns typed values only."""
    assert isinstance(arguments, SearchKept)
    await context.say("Searching what you kept")
    result = await _search_vault(arguments.query, _scope_of(arguments, ZoneInfo(context.numbers["TIMEZONE"])))
    passages = await in_db(_hand_passages)(context, result.passages)
    return {
        "count": len(passages),
        "passages": passages,
        "waiting": result.waiting,
        "words_only": result.words_only,
    }


async def _search_vault(query: str, scope: Scope) -> Found:
    """Search by words and meaning. The query is embedded beside the database's thread: an endpoint may be slow."""
    try:
        [vector] = await asyncio.to_thread(embed.embed, [Private(query)])
    except NotEmbedded:
        return await in_db(search.search_by_words)(query, scope)
    return await in_db(search.search_kept)(query, scope, vector=vector)


def _scope_of(arguments: SearchKept, zone: ZoneInfo) -> Scope:
    """Raises ToolRefused."""
    try:
        site = grant_host(f"https://{arguments.site.rpartition('://')[2]}") if arguments.site else ""
        until = arguments.until + timedelta(days=1) if arguments.until else None
    except (HostInvalid, OverflowError):
        raise ToolRefused("bad_arguments") from None
    return Scope(site, _start_of(arguments.since, zone), _start_of(until, zone))


def _start_of(day: date | None, zone: ZoneInfo) -> datetime | None:
    return datetime.combine(day, time(), zone) if day else None


def _hand_passages(context: Context, passages: list[Passage]) -> list[Content]:
    """Give the writer the passages, as many as it may get for one answer; return what the planner learns of them."""
    handles, rows = context.handles, list[Content]()
    counts = Counter(passage.entry for passage in passages)
    entries = Kept.objects.kept().select_related("page").in_bulk(list(counts))
    for passage in passages:
        entry = entries.get(passage.entry)
        claim = _claim_of(entry, passage, is_alone=counts[passage.entry] == 1) if entry else None
        if entry is None or claim is None or handles.kept_passages >= context.numbers["PASSAGES_MAX"]:
            continue
        [handle] = handles.add_kept(entry.page, entry.kept_at.date(), [claim])
        fields = {"domain": entry.page.domain, "kept": entry.kept_at.date().isoformat()}
        rows.append({"handle": handle, **fields, "closeness": round(passage.closeness, 2)})
    return rows


def _claim_of(entry: Kept, passage: Passage, *, is_alone: bool) -> Claim | None:
    """Return a passage as the writer sees it: without marks of the form, addresses of the web and secrets.

    A passage of no length stands for a whole entry: its contacts but profiles, which are addresses, and the beginning
    of its text where the passage `is_alone`. Beside others of the entry the beginning would repeat their words.
    """
    text, words = entry.page.text, ""
    start, end = passage.start, passage.end
    if not end:
        start, end = 0, min(CHUNK_MAX, len(text))
        contacts = [(name, values) for name, values in entry.contacts.items() if values and name != "profiles"]
        words = "".join(f"{name}: {', '.join(values)}. " for name, values in contacts)
    if passage.end or is_alone:
        words += _passage_words(text[start:end], is_text_file=entry.page.is_text_file)
    line = drop_addresses(cut_secrets_in(" ".join(clean_text(words).split())))[:CHUNK_MAX]
    return Claim.model_construct(text=line, quote=text[start:end], start=start, end=end) if line else None


def _passage_words(form: str, *, is_text_file: bool) -> str:
    """Return the words of a part of a page, with a full stop after each heading."""
    return chunk_words(form if is_text_file else _HEADING.sub(r"\1.", form), is_text_file=is_text_file)
