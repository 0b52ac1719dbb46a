"""Hand the model of the sandbox over to the supervisor, which replaces the sandbox's process.

The sandbox can reach the ports of its start alone. The key goes through an inherited socket, never to the disk.
"""

import json
import os

import structlog
from django.conf import settings

from agents.model_choice.in_use import Models, is_set_by_environment, models_in_use

# The variables of the sandbox that name its model.
VARIABLES = ("PENNY_MODEL", "PENNY_READER_MODEL", "PENNY_VISION_MODEL", "PENNY_MODEL_URL", "PENNY_MODEL_KEY")
log = structlog.get_logger("penny.model")


def can_hand_over() -> bool:
    """Whether a supervisor started this process. In containers there is none."""
    return settings.HANDOVER_FD is not None


def sandbox_variables(models: Models) -> dict[str, str]:
    if models.main is None:
        return {}
    values = (models.main, models.reader or "", models.vision or "", models.main.url, models.main.key)
    return {name: str(value) for name, value in zip(VARIABLES, values, strict=True) if value}


def hand_over() -> None:
    """Tell the supervisor which model the sandbox shall use. It ignores what the sandbox already has.

    The worker's tick repeats this, so one that is lost costs two seconds.
    """
    if settings.HANDOVER_FD is None or is_set_by_environment():
        return
    message = json.dumps(sandbox_variables(models_in_use())).encode()
    try:
        os.write(settings.HANDOVER_FD, message)  # a socket of datagrams: one write, one message
    except OSError as error:  # its buffer is full, or it ends
        log.warning("model.not_handed_over", error=type(error).__name__)
