"""Processes that work on one database at the same time, and one that follows the conversation meanwhile
(test_side_by_side.py).

    python -m tests.side_by_side PROCESSES EACH [careless]

prints what came of it as JSON (`Found`). `careless` does without what keeps them apart: on SQLite the lock that a
transaction has from its beginning, on PostgreSQL the locks that are taken where something is looked at before it is
written.
"""

import json
import multiprocessing
import random
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from datetime import datetime
from multiprocessing.synchronize import Barrier, Event
from typing import Any
from uuid import UUID, uuid4

import django
from django.utils import timezone

HOSTS = [f"site{number}.example" for number in range(10)]
RUNS = 60
_fork = multiprocessing.get_context("fork")  # Django is set up once for all


@dataclass
class Found:
    """What went wrong with any transaction, the numbers of the messages that the follower saw until all were stored,
    how many prompts each host was asked about in, how many background runs were taken, and how many devices stand for
    the web page.
    """

    wrong: list[str] = field(default_factory=list)
    seen: list[int] = field(default_factory=list)
    prompts: dict[str, int] = field(default_factory=dict)
    taken: int = 0
    web_pages: int = 0


def main(processes: int, each: int, *careless: str) -> None:
    django.setup()
    runs = _prepare()
    now = timezone.now()  # the same for all, so that no lease runs out on a slow machine
    if careless:
        _without_locks()
    together, over, pipe, followed = _fork.Barrier(processes), _fork.Event(), _fork.SimpleQueue(), _fork.SimpleQueue()
    for _ in range(processes):
        _fork.Process(target=_work, args=(each, runs, now, together, pipe)).start()
    _fork.Process(target=_follow, args=(over, followed)).start()
    found = Found(wrong=[line for _ in range(processes) for line in pipe.get()])
    over.set()
    found.seen = followed.get()
    _count(found)
    sys.stdout.write(json.dumps(asdict(found)))


def _work(each: int, runs: list[UUID], now: datetime, together: Barrier, pipe: Any) -> None:
    """Do what all do at once, and tell what went wrong."""
    from django.db import DatabaseError, connection

    from agents.models import Run
    from devices.access import handshake
    from devices.grants import asks

    connection.ensure_connection()
    wrong: list[str] = []

    def tried(act: Any, *arguments: Any, **named: Any) -> None:
        try:
            act(*arguments, **named)
        except DatabaseError as error:
            wrong.append(f"{type(error).__name__}: {error}")

    together.wait()
    for _ in range(each):
        tried(_store)
    together.wait()
    tried(handshake.web_device)
    for host in HOSTS:
        together.wait()
        tried(asks.ask_grant, uuid4(), host, "read", "To read it.", is_background=False)
    for start in range(0, len(runs), 20):
        together.wait()
        tried(Run.objects.claim, random.sample(runs[start : start + 20], 10), now)
    pipe.put(wrong)


def _store() -> None:
    """Look at the last message, then store one more."""
    from django.db import transaction

    from devices.conversation import messages
    from devices.owner.account import the_owner

    owner = the_owner()
    with transaction.atomic():
        last = messages.last_seq(owner)
        messages.store_message(
            owner, messages.render_content(f"after {last}"), device=None, device_label="Desk", direction="in"
        )
        time.sleep(random.random() * 0.002)


def _follow(over: Event, followed: Any) -> None:
    """Follow the conversation by a cursor, as a socket does."""
    from devices import protocol
    from devices.conversation import messages as conversation_messages
    from devices.owner.account import the_owner

    owner, seen = the_owner(), [0]
    while True:
        was_over = over.is_set()
        more = [
            message.seq
            for message in conversation_messages.messages_after(owner, seen[-1], protocol.UNACKNOWLEDGED_MESSAGES)
        ]
        seen += more
        if was_over and not more:
            break
        time.sleep(0.001)
    followed.put(seen[1:])


def _prepare() -> list[UUID]:
    """Make the tables, the owner and runs that wait; return these. A connection may not live on in several
    processes.
    """
    from django.core.management import call_command
    from django.db import connection

    from agents.models import Run
    from devices import events
    from devices.owner.account import the_owner

    vars(events)["send"] = lambda *_: None  # nobody listens, and each process would look for a server each time
    call_command("migrate", verbosity=0)
    the_owner()
    runs = Run.objects.bulk_create([Run(kind=Run.Kind.THINKING) for _ in range(RUNS)])
    connection.close()
    return [run.pk for run in runs]


def _count(found: Found) -> None:
    from agents.models import Run
    from devices.models import Ask, Device

    prompts = {(ask.host, ask.prompt) for ask in Ask.objects.all()}
    found.prompts = dict(Counter(host for host, _ in prompts))
    found.taken = Run.objects.filter(state=Run.State.RUNNING).count()
    found.web_pages = Device.objects.filter(kind=Device.Kind.WEB).count()


def _without_locks() -> None:
    from django.db import connection

    from agents import models
    from devices.conversation import messages as conversation_messages_module
    from devices.grants import asks

    if connection.vendor == "sqlite":
        connection.settings_dict["OPTIONS"]["transaction_mode"] = "DEFERRED"
        return
    with connection.cursor() as cursor:
        cursor.execute("CREATE SEQUENCE careless")
    connection.close()

    def next_seqs(owner: object, count: int) -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT min(nextval('careless')) FROM generate_series(1, %s)", [count])
            return int(cursor.fetchone()[0])

    vars(conversation_messages_module)["_next_seqs"] = next_seqs
    for module in (asks, models):
        vars(module)["one_at_a_time"] = lambda name: time.sleep(0.01)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
