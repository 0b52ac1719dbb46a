"""Look at a page as the operator sees it, line by line, in a terminal."""

import io
import os
import select
import signal
import sys
from contextlib import suppress
from typing import Any

from asgiref.sync import async_to_sync
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from agents.acting.hands import conversation, events
from agents.acting.hands.lines import KNOWN
from agents.acting.hands.show import json_line, shown_event
from agents.models import Run
from agents.runs import stop
from devices import redis
from devices.disk import DiskFull
from devices.web.hosts import HostInvalid
from penny_site.health.parts import is_running

LOOK_S, START_S, END_S = 0.5, 30.0, 20.0
LINE_BYTES = 4 * conversation.LINE_CHARACTERS
LOST = "Penny's worker is gone, so this ends. The tab is given back when the worker is there again."
NOT_STARTED = "No worker took this within 30 seconds."


class _Interrupted(Exception):
    """The person at the terminal, or the terminal itself, ended it."""


class Command(BaseCommand):
    help = f"Look at a page of one site as the operator sees it. Lines: {KNOWN}."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("url", help="The page to begin with. The tab stays on its site.")
        parser.add_argument("--json", action="store_true", help="Print one JSON object a line.")

    def handle(self, *args: Any, **options: Any) -> None:
        require_own_user()
        if not is_running():
            raise CommandError("Penny does not run on this data folder. Start it with make up.")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, _interrupt)
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        self._as_json, self._last, self._waiting = options["json"], 0, b""
        try:
            self._run = conversation.start_hands(options["url"])
        except (conversation.HandsRefused, HostInvalid, DiskFull) as refused:
            self._print(events.End(code="not_begun", text=str(refused)))
            sys.exit(1)
        with suppress(_Interrupted):
            self._talk()
        self._end()

    def _talk(self) -> None:
        """Write one line after the other, and print what each brings, until the run is over."""
        self._await_answer()
        while self._is_open():
            line = self._read_line()
            if line is None:  # the input is over, or the run
                line = "quit"
            if line.strip() and self._is_open():
                self._write(line)

    def _write(self, line: str) -> None:
        try:
            conversation.write_line(self._run, line)
        except conversation.HandsRefused as refused:
            self._print(events.Refusal(code="too_long", text=str(refused)))
        else:
            self._await_answer()

    def _await_answer(self) -> None:
        """Print events up to the one that answers the line. A question to the owner is none."""
        while not self._print_news():
            if not self._is_open():
                return
            async_to_sync(redis.wait_for)(conversation.event_key(self._run.pk), LOOK_S)

    def _print_news(self) -> bool:
        is_answered = False
        for key, event in conversation.events_after(self._run, self._last):
            self._last = key
            self._print(event)
            is_answered = is_answered or not isinstance(event, events.Question)
        return is_answered

    def _is_open(self) -> bool:
        self._run.refresh_from_db()
        return self._run.state in Run.OPEN and not self._why_lost()

    def _why_lost(self) -> str:
        if conversation.is_lost(self._run):
            return LOST
        age_s = (timezone.now() - self._run.created_at).total_seconds()
        return NOT_STARTED if self._run.state == Run.State.QUEUED and age_s > START_S else ""

    def _read_line(self) -> str | None:
        """Return the next line, None at the end of the input or when the run is over."""
        if sys.stdin.isatty() and not self._as_json:
            self.stderr.write("hands> ", ending="")
            self.stderr.flush()
        while b"\n" not in self._waiting and len(self._waiting) <= LINE_BYTES:
            if not self._is_open():
                return None
            if select.select([sys.stdin], [], [], LOOK_S)[0]:
                piece = os.read(sys.stdin.fileno(), 4_096)
                if not piece:
                    return None
                self._waiting += piece
        line, _, self._waiting = self._waiting.partition(b"\n")
        return line.decode(errors="replace")

    def _end(self) -> None:
        """End the run if it is open, wait until the tab is given back, and say why it ended."""
        lost = self._why_lost()
        with suppress(_Interrupted):
            self._stop_run()
        self._run.refresh_from_db()
        self._print_news()
        code = "lost" if lost else self._run.error_code
        self._print(events.End(code=code, text=lost or self._run.outcome or "It goes on ending by itself."))
        if code not in ("", "cancelled", "idle", "owner_took_over"):
            sys.exit(1)

    def _stop_run(self) -> None:
        self._run.refresh_from_db()
        if self._run.state in Run.OPEN:
            stop.end_runs(Run.objects.filter(pk=self._run.pk), timezone.now())
        until = timezone.now().timestamp() + END_S
        while self._run.state in Run.OPEN and not self._why_lost() and timezone.now().timestamp() < until:
            async_to_sync(redis.wait_for)(conversation.event_key(self._run.pk), 0.2)
            self._run.refresh_from_db()

    def _print(self, event: events.Event) -> None:
        with suppress(OSError):  # nobody reads any more
            self.stdout.write(json_line(event) if self._as_json else shown_event(event))
            self.stdout.flush()


def require_own_user() -> None:
    """Raise CommandError unless the data folder belongs to the user of this shell."""
    if os.stat(settings.DATA).st_uid != os.geteuid():
        raise CommandError("Penny's data folder belongs to another user of this machine. Only they can use hands.")


def _interrupt(*_: object) -> None:
    raise _Interrupted
