"""Rows of thoughts, with their pages and claims, that hold payloads."""

from datetime import timedelta
from typing import Any

from tests.attacks.row_values import GATHERED, PER_GATHERING, Render, raw_id, shown_url


def fill_thoughts(texts: list[str], render: Render) -> None:
    """Store a card for every payload, and archived thoughts with many claims each."""
    from django.utils import timezone

    from thoughts.models import Page, Thought

    now = timezone.now()
    pages = [
        Page(
            url=shown_url(index, text),
            domain=text[:260],
            title=text,
            text=text,
            extracted_with="text",
            device_label=text[:64],
        )
        for index, text in enumerate(texts)
    ]
    Page.objects.bulk_create(pages, batch_size=500)
    cards = [
        Thought(
            title=text[:200],
            text=text,
            html=render(text, []),
            seed_text=text[:300],
            created_at=now - timedelta(seconds=index),
        )
        for index, text in enumerate(texts)
    ]
    for card in cards[::2]:  # shown sentence by sentence; the others as a whole
        card.sentences = [{"html": card.html, "paragraph": 0, "claims": [1]}]
    Thought.objects.bulk_create(cards, batch_size=500)
    source = Thought.pages.through
    source.objects.bulk_create(
        [source(thought_id=card.pk, page_id=page.pk) for card, page in zip(cards, pages, strict=True)], batch_size=500
    )
    for start in range(0, len(texts), PER_GATHERING):
        gather(cards[start : start + PER_GATHERING], pages[start : start + PER_GATHERING])


def fill_raw_thoughts(texts: list[str]) -> None:
    """Store one thought for each text, in order, so that none hides another."""
    from thoughts.models import Thought

    Thought.objects.bulk_create(
        [Thought(id=raw_id(index), title="Raw", text=text, html=text) for index, text in enumerate(texts)]
    )


def gather(cards: list[Any], pages: list[Any]) -> None:
    from django.utils import timezone

    from thoughts.models import Claim, Thought

    html = "".join(card.html for card in cards)
    thought = Thought.objects.create(
        title=f"{GATHERED} {cards[0].title}"[:200],
        text="",
        html=html,
        origin=[page.domain for page in pages],
        notified_at=timezone.now(),
    )
    thought.pages.set(pages)
    Claim.objects.bulk_create(
        [
            Claim(thought=thought, page=page, text=page.text[:300], quote=page.text, start=0, end=len(page.text))
            for page in pages
        ]
    )
