"""Answer from a tab that the owner shared, or from what a link on it leads to.

One request gets the page and the question. It has no tools, memories, preferences or history.
"""

import asyncio

from agents.answers.citations import passages
from agents.answers.no_model.without_model import open_address
from agents.answers.reply import Reply
from agents.answers.writer import extractive_reply, with_sources, write_answer
from agents.llm.providers import Endpoint
from agents.llm.tokens import request_tokens
from agents.llm.windows import WindowSmaller, room_in
from agents.models import Run
from agents.pages.pictures import take_run_picture
from agents.pages.read import read_item
from agents.pages.sandbox_client import SandboxFailed
from agents.runs import failure_texts
from agents.runs.ask_model import ask_recorded
from agents.runs.context import Context
from agents.runs.fit import fitting_window, note_long
from agents.runs.stream import Stream
from agents.zones.inputs import Private, Untrusted
from agents.zones.sandbox_messages import ReadingRequest
from agents.zones.writer import shared_request
from devices.db import in_db
from thoughts.models import Page
from thoughts.text.moments import transcript_start

PICTURE_S = 5.0


async def answer_from_page(context: Context, endpoint: Endpoint | None, stream: Stream) -> Reply:
    """Return what the shared page says about the question. Raises ModelFailed, BudgetSpent."""
    page = await in_db(_page_of_run)(context.run)
    if page is None:
        return Reply(failure_texts.PAGE_GONE, [], ["penny"])
    if page.extracted_with == "link":
        return await _answer_from_link(page, context, endpoint, stream)
    picture = asyncio.create_task(_with_picture(context.run, page))
    try:
        reply = await _answer_from(page, context, endpoint, stream)
        await picture
        return reply.from_transcript() if _rests_on_transcript(page, reply) else reply
    finally:
        picture.cancel()


async def _answer_from_link(page: Page, context: Context, endpoint: Endpoint | None, stream: Stream) -> Reply:
    """Open the link that the owner pointed at, and answer from what is there.

    A page chose its address, and perhaps its words: no request but the writer's gets them.
    """
    handle = context.handles.add_page(page, page.url, page.domain)
    targets = [link["url"] for link in page.links]
    if page.url not in targets:
        context.handles.ask_for(page.domain)  # the owner is there
    failure = await open_address(context, f"{handle}.l1")
    if endpoint is None or failure:
        context.on_start()
        return extractive_reply(context.question, context.handles, [failure] if failure else [])
    await stream.status("Writing")
    return await write_answer(context, endpoint, "", stream)


async def _with_picture(run: Run, page: Page) -> None:
    """Store the picture of the page while the model answers. After PICTURE_S it is left out."""
    try:
        async with asyncio.timeout(PICTURE_S):
            picture = await take_run_picture(run.pk)
    except TimeoutError:
        return
    if picture:  # an earlier attempt may have had it
        page.picture = picture
        await page.asave(update_fields=["picture"])


def _rests_on_transcript(page: Page, reply: Reply) -> bool:
    """Whether the reply cites what is said in the recording on the page, or most of the page is that."""
    start = transcript_start(page.text)
    if start is None:
        return False
    cites = any(claim.page == page.pk and claim.start >= start for claim in reply.claims)
    return cites or start < len(page.text) / 2


async def _answer_from(page: Page, context: Context, endpoint: Endpoint | None, stream: Stream) -> Reply:
    handle = context.handles.add_page(page, page.url, page.domain)
    await context.say(f"Reading {page.domain}")
    if endpoint is None:
        return await _by_extraction(context, page, handle)
    material = Untrusted(f"{page.title}\n\n{page.text}", frozenset(page.origin))
    begun = [*context.handles.for_writer]  # of an answer that is not whole
    request = shared_request(Private(context.question), handle, material, begun)
    window = await fitting_window(context, endpoint, lambda: request_tokens(request))
    if request_tokens(request) <= room_in(window.tokens):
        context.handles.hand(material)
        context.handles.passages[handle] = passages(page.text)
        withdraw = stream.withdraw_to_here()
        try:
            answer = await ask_recorded(context, endpoint, request, stream.delta, withdraw)
            return with_sources(answer, context.handles)
        except WindowSmaller:
            await withdraw()
            context.handles.for_writer.remove(material)
            del context.handles.passages[handle]
    return await _answer_from_parts(page, handle, material, context, endpoint, stream)


async def _answer_from_parts(
    page: Page, handle: str, material: Untrusted, context: Context, endpoint: Endpoint, stream: Stream
) -> Reply:
    """Answer from a page that the model cannot take at once: the reader reads it in parts.

    Without a reader the writer gets the passages that fit the question.
    """
    item = ReadingRequest(title=page.title, text=page.text, domain=page.domain, question=context.question)
    try:
        context.handles.add_reading(handle, page.domain, await read_item(context, item, use_model=True))
    except SandboxFailed:
        context.handles.hand(material)
        note_long(context, endpoint, page.domain, None, len(page.text))
    await stream.status("Writing")
    return await write_answer(context, endpoint, "", stream)


async def _by_extraction(context: Context, page: Page, handle: str) -> Reply:
    context.on_start()
    request = ReadingRequest(title=page.title, text=page.text, domain=page.domain, question=context.question)
    try:
        reading = await read_item(context, request, use_model=False)
    except SandboxFailed as failed:
        return Reply.of_failure(failed.code, page.domain)
    context.handles.add_reading(handle, page.domain, reading)
    return extractive_reply(context.question, context.handles, [])


def _page_of_run(run: Run) -> Page | None:
    return run.page
