"""Why Penny can do nothing on pages now, though the owner switched a message to Act."""

from agents.model_choice.in_use import models_in_use
from devices import protocol
from devices.models import Device
from devices.models.devices import ACTING_TOOLS

WORDS: dict[protocol.Obstacle, str] = {
    "no_model": "Acting on pages needs a model. Choose one under Settings › Model.",
    "no_browser": "No browser is connected that I could act in. Open the one that you paired.",
    "old_browser": "Your browser’s extension is too old to act on pages. Install the newer one, then try again.",
    "switched_off": (
        "No connected browser may act on pages. Switch “Act on pages” on under Permissions › Browsers, and “Use this "
        "browser” in its sidebar."
    ),
}


def current_obstacle() -> protocol.Obstacle | None:
    """Return the first thing that keeps Penny from acting, None if a connected browser may."""
    if models_in_use().act is None:
        return "no_model"
    browsers = [device for device in Device.objects.connected() if device.tools]
    if not browsers:
        return "no_browser"
    able = [device for device in browsers if set(device.tools) >= ACTING_TOOLS]
    if not able:
        return "old_browser"
    return None if any(device.act_use and device.tool_use for device in able) else "switched_off"


def acting_state() -> protocol.ActingChanged:
    return protocol.ActingChanged(obstacle=current_obstacle())
