"""A watched page of a shop, its visits, and the form of a watch."""

import hashlib
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.test import Client
from django.utils import timezone

from thoughts.models import Observation, Page, Watch

URL = "https://shop.example/lever"


NOW = timezone.now()


def store_visit(
    watch: Watch, price: object = None, hours: int = 0, text: str = "It costs 899,00 €.", **fields: Any
) -> Observation:
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    page = Page.objects.create(
        url=URL, domain="shop.example", title="<i>Lever", text=text, sha256=sha256, device_label="Desk"
    )
    amount = Decimal(str(price)) if price is not None else None
    defaults = {"currency": "EUR", "stock": "in", "source": "json_ld", "field": "offers.price"}
    return Observation.objects.create(
        watch=watch, page=page, price=amount, at=NOW - timedelta(hours=hours), **(defaults | fields)
    )


def submit_watch(client: Client, **fields: Any) -> str:
    return client.post(
        "/watches/add/",
        {"url": URL, "when": "below", "below": "", "label": "", "every_minutes": "60"} | fields,
        follow=True,
    ).content.decode()


def stored_watches() -> list[tuple[Any, ...]]:
    return list(Watch.objects.values_list("url", "domain", "kind", "below", "currency", "when_back", "every_minutes"))
