"""Learn what the owner likes from their messages: each one once, after a silence.

Two model requests without tools hold nothing but the owner's own words: which topics came up, then how the owner feels
about each.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from constance import config
from constance.utils import get_values
from django.db import transaction
from django.db.models import F

from agents.embeddings import store
from agents.llm import messages, windows
from agents.llm.providers import Endpoint
from agents.llm.tokens import cut_to
from agents.model_choice.in_use import models_in_use
from agents.models import Run
from agents.runs import day_budget, queue
from agents.runs.ask_model import ask_recorded
from agents.runs.context import Context
from agents.runs.give_way import run_between_turns
from agents.runs.handles import Handles
from agents.zones.again import ask_again
from agents.zones.inputs import Private
from agents.zones.mending import Form, read_form
from agents.zones.model_json import ReadingInvalid
from agents.zones.planner import feelings_request, topics_request
from agents.zones.planner_answers import Feelings, Topic, Topics
from agents.zones.slots import parse_given
from devices import disk
from devices.db import in_db
from devices.models import Conversation, Message
from devices.owner import clock
from thoughts.models import Preference, only_owner
from thoughts.text.addresses import drop_addresses
from thoughts.text.words import words

MESSAGES = 20
CHARACTERS = 600  # of each message: likes come early, and long messages are mostly pasted
WORDS_MIN = 3
ATTEMPTS = 2
AROUND_TOKENS = 1_000  # of instructions, topics and the form of the answer
TRY_AGAIN_AFTER = timedelta(hours=1)
_FENCED = re.compile(r"```.*?(```|\Z)", re.DOTALL)
_QUOTED = re.compile(r"^\s*>.*$", re.MULTILINE)
# A quotation within a sentence, if longer than a name: words of somebody else.
_CITED = re.compile(r"[“„«\"][^“”„«»\"\n]{40,}[”“»\"]")


@dataclass(frozen=True)
class Batch:
    """The owner's own words between two places (`seq`) in the conversation."""

    after: int
    until: int
    texts: list[str]


@dataclass(frozen=True)
class Taste:
    """A topic that the owner likes or dislikes, in their words. `mentions` counts messages."""

    text: str
    valence: int
    mentions: int


def start_due(now: datetime) -> None:
    """Start a run if there are unread messages and the owner has been silent since.

    Costs one small query if there is nothing to do.
    """
    place = Conversation.objects.filter(learned_seq__lt=F("last_seq")).first()
    if place is None or not config.LEARN_FROM_CHAT or models_in_use().main is None:
        return
    silent_since = now - timedelta(seconds=config.LEARN_AFTER_S)
    if Message.objects.filter(owner=place.owner, direction=Message.Direction.IN, created_at__gt=silent_since).exists():
        return
    batch = _batch(place)
    if not batch.texts:
        _mark_read(place, batch)
    elif (
        not _failed_recently(now) and disk.has_room() and not clock.quiet_until(now) and not day_budget.why_paused(now)
    ):
        start_learning()


@transaction.atomic
def start_learning() -> Run:
    run = Run.objects.create(kind=Run.Kind.LEARNING)
    queue.enqueue_on_commit(run)
    return run


async def learn(run: Run) -> None:
    """Carry out one run. Raises ModelFailed, BudgetSpent; the messages then stay unread."""
    batch, models = await in_db(_next_batch)(), await in_db(models_in_use)()
    if batch is None or models.main is None:
        await in_db(run.end)(Run.State.DISCARDED, outcome="There is nothing new to learn from.")
        return
    context = Context(run, "thinking", Handles([]), "", models, await in_db(get_values)(), _quiet, _nothing_waits)
    tastes = await _tastes(context, models.main, batch)
    same = [(taste, await in_db(_existing_preference)(taste)) for taste in tastes]
    await in_db(_store_tastes)(run, batch, same)


async def _tastes(context: Context, endpoint: Endpoint, batch: Batch) -> list[Taste]:
    texts = _with_even_shares(context, endpoint, batch.texts)
    topics = [
        topic
        for topic in (await _ask_model(context, endpoint, topics_request(texts), Topics)).topics
        if _supports_topic(topic, batch.texts)
    ]
    if not topics:
        return []
    request = feelings_request(texts, [Private(topic.text) for topic in topics])
    felt = {
        feeling.topic: feeling.valence for feeling in (await _ask_model(context, endpoint, request, Feelings)).feelings
    }
    valences = {"like": Preference.Valence.LIKE.value, "dislike": Preference.Valence.DISLIKE.value}
    pairs = [(topic, valences.get(felt.get(number, ""))) for number, topic in enumerate(topics, 1)]
    return [
        Taste(topic.text, valence, len(_message_numbers(topic, batch.texts))) for topic, valence in pairs if valence
    ]


def _with_even_shares(context: Context, endpoint: Endpoint, texts: list[str]) -> list[Private]:
    """Return the texts with an even share each of what the model takes at once."""
    window = windows.window_of(endpoint, int(context.numbers["MODEL_WINDOW"]))
    share = (windows.room_in(window) - AROUND_TOKENS) // max(len(texts), 1)
    return [Private(cut_to(text, share)) for text in texts]


async def _ask_model(context: Context, endpoint: Endpoint, first_request: messages.Request, form: type[Form]) -> Form:
    request = first_request
    for _ in range(ATTEMPTS):
        answer = await run_between_turns(context, partial(ask_recorded, context, endpoint, request))
        try:
            return read_form(form, answer.text)
        except ReadingInvalid as why:
            request = ask_again(first_request, why)
    raise messages.ModelFailed("tastes_invalid", "The model's answer about your messages could not be used, twice.")


def _supports_topic(topic: Topic, texts: list[str]) -> bool:
    """Return whether the named messages hold half of a topic's words: a model invents none."""
    stems = {word[:4] for number in _message_numbers(topic, texts) for word in words(texts[number - 1])}
    topic_stems = {word[:4] for word in words(topic.text)}
    return bool(topic_stems) and 2 * len(topic_stems & stems) >= len(topic_stems)


def _message_numbers(topic: Topic, texts: list[str]) -> set[int]:
    return {number for number in topic.messages if number <= len(texts)}


# Read
# --------------------------------------------------------------------------------------------------------------------


def own_words(message: Message) -> str:
    """Return the owner's own words in a message, empty if there are none.

    Leaves out quotations, addresses, and messages about a page, a file or a thought. The words of a program with a
    token are not the owner's.
    """
    if message.device and message.device.has_only_a_token:
        return ""
    is_about = message.page or message.attachments or message.thought_id
    is_own = message.kind == Message.Kind.CHAT and message.origin == only_owner() and not is_about
    if not is_own or parse_given(message.text):
        return ""
    text = " ".join(drop_addresses(_CITED.sub(" ", _QUOTED.sub(" ", _FENCED.sub(" ", message.text)))).split())
    return text[:CHARACTERS] if len(text.split()) >= WORDS_MIN else ""


def _batch(place: Conversation) -> Batch:
    query = Message.objects.filter(
        owner=place.owner, direction=Message.Direction.IN, seq__gt=place.learned_seq, seq__lte=place.last_seq
    )
    rows = list(query.select_related("device").order_by("seq")[:MESSAGES])
    until = rows[-1].seq if len(rows) == MESSAGES else place.last_seq
    return Batch(place.learned_seq, until, [text for row in rows if (text := own_words(row))])


def _next_batch() -> Batch | None:
    place = Conversation.objects.filter(learned_seq__lt=F("last_seq")).first()
    return batch if place and (batch := _batch(place)).texts else None


def _mark_read(place: Conversation, batch: Batch) -> None:
    Conversation.objects.filter(pk=place.pk, learned_seq=batch.after).update(learned_seq=batch.until)


def _failed_recently(now: datetime) -> bool:
    """Return whether a run is open, or failed in the last hour: limits what a weak model costs."""
    last = Run.objects.filter(kind=Run.Kind.LEARNING).order_by("-created_at").first()
    if last is None or last.state == Run.State.DONE:
        return False
    return last.state in Run.OPEN or last.created_at > now - TRY_AGAIN_AFTER


# Store
# --------------------------------------------------------------------------------------------------------------------


def _existing_preference(taste: Taste) -> Preference | None:
    """Return the preference that means the same, of either valence: owners change their mind."""
    same = store.same_preference(taste.text, taste.valence) or store.same_preference(taste.text, -taste.valence)
    return same.preference if same else Preference.objects.filter(text__iexact=taste.text).first()


def _store_tastes(run: Run, batch: Batch, tastes: list[tuple[Taste, Preference | None]]) -> None:
    """Store what was learned and mark the messages as read, in one transaction."""
    with transaction.atomic():
        mine = Conversation.objects.filter(learned_seq=batch.after).update(learned_seq=batch.until)
        if not mine or not run.end(Run.State.DONE, outcome=_outcome(batch, tastes)):
            transaction.set_rollback(True)  # another attempt ended the run first
            return
        for taste, existing in tastes:
            _store_taste(taste, existing)


def _store_taste(taste: Taste, existing: Preference | None) -> None:
    row = Preference.objects.select_for_update(no_key=True).filter(pk=existing.pk).first() if existing else None
    row = row or Preference.objects.filter(text__iexact=taste.text).first()
    if row is None:
        Preference.objects.create(
            text=taste.text, valence=taste.valence, source=Preference.Source.SAID, mentions=taste.mentions
        )
    elif row.valence == taste.valence:
        Preference.objects.filter(pk=row.pk).update(mentions=F("mentions") + taste.mentions)
    elif row.source == Preference.Source.SAID:  # only the owner changes what they set by hand
        Preference.objects.filter(pk=row.pk).update(valence=taste.valence, mentions=taste.mentions)


def _outcome(batch: Batch, tastes: list[tuple[Taste, Preference | None]]) -> str:
    read = f"Read {len(batch.texts)} of your messages"
    verbs = {1: "like", -1: "dislike"}
    summary = ", ".join(f"you {verbs[taste.valence]} “{taste.text}”" for taste, _ in tastes)
    return f"{read}: {summary}." if summary else f"{read}; nothing there that you like or dislike."


async def _quiet(_: str) -> None:
    """A background run shows its state in the admin, not in the conversation."""


def _nothing_waits() -> None:
    """Nobody waits for this run to start."""
