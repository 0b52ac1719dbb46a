from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from agents.models import Run

pytestmark = pytest.mark.django_db


def add_run(state: str, days_ago: int = 1, **fields: Any) -> Run:
    return Run.objects.create(
        **{"kind": Run.Kind.THINKING, "state": state, "created_at": timezone.now() - timedelta(days=days_ago)} | fields
    )


def read_summary(owner_client: Client) -> str:
    html = owner_client.get("/admin/agents/run/").content.decode()
    return html.partition('id="subtitle">')[2].partition("</p>")[0]


def test_the_run_list_sums_up_the_thinking_of_thirty_days(owner_client: Client) -> None:
    add_run("done", spent_tokens=900, spent_micros=1_100_000)
    add_run("discarded", spent_tokens=4_300, spent_micros=400_000)
    add_run("failed")
    add_run("done", kind=Run.Kind.TURN, spent_tokens=10**6, spent_micros=10**9)
    add_run("done", days_ago=31, spent_tokens=10**6)
    assert read_summary(owner_client) == (
        "Thinking in the last 30 days: 1 find from 3 runs, for 5,200 tokens and 1.50 of money"
    )


def test_without_a_price_the_run_list_shows_no_cost(owner_client: Client) -> None:
    assert read_summary(owner_client) == "Thinking in the last 30 days: 0 finds from 0 runs, for 0 tokens"
