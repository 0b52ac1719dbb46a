"""Forget a preference with everything derived from it, in one transaction.

A page lists it first. Deleting a preference keeps what was derived from it.
"""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.utils import timezone

from agents.models import Run, Schedule, Step
from agents.runs import queue
from devices.channels import routing
from devices.conversation.unread import tell_unread
from devices.models import Ask, BrowserCall, Message, MessageClaim
from thoughts.models import Candidate, Claim, Merge, Page, Preference, Reaction, Thought, ThoughtMeaning, Words
from thoughts.models.watches import Observation, SeenItem, Watch
from thoughts.taste.unlearn import unlearn, weights_learned_from

NAMED = 12
SEARCH_ENTRIES = "search entries"
TOLD = (Message.Kind.NOTIFICATION, Message.Kind.REACTION)

Rows = QuerySet[Any]


@dataclass(frozen=True)
class Derived:
    """Rows of one kind that are removed with a preference."""

    label: str
    rows: Rows

    @property
    def count(self) -> int:
        return self.rows.count()

    @property
    def names(self) -> list[str]:
        return [str(row) for row in self.rows[:NAMED]]


@dataclass(frozen=True)
class Learned:
    """What Penny learned about the owner's taste from a preference: no rows of their own."""

    label: str
    every: list[str]

    @property
    def count(self) -> int:
        return len(self.every)

    @property
    def names(self) -> list[str]:
        return self.every[:NAMED]


@dataclass(frozen=True)
class Joined:
    """Rows of several tables that are one thing to the owner."""

    label: str
    parts: list[Derived]

    @property
    def count(self) -> int:
        return sum(part.count for part in self.parts)

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(name for part in self.parts for name in part.names))[:NAMED]


def what_goes_with(preference: Preference) -> list[Derived | Learned | Joined]:
    weights = Learned(
        "what your thumbs taught Penny about it", weights_learned_from(preference, _thoughts_of(preference))
    )
    groups = derived_rows(preference)
    entries = Joined(SEARCH_ENTRIES, [group for group in groups if group.label == SEARCH_ENTRIES])
    others = [group for group in groups if group.label != SEARCH_ENTRIES]
    everything: list[Derived | Learned | Joined] = [*others, entries, weights]
    return [group for group in everything if group.count]


def _thoughts_of(preference: Preference) -> "QuerySet[Thought]":
    by_text = Q(preference=None, watch=None, seed_text__iexact=preference.text)
    return Thought.objects.filter(Q(preference=preference) | Q(watch__preference=preference) | by_text)


def _runs_of(preference: Preference, thoughts: Rows) -> "QuerySet[Run]":
    thinking = Q(preference=preference) | Q(thought__in=thoughts)
    return Run.objects.filter(Q(thinking, kind=Run.Kind.THINKING) | Q(watch__preference=preference))


def derived_rows(preference: Preference) -> list[Derived]:
    """Return the rows derived from a preference, in the order of their removal.

    Rows with a foreign key to the preference are found in any table. Rows that refer to its thoughts and runs are
    listed here.
    """
    thoughts = _thoughts_of(preference)
    runs, watches = _runs_of(preference, thoughts), Watch.objects.filter(preference=preference)
    visits = Observation.objects.filter(watch__in=watches)
    notifications = Message.objects.filter(thought__in=thoughts, kind__in=TOLD)
    # Answers about these thoughts stay in the conversation, without their citations.
    citations = MessageClaim.objects.filter(Q(message__in=notifications) | Q(message__parent__thought__in=thoughts))
    groups = [
        Derived("messages about these finds, and your thumbs", notifications),
        Derived("digests that list these finds", Message.objects.filter(digests__thoughts__in=thoughts).distinct()),
        Derived("evidence in answers about these finds", citations),
        Derived("reactions", Reaction.objects.filter(Q(thought__in=thoughts) | Q(preference=preference))),
        Derived("evidence of these finds", Claim.objects.filter(thought__in=thoughts)),
        Derived("pages that nothing else cites", _pages_of(thoughts, runs, notifications, citations, visits)),
        Derived("questions to you", Ask.objects.filter(run_id__in=runs.values("pk"))),
        Derived("calls to your browsers", BrowserCall.objects.filter(run_id__in=runs.values("pk"))),
        Derived("steps of these runs", Step.objects.filter(run__in=runs)),
        Derived("runs, and visits of watches", runs),
        Derived(SEARCH_ENTRIES, ThoughtMeaning.objects.filter(thought__in=thoughts)),
        Derived(SEARCH_ENTRIES, Words.objects.filter(thought__in=thoughts)),
        Derived("finds", thoughts),
        Derived("prices and posts that watches read", visits),
        Derived("posts that watches know", SeenItem.objects.filter(watch__in=watches)),
        Derived("watches", watches),
        Derived("routines", Schedule.objects.filter(preference=preference)),
        Derived(
            "suggestions",
            Candidate.objects.filter(Q(seed=preference) | Q(same_as=preference) | Q(text__iexact=preference.text)),
        ),
    ]
    return groups + _others(preference, {group.rows.model for group in groups})


def _others(preference: Preference, models: set[type[Model]]) -> list[Derived]:
    parts = {Merge}
    relations = [
        relation
        for relation in Preference._meta.related_objects
        if not relation.one_to_one and relation.related_model not in models | parts
    ]
    return [
        Derived(
            str(relation.related_model._meta.verbose_name_plural),
            relation.related_model._base_manager.filter(**{name: preference}),
        )
        for relation in relations
        if (name := relation.field.name)
    ]


def _pages_of(thoughts: Rows, runs: Rows, notifications: Rows, citations: Rows, visits: Rows) -> Rows:
    """Return the pages read for these thoughts and visits that nothing else refers to."""
    read = Q(thoughts__in=thoughts) | Q(claims__thought__in=thoughts) | Q(observations__in=visits)
    own = Page.objects.filter(read | Q(messageclaims__in=citations)).values("pk")
    rows = (
        Page.objects.filter(pk__in=own)
        .exclude(pk__in=Thought.pages.through.objects.exclude(thought__in=thoughts).values("page"))
        .exclude(pk__in=Claim.objects.exclude(thought__in=thoughts).values("page"))
        .exclude(pk__in=MessageClaim.objects.exclude(pk__in=citations.values("pk")).values("page"))
        .exclude(pk__in=Message.sources.through.objects.exclude(message__in=notifications).values("page"))
        .exclude(pk__in=Observation.objects.exclude(pk__in=visits.values("pk")).values("page"))
        .exclude(pk__in=Run.objects.exclude(page=None).exclude(pk__in=runs.values("pk")).values("page"))
    )
    for relation in Page._meta.related_objects:
        if relation.related_model not in (Candidate, Claim, Message, MessageClaim, Observation, Run, Thought):
            refers = relation.related_model._base_manager.exclude(**{relation.field.name: None})
            rows = rows.exclude(pk__in=refers.values(relation.field.name))
    return rows


@transaction.atomic
def forget_preference(preference: Preference) -> None:
    """Remove a preference with everything derived from it, and cancel its open runs."""
    groups = derived_rows(preference)
    keys = [(group.rows.model, list(group.rows.values_list("pk", flat=True))) for group in groups]
    open_runs = list(Run.objects.filter(Q(preference=preference) | Q(watch__preference=preference), state__in=Run.OPEN))
    routing.withdraw(Message.objects.filter(pk__in=[pk for model, pks in keys if model is Message for pk in pks]))
    unlearn(preference, _thoughts_of(preference), timezone.now())
    # Pages go last: until then something refers to them.
    for model, pks in sorted(keys, key=lambda pair: pair[0] is Page):
        model._base_manager.filter(pk__in=pks).delete()
    preference.delete()
    transaction.on_commit(lambda: _stop(open_runs))
    tell_unread()


def _stop(runs: list[Run]) -> None:
    for run in runs:
        queue.wake_cancel(run)
