"""Find and remove what kept pages left elsewhere: citations in answers, and words in the records of runs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from agents.models import Step
from devices.models import Message, MessageClaim
from thoughts.models import Claim, Page, Thought, WrongReading
from thoughts.models.pages import complains_of

if TYPE_CHECKING:
    from thoughts.models.kept import KeptQuerySet

SEARCH_TOOL = "search_kept"


def citing_answers(pages: QuerySet[Page]) -> QuerySet[Message]:
    """Return the answers that cite or link one of the pages, the newest first."""
    keys = pages.values("pk")
    return Message.objects.filter(Q(claims__page__in=keys) | Q(sources__in=keys)).distinct().order_by("-seq")


def citing_finds(pages: QuerySet[Page]) -> QuerySet[Thought]:
    """Return the finds that cite one of the pages. Such a page stays as long as its find."""
    return Thought.objects.filter(claims__page__in=pages.values("pk")).distinct().order_by("-created_at")


def steps_with_words(pages: QuerySet[Page]) -> Iterator[int]:
    """Yield the keys of the steps that may hold words of the pages.

    These are steps of runs that searched the vault or answered from the pages, with a page's label or its site's name.
    """
    domains = set(pages.values_list("domain", flat=True))
    searched = Step.objects.filter(kind=Step.Kind.TOOL, name=SEARCH_TOOL).values("run")
    turns = list(citing_answers(pages).exclude(turn_id=None).order_by().values_list("turn_id", flat=True))
    steps = Step.objects.filter(Q(run__in=searched) | Q(run__turn_id__in=turns)).exclude(request={}, result={})
    for key, origin, *words in steps.order_by("pk").values_list("pk", "origin", "request", "result").iterator(200):
        text = json.dumps(words, ensure_ascii=False)
        if domains & set(origin) or any(domain in text for domain in domains):
            yield key


def complaints(pages: QuerySet[Page]) -> QuerySet[WrongReading]:
    """Return what the owner said to be read wrong of the pages, with their text."""
    return WrongReading.objects.filter(complains_of(pages))


def uncited(rows: KeptQuerySet) -> KeptQuerySet:
    """Leave out entries that an answer or a find cites: these stay when others go by themselves."""
    page = OuterRef("page")
    return (
        rows.exclude(Exists(MessageClaim.objects.filter(page=page)))
        .exclude(Exists(Message.sources.through._default_manager.filter(page=page)))
        .exclude(Exists(Claim.objects.filter(page=page)))
    )


def remove_traces(pages: QuerySet[Page]) -> None:
    """Take the words of the pages out of the records, and the pages out of answers, which stay."""
    keys = list(steps_with_words(pages))
    for start in range(0, len(keys), 500):
        Step.objects.filter(pk__in=keys[start : start + 500]).update(
            request={}, result={}, prompt_removed_at=timezone.now()
        )
    complaints(pages).delete()
    _remove_citations(list(pages.values_list("pk", flat=True)))


def _remove_citations(pages: Sequence[int]) -> None:
    MessageClaim.objects.filter(page__in=pages).delete()
    Message.sources.through._default_manager.filter(page__in=pages).delete()
