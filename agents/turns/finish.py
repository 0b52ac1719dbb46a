"""End a turn: store its reply as a message, and announce the end to the devices."""

from collections import Counter
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db import transaction

from agents.acting.report import report_of
from agents.answers.cited_pages import linked_pages, store_citations, unescape_link
from agents.answers.conversation import temporary_chat
from agents.answers.conversation.unseen import unseen_before
from agents.answers.reply import Reply
from agents.models import Memory, Run
from agents.outbox import send
from agents.pages.store import page_header
from agents.runs import failure_texts
from agents.runs.context import Context
from agents.runs.receipt import receipt_of
from agents.zones.slots import fill_in
from devices import events, protocol
from devices.channels import routing
from devices.channels.registry import channel_of
from devices.conversation import messages as conversation_messages
from devices.conversation.messages import Content
from devices.grants import late_asks
from devices.grants.engines import known_name
from devices.models import Device, Message
from thoughts.models import Page, Thought
from thoughts.rendering import escape_markdown
from thoughts.text.labels import HOUSE


def finish_turn(run: Run, reply: Reply, context: Context | None = None) -> bool:
    """Store the reply and end the run, with its usage and the last step of its `context`.

    Returns False, and stores nothing, if another attempt has claimed the run.
    """
    missed = context is not None and Run.NO_ANSWER in context.refusals
    late = _late_asks(run) if missed else []
    if late:
        reply = _with_late_asks(run, reply, late)
    words = _with_values(reply)
    with transaction.atomic():
        outcome, code = str(reply.stop_reason or ""), Run.NO_ANSWER if missed else ""
        code = reply.stop_reason.code if reply.stop_reason else code
        usage = context.budget.used() if context else {}
        if not run.end(Run.State.DONE, outcome=outcome, error_code=code, is_extractive=reply.is_extractive, **usage):
            return False
        if context and context.last:
            context.last.save()
        fields = _show_picture(run) or _header_of(run, reply)
        unseen = unseen_before(run, context)
        announce_end(run, store_reply(run, words, Message.Kind.CHAT, reply, fields, late=late, unseen=unseen))
    return True


def _late_asks(run: Run) -> list[protocol.LateAsk]:
    """Return the questions of an owner's turn that may be answered late; a program's words are not asked again."""
    asking = run.message.device if run.message else None
    return [] if asking and asking.kind == Device.Kind.API else late_asks.of_run(run.pk)


def _with_late_asks(run: Run, reply: Reply, late: list[protocol.LateAsk]) -> Reply:
    """Say what was not opened, where a model did not, and how to answer where there is no button."""
    reply = reply.without_model_note()  # the buttons stand below what was not opened
    names = [known_name(host) for ask in late for host in ask.hosts if host not in reply.text]
    unsaid = [name for name in names if name not in reply.text]
    more = [failure_texts.tool_failure(Run.NO_ANSWER, ", ".join(unsaid))] if unsaid else []
    more += [failure_texts.LATE_ON_LINE] if _came_over_line(run) else []
    return replace(reply, text="\n\n".join([reply.text.rstrip(), *more]))


def _came_over_line(run: Run) -> bool:
    asking = run.message.device if run.message else None
    return asking is not None and channel_of(asking).is_queued and routing.holds_conversation(asking)


def _with_values(reply: Reply) -> Content:
    """Render a reply. Its HTML, for the owner's devices, has the values of slots, unless words of pages are in it.

    The text, which goes to channels and into later requests, keeps the names.
    """
    words = conversation_messages.render_content(reply.text, reply.links)
    if "{{" not in reply.text or set(reply.origin) - HOUSE:
        return words
    values = {name: escape_markdown(value) for name, value in Memory.objects.slots().items()}
    return words._replace(html=conversation_messages.render_content(fill_in(reply.text, values), reply.links).html)


def fail_turn(run: Run, code: str, text: str, partial: Reply | None = None) -> bool:
    """End the run with a message that says why. Text that was already written is kept, labelled.

    Returns False, and stores nothing, if another attempt has claimed the run.
    """
    cancelled = code == "cancelled"
    if report := report_of(run, also_done=True):
        partial = (partial or Reply("", [], [])).with_report(report)
    whole = (partial or Reply("", [], [])).with_failure(code, text)
    words = conversation_messages.render_content(whole.text, whole.links)
    with transaction.atomic():
        if not run.end(Run.State.CANCELLED if cancelled else Run.State.FAILED, outcome=text, error_code=code):
            return False
        kind = Message.Kind.CANCELLED if cancelled else Message.Kind.FAILURE
        announce_end(run, store_reply(run, words, kind, partial))
    return True


def _show_picture(run: Run) -> dict[str, str] | None:
    """Return the header of a shared page with its picture, and add the picture to the question."""
    if run.message is None or run.page is None or run.page.picture is None:
        return None
    Message.all_rows.filter(pk=run.message.pk).update(page=page_header(run.page))
    return page_header(run.page)


def _header_of(run: Run, reply: Reply) -> dict[str, str] | None:
    """Return the header of the main page: the shared one, the most cited, or the first linked."""
    if run.page is not None:
        return page_header(run.page)
    most_cited = Counter(claim.page for claim in reply.claims).most_common(1)
    pages = Page.objects.select_related("picture").defer("text", "links", "metadata")
    main_page = pages.filter(pk=most_cited[0][0]).first() if most_cited else None
    if main_page is None and reply.links:
        candidates = linked_pages(run, reply.links).select_related("picture").defer("text", "links", "metadata")
        main_page = min(candidates, key=lambda page: _index_of_link(page.url, reply.links), default=None)
    return page_header(main_page) if main_page else None


def _index_of_link(url: str, links: list[str]) -> int:
    return next((place for place, link in enumerate(links) if unescape_link(link) == url), len(links))


def store_reply(
    run: Run,
    words: Content,
    kind: str,
    reply: Reply | None,
    page: dict[str, str] | None = None,
    thought: Thought | None = None,
    late: list[protocol.LateAsk] | None = None,
    unseen: datetime | None = None,
) -> Message:
    assert run.message is not None
    outbox = send.on_commit_outbox()
    store = conversation_messages.store_temporary if run.message.is_temporary else conversation_messages.store_message
    message = store(
        run.message.owner,
        words,
        device=None,
        device_label="Penny",
        direction=Message.Direction.OUT,
        kind=kind,
        turn_id=run.turn_id,
        thread_id=run.message.thread_id,
        parent=run.message,
        page=page,
        thought=thought,
        origin=reply.origin if reply else ["penny"],
        is_extractive=bool(reply and reply.is_extractive),
        receipt=receipt_of(run, unseen),
        late_asks=[ask.model_dump(mode="json") for ask in late] if late else None,
    )
    if reply:
        store_citations(run, message, reply)
    if kind == Message.Kind.CANCELLED:  # the device that cancelled it needs no answer
        routing.queue_unmark(message, run.message)
    elif delivery := routing.answer_to(message, run.message):
        send.queue_answer(delivery, outbox)
    return message


def end_of(run: Run, message: Message) -> protocol.TurnDone | protocol.TurnFailed:
    turn_id, frame = _turn_id(run), message.frame()
    if message.is_temporary:
        frame = frame.model_copy(update={"sealed": temporary_chat.seal_exchange(message)})
    if run.state == Run.State.DONE:
        return protocol.TurnDone(turn_id=turn_id, message=frame)
    error = protocol.TurnError(code=run.error_code, message=run.outcome)
    return protocol.TurnFailed(turn_id=turn_id, message=frame, error=error)


def announce_end(run: Run, message: Message) -> None:
    frame, group = end_of(run, message), group_of(run)
    event = {"type": "turn.end", "seq": frame.message.seq, "turn_id": str(run.turn_id), "frame": protocol.encode(frame)}
    event |= {"is_private": group != events.OWNER_GROUP}
    transaction.on_commit(lambda: events.send(event, group))


def group_of(run: Run) -> str:
    """Return the channel group of a turn: all devices, or for a temporary turn its own."""
    if run.message is None or not run.message.is_temporary:
        return events.OWNER_GROUP
    return events.device_group(run.message.device_id) if run.message.device_id else events.NOBODY


def _turn_id(run: Run) -> UUID:
    assert run.turn_id is not None
    return run.turn_id
