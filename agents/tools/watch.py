"""Start or change a watch."""

from typing import Any

from django.db.models import Q

from agents.answers.conversation.history import recent_entries
from agents.answers.conversation.replied_to import replied_messages
from agents.gateway.arguments import WatchPage
from agents.gateway.catalog import Tool
from agents.gateway.open_page import refuse_act, resolve
from agents.models import Step
from agents.runs.context import Content, Context, ToolRefused
from agents.watches import wish
from devices.db import in_db
from devices.models import Message
from devices.web.hosts import grant_host
from thoughts.models import Preference

FOLLOWS = 6  # how many messages back a message about a thought is looked for


async def watch_page(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Watch a page from now on. Each visit needs a grant of its own."""
    assert isinstance(arguments, WatchPage)
    url, is_known = resolve(context, arguments.page)
    if not is_known:
        raise ToolRefused("unknown_address", grant_host(url))
    refuse_act(context, arguments.page, url)
    try:
        seed = await in_db(seed_preference)(context.run.message)
        watch, is_new = await in_db(wish.store_watch)(url, arguments, seed)
    except wish.WishRefused as refused:
        raise ToolRefused(refused.code) from None
    content: Content = {"domain": watch.domain, "is_new": is_new, "every_minutes": watch.every_minutes}
    if watch.below is not None:
        content |= {"below": float(watch.below)} | ({"currency": watch.currency} if watch.currency else {})
    return content


def seed_preference(message: Message | None) -> Preference | None:
    """Return the preference of the thought that the message is about, or None.

    The thought of the message itself, of the one that it replies to, or of a recent one.
    """
    if message is None:
        return None
    parent = replied_messages([message]).get(message.pk)
    before = [] if message.is_temporary else [entry.thought_id for entry in recent_entries([message])[0][-FOLLOWS:]]
    thought_ids = [message.thought_id, parent.thought_id if parent else None, *reversed(before)]
    about = next((key for key in thought_ids if key), None)
    return Preference.objects.filter(Q(thoughts=about) | Q(watches__thoughts=about)).first() if about else None
