"""The filter of the feed, with a constant number of queries."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from html import unescape
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.thoughts import cards
from tests.thoughts.cards import HTMX
from thoughts.feed import filter as feed_filter
from thoughts.index.finds import catch_up, is_behind
from thoughts.models import Claim, Page, Preference, Thought, Words

pytestmark = pytest.mark.django_db

MakeThought = Callable[..., Thought]


@pytest.fixture
def make_thought() -> MakeThought:
    def make(
        title: str,
        *,
        text: str = "",
        claim: str = "",
        site: str = "coffeelab.example",
        preference: Preference | None = None,
        days_ago: float = 0,
        at: datetime | None = None,
        read: bool = False,
    ) -> Thought:
        moment = at or timezone.now() - timedelta(days=days_ago)
        thought = Thought.objects.create(
            title=title,
            text=text,
            html="",
            preference=preference,
            created_at=moment,
            notified_at=timezone.now() if read else None,
        )
        page = Page.objects.create(url=f"https://{site}/", domain=site, title=title, text=claim, sha256="0" * 64)
        thought.pages.add(page)
        if claim:
            Claim.objects.create(thought=thought, page=page, text=claim, quote=claim, start=0, end=len(claim))
        return thought

    return make


def index() -> None:
    while is_behind():
        catch_up()


def titles(client: Client, parameters: Mapping[str, str | int], address: str = "/") -> list[str]:
    return cards.titles(client.get(address, dict(parameters)).content.decode())


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("lever", ["A lever"]), ("LEV", ["A lever"]), ("lever pump", ["A lever"]), ("espresso", ["A lever"]),
        ("bars", ["A lever"]), ("creme", ["Crème"]), ("crème BRÛLÉE", ["Crème"]),
        ("本", ["日本語の本"]), ("日本語", ["日本語の本"]), ("本日", []),
        ("c#", ["C# and 🦀"]), ("c", []), ("🦀", ["C# and 🦀"]), ("c++", []), ("バス", []), ("ハス", ["ハスの花"]),
        ("lever brulee", []), ("ever", []), ("!?", []), ('" OR lever*', []), ("лев:*", []), ("lever NOT pump", []),
        ("'lever' & !pump", ["A lever"]),
    ],
)  # fmt: skip
def test_a_search_finds_words_of_the_title_the_text_and_the_claims(
    owner_client: Client, make_thought: MakeThought, monkeypatch: pytest.MonkeyPatch, query: str, expected: list[str]
) -> None:
    """Both searches are covered: one by one for few thoughts, and through the index for many."""
    make_thought("A lever", text="Without a **pump**, for espresso.", claim="It holds nine bars.")
    make_thought("Crème", text="Brûlée.")
    make_thought("日本語の本")
    make_thought("C# and 🦀")
    make_thought("ハスの花")
    index()
    assert titles(owner_client, {"q": query}) == expected
    monkeypatch.setattr(feed_filter, "FEW", 0)
    assert titles(owner_client, {"q": query}) == expected


def test_what_is_found_comes_newest_first_whenever_it_was_stored(
    owner_client: Client, make_thought: MakeThought
) -> None:
    for days in (3, 1, 5):
        make_thought(f"Lever {days}", days_ago=days)
        index()
    assert titles(owner_client, {"q": "lever"}) == ["Lever 1", "Lever 3", "Lever 5"]


def test_a_search_finds_no_more_what_was_deleted_and_what_changed_by_its_new_words(
    owner_client: Client, make_thought: MakeThought
) -> None:
    make_thought("A lever").delete()
    pump = make_thought("A pump")
    index()
    Thought.objects.filter(pk=pump.pk).update(title="A spring", indexed_at=None)
    index()
    assert [titles(owner_client, {"q": word}) for word in ("lever", "pump", "spring")] == [[], [], ["A spring"]]
    assert Words.objects.count() == 1


def test_all_parts_narrow_down_together(owner_client: Client, make_thought: MakeThought) -> None:
    lever, maps = (Preference.objects.create(text=text) for text in ("lever espresso", "maps"))
    make_thought("Lever one", preference=lever)
    make_thought("Lever two", preference=maps)
    make_thought("Lever three", preference=lever, site="other.example")
    make_thought("Lever four", preference=lever, days_ago=9)
    make_thought("Pump", preference=lever)
    make_thought("Lever five", preference=lever, read=True)
    index()
    parameters: dict[str, str | int] = {
        "q": "lever",
        "preference": lever.pk,
        "source": "coffeelab.example",
        "since": "week",
    }
    assert titles(owner_client, parameters) == ["Lever one"]
    assert titles(owner_client, parameters, "/archive/") == ["Lever five"]
    for left_out, more in {
        "q": "Pump",
        "preference": "Lever two",
        "source": "Lever three",
        "since": "Lever four",
    }.items():
        others = {name: value for name, value in parameters.items() if name != left_out}
        assert set(titles(owner_client, others)) == {"Lever one", more}


def test_what_a_filter_hides_stands_above_nothing(owner_client: Client, make_thought: MakeThought) -> None:
    lever, maps = (Preference.objects.create(text=text) for text in ("lever espresso", "maps"))
    both = [make_thought("Of levers", preference=lever, days_ago=9), make_thought("Of maps", preference=maps)]
    Thought.objects.filter(pk__in=[thought.pk for thought in both]).update(alike=uuid4())
    assert titles(owner_client, {}) == ["Of maps"]
    assert titles(owner_client, {"preference": lever.pk}) == ["Of levers"]
    Thought.objects.filter(pk=both[0].pk).update(stands_at=timezone.now() + timedelta(days=1))
    assert titles(owner_client, {}) == ["Of levers"]
    assert titles(owner_client, {"since": "day"}) == ["Of maps"]


def test_a_source_is_one_host_and_not_what_begins_like_it(owner_client: Client, make_thought: MakeThought) -> None:
    make_thought("Here", site="lab.example")
    make_thought("There", site="lab.example.org")
    make_thought("Elsewhere", site="www.lab.example")
    index()
    assert titles(owner_client, {"source": "Lab.example "}) == ["Here"]


@pytest.mark.parametrize(
    ("part", "few"), [("q", 500), *((part, 10) for part in ("q", "preference", "source", "since", ""))]
)
def test_pages_follow_without_gap_or_repeat_and_keep_the_filter(
    owner_client: Client, make_thought: MakeThought, monkeypatch: pytest.MonkeyPatch, part: str, few: int
) -> None:
    monkeypatch.setattr(feed_filter, "FEW", few)
    seed, moment = Preference.objects.create(text="lever espresso"), timezone.now()
    for number in range(27):
        make_thought(f"Lever {number}", preference=seed, at=moment - timedelta(seconds=number // 9))
    make_thought("Another", site="other.example", days_ago=40)
    index()
    parameters = {"q": "lever", "preference": str(seed.pk), "source": "coffeelab.example", "since": "week"}
    all_titles: list[str] = []
    address = f"/?{part}={parameters[part]}" if part else "/"
    while address:
        html = owner_client.get(address).content.decode()
        all_titles += re.findall(r"data-open>(.+?)</a></h2>", html)
        older = re.search(r'rel="next" href="([^"]+)"', html)
        address = f"/{unescape(older[1])}" if older else ""
    assert sorted(all_titles) == sorted([f"Lever {number}" for number in range(27)] + ([] if part else ["Another"]))


@pytest.mark.parametrize(
    "parameters", [{}, {"q": "lever"}, {"source": "coffeelab.example"}, {"since": "week", "preference": 1}]
)
def test_many_cost_as_many_queries_as_one(
    owner_client: Client, make_thought: MakeThought, parameters: dict[str, str]
) -> None:
    seed = Preference.objects.create(pk=1, text="lever espresso")
    make_thought("Lever", preference=seed)
    index()
    owner_client.get("/", parameters)
    with CaptureQueriesContext(connection) as one:
        assert len(titles(owner_client, parameters)) == 1
    for number in range(30):
        make_thought(f"Lever {number}", preference=seed)
    index()
    with CaptureQueriesContext(connection) as many:
        assert len(titles(owner_client, parameters)) == 12
    assert len(many) <= len(one)  # one find ends the feed, whose last line asks for more


def test_a_search_looks_into_an_index_and_never_through_all_rows(
    owner_client: Client, make_thought: MakeThought, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_filter, "FEW", 0)
    make_thought("Lever")
    index()
    with CaptureQueriesContext(connection) as queries:
        titles(owner_client, {"q": "lever", "source": "coffeelab.example"})
    assert not [query["sql"] for query in queries if " LIKE " in query["sql"].upper()]
    (search,) = [query["sql"] for query in queries if "thoughts_words" in query["sql"]]
    if connection.vendor == "sqlite":
        plan = explained(f"EXPLAIN QUERY PLAN {search}")
        assert "VIRTUAL TABLE INDEX" in plan
        assert "SCAN thoughts_thought" not in plan
        assert "SCAN thoughts_words\n" not in plan
    else:
        holds = re.search(r""""lexemes" @@ '.*?'::tsquery""", search)
        assert holds
        explained("SET LOCAL enable_seqscan = off")
        assert "thoughts_words_index" in explained(f"EXPLAIN SELECT id FROM thoughts_words WHERE {holds[0]}")


def explained(statement: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return "\n".join(str(row[-1]) for row in cursor.fetchall()) if cursor.description else ""


@pytest.mark.parametrize(
    "parameters",
    [
        {"q": "x" * 201}, {"q": "a\x00b"}, {"preference": "999"}, {"preference": "x"}, {"since": "ever"},
            {"source": "x" * 261},
        {"before": "1-2"},
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_left_out(
    owner_client: Client, make_thought: MakeThought, parameters: dict[str, str]
) -> None:
    make_thought("Lever")
    assert titles(owner_client, parameters) == ["Lever"]


def test_the_filter_stays_in_the_views_the_form_and_the_address_that_htmx_is_told(
    owner_client: Client, make_thought: MakeThought
) -> None:
    make_thought("Lever")
    index()
    html = owner_client.get("/", {"q": "lev & <b>", "since": "week"}).content.decode()
    assert 'href="/archive/?q=lev+%26+%3Cb%3E&amp;since=week"' in html
    assert 'value="lev &amp; &lt;b&gt;"' in html
    assert '<option value="week" selected>' in html
    results = owner_client.get(
        "/", {"q": "lever", "since": ""}, headers={**HTMX, "HX-Target": "results"}
    ).content.decode()
    assert 'data-address="/?q=lever"' in results
    assert "<html" not in results
    assert '<p id="said" hx-swap-oob="innerHTML">1 found.</p>' in results


def test_nothing_found_says_how_to_find_more(owner_client: Client, make_thought: MakeThought) -> None:
    make_thought("Lever", read=True)
    index()
    html = owner_client.get("/", {"q": "lever"}).content.decode()
    assert "Nothing new found for “lever”" in html
    assert 'href="/archive/?q=lever">Look in the archive' in html
    assert titles(owner_client, {"q": "lever"}, "/archive/") == ["Lever"]
    assert "Leave one of them out." in owner_client.get("/", {"since": "day"}).content.decode()


def test_what_is_saved_is_a_view_of_its_own_read_or_not(owner_client: Client, make_thought: MakeThought) -> None:
    assert "Nothing is saved" in owner_client.get("/saved/").content.decode()
    for title, read in {"Lever": True, "Pump": False, "Spring": True}.items():
        thought = make_thought(title, read=read)
        if title != "Spring":
            thought.set_saved(timezone.now())
    index()
    assert titles(owner_client, {}, "/saved/") == ["Pump", "Lever"]
    assert titles(owner_client, {"q": "lever"}, "/saved/") == ["Lever"]
