"""Import subscriptions, bookmarks and saved pages from files; undo imports; suggest topics.

File contents become sources and candidates: labelled text that starts nothing by itself, and opens nothing without a
grant.
"""

import asyncio
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial

from constance.utils import get_values
from django.db import transaction

from agents.embeddings import store
from agents.llm.messages import ModelFailed
from agents.model_choice.in_use import models_in_use
from agents.models import Run
from agents.pages.read import read_item
from agents.pages.sandbox_client import SandboxFailed
from agents.runs import queue
from agents.runs.budget_spent import BudgetSpent
from agents.runs.context import Context
from agents.runs.give_way import run_between_turns
from agents.runs.handles import Handles
from agents.zones.sandbox_messages import ReadingRequest
from devices.db import in_db, one_at_a_time
from devices.web.hosts import HostInvalid, grant_host, is_own, parse_url, url_to_store
from thoughts.index.meanings import Embedded
from thoughts.models import Candidate, ImportedFile, Source
from thoughts.preferences import candidates
from thoughts.sources.entries import Entry
from thoughts.text.labels import union
from thoughts.text.plain_words import is_plain, plain
from thoughts.text.words import words

URL_CHARACTERS = 8192
AT_ONCE = 200  # rows in one transaction: other writers wait for one transaction at most
QUESTION = "What interests the person who keeps these pages?"
LABEL = "imported file"  # the domain of a reading of names from many sites
READ_CHARACTERS, READINGS_MAX = 20_000, 4
NAMES_MAX, NAME_MIN, NAME_MAX = 12, 2, 60


# Storing
# ---------------------------------------------------------------------------------------------------------------------


def source_of(entry: Entry) -> Source:
    """Return the unsaved source that an entry names, without secrets in its addresses.

    Raises HostInvalid.
    """
    feed = _address_to_store(entry.feed_url) if entry.feed_url else ""
    url = _site_of(entry.url, feed)
    host = grant_host(url)
    if is_own(host):
        raise HostInvalid("own", "Penny's own pages are no source.")
    return Source(
        key=hashlib.sha256((feed or url).encode()).hexdigest(),
        kind=Source.Kind.FEED if feed else _kind_of(url),
        url=url,
        feed_url=feed,
        domain=host,
        title=entry.title,
        folder=" / ".join(entry.folders),
        tags=", ".join(entry.tags),
    )


@transaction.atomic
def add_source(source: Source) -> Source:
    """Store a source that the owner entered, and return its row.

    An existing source gets this kind and name, and is restored if it was paused or removed.
    """
    one_at_a_time("sources")
    existing = Source.objects.filter(key=source.key).first()
    row = existing or source
    row.kind, row.title, row.is_added = source.kind, source.title or row.title, True
    row.paused, row.deleted_at = False, None
    row.save()
    return row


def _site_of(url: str, feed: str) -> str:
    """Return the page to visit: of a feed without one, the root of its site. Raises HostInvalid."""
    try:
        return _address_to_store(url)
    except HostInvalid:
        if not feed:
            raise
        return str(parse_url(feed).origin) + "/"


def _address_to_store(url: str) -> str:
    address = url_to_store(url)
    if len(address) > URL_CHARACTERS:
        raise HostInvalid("no_address", "That address is too long.")
    return address


def _kind_of(url: str) -> str:
    address = parse_url(url)
    return Source.Kind.SITE if address.pathname == "/" and not address.search else Source.Kind.PAGE


@transaction.atomic
def store_sources(file: ImportedFile, rows: Sequence[Source]) -> bool:
    """Store new sources, restore removed ones, and link all of them to the file, unless its import was undone."""
    one_at_a_time("sources")
    if not ImportedFile.objects.filter(pk=file.pk, undone_at=None).exists():
        return False
    existing = Source.objects.in_bulk([row.key for row in rows], field_name="key")
    new = Source.objects.bulk_create([row for row in rows if row.key not in existing])
    deleted_keys = [row.pk for row in existing.values() if row.deleted_at is not None]
    Source.objects.filter(pk__in=deleted_keys).update(deleted_at=None)
    through = Source.files.through
    through.objects.bulk_create(
        [through(source_id=row.pk, importedfile_id=file.pk) for row in (*new, *existing.values())],
        ignore_conflicts=True,  # a worker that was stopped has stored some of them
    )
    file.added, file.known = file.added + len(new) + len(deleted_keys), file.known + len(existing) - len(deleted_keys)
    file.save(update_fields=["added", "known"])
    return True


# Undoing
# ---------------------------------------------------------------------------------------------------------------------


@transaction.atomic
def undo_import(file: ImportedFile, now: datetime) -> int:
    """Remove the sources that came with this file alone, and its open suggestions.

    Return how many sources were removed.
    """
    one_at_a_time("sources")
    if not ImportedFile.objects.filter(pk=file.pk, undone_at=None).update(undone_at=now):
        return 0
    for run in Run.objects.filter(imported=file, state__in=Run.OPEN):
        Run.objects.filter(pk=run.pk).update(cancel_requested_at=now)
        transaction.on_commit(partial(queue.wake_cancel, run))
    file.candidates.filter(state=Candidate.State.OPEN).update(state=Candidate.State.DISMISSED, decided_at=now)
    return (
        Source.objects.kept()
        .filter(pk__in=list(Source.objects.only_of(file).values_list("pk", flat=True)))
        .update(deleted_at=now)
    )


@transaction.atomic
def redo_import(file: ImportedFile) -> int:
    """Restore what an undo removed; return how many sources are back."""
    one_at_a_time("sources")
    file = ImportedFile.objects.select_for_update().get(pk=file.pk)
    at = file.undone_at
    if at is None:
        return 0
    if file.is_waiting:
        start_looking(file)
    ImportedFile.objects.filter(pk=file.pk).update(undone_at=None)
    file.candidates.filter(state=Candidate.State.DISMISSED, decided_at=at).update(
        state=Candidate.State.OPEN, decided_at=None
    )
    return file.sources.filter(deleted_at=at).update(deleted_at=None)


def delete_forgotten_files(now: datetime) -> None:
    Source.objects.forgotten(now).delete()
    for file in ImportedFile.objects.forgotten(now):
        file.candidates.exclude(state=Candidate.State.CONFIRMED).delete()
        file.delete()


# What the owner may like
# ---------------------------------------------------------------------------------------------------------


@transaction.atomic
def start_looking(file: ImportedFile) -> Run:
    run = Run.objects.create(kind=Run.Kind.IMPORT, imported=file)
    queue.enqueue_on_commit(run)
    return run


async def look_through(run: Run) -> None:
    """Have the reader name topics of what a file lists, and suggest them. Raises ModelFailed."""
    sources, models = await in_db(_sources_of)(run), await in_db(models_in_use)()
    if not sources or models.main is None:
        await in_db(run.end)(Run.State.DISCARDED, outcome="There is nothing to look through.")
        return
    context = Context(run, "thinking", Handles([]), QUESTION, models, await in_db(get_values)(), _quiet, _nothing_waits)
    topics, outcome, code = list[str](), "", ""
    try:
        for text in _texts(sources):
            request = ReadingRequest(title="", text=text, domain=LABEL, question=QUESTION, candidates=True)
            reading = await run_between_turns(context, partial(read_item, context, request, use_model=True))
            topics += reading.candidates
    except SandboxFailed as failed:
        raise ModelFailed(
            failed.code, "The reader could not read what the file lists. Look again on the page of this import."
        ) from None
    except BudgetSpent as spent:
        outcome, code = f" {spent}", spent.code
    suggestions = supported_topics(topics, sources)
    embedded = await asyncio.to_thread(store.embed_suggestions, suggestions, union(*suggestions.values()))
    await in_db(_store_suggestions)(run, suggestions, embedded, outcome, code)


def names_of_folders_and_tags(sources: Sequence[Source]) -> dict[str, set[str]]:
    """Return the most used names of folders and tags, with the domains of their sources.

    Stands in for the reader where there is no model.
    """
    domains = defaultdict[str, list[str]](list)
    for source in sources:
        for name in {*source.folders[-1:], *source.topics}:
            domains[name].append(source.domain)
    names = sorted(
        (name for name in domains if NAME_MIN <= len(name) <= NAME_MAX and is_plain(name)),
        key=lambda name: -len(domains[name]),
    )
    return {plain(name): set(domains[name]) for name in names[:NAMES_MAX]}


def supported_topics(topics: Iterable[str], sources: Sequence[Source]) -> dict[str, set[str]]:
    """Return the topics that titles, folders or tags support, with the domains of these.

    A topic that only the reader names is dropped.
    """
    entries = [(source.domain, _stems(f"{source.title} {source.folder} {source.tags}")) for source in sources]
    matches = {
        topic: {domain for domain, stems in entries if _supports_topic(_stems(topic), stems)} for topic in topics
    }
    return {topic: domains for topic, domains in matches.items() if domains}


def _supports_topic(topic: set[str], stems: set[str]) -> bool:
    return bool(topic) and 2 * len(topic & stems) >= len(topic)


def _stems(text: str) -> set[str]:
    """Return the first four letters of each word, so that endings do not matter."""
    return {word[:4] for word in words(text)}


def _sources_of(run: Run) -> list[Source]:
    return (
        list(Source.objects.kept().filter(files=run.imported))
        if run.imported and run.imported.undone_at is None
        else []
    )


def _texts(sources: Sequence[Source]) -> list[str]:
    texts, lines, length = list[str](), list[str](), 0
    for source in sources:
        line = " · ".join(part for part in (source.title, source.folder, source.tags) if part)[:400]
        if length + len(line) > READ_CHARACTERS:
            texts.append("\n".join(lines))
            lines, length = [], 0
        if line:
            lines.append(line)
            length += len(line) + 1
    return [text for text in [*texts, "\n".join(lines)] if text][:READINGS_MAX]


def _store_suggestions(
    run: Run, suggestions: Mapping[str, set[str]], embedded: Embedded | None, more: str, code: str
) -> None:
    """Store the suggestions and end the run, in one transaction."""
    with transaction.atomic():
        file = ImportedFile.objects.select_for_update().filter(pk=run.imported_id or 0, undone_at=None).first()
        count = candidates.suggest_imported(file, suggestions, embedded) if file else 0
        text = (
            f"Found {count} idea{'' if count == 1 else 's'} of what you may like."
            if count
            else "Nothing new that you may like was found."
        )
        if not run.end(Run.State.DONE if count else Run.State.DISCARDED, outcome=text + more, error_code=code):
            transaction.set_rollback(True)  # another attempt ended the run first


def suggest_names(run: Run) -> None:
    """Suggest the names of folders and tags, and end the run. Stands in for the reader where there is no model."""
    _store_suggestions(run, names_of_folders_and_tags(_sources_of(run)), None, "", "")


async def _quiet(_: str) -> None:
    """A background run shows its state on the page of the import, not in the conversation."""


def _nothing_waits() -> None:
    """Nobody waits for this run to start."""
