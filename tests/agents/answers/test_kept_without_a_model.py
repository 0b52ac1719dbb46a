"""Without a model, "what did I read about …" is answered with the passages themselves."""

import pytest

from agents.embeddings import embed
from agents.embeddings.embed import NotEmbedded
from agents.vault.keep import keep_page
from devices.models import Device
from tests.agents.background import carry_out_all
from tests.agents.outbox.send_message import immediate_answer, reply_to, send_message
from tests.agents.vault.test_search import ESPRESSO, ROUTER, index_all
from tests.client import make_page
from thoughts.models import Kept

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


@pytest.fixture
def coffee() -> Kept:
    keeper = Device.objects.create(label="Desk", kind=Device.Kind.BROWSER)
    row = keep_page(make_page("https://coffee.example/a", "Water", ESPRESSO), keeper, "asked")
    keep_page(make_page("https://net.example/a", "Router", ROUTER), keeper, "asked")
    index_all()
    return row


def test_the_answer_is_the_passages_with_site_day_and_evidence(coffee: Kept) -> None:
    run = send_message("What did I read about espresso?")
    carry_out_all()
    message = reply_to(run)
    day = f"{coffee.kept_at:%-d %B %Y}"
    assert message.text.startswith(f"From [coffee.example](https://coffee.example/a), kept on {day}:\n\n- Espresso is")
    assert "/evidence/1/)" in message.text
    assert "No model yet" in message.text
    assert "coffee.example" in message.origin
    claim = message.claims.get(number=1)
    assert claim.quote == coffee.page.text[claim.start : claim.end]


def test_what_was_not_kept_is_said(coffee: Kept) -> None:
    Kept.objects.all().delete()
    run = send_message("What did I read about espresso?")
    carry_out_all()
    assert "You kept nothing about “espresso”. [Kept pages](" in reply_to(run).text


def test_words_alone_are_said(coffee: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(texts: object) -> None:
        raise NotEmbedded("away")

    monkeypatch.setattr(embed, "embed", away)
    run = send_message("What did I read about espresso?")
    carry_out_all()
    assert "Espresso is brewed" in reply_to(run).text
    assert "I compared words only" in reply_to(run).text


def test_the_command_search_lists_kept_pages(coffee: Kept) -> None:
    answer = immediate_answer("/search espresso")
    assert "[Water](" in answer.text
    assert f"/kept/{coffee.pk}/), which you kept on {coffee.kept_at:%-d %B %Y}" in answer.text
    assert "coffee.example" in answer.origin
