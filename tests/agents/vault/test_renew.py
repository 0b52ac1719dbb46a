"""A kept page is read again in the owner's browser; what it says now is kept as a new version."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from agents.models import Run, Step
from agents.runs.context import ParkedAtAsk
from agents.vault import renew
from agents.vault.forget.entries import Selection, forget
from agents.vault.keep import keep_file, keep_page
from agents.worker.forget_kept import delete_forgotten
from agents.worker.tables import WORK
from devices.access import api_tokens
from devices.db import in_db
from devices.models import BrowserCall, Device, Grant
from devices.owner.account import the_owner
from tests.agents.watches.shop import URL, Shop
from tests.agents.watches.shop import shop as shop
from tests.client import make_page
from tests.page_client import page_words
from thoughts.models import Kept, Page

pytestmark = pytest.mark.django_db(transaction=True)
OLD = "The lever machine holds nine bars, and costs 899 EUR."
CONTACTS = {"emails": ["ada@shop.example"]}


async def kept_entry(text: str = OLD) -> Kept:
    device = await Device.objects.afirst()
    assert device is not None
    entry = await in_db(keep_page)(make_page(URL, "Lever", text), device, "asked", CONTACTS)
    await Kept.objects.aupdate(kept_at=timezone.now() - timedelta(days=3))
    return await Kept.objects.aget(pk=entry.pk)


async def read_again(entry: Kept) -> Run:
    """Read an entry again, as a worker does; return the run."""
    run = await in_db(renew.start_renewal)(entry)
    [claim] = await in_db(Run.objects.claim)([run.pk], timezone.now())
    await WORK[Run.Kind.VAULT](claim)
    return await Run.objects.aget(pk=run.pk)


async def newest() -> Kept:
    return await Kept.objects.select_related("page").order_by("-kept_at").afirst()  # type: ignore[return-value]


async def test_another_text_is_a_new_version_and_the_old_one_stays(shop: Shop) -> None:
    entry = await kept_entry()
    shop.shows(text="It costs 950 EUR now. The password: correcthorse99battery opens the shop.")
    run = await read_again(entry)
    row = await newest()
    assert (run.state, run.outcome) == ("done", renew.NEW)
    assert row.page.text == "It costs 950 EUR now. The password: ▮ opens the shop."
    assert (row.source, row.masked, row.contacts, row.page.device_label) == ("asked", 1, CONTACTS, "Desk")
    assert await in_db(renew.newer_version)(entry) == row
    assert await Page.objects.acount() == await Kept.objects.acount() == 2


async def test_the_same_text_is_seen_again(shop: Shop) -> None:
    entry = await kept_entry()
    shop.page = make_page(URL, "Lever", OLD)
    run = await read_again(entry)
    row = await Kept.objects.aget()
    assert (run.state, run.outcome) == ("done", renew.UNCHANGED)
    assert row.last_seen_at > entry.last_seen_at


async def test_a_site_that_is_not_allowed_becomes_a_question(shop: Shop) -> None:
    await Grant.objects.all().adelete()
    entry = await kept_entry()
    with pytest.raises(ParkedAtAsk):
        await read_again(entry)
    assert shop.calls == []


async def test_a_page_that_cannot_be_read_keeps_what_is_kept_and_says_why(shop: Shop) -> None:
    entry = await kept_entry()
    shop.fails("needs_sign_in")
    run = await read_again(entry)
    assert (run.state, run.error_code) == ("failed", "needs_sign_in")
    assert "shop.example" in run.outcome
    assert await Kept.objects.aget() == entry


async def test_a_page_that_asks_for_a_secret_now_overwrites_nothing_and_the_page_says_why(
    shop: Shop, owner_client: Client
) -> None:
    entry = await kept_entry()
    shop.fails("secret_field")
    run = await read_again(entry)
    assert [call.keeps for call in shop.calls] == [True]
    assert (run.state, run.error_code) == ("failed", "secret_field")
    assert "asks for a password, a card or a code now" in await in_db(page_words)(owner_client, f"/kept/{entry.pk}/")
    assert await Kept.objects.select_related("page").aget() == entry
    assert (await Page.objects.aget()).text == OLD


async def test_a_browser_that_cannot_tell_what_is_never_kept_reads_nothing_again(shop: Shop) -> None:
    entry = await kept_entry()
    await Device.objects.aupdate(tools=["browse_url"])
    run = await read_again(entry)
    assert (run.error_code, shop.calls) == ("not_to_keep", [])
    assert "Update Penny's extension" in run.outcome


async def test_a_page_that_leads_elsewhere_is_not_kept(shop: Shop) -> None:
    entry = await kept_entry()
    shop.shows(text="Sign in first.", url="https://shop.example/sign-in")
    assert (await read_again(entry)).outcome == renew.ELSEWHERE
    assert await Kept.objects.acount() == 1


async def test_no_model_and_no_reader_gets_the_page(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask_sandbox(*_: object, **__: object) -> str:
        raise AssertionError("the sandbox was asked")

    monkeypatch.setattr("agents.pages.read.ask_sandbox", ask_sandbox)
    entry = await kept_entry()
    shop.shows(text="It costs 950 EUR now.")
    await read_again(entry)
    assert [step.name async for step in Step.objects.all()] == ["browse_url"]


async def test_nothing_of_a_page_is_left_in_the_run_when_it_is_forgotten(shop: Shop) -> None:
    entry = await kept_entry()
    shop.shows(text="It costs 950 EUR now.")
    await read_again(entry)
    owner = await in_db(the_owner)()
    await in_db(forget)(owner, Selection(site="shop.example"))
    await in_db(delete_forgotten)(timezone.now() + timedelta(minutes=11))
    left = [str(row) async for row in Step.objects.values("request", "result")]
    left += [str(row) async for row in Run.objects.values()]
    assert not [text for text in left if "shop" in text]
    assert not await Page.objects.aexists()
    assert not await BrowserCall.objects.aexists()


async def test_an_entry_that_was_forgotten_meanwhile_is_not_read(shop: Shop) -> None:
    entry = await kept_entry()
    run = await in_db(renew.start_renewal)(entry)
    await Kept.objects.aupdate(deleted_at=timezone.now())
    [claim] = await in_db(Run.objects.claim)([run.pk], timezone.now())
    await WORK[Run.Kind.VAULT](claim)
    assert shop.calls == []


@pytest.mark.usefixtures("redis")
def test_the_button_starts_one_run_and_the_page_says_what_came_of_it(owner_client: Client, keeper: Device) -> None:
    entry = keep_page(make_page(URL, "Lever", OLD), keeper, "asked")
    for _ in range(2):
        answer = owner_client.post(f"/kept/{entry.pk}/read/")
    assert answer["Location"] == f"/kept/{entry.pk}/#again"
    run = Run.objects.get()
    assert "Penny reads the page again" in page_words(owner_client, f"/kept/{entry.pk}/")
    assert f'hx-get="/kept/{entry.pk}/"' in owner_client.get(f"/kept/{entry.pk}/").content.decode()
    Run.objects.update(state="done", outcome=renew.NEW)
    assert renew.NEW in page_words(owner_client, f"/kept/{entry.pk}/")
    assert owner_client.get(f"/runs/{run.pk}/").status_code == 200


@pytest.mark.usefixtures("redis")
def test_a_file_is_not_read_again_and_nobody_else_may_ask(owner_client: Client, keeper: Device) -> None:
    file = keep_file("notes.md", OLD.encode())
    assert "Read again" not in page_words(owner_client, f"/kept/{file.pk}/")
    assert owner_client.post(f"/kept/{file.pk}/read/").status_code == 404
    entry = keep_page(make_page(URL, "Lever", OLD), keeper, "asked")
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(the_owner())
    assert strict.post(f"/kept/{entry.pk}/read/").status_code == 403
    _, token = api_tokens.new_token("A program")
    for headers in ({}, {"Authorization": f"Bearer {token}"}):
        assert Client().post(f"/kept/{entry.pk}/read/", headers=headers).status_code == 302
    assert not Run.objects.exists()
