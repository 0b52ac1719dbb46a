"""Tasks for tests: schedule one, carry it out, answer its question."""

from datetime import UTC, datetime
from typing import Any

from agents.models import Run, Schedule
from agents.schedules import start as schedules_start
from devices.grants import ask_texts, asks
from devices.models import Ask, Message
from tests.agents.background import carry_out_all

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
URL = "https://coffee.example/water"
TASK = f"How hot is the water according to {URL} ?"


def schedule_task(task: str = TASK, **fields: Any) -> Schedule:
    return Schedule.objects.create(name="Mine", kind="task", task=task, rrule="FREQ=HOURLY;INTERVAL=1", **fields)


def run_now(schedule: Schedule) -> Run:
    schedules_start.run_now(schedule)
    return carry_out_all()[0]


def stored_messages() -> list[Message]:
    return list(Message.objects.order_by("seq"))


def answer_ask(decision: ask_texts.Decision) -> None:
    ask = Ask.objects.get(state="open")
    asks.answer_ask(ask.prompt, decision, scope="always" if decision == "allow" else None)
