"""Think once and print the result."""

import time
from typing import Any

from constance import config
from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from agents.models import Run
from agents.thinking.start import start_thinking
from devices.disk import DiskFull
from penny_site.health.parts import is_running
from thoughts.models import Preference

WAIT_S = 600


class Command(BaseCommand):
    help = "Think once: print the thought, or the reason why there is none."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--preference", default="", help="What to think about; added to your preferences when it is new."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not is_running():
            self.stdout.write("No thought: Penny does not run on this data folder. Start it with make up.")
            return
        text = options["preference"].strip()[:300]
        preference = (
            Preference.objects.filter(text__iexact=text).first() or Preference.objects.create(text=text)
            if text
            else None
        )
        try:
            run = start_thinking(preference)
        except DiskFull as error:
            self.stdout.write(f"No thought: {error}")
            return
        self.stdout.write(self._outcome(run))

    def _outcome(self, run: Run) -> str:
        until = time.monotonic() + WAIT_S
        answer_until = time.monotonic() + config.ASK_S
        while time.monotonic() < until:
            run.refresh_from_db()
            if run.thought is not None:
                return f"{run.thought.title}\n\n{run.thought.text}"
            is_unanswered = run.state == Run.State.PARKED and time.monotonic() > answer_until
            if run.state not in Run.OPEN or is_unanswered:
                return f"No thought: {run.outcome}"
            time.sleep(0.2)
        return (
            f"No thought yet: the run started {timezone.localtime(run.created_at):%H:%M} goes on; the admin shows it."
        )
