"""The models in use: those that the environment names, else the owner's choice on Settings › Model."""

from dataclasses import dataclass

from django.conf import settings

from agents.llm.providers import Endpoint, EndpointInvalid, parse_endpoint
from agents.model_choice.key_box import KeyLost, unseal
from agents.model_choice.models import ModelChoice

KEY_LOST = "the key of {choice} cannot be read with this secret key"


@dataclass(frozen=True)
class Models:
    """The model that plans and writes, the one that reads pages, the one that sees pictures, and the one that acts.

    Each is None where there is none. `trouble`: why the owner's choice cannot be used.
    """

    main: Endpoint | None = None
    reader: Endpoint | None = None
    vision: Endpoint | None = None
    act: Endpoint | None = None
    trouble: str = ""


def models_in_use() -> Models:
    if is_set_by_environment():
        return Models(
            settings.MODEL, settings.READER_MODEL, settings.VISION_MODEL, settings.ACT_MODEL or settings.MODEL
        )
    choice = ModelChoice.objects.first()
    return Models() if choice is None else _chosen_models(choice)


def is_set_by_environment() -> bool:
    """Whether the environment names a model. It then wins over a choice."""
    return settings.MODEL is not None


def _chosen_models(choice: ModelChoice) -> Models:
    try:
        key = unseal(choice.sealed_key)
        main, reader, vision, act = (
            parse_endpoint(f"{choice.provider}:{name}" if name else "", choice.url, key)
            for name in (choice.name, choice.reader, choice.vision, choice.act)
        )
    except KeyLost:
        return Models(trouble=KEY_LOST.format(choice=choice))
    except EndpointInvalid as error:  # a row of another version
        return Models(trouble=f"{choice} cannot be used: {error}")
    return Models(main, reader or main, vision, act or main)
