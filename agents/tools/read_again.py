"""Read stored pages again for a new question. Nothing is opened."""

from typing import Any

from agents.gateway.arguments import ReadAgain
from agents.gateway.catalog import Tool
from agents.models import Run, Step
from agents.runs.context import Content, Context, ToolRefused
from agents.tools.browse_url import have_read, skill_for
from devices.db import in_db
from devices.models import Message
from thoughts.models import Page

PAGES_AGAIN = 4


async def read_again(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Have the page of an earlier answer, or the pages of a thought, read for the question.

    Their links get handles, as those of a browsed page.
    """
    assert isinstance(arguments, ReadAgain)
    if arguments.handle.startswith("t"):
        pages = await in_db(_pages_of)(context, arguments.handle)
        return {"pages": [await _read_stored(context, page, with_links=True) for page in pages]}
    page = await in_db(_page_behind)(context, arguments.handle)
    if page is None:
        raise ToolRefused("no_page")
    context.handles.ask_for(page.domain)  # the owner included it
    return await _read_stored(context, page)


def _page_behind(context: Context, handle: str) -> Page | None:
    """Return the page that was shared for an earlier answer. Answers that came with the question have none."""
    assert context.run.message is not None
    if context.is_temporary or handle in context.handles.earlier:
        return None
    answers = Message.objects.filter(
        owner=context.run.message.owner_id, seq=int(handle[1:]), direction=Message.Direction.OUT
    )
    run = Run.objects.filter(message__in=answers.values("parent")).select_related("page").first()
    return run.page if run else None


def _pages_of(context: Context, handle: str) -> list[Page]:
    """Return the stored pages of a thought. Raises ToolRefused if there are none."""
    key = context.handles.thoughts.get(handle)
    if key is None:
        raise ToolRefused("unknown_handle")
    pages = list(Page.objects.filter(thoughts=key).order_by("pk")[:PAGES_AGAIN])
    if not pages:
        raise ToolRefused("no_page")
    return pages


async def _read_stored(context: Context, page: Page, *, with_links: bool = False) -> Content:
    await context.say(f"Reading {page.domain} again")
    handle = context.handles.add_page(page, page.url, page.domain)
    return await have_read(
        context, handle, page, page.domain, await skill_for(context, page.url), with_links=with_links
    )
