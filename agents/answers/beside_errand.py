"""What came with a message that the owner wants acted on: files, or a page.

The writer gets it. The planner learns only that it is there, the operator nothing: it cannot be entered or uploaded.
"""

from dataclasses import replace

from agents.answers.attachments import hand_files
from agents.answers.begin import Turn
from agents.answers.citations import passages
from agents.answers.end_notes import EndNotes
from agents.models import Run
from agents.zones.inputs import Private, Untrusted
from devices.db import in_db
from thoughts.models import Page

COME_ALONG = "[With this message comes {what}. You do not see it, and it cannot be entered or uploaded on a page.]"
NOT_USED = "I cannot upload a file, or enter what stands in one, on a page. What came with your message stayed with me."


async def hand_over_beside(turn: Turn) -> Turn:
    """Hand what came with the message to the writer; return the turn whose question says that it is there."""
    context, message = turn.context, turn.context.run.message
    assert message is not None
    page = await in_db(_shared_page)(context.run) if message.page else None
    if page is None and not message.attachments:
        return turn
    handle = ""
    if page is not None:
        handle = context.handles.add_page(page, page.url, page.domain)
        context.handles.passages[handle] = passages(page.text)
        context.handles.hand(Untrusted(f"Page [{handle}]:\n{page.title}\n\n{page.text}", frozenset(page.origin)))
    if failures := await hand_files(context):
        context.of(EndNotes).append(("file", "\n\n".join(failures)))
    counts = [f"{len(message.attachments)} file(s)"] if message.attachments else []
    what = " and ".join([*counts, *([f"the page {handle}, which they look at"] if page else [])])
    return replace(turn, question=Private(f"{turn.question.text}\n{COME_ALONG.format(what=what)}"))


def _shared_page(run: Run) -> Page | None:
    return run.page
