"""Answer where no model is set: read addresses or search, and extract sentences."""

import itertools
from collections.abc import Awaitable, Callable
from dataclasses import replace

from django.utils.text import get_text_list

from agents.answers import dig_deeper
from agents.answers.no_model.own_search import search_own
from agents.answers.no_model.plain_wishes import is_for_the_web, is_told, query_of, query_of_kept, text_liked
from agents.answers.reply import Reply
from agents.answers.writer import extractive_reply
from agents.gateway.arguments import (
    BrowseUrl,
    BrowseUrls,
    Feeling,
    ReadAgain,
    Remember,
    SearchKept,
    SearchWeb,
    WatchPage,
)
from agents.gateway.call import call_tool
from agents.gateway.catalog import (
    BROWSE_URL,
    BROWSE_URLS,
    PREFER,
    READ_AGAIN,
    REMEMBER,
    SEARCH_KEPT,
    SEARCH_WEB,
    WATCH,
    Tool,
)
from agents.gateway.site_plans import approve_sites
from agents.llm.messages import ToolRequest
from agents.memory import remember
from agents.models import Run
from agents.runs import failure_texts
from agents.runs.context import Content, Context
from agents.runs.day_budget import DaySpent
from agents.watches.wish import confirmation_text, parse_watch_request
from devices.db import in_db
from devices.grants.engines import first_engine_name
from devices.web.hosts import HostInvalid, grant_host
from devices.web.links import link_to
from devices.web.named_addresses import named_addresses
from thoughts.models import Page
from thoughts.rendering import escape_markdown
from thoughts.text.addresses import addresses
from thoughts.text.labels import HOUSE

PAGES_PER_TURN = 3


TASK_WITHOUT_MODEL = (
    "Without a model I can only read the addresses that a task names, or search where it begins with “search for”."
)


NOTHING = (
    "Ask me something and I search the web for it, or send me an address to read. “I like …” makes me look for it "
    "again and again, “Watch ADDRESS below 150 €” watches a price, and `/help` lists what else I can do."
)


async def answer_by_extraction(context: Context, tools: list[Tool]) -> Reply:
    context.on_start()
    for case in CASES:
        if reply := await case(context, tools):
            return reply.with_mends(context.refusals).labelled_extractive()
    reply = await _from_own_or_web(context, tools)
    return reply.with_mends(context.refusals).labelled_extractive()


async def _watch_in_words(context: Context, tools: list[Tool]) -> Reply | None:
    wish = parse_watch_request(context.question)
    return await _watch(context, wish) if wish else None


async def _remember_in_words(context: Context, tools: list[Tool]) -> Reply | None:
    text = remember.text_to_remember(context.question) if context.caller == "planner" else None
    return await _remember(context, text) if text else None


async def _like_in_words(context: Context, tools: list[Tool]) -> Reply | None:
    text = text_liked(context.question) if context.caller == "planner" else ""
    if not text:
        return None
    content = await _call(context, PREFER.name, Feeling(text=text, feeling="like").model_dump_json())
    if "error" in content:
        return Reply.of_failure(str(content["error"]), "that")
    where = link_to("preferences")
    return Reply(failure_texts.LIKED.format(what=escape_markdown(text), where=where), [where], sorted(HOUSE))


async def _from_kept(context: Context, tools: list[Tool]) -> Reply | None:
    """Answer "what did I read about …" with the passages themselves."""
    query = query_of_kept(context.question) if context.caller in SEARCH_KEPT.callers else ""
    if not query:
        return None
    content: Content = {"count": 0}
    if SEARCH_KEPT in tools:
        content = await _call(context, SEARCH_KEPT.name, SearchKept(query=query).model_dump_json(exclude_defaults=True))
    if "error" in content:
        return Reply.of_failure(str(content["error"]), "that")
    if not content["count"]:
        where = link_to("kept_pages")
        text = failure_texts.NOTHING_KEPT.format(what=escape_markdown(query), where=where)
        return Reply(text, [where], sorted(HOUSE), is_extractive=True)
    notes = [failure_texts.WORDS_ONLY] if content["words_only"] else []
    return extractive_reply(context.question, context.handles, notes)


async def _from_pages(context: Context, tools: list[Tool]) -> Reply | None:
    """Answer from the pages of a thought, addresses in the question, or a search result.

    None where nothing was read and nothing failed.
    """
    urls = _addresses_to_read(context.question)[:PAGES_PER_TURN]
    failures = [*await _about_thought(context), *[await open_address(context, url) for url in urls]]
    query = query_of(context.question)
    if not urls and query and SEARCH_WEB in tools:
        failures += await _search(context, query)
    if isinstance(context.budget.spent, DaySpent) and not context.handles.sources:
        raise context.budget.spent
    sentences = [failure for failure in failures if failure]
    if not context.handles.sources and not sentences:
        return None
    return extractive_reply(context.question, context.handles, sentences, is_search=bool(query and not urls))


def _addresses_to_read(question: str) -> list[str]:
    """Return the addresses of a message. A search, and what the owner tells, may name sites that are not to be read."""
    return addresses(question) if query_of(question) or is_told(question) else [*named_addresses(question).values()]


async def _from_handed(context: Context, tools: list[Tool]) -> Reply | None:
    if not context.handles.for_writer:
        return None
    text = "\n\n".join(escape_markdown(item.text) for item in context.handles.for_writer)
    return Reply(text, [], sorted(context.handles.origin | HOUSE))


# In this order; the first reply counts.
CASES: tuple[Callable[[Context, list[Tool]], Awaitable[Reply | None]], ...] = (
    _watch_in_words,
    _remember_in_words,
    _like_in_words,
    _from_kept,
    _from_pages,
    _from_handed,
)


async def _from_own_or_web(context: Context, tools: list[Tool]) -> Reply:
    """Search the web for an unknown question at once. What Penny knows of it herself stands below."""
    if context.run.message is None:
        return Reply(TASK_WITHOUT_MODEL, [], sorted(HOUSE))
    own = await in_db(search_own)(context.run.message)
    if not is_for_the_web(context.question):
        return own or Reply(NOTHING, [], sorted(HOUSE))
    if SEARCH_WEB not in tools:
        no_browser = Reply.of_failure("no_browser", await in_db(first_engine_name)())
        return _with_more(own, no_browser) if own else no_browser
    failures = await _search(context, context.question.strip().rstrip("?!. "))
    web = extractive_reply(context.question, context.handles, failures, is_search=True)
    return _with_more(web, own) if own else web


def _with_more(first: Reply, second: Reply) -> Reply:
    return replace(
        first,
        text=f"{first.text}\n\n{second.text}",
        links=[*first.links, *second.links],
        origin=sorted({*first.origin, *second.origin}),
    )


async def _about_thought(context: Context) -> list[str]:
    """Read the pages of the message's thought again, and to dig deeper also their links.

    Returns the failures as sentences.
    """
    about = context.run.message.thought_id if context.run.message else None
    handle = next((handle for handle, key in context.handles.thoughts.items() if key == about), None)
    if handle is None:
        return []
    content = await _call(context, READ_AGAIN.name, ReadAgain(handle=handle).model_dump_json())
    if not dig_deeper.is_dig_question(context.question):
        return []
    best = itertools.zip_longest(*(page.get("best_links", []) for page in content.get("pages", [])))
    links = [link for page_links in best for link in page_links if link]
    return [await open_address(context, link) for link in links[:PAGES_PER_TURN]] or [failure_texts.NO_FURTHER]


async def _remember(context: Context, what: str) -> Reply:
    content = await _call(context, REMEMBER.name, Remember.model_construct(text=what).model_dump_json())
    where = link_to("memories")
    if "error" in content:
        why = failure_texts.NOT_KEPT if content["error"] == "temporary_chat" else failure_texts.NOT_REMEMBERED
        return Reply(why.format(where=where), [where], sorted(HOUSE))
    return Reply(failure_texts.REMEMBERED.format(where=where), [where], sorted(HOUSE))


def _page_of(run: Run) -> Page | None:
    return run.page


async def watch_here(context: Context) -> Reply | None:
    """Watch the included page, if that is what the owner asks for. The page itself is not read."""
    page = await in_db(_page_of)(context.run)
    wish = parse_watch_request(context.question, here=_place(context, page)) if page else None
    if wish is None:
        return None
    context.on_start()
    return await _watch(context, wish)


def _place(context: Context, page: Page) -> str:
    """Return a handle of the included page, or of where an included link leads."""
    if page.extracted_with == "link" and page.links:
        url = page.links[0]["url"]
        return context.handles.add_place(url, grant_host(url))
    return context.handles.add_place(page.url, page.domain)


async def _watch(context: Context, wish: WatchPage) -> Reply:
    content = await _call(context, WATCH.name, wish.model_dump_json())
    if "error" in content:
        return Reply.of_failure(str(content["error"]), "that page")
    return Reply(confirmation_text(str(content["domain"]), wish), [], sorted(HOUSE))


async def open_address(context: Context, target: str) -> str:
    """Read one page. Returns nothing on success, else the reason as a sentence."""
    content = await _call(context, BROWSE_URL.name, BrowseUrl(url=target).model_dump_json())
    if "error" not in content:
        return ""
    url = context.handles.urls.get(target, target)
    try:
        return failure_texts.tool_failure(str(content["error"]), grant_host(url))
    except HostInvalid:
        return failure_texts.tool_failure(str(content["error"]), "that address")


async def _search(context: Context, query: str) -> list[str]:
    content = await _call(context, SEARCH_WEB.name, SearchWeb(query=query).model_dump_json())
    if "error" in content:
        if content["error"] in failure_texts.WALLS:
            return [failure_texts.NO_SEARCH]  # the reply names the engine
        return [failure_texts.tool_failure(str(content["error"]), await in_db(first_engine_name)())]
    if not content["count"]:
        return [f"The search for “{query}” brought no results."]
    return await _open_results(context, content["best"][:PAGES_PER_TURN])


async def _open_results(context: Context, handles: list[str]) -> list[str]:
    """Read the best results, after one question about their sites.

    Returns the failures as sentences where none answers.
    """
    request = ToolRequest("code", BROWSE_URLS.name, BrowseUrls(urls=handles).model_dump_json())
    await approve_sites(context, (request,))
    content = await call_tool(context, request)
    if "error" in content:
        return [failure_texts.tool_failure(str(content["error"]), "the results")]
    if any(page.get("found") for page in content["pages"]):
        return []
    sites: dict[str, list[str]] = {}
    for handle, page in zip(handles, content["pages"], strict=True):
        if "error" in page:
            sites.setdefault(str(page["error"]), []).append(context.handles.domains[handle])
    return [
        failure_texts.tool_failure(code, get_text_list([*dict.fromkeys(names)], "and")) for code, names in sites.items()
    ]


async def _call(context: Context, tool: str, arguments: str) -> Content:
    return await call_tool(context, ToolRequest("code", tool, arguments))
