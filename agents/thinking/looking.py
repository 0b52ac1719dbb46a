"""Show a search for a find that the owner started, while it goes on: on the feed, in the sidebar and in the chat.

The rows of runs, questions and finds are the source of truth. Redis holds only how far a running search has come.
"""

from contextlib import suppress
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from pydantic import ValidationError
from redis.exceptions import RedisError

from agents.gateway.catalog import SEARCH_WEB
from agents.gateway.questions import WANTED_FOR
from agents.models import Run
from agents.runs import stop
from agents.runs.context import Context
from agents.thinking.start import start_thinking
from devices import disk, events, protocol, redis
from devices.db import in_db, one_at_a_time
from devices.grants.engines import known_name
from devices.models import Ask, Device
from devices.owner.stop import is_stopped
from thoughts.models import Preference

LOOKS_MAX = 3  # searches that the owner started, at a time
SHOWN_AFTER = timedelta(minutes=2)
KEEP_S = int(WANTED_FOR.total_seconds())


@transaction.atomic
def look_for(preference: Preference | None = None) -> Run | None:
    """Start a search now; None while one about the same is under way, or LOOKS_MAX are. Raises DiskFull.

    Without a preference, the one that waited longest is searched for.
    """
    one_at_a_time("looks")
    thinking = Run.objects.filter(kind=Run.Kind.THINKING, state__in=Run.OPEN)
    mine = thinking.filter(schedule=None)
    is_same = mine.exists() if preference is None else thinking.filter(preference=preference).exists()
    if is_same or mine.count() >= LOOKS_MAX:
        return None
    run = start_thinking(preference)
    transaction.on_commit(tell_look)
    return run


def look_for_like(preference: Preference) -> bool:
    """Start a search for a like that the owner just told, if a browser can. Return whether one was started."""
    is_liked = preference.valence == Preference.Valence.LIKE and not preference.muted
    if not is_liked or is_stopped() or not Device.objects.capable(SEARCH_WEB.name) or not disk.has_room():
        return False
    return look_for(preference) is not None


def looks(now: datetime) -> QuerySet[Run]:
    """Return the searches that are shown, the newest first: those under way, and those that ended just now."""
    recent = Q(state__in=Run.OPEN) | Q(ended_at__gt=now - SHOWN_AFTER)
    started = Run.objects.filter(recent, kind=Run.Kind.THINKING, schedule=None, created_at__gt=now - WANTED_FOR)
    return started.select_related("preference", "thought").order_by("-created_at")


def current_look() -> protocol.Look | None:
    """Return the newest search that the owner started, as it stands now."""
    run = looks(timezone.now()).first()
    return look_of(run) if run else None


def look_of(run: Run) -> protocol.Look:
    about = run.preference.text if run.preference else ""
    if run.state not in Run.OPEN:
        find = run.thought.pk if run.thought and run.thought.hidden_at is None else None
        return protocol.Look(run_id=run.pk, about=about, step="over", outcome=run.outcome, thought_id=find)
    if ask := _question(run):
        site = known_name(ask.host)
        return protocol.Look(run_id=run.pk, about=about, step="waiting", site=site, question=ask.prompt)
    place = _read_place(run) if run.state == Run.State.RUNNING else None
    return place or protocol.Look(run_id=run.pk, about=about)


def _question(run: Run) -> Ask | None:
    return Ask.objects.open().filter(run_id=run.pk).order_by("-created_at").first()


def tell_look() -> None:
    """Send the newest search to all devices and open pages."""
    frame = protocol.LookingChanged(look=current_look())
    for group in (events.OWNER_GROUP, events.FEED_GROUP):
        events.send_frame(frame, group)


async def say_step(context: Context, step: protocol.LookStep, site: str = "", number: int = 0, of: int = 0) -> None:
    """Show how far a search has come, if the owner started it."""
    run = context.run
    if run.schedule_id is not None:
        return
    look = protocol.Look(run_id=run.pk, about=context.question, step=step, site=site, number=number, of=max(number, of))
    with suppress(RedisError, OSError):  # harmless: the next step is shown
        await redis.shared_client().set(_look_key(run), look.model_dump_json(), ex=KEEP_S)
    for group in (events.OWNER_GROUP, events.FEED_GROUP):
        await events.asend_frame(protocol.LookingChanged(look=look), group)


async def say_state(run: Run) -> None:
    """Show that a search waits for the owner, or is over, however it ended."""
    if run.kind == Run.Kind.THINKING and run.schedule_id is None:
        await in_db(tell_look)()


stop.TELL_ENDED.append(tell_look)


def _read_place(run: Run) -> protocol.Look | None:
    try:
        text = redis.sync_client().get(_look_key(run))
        return protocol.Look.model_validate_json(str(text)) if text else None
    except (RedisError, OSError, ValidationError):
        return None


def _look_key(run: Run) -> str:
    return f"look:{run.pk}"
