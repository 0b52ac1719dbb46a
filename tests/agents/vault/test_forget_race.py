"""Everything is forgotten while two workers index it and are killed: nothing comes back, also for a later process."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, IntegrityError, connections
from django.utils import timezone

from agents.vault import index
from agents.vault.forget.entries import Selection, forget
from agents.vault.keep import keep_page
from agents.vault.search import search_kept
from agents.worker.forget_kept import delete_forgotten
from devices.models import Device
from tests.agents.vault.test_search import ESPRESSO
from tests.client import make_page
from tests.waiting import until
from thoughts.index import passages
from thoughts.models import Chunk, ChunkWords, Kept, Page
from thoughts.text.chunks import chunk_spans

pytestmark = pytest.mark.django_db(transaction=True)
ENTRIES, WORKERS, KILLS, LATER = 30, 2, 3, timedelta(minutes=11)
fork = multiprocessing.get_context("fork")


def work_until(stops: Event, problems: "Queue[str]") -> None:
    """Index and embed as a worker does, until told to stop; say what went wrong."""
    while not stops.is_set():
        for key in Kept.objects.filter(indexed_at=None).values_list("pk", flat=True)[:20]:
            try:
                passages.index_words(key)
                index.embed_some(0.02)
            except DatabaseError as error:
                problems.put(type(error).__name__)
        time.sleep(0.01)


def search_anew(hits: "Queue[int]") -> None:
    hits.put(len(search_kept("espresso water").passages))


@dataclass
class Indexing:
    """A process that indexes. What it shares is its own: a process that is killed may hold a lock of it for ever."""

    stops: Event = field(default_factory=fork.Event)
    problems: "Queue[str]" = field(default_factory=fork.Queue)

    def __post_init__(self) -> None:
        self.process = start(work_until, self.stops, self.problems)

    def kill(self) -> None:
        assert self.process.pid
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.join(60)
        assert self.process.exitcode == -signal.SIGKILL

    def end(self) -> list[str]:
        """Return what went wrong."""
        self.stops.set()
        self.process.join(60)
        assert self.process.exitcode == 0
        return [self.problems.get(timeout=5) for _ in range(self.problems.qsize())]


def start(target: Callable[..., None], *arguments: object) -> multiprocessing.process.BaseProcess:
    connections.close_all()  # a child must not use the connections of its parent
    process = fork.Process(target=target, args=arguments)
    process.start()
    return process


def forget_all_while_indexing(ada: User) -> list[str]:
    """Return what went wrong in the workers."""
    device = Device.objects.create(label="Desk", kind=Device.Kind.BROWSER)
    text = "\n\n".join([ESPRESSO] * 60)
    for number in range(ENTRIES):
        keep_page(make_page(f"https://coffee.example/{number}", f"Page {number}", text), device, "asked")
    search_kept("espresso")  # loads the model, which takes a while
    workers = [Indexing() for _ in range(WORKERS)]
    for kills in range(KILLS):
        until(lambda done=2 * kills + 2: indexed() >= done, "the workers index", 60)  # type: ignore[misc]
        workers.pop(0).kill()
        workers.append(Indexing())
    until(lambda: indexed() >= 2 * KILLS + 2, "the workers index", 60)
    assert search_kept("espresso").passages
    assert forget(ada, Selection(everything=True))[1] == ENTRIES
    assert search_kept("espresso").passages == []
    workers.pop(0).kill()
    workers.append(Indexing())
    while delete_forgotten(timezone.now() + LATER):
        pass
    time.sleep(1.0)  # a worker that is late ends what it began
    return [problem for worker in workers for problem in worker.end()]


def indexed() -> int:
    return Kept.objects.exclude(indexed_at=None).count()


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("Ada")


def test_nothing_comes_back_of_what_is_indexed_meanwhile(ada: User) -> None:
    assert forget_all_while_indexing(ada) == []
    assert [table.objects.count() for table in (Kept, Chunk, ChunkWords, Page)] == [0, 0, 0, 0]
    assert search_kept("espresso water").passages == []
    hits = fork.Queue()
    start(search_anew, hits).join(60)
    assert hits.get(timeout=5) == 0


@pytest.mark.parametrize("is_locked", [True, False])
def test_what_is_forgotten_while_it_is_cut_waits_for_the_lock(monkeypatch: pytest.MonkeyPatch, is_locked: bool) -> None:
    device = Device.objects.create(label="Desk", kind=Device.Kind.BROWSER)
    entry = keep_page(make_page("https://coffee.example/", "Page", ESPRESSO), device, "asked")
    Kept.objects.all().set_deleted(timezone.now())
    deletion = threading.Thread(target=delete_all)

    def delete_and_cut(text: str) -> list[tuple[int, int]]:
        deletion.start()
        deletion.join(2)  # a deletion that waits for the lock goes on afterwards
        return chunk_spans(text)

    monkeypatch.setattr(passages, "chunk_spans", delete_and_cut)
    if is_locked:
        assert passages.index_words(entry.pk)
    else:
        monkeypatch.setattr(type(Kept.objects.all()), "select_for_update", lambda rows, **_: rows)
        with pytest.raises(IntegrityError):
            passages.index_words.__wrapped__(entry.pk)  # type: ignore[attr-defined]
    deletion.join(30)
    assert [table.objects.count() for table in (Kept, Chunk, ChunkWords, Page)] == [0, 0, 0, 0]


def delete_all() -> None:
    try:
        delete_forgotten(timezone.now() + LATER)
    finally:
        connections.close_all()
