"""Pages whose price or stock cannot be told for sure: nothing is reported, and the watch says why."""

from decimal import Decimal

import pytest
from django.test import Client
from django.utils import timezone

from agents.watches.states import watch_rows
from devices.db import in_db
from tests.agents.watches.shop import Shop, report_titles, watch_of
from tests.agents.watches.shop import shop as shop
from thoughts.models import Observation
from thoughts.models.watches import MISSING_MAX

pytestmark = pytest.mark.django_db(transaction=True)
VISITS = MISSING_MAX + 1  # more than make a page count as changed
UNSURE = [
    ("24 x 35,38 €\nAuf Lager", "instalments, old prices or the like alone"),
    ("ab 5,00 €", "a range, or the lowest of several prices"),
    ("Rot 5,00 €\nBlau 6,00 €\nGrün 7,00 €", "several, and does not say which one counts"),
]
NOT_BACK = ["Not currently in stock", "0 in stock", "Pas en stock", "Bald wieder auf Lager", "In stock in store only"]


@pytest.mark.parametrize(("words", "why"), UNSURE)
async def test_a_price_that_is_unsure_reports_nothing_and_the_watch_says_why(shop: Shop, words: str, why: str) -> None:
    watch = await watch_of(below=Decimal(900))
    for _ in range(VISITS):
        shop.shows(words)
        run = await shop.visit(watch)
    assert await report_titles() == []
    [row] = await in_db(watch_rows)([watch], timezone.now())
    assert row.last is not None
    assert (row.last.price, watch.missing) == (None, 0)
    assert why in run.outcome
    assert why in row.state.words


@pytest.mark.parametrize("words", NOT_BACK)
async def test_words_that_only_sound_like_stock_bring_nothing_back(shop: Shop, words: str) -> None:
    watch = await watch_of(below=None, when_back=True, is_in_stock=False)
    for _ in range(3):
        shop.shows(f"849,00 €\n{words}")
        await shop.visit(watch)
    assert await report_titles() == []
    shop.shows("849,00 €\nIn stock")
    for _ in range(2):
        await shop.visit(watch)
    assert await report_titles() == ["lever: back in stock, 849 €"]


async def test_a_visit_shows_why_it_could_not_tell(shop: Shop, owner_client: Client) -> None:
    watch = await watch_of(below=None, when_back=True)
    shop.shows("849,00 €\nIn stock\nSold out")
    await shop.visit(watch)
    visit = await Observation.objects.aget()
    page = await in_db(owner_client.get)(f"/watches/{watch.pk}/visits/{visit.pk}/")
    assert "it says both that it is in stock and that it is not" in page.content.decode()
