"""Forgetting says what goes with it, takes effect in every search at once, and can be undone for ten minutes."""

import re
from datetime import datetime, timedelta
from html import unescape
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client as Pages
from django.urls import reverse
from django.utils import timezone

from agents.models import Run, Step
from agents.vault.forget import traces
from agents.vault.forget.entries import Selection, consequences, forget, restore_forgotten
from agents.vault.keep import keep_page
from agents.vault.search import search_kept
from agents.worker.forget_kept import delete_forgotten
from devices.models import Device, Message, MessageClaim
from penny_site import tasks
from tests.agents.vault.test_search import ESPRESSO, GARDEN, ROUTER, index_all, sites
from tests.client import make_page
from thoughts.models import Chunk, ChunkWords, Kept, Page, WrongReading

pytestmark = pytest.mark.django_db
QUOTE = "Its firmware is flashed over the serial port"
LATER = timedelta(minutes=11)


@pytest.fixture
def keeper() -> Device:
    return Device.objects.create(label="Desk", kind=Device.Kind.BROWSER)


@pytest.fixture
def vault(keeper: Device) -> dict[str, Kept]:
    other = Device.objects.create(label="Laptop", kind=Device.Kind.BROWSER)
    rows = {
        "coffee": keep_page(make_page("https://coffee.example/water", "Coffee", ESPRESSO), other, "auto"),
        "net": keep_page(make_page("https://net.example/router", "Router", ROUTER), keeper, "asked"),
        "garden": keep_page(make_page("https://www.garden.example/tomatoes", "Garden", GARDEN), keeper, "asked"),
    }
    index_all()
    return rows


@pytest.fixture
def ada(owner_client: Pages) -> User:
    return User.objects.get()


def answer_from(entry: Kept, ada: User, question: str = "How is it flashed?") -> Message:
    """Store an answer with one number of evidence from an entry, and the run that searched for it."""
    turn, page = uuid4(), entry.page
    url = reverse("answer_evidence", args=[turn, 1])
    message = Message.objects.create(
        owner=ada,
        seq=(Message.all_rows.count() + 1),
        direction="out",
        turn_id=turn,
        text="Over the serial port.",
        html=f'<p>Over the serial port. <a href="{url}">1</a></p>',
        origin=["owner", page.domain],
    )
    message.sources.add(page)
    start = page.text.index(QUOTE)
    MessageClaim.of(message, 1, page.pk, "It is flashed", QUOTE, start, start + len(QUOTE)).save()
    run = Run.objects.create(kind=Run.Kind.TURN, turn_id=turn, state=Run.State.DONE)
    record(run, "planner", ["owner"], {"turns": [question]}, {"text": "Say how."})
    record(run, "writer", ["owner", page.domain], {"turns": [QUOTE]}, {"text": QUOTE})
    Step.objects.create(
        run=run, kind="tool", zone="planner", name=traces.SEARCH_TOOL, result={"hits": [{"domain": page.domain}]}
    )
    return message


def record(run: Run, zone: str, origin: list[str], request: object, result: object) -> Step:
    return Step.objects.create(run=run, kind="model", zone=zone, origin=origin, request=request, result=result)


def words_of_steps() -> str:
    return repr(list(Step.objects.values_list("request", "result")))


def one(entry: Kept) -> Selection:
    return Selection(entry=entry.pk)


def days(number: int) -> datetime:
    return timezone.now() + timedelta(days=number)


def test_an_empty_choice_means_nothing(vault: dict[str, Kept], ada: User) -> None:
    assert forget(ada, Selection())[1] == 0
    assert Kept.objects.kept().count() == 3


def test_a_choice_is_by_entry_site_time_device_or_all(vault: dict[str, Kept], keeper: Device) -> None:
    Kept.objects.filter(pk=vault["coffee"].pk).update(kept_at=days(-20), last_seen_at=days(-10))
    cases = {
        one(vault["net"]): {"net"},
        Selection(site="net.example"): {"net"},
        Selection(site="garden.example"): {"garden"},
        Selection(site="t.example"): set[str](),
        Selection(until=days(-5)): {"coffee"},
        Selection(since=days(-15), until=days(-5)): {"coffee"},
        Selection(since=days(-5)): {"net", "garden"},
        Selection(device=keeper.pk.hex): {"net", "garden"},
        Selection(device=keeper.pk.hex, site="net.example"): {"net"},
        Selection(device=UUID(int=0).hex): set[str](),
        Selection(everything=True): {"coffee", "net", "garden"},
    }
    names = {row.pk: name for name, row in vault.items()}
    for selection, expected in cases.items():
        assert {names[row.pk] for row in selection.rows()} == expected, selection


def test_the_consequences_are_counted_and_named(vault: dict[str, Kept], ada: User) -> None:
    answer_from(vault["net"], ada)
    result = consequences(Selection(site="net.example"))
    assert (result.pages, result.passages, result.answers, result.finds, result.steps) == (1, 1, 1, 0, 2)
    assert result.named == {"pages": ["Router, net.example"], "answers": ["Over the serial port."], "finds": []}
    assert consequences(Selection(site="garden.example")).answers == 0


def test_what_was_said_to_be_read_wrong_of_a_page_goes_with_it(
    vault: dict[str, Kept], ada: User, owner_client: Pages
) -> None:
    for entry in (vault["net"], vault["garden"]):
        owner_client.post(f"/pages/{entry.page_id}/wrong/", {"complaint": "It is cut."})
    assert consequences(one(vault["net"])).complaints == 1
    forget(ada, one(vault["net"]))
    assert "net.example" not in owner_client.get("/pages/wrong/").content.decode()
    assert "garden.example" in owner_client.get("/pages/wrong/").content.decode()
    again = owner_client.post(f"/pages/{vault['net'].page_id}/wrong/", {"complaint": "It is cut."})
    export = owner_client.get(f"/pages/wrong/{WrongReading.objects.get(domain='net.example').pk}.json")
    assert (again.status_code, export.status_code) == (404, 404)
    delete_forgotten(timezone.now() + LATER)
    assert [row.domain for row in WrongReading.objects.all()] == ["www.garden.example"]


def test_what_is_forgotten_is_in_no_search_at_once_and_an_undo_brings_it_back(
    vault: dict[str, Kept], ada: User
) -> None:
    moment, count = forget(ada, one(vault["net"]))
    assert count == 1
    assert "net.example" not in sites(search_kept("router firmware"))
    assert restore_forgotten(ada, moment) == 1
    assert sites(search_kept("router firmware"))[0] == "net.example"


def test_ten_minutes_later_nothing_brings_it_back(
    vault: dict[str, Kept], ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment, _ = forget(ada, one(vault["net"]))
    now = timezone.now() + LATER
    monkeypatch.setattr(timezone, "now", lambda: now)
    assert restore_forgotten(ada, moment) == 0


def test_later_rows_words_vectors_page_and_recorded_words_are_gone_and_the_answer_stays(
    vault: dict[str, Kept], ada: User, owner_client: Pages
) -> None:
    answer = answer_from(vault["net"], ada)
    url = reverse("answer_evidence", args=[answer.turn_id, 1])
    assert owner_client.get(url).status_code == 200
    forget(ada, one(vault["net"]))
    assert delete_forgotten(timezone.now() + timedelta(minutes=9)) == 0
    assert QUOTE in words_of_steps()
    assert delete_forgotten(timezone.now() + LATER) == 1
    assert not Page.objects.filter(domain="net.example").exists()
    assert {chunk.kept_id for chunk in Chunk.objects.all()} == {vault["coffee"].pk, vault["garden"].pk}
    assert ChunkWords.objects.count() == Chunk.objects.count()
    assert QUOTE not in words_of_steps()
    assert "net.example" not in words_of_steps()
    assert "How is it flashed?" in words_of_steps()  # the owner's own question
    assert Message.objects.filter(pk=answer.pk).exists()
    assert not MessageClaim.objects.exists()
    response = owner_client.get(url)
    assert response.status_code == 410
    assert "Source forgotten" in response.content.decode()
    assert owner_client.get(reverse("answer_evidence", args=[answer.turn_id, 2])).status_code == 404


def test_the_evidence_says_so_at_once(vault: dict[str, Kept], ada: User, owner_client: Pages) -> None:
    answer = answer_from(vault["net"], ada)
    forget(ada, one(vault["net"]))
    response = owner_client.get(reverse("answer_evidence", args=[answer.turn_id, 1]))
    assert "serial" not in unescape(response.content.decode()).partition("<main")[2]
    assert owner_client.get(reverse("page_read", args=[vault["net"].page_id])).status_code == 404


def test_answers_go_too_where_the_owner_ticks_that_and_come_back_with_the_undo(
    vault: dict[str, Kept], ada: User
) -> None:
    answer = answer_from(vault["net"], ada)
    moment, _ = forget(ada, one(vault["net"]), with_answers=True)
    assert not Message.objects.exists()
    restore_forgotten(ada, moment)
    assert Message.objects.get().pk == answer.pk
    forget(ada, one(vault["net"]), with_answers=True)
    delete_forgotten(timezone.now() + LATER)
    assert not Message.all_rows.exists()


def test_steps_of_other_sites_keep_their_words(vault: dict[str, Kept], ada: User) -> None:
    answer_from(vault["net"], ada)
    forget(ada, one(vault["garden"]))
    delete_forgotten(timezone.now() + LATER)
    assert QUOTE in words_of_steps()


def test_what_an_answer_cites_stays_when_its_time_is_over(vault: dict[str, Kept], ada: User) -> None:
    answer_from(vault["net"], ada)
    Kept.objects.update(keep_until=days(-1))
    delete_forgotten(timezone.now())
    assert list(Kept.objects.kept()) == [vault["net"]]


# The pages
# ----------------------------------------------------------------------------------------------------------------------


def main_text(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html.partition("<main")[2])).split())


def post_form(client: Pages, html: str, **more: str) -> str:
    form = html.partition('action="/kept/forget/"')[2].partition("</form>")[0]
    fields = dict(re.findall(r'<input type="hidden" name="(?!csrf)(\w+)" value="([^"]*)"', form))
    return client.post("/kept/forget/", {**fields, **more}, follow=True).content.decode()


def test_the_page_asks_says_what_goes_forgets_and_undoes(
    vault: dict[str, Kept], ada: User, owner_client: Pages
) -> None:
    answer_from(vault["net"], ada)
    assert "3 pages are kept" in main_text(owner_client.get("/kept/forget/").content.decode())
    html = owner_client.get("/kept/forget/", {"site": "Net.example", "since": "", "until": "", "device": ""})
    text = main_text(html.content.decode())
    assert "Forget 1 kept page?" in text
    assert "Answers that cite them: 1" in text
    assert "Recorded steps that may hold their words: 2" in text
    assert Kept.objects.kept().count() == 3
    after = post_form(owner_client, html.content.decode())
    assert "Forgotten: 1 page." in after
    assert Kept.objects.kept().count() == 2
    undo = re.search(r'action="(/kept/forgotten/\d+/restore/)"', after)
    assert undo
    assert "Kept again: 1 page." in owner_client.post(undo[1], follow=True).content.decode()
    assert Kept.objects.kept().count() == 3


def test_what_is_forgotten_for_good_has_no_undo_and_goes_with_the_next_tick(
    vault: dict[str, Kept], ada: User, owner_client: Pages, redis: None
) -> None:
    answer_from(vault["net"], ada)
    html = owner_client.get("/kept/forget/", {"site": "net.example"}).content.decode()
    assert 'name="for_good"' in html
    after = post_form(owner_client, html, for_good="on", with_answers="on")
    assert "Forgotten: 1 page. That is for good." in after
    assert "/restore/" not in after
    moment = Kept.objects.get(page__domain="net.example").deleted_at
    assert moment is not None
    assert timezone.now() - moment < timedelta(minutes=1)
    assert restore_forgotten(ada, moment) == 0
    tasks._forget_kept()
    assert not Page.objects.filter(domain="net.example").exists()
    assert not Message.all_rows.exists()
    assert QUOTE not in words_of_steps()
    assert Kept.objects.kept().count() == 2


def test_a_page_that_is_kept_once_more_at_once_stays(
    vault: dict[str, Kept], ada: User, keeper: Device, redis: None
) -> None:
    forget(ada, one(vault["net"]), for_good=True)
    keep_page(make_page("https://net.example/router", "Router", ROUTER), keeper, "asked")
    tasks._forget_kept()
    moment, _ = forget(ada, one(vault["net"]))
    assert restore_forgotten(ada, moment) == 1


def test_the_bytes_are_erased_after_each_deletion_until_that_worked_and_after_a_start(
    vault: dict[str, Kept], ada: User, redis: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes = [False, True, True]
    monkeypatch.setattr(tasks, "_erase_deleted", lambda: outcomes.pop(0))
    for left in (2, 1, 1):  # somebody reads at first; nothing is to do at last
        tasks._erase()
        assert len(outcomes) == left
    forget(ada, one(vault["net"]), for_good=True)
    tasks._forget_kept()
    tasks._erase()
    assert (outcomes, Kept.objects.count()) == ([], 2)
    tasks._forget_kept()
    tasks._erase()  # nothing more was deleted: this would take from an empty list


def test_everything_is_forgotten_by_its_own_link(vault: dict[str, Kept], ada: User, owner_client: Pages) -> None:
    html = owner_client.get("/kept/forget/", {"everything": "on"}).content.decode()
    assert "Forget 3 kept pages?" in main_text(html)
    assert "Forgotten: 3 pages." in post_form(owner_client, html)
    assert not Kept.objects.kept().exists()


@pytest.mark.parametrize(
    "values",
    [
        {"since": "2026-05-02", "until": "2026-05-01"},
        {"since": "soon"},
        {"device": "' OR 1=1"},
        {"entry": "x"},
        {"site": "", "everything": ""},
    ],
)
def test_a_choice_that_is_none_forgets_nothing(
    vault: dict[str, Kept], owner_client: Pages, values: dict[str, str]
) -> None:
    assert owner_client.post("/kept/forget/", values).status_code == 200
    assert Kept.objects.kept().count() == 3


@pytest.mark.parametrize("key", [0, 5, 10**17, 10**40])
def test_an_undo_of_nothing_is_refused_in_words(owner_client: Pages, key: int) -> None:
    assert "gone for good" in owner_client.post(f"/kept/forgotten/{key}/restore/", follow=True).content.decode()
