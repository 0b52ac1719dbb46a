"""Prices and stock over a simulated shop: what is reported, and when it is believed."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from agents.models import Run, Step
from agents.worker import retention
from devices.db import in_db
from tests.agents.watches.shop import Shop, report_titles, values_seen, watch_of
from tests.agents.watches.shop import shop as shop
from thoughts.models import Observation, Page, Thought
from thoughts.models.watches import CONFIRM_AFTER
from thoughts.watches import changes

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_drop_is_told_when_a_second_visit_soon_after_sees_it_too(shop: Shop) -> None:
    watch = await watch_of()
    assert await shop.visits(watch, "950.00", "899.00") == []
    assert watch.next_check_at <= timezone.now() + CONFIRM_AFTER
    assert await shop.visits(watch, "899.00") == ["lever: now 899 €, below 900 €"]
    assert watch.next_check_at > timezone.now() + timedelta(minutes=30)
    thought = await Thought.objects.prefetch_related("claims__page", "pages").aget()
    assert thought.stands_at > thought.created_at + timedelta(days=1), "above what nobody asked for"
    [claim] = thought.claims.all()
    assert (claim.quote, claim.page.text[claim.start : claim.end]) == ("899.00 EUR", "899.00 EUR")
    assert [sentence["claims"] for sentence in thought.sentences] == [[1]]
    assert (thought.watch_id, thought.seed_text, thought.origin) == (
        watch.pk,
        "lever",
        ["owner", "penny", "shop.example"],
    )
    assert await Run.objects.filter(thought=thought, watch=watch).acount() == 1


async def test_it_is_told_once_and_again_after_it_was_dearer_in_between(shop: Shop) -> None:
    watch = await watch_of()
    assert len(await shop.visits(watch, "899", "899", "898", "880")) == 1
    assert len(await shop.visits(watch, "901", "899", "899")) == 1  # dearer only once: not believed
    assert len(await shop.visits(watch, "901", "901", "899", "899")) == 2


async def test_what_is_not_seen_twice_is_not_told(shop: Shop) -> None:
    assert await shop.visits(await watch_of(), "950", "1", "950", "2", "950", "900", "900") == []


async def test_another_currency_is_never_compared_and_shows(shop: Shop) -> None:
    watch = await watch_of()
    for _ in range(2):
        shop.sells("50", "USD")
        await shop.visit(watch)
    assert await report_titles() == []
    assert await values_seen(watch) == [("$50", "in")] * 2
    assert watch.missing == 2
    shop.sells("899", "EUR")
    await shop.visit(watch)
    assert (watch.missing, watch.currency) == (0, "EUR")


async def test_without_a_currency_of_the_owner_s_the_page_s_first_one_counts(shop: Shop) -> None:
    watch = await watch_of(currency="")
    shop.sells("12,000", "JPY")
    await shop.visit(watch)
    assert watch.currency == "JPY"
    shop.sells("80", "USD")
    for _ in range(2):
        await shop.visit(watch)
    assert await report_titles() == []


async def test_back_in_stock_is_told_after_it_was_out_and_what_cannot_be_told_is_neither(shop: Shop) -> None:
    watch = await watch_of(below=None, when_back=True)

    async def stock(*states: str) -> list[str]:
        for state in states:
            shop.sells("950", availability=state)
            await shop.visit(watch)
        return await report_titles()

    assert await stock("InStock", "InStock", "MadeToOrder", "InStock") == []
    assert watch.is_in_stock
    assert await stock("OutOfStock", "MadeToOrder", "InStock", "InStock") == []  # out once only
    assert await stock("SoldOut", "BackOrder", "MadeToOrder", "InStock") == []
    assert await stock("InStock") == ["lever: back in stock, 950 €"]


async def test_a_page_that_no_longer_says_it_is_told_of_once_and_shown(shop: Shop) -> None:
    watch = await watch_of()
    await shop.visits(watch, "950")
    for _ in range(5):
        shop.shows(text="This page moved. We are sorry for that, and hope that you find what you look for elsewhere.")
        await shop.visit(watch)
    assert await report_titles() == ["lever: I no longer find the price. The page may have changed its shape"]
    assert (watch.missing, watch.has_changed_shape) == (5, True)
    thought = await Thought.objects.aget()
    assert (thought.text, thought.sentences) == ("", [])
    await shop.visits(watch, "950")
    assert (watch.has_changed_shape, watch.missing_told_at) == (False, None)


async def test_a_page_that_says_the_same_is_kept_once_and_another_one_by_itself(shop: Shop) -> None:
    await shop.visits(await watch_of(), "950", "950", "950", "940")
    assert await Page.objects.acount() == 2
    assert await Observation.objects.acount() == 4


async def test_nothing_of_a_page_s_data_is_stored_but_typed_values(shop: Shop) -> None:
    watch = await watch_of()
    await shop.visits(watch, "950")
    assert (await Page.objects.aget()).metadata == {}
    steps = [str(row) async for row in Step.objects.values("request", "result")]
    assert len(steps) == 2
    assert not any("schema.org" in row for row in steps)


async def test_what_a_visit_refers_to_is_kept_and_old_visits_with_nothing_to_tell_go(shop: Shop) -> None:
    watch = await watch_of()
    await shop.visits(watch, "950", "940", "899", "898", "890")
    await Page.objects.aupdate(fetched_at=timezone.now() - timedelta(days=200))
    await in_db(retention.sweep)(timezone.now())
    assert await Page.objects.acount() == 5
    await Observation.objects.aupdate(at=timezone.now() - timedelta(days=400))
    while await in_db(retention.sweep)(timezone.now()):
        pass
    prices = [row async for row in Observation.objects.values_list("price", flat=True)]
    assert len(prices) == 2  # the reported visit, and the newest, for comparison
    assert Decimal(898) in prices
    assert await Page.objects.acount() == 2


async def test_without_the_second_look_one_visit_would_be_believed(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        changes, "_below", lambda watch, observation: None if observation is None else observation.price < watch.below
    )
    settle = changes._settle_below
    monkeypatch.setattr(changes, "_settle_below", lambda watch, now, before, verdict: settle(watch, now, now, verdict))
    assert await shop.visits(await watch_of(), "950", "1") == ["lever: now 1 €, below 900 €"]


async def test_without_the_look_at_currencies_dollars_would_be_told_as_euros(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        changes, "_below", lambda watch, observation: None if observation is None else observation.price < watch.below
    )
    watch = await watch_of()
    for _ in range(2):
        shop.sells("50", "USD")
        await shop.visit(watch)
    assert await report_titles() == ["lever: now $50, below 900 €"]
