"""The command /draw. The picture itself is drawn by agents/answers/drawing.py."""

from django.conf import settings

from agents.commands.registry import Answer, Command, Misused, Order, register
from devices import disk
from devices.owner import stop


def draw(order: Order) -> Answer | None:
    """Check that a picture can be drawn, and leave the work to the worker. Raises Misused."""
    if not order.words:
        raise Misused("Say what to draw: `/draw a lighthouse in the fog`.")
    if stop.is_stopped():
        raise Misused("Everything is stopped. Write “go on” first.")
    if settings.IMAGE_MODEL is None:
        raise Misused(
            "No model that draws is set. Set PENNY_IMAGE_MODEL, such as `openai:gpt-image-1` or `ollama:` and a "
            "model of yours that draws."
        )
    if not disk.has_room():
        raise Misused(disk.REFUSED)
    return None


register(Command("draw", "WHAT", "Draw a picture.", draw, ("a lighthouse in the fog",), planner_calls=("draw",)))
