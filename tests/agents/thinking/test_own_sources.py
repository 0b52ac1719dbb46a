"""The own sources that a thinking run visits: granted, named by the seed first, in turn."""

from datetime import timedelta

import pytest
from constance.test import override_config
from constance.utils import get_values
from django.utils import timezone

from agents.learning import from_files
from agents.models import Run
from agents.runs.context import Context
from agents.runs.handles import Handles
from agents.thinking import own_sources
from devices.grants import grants
from devices.models import Ask
from devices.owner import muted_sites
from tests.agents.background import NO_MODELS
from thoughts.models import Page, Source
from thoughts.sources.entries import Entry

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]

NOW = timezone.now()


def source(title: str, url: str = "", *, days: float | None = None, feed: bool = True, **fields: object) -> Source:
    """Store a source whose site is granted. `days`: since its last visit."""
    host = url.split("/")[2] if url else f"{title.replace(' ', '')}.example"
    row = from_files.source_of(Entry(url or f"https://{host}/", title, f"https://{host}/feed" if feed else ""))
    row.looked_at = NOW - timedelta(days=days) if days is not None else None
    for name, value in fields.items():
        setattr(row, name, value)
    row.save()
    grants.set_grant(host, "read", "allowed")
    return row


def context(seed: str) -> Context:
    return Context(Run.objects.create(kind="thinking"), "thinking", Handles([seed]), seed, NO_MODELS, get_values())


def titles_picked(seed: str = "lever espresso") -> list[str]:
    return [row.title for row in own_sources.pick_sources(context(seed))]


def test_what_the_seed_names_comes_first_then_what_nobody_looked_at_for_longest() -> None:
    source("news", days=30)
    source("old lever blog", days=3)
    source("fresh lever blog", days=2)
    assert [titles_picked() for _ in range(4)] == [["old lever blog"], ["fresh lever blog"], ["news"], []]


def test_as_many_are_looked_at_as_the_setting_says_and_each_is_marked() -> None:
    with override_config(SOURCES_PER_THOUGHT=2):
        first = source("lever")
        source("espresso")
        source("news")
        assert sorted(titles_picked()) == ["espresso", "lever"]
        first.refresh_from_db()
        assert first.looked_at is not None


def test_none_are_where_the_setting_says_so() -> None:
    with override_config(SOURCES_PER_THOUGHT=0):
        source("lever")
        assert titles_picked() == []


def test_nothing_is_looked_at_that_would_need_a_question_or_was_taken_away() -> None:
    source("lever ungranted")
    grants.revoke_grant("leverungranted.example", "read")
    source("lever blocked")
    grants.set_grant("leverblocked.example", "read", "blocked")
    source("lever muted")
    muted_sites.mute_site("levermuted.example")
    source("lever paused", paused=True)
    source("lever removed", deleted_at=NOW)
    assert titles_picked() == []
    assert not Ask.objects.exists()


def test_a_grant_for_a_site_holds_for_what_is_below_it() -> None:
    source("lever", "https://blog.coffee.example/")
    grants.revoke_grant("blog.coffee.example", "read")
    grants.set_grant("coffee.example", "read", "allowed")
    assert titles_picked() == ["lever"]


def test_a_single_page_is_looked_at_once_and_only_for_a_seed_that_names_it() -> None:
    source("a lever machine", "https://page.example/one", feed=False)
    assert titles_picked("gardening") == []
    assert titles_picked() == ["a lever machine"]
    Source.objects.update(looked_at=NOW - timedelta(days=400))
    assert titles_picked() == []


def test_of_the_links_of_a_source_the_first_is_opened_that_is_allowed_and_new() -> None:
    grants.set_grant("lab.example", "read", "allowed")
    Page.objects.create(
        url="https://lab.example/read", domain="lab.example", title="", text="", extracted_with="text", sha256=""
    )
    run = context("lever")
    run.handles.urls |= {
        "p1.l1": "https://other.example/",
        "p1.l2": "https://lab.example/read",
        "p1.l3": "https://lab.example/new",
    }
    assert own_sources.openable_link(run, ["p1.l1", "p1.l2", "p1.l3"]) == "p1.l3"
    assert own_sources.openable_link(run, ["p1.l1", "p1.l2"]) is None
