"""Decide what may be done with one act on a page: a table of tools and consequences, and the owner's answers.

The extension says what an act would do; this module only looks up. It knows no page, no row and no question's text.
"""

from collections.abc import Set
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal, get_args

from devices.protocol import Certainty, Consequence, OwnerTask

KINDS: tuple[Consequence, ...] = get_args(Consequence)
CERTAINTIES: tuple[Certainty, ...] = get_args(Certainty)
Tool = Literal[
    "look", "find", "click", "set", "fill", "type", "select", "check", "press", "hover", "scroll", "go", "wait", "ask",
    "take_over", "done",
]  # fmt: skip
TOOLS: tuple[Tool, ...] = get_args(Tool)
OWNER_TASKS: tuple[OwnerTask, ...] = get_args(OwnerTask)


class Decision(IntEnum):
    """From the mildest on: of several consequences, the strictest decides."""

    DO = 0
    ASK_ONCE = 1  # once per site, role, name and errand
    ASK = 2  # each time, with the exact content
    ASK_GRANT = 3  # the host has no `act` grant; until then the tab stays
    HAND_OVER = 4  # the owner does it
    REFUSE = 5  # no tool of this errand can do it, or the owner said no


class Way(IntEnum):
    """What a tool does to a page. The number is its column in the table."""

    READ = 0
    ENTER = 1
    PRESS = 2
    GO = 3


WAYS: dict[Tool, Way] = {
    "look": Way.READ,
    "find": Way.READ,
    "click": Way.PRESS,
    "set": Way.ENTER,
    "fill": Way.ENTER,
    "type": Way.ENTER,
    "select": Way.ENTER,
    "check": Way.ENTER,
    "press": Way.PRESS,
    "hover": Way.READ,
    "scroll": Way.READ,
    "go": Way.GO,
    "wait": Way.READ,
    "ask": Way.READ,
    "take_over": Way.READ,
    "done": Way.READ,
}

_NEVER = (Decision.REFUSE, Decision.REFUSE, Decision.REFUSE, Decision.REFUSE)
_ASKED = (Decision.REFUSE, Decision.ASK, Decision.ASK, Decision.ASK)
# Columns: read, enter, press, go. A field submits when its form does so on change, or when `submit` was set.
TABLE: dict[Consequence, tuple[Decision, Decision, Decision, Decision]] = {
    "submit": _ASKED,
    "send": _ASKED,
    "buy": _ASKED,
    "delete": _ASKED,
    "grant": _ASKED,
    "account": _ASKED,
    "sign_in": _ASKED,
    # Penny types no password, code or card number. A form that the owner filled in may be sent.
    "credential": (Decision.REFUSE, Decision.HAND_OVER, Decision.ASK, Decision.ASK),
    "upload": _ASKED,
    "download": _ASKED,
    "leave": (Decision.REFUSE, Decision.ASK_GRANT, Decision.ASK_GRANT, Decision.ASK_GRANT),
    "carry": _NEVER,
    "call_api": _NEVER,
    "script": _NEVER,
    "confirm": _ASKED,
}


@dataclass(frozen=True)
class Control:
    """What a yes counts for where code can say nothing about a control."""

    site: str
    role: str
    name: str


@dataclass(frozen=True)
class Act:
    """What a tool is about to do. `digest` names its exact content; it is empty where no consequence is known."""

    tool: Tool
    kinds: Set[Consequence]
    certainty: Certainty
    control: Control
    owner_task: OwnerTask | None = None
    digest: str = ""


@dataclass(frozen=True)
class Answers:
    """The owner's answers in this errand so far."""

    refused_digests: Set[str] = field(default_factory=frozenset)
    allowed_controls: Set[Control] = field(default_factory=frozenset)
    refused_controls: Set[Control] = field(default_factory=frozenset)


def decide(act: Act, answers: Answers) -> Decision:
    """Return the strictest decision of the act's consequences. Raises KeyError for a tool or kind without one.

    A yes to an exact content is no answer here: the act is repeated with its digest, which the extension compares.
    """
    way = WAYS[act.tool]
    decisions = [TABLE[kind][way] for kind in act.kinds]
    if act.owner_task is not None:
        decisions.append(_decide_owner_task(way))
    if act.certainty == "none":
        decisions.append(_decide_unknown(way, act.control, answers))
    decision = max(decisions, default=Decision.DO)
    is_no = decision in (Decision.ASK, Decision.ASK_ONCE) and act.digest in answers.refused_digests
    return Decision.REFUSE if is_no else decision


def _decide_owner_task(way: Way) -> Decision:
    return Decision.DO if way is Way.READ else Decision.HAND_OVER


def _decide_unknown(way: Way, control: Control, answers: Answers) -> Decision:
    if way is Way.READ or control in answers.allowed_controls:
        return Decision.DO
    return Decision.REFUSE if control in answers.refused_controls else Decision.ASK_ONCE
