"""Do something on one site, and have the page at the end read for the owner's question."""

from typing import Any

from agents.acting.delegate import do_errand, errand_outcome
from agents.acting.end_texts import end_text
from agents.acting.report import words_for_writer
from agents.answers.beside_errand import NOT_USED
from agents.answers.end_notes import EndNotes
from agents.gateway.arguments import Act
from agents.gateway.catalog import Tool
from agents.models import Step
from agents.pages.store import store_page
from agents.runs.context import Content, Context, ToolRefused
from agents.tools.browse_url import have_read
from agents.zones.inputs import Untrusted
from devices.db import in_db


async def act(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    assert isinstance(arguments, Act)
    try:
        errand, page = await do_errand(context, arguments)
    except ToolRefused as refused:
        context.of(EndNotes).append((refused.code, end_text(refused.code, refused.host)))
        raise
    end = end_text(errand.code, errand.site)
    if errand.code:
        context.of(EndNotes).append((errand.code, end))
    if context.run.message is not None and (context.run.message.attachments or context.run.message.page):
        context.of(EndNotes).append(("not_used", NOT_USED))
    step.device, content = errand.device, errand_outcome(errand)
    words = await in_db(words_for_writer)(errand, end)
    context.handles.for_writer.append(Untrusted(words, frozenset({errand.site})))
    if page is None or not page.text.strip():
        return content
    row, domain = await store_page(page, errand.device.label if errand.device else "")
    handle = context.handles.add_page(row, page.url, domain, [])
    try:
        return content | await have_read(context, handle, row, domain, None)
    except ToolRefused:
        return content | {"handle": handle}
