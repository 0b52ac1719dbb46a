"""Work on one database in several processes, while another follows the conversation.

    python -m tests.side_by_side PROCESSES MESSAGES_EACH [careless]

prints the `Outcome` as JSON. `careless` removes the locks: on SQLite the lock from the beginning of a transaction, on
PostgreSQL the locks around a read that precedes a write.
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
_fork = multiprocessing.get_context("fork")  # Django is set up once for all processes


@dataclass
class Outcome:
    """The result of all processes.

    wrong: the errors of transactions; followed_seqs: the `seq` of the messages that the follower read;
    prompts: the number of prompts for every host; claimed_runs: claimed background runs; web_pages: web devices.
    """

    wrong: list[str] = field(default_factory=list)
    followed_seqs: list[int] = field(default_factory=list)
    prompts: dict[str, int] = field(default_factory=dict)
    claimed_runs: int = 0
    web_pages: int = 0


def main(processes: int, messages_each: int, *careless: str) -> None:
    django.setup()
    runs = _prepare()
    now = timezone.now()  # the same for all, so that no lease expires on a slow machine
    if careless:
        _without_locks()
    together, over, pipe, follower = _fork.Barrier(processes), _fork.Event(), _fork.SimpleQueue(), _fork.SimpleQueue()
    for _ in range(processes):
        _fork.Process(target=_work, args=(messages_each, runs, now, together, pipe)).start()
    _fork.Process(target=_follow, args=(over, follower)).start()
    outcome = Outcome(wrong=[line for _ in range(processes) for line in pipe.get()])
    over.set()
    outcome.followed_seqs = follower.get()
    _count(outcome)
    sys.stdout.write(json.dumps(asdict(outcome)))


def _work(messages_each: int, runs: list[UUID], now: datetime, together: Barrier, pipe: Any) -> None:
    """Do the work of one process; put the errors into `pipe`."""
    from django.db import DatabaseError, connection

    from agents.models import Run
    from devices.access import handshake
    from devices.grants import asks

    connection.ensure_connection()
    wrong: list[str] = []

    def attempt(act: Any, *arguments: Any, **options: Any) -> None:
        try:
            act(*arguments, **options)
        except DatabaseError as error:
            wrong.append(f"{type(error).__name__}: {error}")

    together.wait()
    for _ in range(messages_each):
        attempt(_store)
    together.wait()
    attempt(handshake.web_device)
    for host in HOSTS:
        together.wait()
        attempt(asks.ask_grant, uuid4(), host, "read", "To read it.", is_background=False)
    for start in range(0, len(runs), 20):
        together.wait()
        attempt(Run.objects.claim, random.sample(runs[start : start + 20], 10), now)
    pipe.put(wrong)


def _store() -> None:
    """Read the last message, then store another one."""
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


def _follow(over: Event, follower: Any) -> None:
    """Follow the conversation by a cursor, as a socket does."""
    from devices import protocol
    from devices.conversation import messages as conversation_messages
    from devices.owner.account import the_owner

    owner, seqs = the_owner(), [0]
    while True:
        was_over = over.is_set()
        more = [
            message.seq
            for message in conversation_messages.messages_after(owner, seqs[-1], protocol.UNACKNOWLEDGED_MESSAGES)
        ]
        seqs += more
        if was_over and not more:
            break
        time.sleep(0.001)
    follower.put(seqs[1:])


def _prepare() -> list[UUID]:
    """Make the tables, the owner and queued runs; return their ids.

    Processes cannot share a connection.
    """
    from django.core.management import call_command
    from django.db import connection

    from agents.models import Run
    from devices import events
    from devices.owner.account import the_owner

    vars(events)["send"] = lambda *_: None  # without a server, every process would search for one every time
    call_command("migrate", verbosity=0)
    the_owner()
    runs = Run.objects.bulk_create([Run(kind=Run.Kind.THINKING) for _ in range(RUNS)])
    connection.close()
    return [run.pk for run in runs]


def _count(outcome: Outcome) -> None:
    from agents.models import Run
    from devices.models import Ask, Device

    prompts = {(ask.host, ask.prompt) for ask in Ask.objects.all()}
    outcome.prompts = dict(Counter(host for host, _ in prompts))
    outcome.claimed_runs = Run.objects.filter(state=Run.State.RUNNING).count()
    outcome.web_pages = Device.objects.filter(kind=Device.Kind.WEB).count()


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
