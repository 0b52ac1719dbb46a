"""Delete old records: prompts, steps, calls, deliveries, visits, and uncited pages.

A page that a thought or a message cites stays with it.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from constance import config
from django.db import transaction
from django.db.models import BigIntegerField, Exists, F, Func, Model, OuterRef, QuerySet, Subquery, Sum
from django.utils import timezone

from agents.learning import history_reports
from agents.models import Errand, Run, Step
from agents.vault.forget import traces
from devices.models import BrowserCall, Delivery, HostCount, LineEntry, Message, MessageClaim
from devices.owner import machine_clock
from thoughts.models import Claim, Kept, Observation, Page, Picture, SeenItem, Thought, Visit, WrongReading

# Small transactions: any other writer waits for at most one of them.
BATCH = 200
WORDS = ("instructions", "turns", "question")

Rows = QuerySet[Any]


class Octets(Func):
    """The size of a value as text, in bytes."""

    output_field = BigIntegerField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, template="length(CAST(%(expressions)s AS BLOB))", **context)

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, template="octet_length(CAST(%(expressions)s AS text))", **context)


@dataclass(frozen=True)
class Kind:
    """One kind of records.

    `due` returns rows older than a moment that may be deleted; `remove` deletes some of them.
    """

    name: str
    label: str
    setting: str
    fields: tuple[str, ...]
    due: Callable[[datetime], Rows]
    remove: Callable[[list[Any]], None]


@dataclass(frozen=True)
class Due:
    """What would be deleted of a kind, if it were kept for `days`."""

    kind: Kind
    days: int
    rows: int
    size_bytes: int


def sweep(now: datetime) -> int:
    """Delete one batch of each kind past its time; return how many rows. A clock that may be wrong deletes nothing."""
    if not machine_clock.is_right(now):
        return 0
    return sum(_remove_batch(kind, now, int(getattr(config, kind.setting))) for kind in KINDS)


def due(days: dict[str, int]) -> list[Due]:
    return [_due(kind, days[kind.setting]) for kind in KINDS]


def settings() -> dict[str, int]:
    return {kind.setting: int(getattr(config, kind.setting)) for kind in KINDS}


def _due(kind: Kind, days: int) -> Due:
    if not days:
        return Due(kind, days, 0, 0)
    rows = kind.due(timezone.now() - timedelta(days=days)).order_by()
    size = sum((Octets(F(name)) for name in kind.fields[1:]), start=Octets(F(kind.fields[0])))
    return Due(kind, days, rows.count(), rows.aggregate(size=Sum(size))["size"] or 0)


def _remove_batch(kind: Kind, now: datetime, days: int) -> int:
    if not days:
        return 0
    with transaction.atomic():
        keys = list(kind.due(now - timedelta(days=days)).order_by().values_list("pk", flat=True)[:BATCH])
        if keys:
            kind.remove(keys)
    return len(keys)


def _open(field: str) -> Exists:
    return Exists(Run.objects.filter(pk=OuterRef(field), state__in=Run.OPEN))


def _old_prompts(before: datetime) -> Rows:
    rows = Step.objects.filter(kind=Step.Kind.MODEL, prompt_removed_at=None, started_at__lt=before)
    return rows.exclude(_open("run_id"))


def _old_steps(before: datetime) -> Rows:
    return Step.objects.filter(started_at__lt=before).exclude(_open("run_id"))


def _old_calls(before: datetime) -> Rows:
    return BrowserCall.objects.filter(created_at__lt=before).exclude(_open("run_id"))


def _old_pages(before: datetime) -> Rows:
    return _uncited(Page.objects.filter(fetched_at__lt=before))


def remove_uncited(pages: Collection[Any]) -> None:
    """Delete those of the pages, given by their keys, that nothing cites."""
    if keys := list(_uncited(Page.objects.filter(pk__in=pages)).values_list("pk", flat=True)):
        _remove_pages(keys)


def _uncited(pages: Rows) -> Rows:
    """Leave out pages that are kept, or that a thought, a message, a run or a visit of a watch refers to."""
    return (
        pages.exclude(_refers(Claim, "page"))
        .exclude(_refers(MessageClaim, "page"))
        .exclude(_refers(Thought.pages.through, "page"))
        .exclude(_refers(Message.sources.through, "page"))
        .exclude(_refers(Run, "page"))
        .exclude(_refers(Observation, "page"))
        .exclude(_refers(Kept, "page"))
    )


def _old_observations(before: datetime) -> Rows:
    """Return old visits that led to no message. The newest of each watch stays for comparison."""
    newest = Observation.objects.filter(watch=OuterRef("watch")).order_by("-at").values("pk")[:1]
    return Observation.objects.filter(at__lt=before, thought=None).exclude(pk=Subquery(newest))


def _old_items(before: datetime) -> Rows:
    """Return items that left their page long ago. If one returns after that, it is new."""
    return SeenItem.objects.filter(last_seen_at__lt=before).exclude(
        watch__deleted_at=None, watch__checked_at__lt=before
    )


def _old_deliveries(before: datetime) -> Rows:
    return Delivery.objects.filter(created_at__lt=before).exclude(state=Delivery.State.QUEUED)


def _old_entries(before: datetime) -> Rows:
    return LineEntry.objects.filter(received_at__lt=before, envelope=None)


def _old_wrong_readings(before: datetime) -> Rows:
    return WrongReading.objects.filter(created_at__lt=before)


def _remove_wrong_readings(keys: list[Any]) -> None:
    WrongReading.objects.filter(pk__in=keys).delete()


def _old_visits(before: datetime) -> Rows:
    return Visit.objects.filter(visited_at__lt=before)


def _remove_visits(keys: list[Any]) -> None:
    history_reports.delete_visits(keys)


def _refers(model: type[Model], field: str) -> Exists:
    return Exists(model._default_manager.filter(**{field: OuterRef("pk")}))


def _remove_words(keys: list[Any]) -> None:
    """Delete the words of model requests. Tools, sizes and checksums stay for the audit."""
    now, steps = timezone.now(), list(Step.objects.filter(pk__in=keys).only("request"))
    for step in steps:
        step.request = {name: value for name, value in step.request.items() if name not in WORDS}
        step.prompt_removed_at = now
    Step.objects.bulk_update(steps, ["request", "prompt_removed_at"])


def _remove_pages(keys: list[Any]) -> None:
    pictures = list(Page.objects.filter(pk__in=keys).exclude(picture=None).values_list("picture", flat=True))
    Page.objects.filter(pk__in=keys).only("pk").delete()
    Picture.objects.filter(pk__in=pictures).exclude(_refers(Page, "picture")).only("pk").delete()


def _remove_steps(keys: list[Any]) -> None:
    Step.objects.filter(pk__in=keys).delete()


def _remove_calls(keys: list[Any]) -> None:
    BrowserCall.objects.filter(pk__in=keys).delete()


def _remove_deliveries(keys: list[Any]) -> None:
    Delivery.objects.filter(pk__in=keys).delete()


def _remove_entries(keys: list[Any]) -> None:
    LineEntry.objects.filter(pk__in=keys).delete()


def _remove_observations(keys: list[Any]) -> None:
    Observation.objects.filter(pk__in=keys).delete()


def _remove_items(keys: list[Any]) -> None:
    SeenItem.objects.filter(pk__in=keys).delete()


def _old_counts(before: datetime) -> Rows:
    return HostCount.objects.filter(day__lt=before.date())


def _remove_counts(keys: list[Any]) -> None:
    HostCount.objects.filter(pk__in=keys).delete()


def _old_errands(before: datetime) -> Rows:
    return Errand.objects.filter(ended_at__lt=before)


def _remove_errands(keys: list[Any]) -> None:
    Errand.objects.filter(pk__in=keys).delete()


def _old_kept(before: datetime) -> Rows:
    """Return what was kept by itself and not seen since. What an answer or a find cites stays."""
    rows = Kept.objects.kept().filter(source=Kept.Source.AUTO, last_seen_at__lt=before)
    return traces.uncited(rows.exclude(keep_until=None))


def _forget_kept(keys: list[Any]) -> None:
    """Forget entries. They are in no search any more; their rows go ten minutes later."""
    Kept.objects.kept().filter(pk__in=keys).set_deleted(timezone.now())


PAGE_FIELDS = ("url", "title", "text", "left_out", "links", "metadata")
KINDS = [
    Kind("prompts", "The words of recorded model requests", "KEEP_PROMPTS_DAYS", ("request",), _old_prompts,
        _remove_words),
    Kind("steps", "Steps: what a run asked, called and was answered", "KEEP_STEPS_DAYS", ("request", "result"),
        _old_steps, _remove_steps),
    Kind("calls", "Calls to your browsers", "KEEP_STEPS_DAYS", ("arguments",), _old_calls, _remove_calls),
    Kind("deliveries", "What was sent over Signal and to outlets", "KEEP_STEPS_DAYS", ("parts",), _old_deliveries,
        _remove_deliveries),
    Kind("entries", "When what was said over Signal", "KEEP_STEPS_DAYS", ("author",), _old_entries, _remove_entries),
    Kind("visits", "Visits of watches with nothing to tell", "KEEP_VISITS_DAYS", ("quote",), _old_observations,
        _remove_observations),
    Kind("items", "Links and passages that left a watched page", "KEEP_VISITS_DAYS", ("text", "url"), _old_items,
        _remove_items),
    Kind("pages", "Pages that no thought, message or watch cites", "KEEP_PAGES_DAYS", PAGE_FIELDS, _old_pages,
        _remove_pages),
    Kind("wrong_readings", "Pages that you said were read wrong", "KEEP_COMPLAINTS_DAYS", ("text", "left_out"),
        _old_wrong_readings, _remove_wrong_readings),
    Kind("history", "Browsing history, and ideas from it alone", "KEEP_HISTORY_DAYS", ("title",), _old_visits,
        _remove_visits),
    Kind("errands", "What Penny did on pages, with the pages as she saw them", "KEEP_ERRANDS_DAYS",
        ("goal", "summary"), _old_errands, _remove_errands),
    Kind("kept", "Pages that were kept by themselves", "KEPT_DAYS", ("page__title", "page__text"), _old_kept,
        _forget_kept),
    Kind("record", "Counts of what left this machine", "KEEP_RECORD_DAYS", ("host",), _old_counts, _remove_counts),
]  # fmt: skip
