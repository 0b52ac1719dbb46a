"""The command /act: whether Penny may do something on pages for the messages that follow."""

from agents.acting.obstacle import WORDS, current_obstacle
from agents.commands.registry import Answer, Command, Misused, Order, register
from devices.models import Device

ON = (
    "Act mode is on here: for what you write from now on I may click and type on pages. I ask before I act on a site, "
    "and before anything that reaches others. `/act off` ends it."
)
OFF = "Act mode is off here. I only read."
EACH_MESSAGE = "This program sends the mode with each message. Switch it there."


def switch_mode(order: Order) -> Answer:
    """Switch the mode of an external channel. A panel keeps its own, and switches it when it sends this command."""
    how = order.words.lower()
    if how not in ("on", "off"):
        raise Misused("Write `/act on`, and I may act on pages for what you write next, or `/act off`.")
    if order.device.kind == Device.Kind.API:
        return Answer(EACH_MESSAGE)
    obstacle = current_obstacle() if how == "on" else None
    if obstacle is None and order.device.kind == Device.Kind.SIGNAL:
        Device.objects.filter(pk=order.device.pk).update(in_act_mode=how == "on")
    return Answer(WORDS[obstacle] if obstacle else ON if how == "on" else OFF)


register(
    Command(
        "act",
        "on | off",
        "Let me click and type on pages for what you write next, or only read again.",
        switch_mode,
        ("on", "off"),
        keeps=True,
        phrases=("act mode", "act on pages", "can you act on pages", "handle auf seiten"),
    )
)
