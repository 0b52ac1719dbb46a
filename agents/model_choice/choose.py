"""Store the owner's choice of a model, or remove it. The key is stored encrypted, and never returned to a page."""

from dataclasses import dataclass

from django.db import transaction

from agents.llm.endpoint import URLS
from agents.model_choice.kept_windows import forget_other_windows
from agents.model_choice.key_box import KeyLost, seal, unseal
from agents.model_choice.models import ONLY, ModelChoice
from devices.owner.acting import look_at_acting


@dataclass(frozen=True)
class Chosen:
    """A model at an address. An empty `key` keeps the stored one, if that was entered for the same address."""

    provider: str
    name: str
    url: str = ""
    key: str = ""

    @property
    def address(self) -> str:
        return self.url or URLS[self.provider]


@transaction.atomic
def store_choice(chosen: Chosen) -> None:
    """Use this model from the next request on.

    A stored key is never sent to another address than the one that it was entered for.
    """
    earlier = ModelChoice.objects.select_for_update().first()
    is_same = earlier is not None and is_same_address(earlier, chosen)
    keeps_key = is_same and not chosen.key and has_key(earlier)
    ModelChoice.objects.update_or_create(
        pk=ONLY,
        defaults={
            "provider": chosen.provider,
            "name": chosen.name,
            "url": chosen.address,
            "reader": earlier.reader if earlier and is_same else "",
            "vision": earlier.vision if earlier and is_same else "",
            "act": earlier.act if earlier and is_same else "",
            "sealed_key": earlier.sealed_key if earlier and keeps_key else seal(chosen.key),
        },
    )
    forget_other_windows()
    look_at_acting()


def is_same_address(earlier: ModelChoice, chosen: Chosen) -> bool:
    return (earlier.provider, earlier.url) == (chosen.provider, chosen.address)


def choose_others(reader: str, vision: str, act: str) -> None:
    """Use other models of the same address to read pages, to see pictures and to act on pages.

    Empty: the model itself; for pictures none.
    """
    ModelChoice.objects.update(reader=reader, vision=vision, act=act)
    forget_other_windows()


def forget_choice() -> None:
    """Use no model, and delete the key."""
    ModelChoice.objects.all().delete()
    forget_other_windows()
    look_at_acting()


def has_key(choice: ModelChoice | None) -> bool:
    """Whether a key is stored that can be read."""
    try:
        return choice is not None and unseal(choice.sealed_key) != ""
    except KeyLost:
        return False
