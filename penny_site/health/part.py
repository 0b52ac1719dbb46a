"""The state of one part of Penny."""

from dataclasses import dataclass

START = "Start Penny with make up."


@dataclass(frozen=True)
class Part:
    """The state of one part of Penny. `advice` says what to do if `is_ok` is false.

    `is_tried`: whether it was used for real. Without that, `is_ok` says that it is set up. `note`: what else the owner
    should know of a part that works.
    """

    name: str
    label: str
    is_ok: bool
    is_required: bool
    text: str
    advice: str = ""
    is_tried: bool = True
    note: str = ""
