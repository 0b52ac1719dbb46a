"""The owner's facts in an errand: the operator writes `{{email}}`, and the value is put in at the act.

A fact may be used where the owner's words name it, and on its own sites.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError

from agents.acting import calls
from agents.acting.page_tools import CallInvalid
from agents.models import Errand, Memory
from agents.zones.slots import fill_in, hide_values, names_in
from thoughts.text.covering import covers

C = TypeVar("C", bound=calls.Call)
ENTERING = (calls.Set, calls.Fill, calls.Type, calls.Select)
COMPARING = (calls.Find, calls.Wait, calls.Done)  # with the page, which the operator sees with names too


@dataclass(frozen=True)
class Facts:
    """Values by their names. `usable`: those that this errand may enter."""

    values: Mapping[str, str]
    usable: Mapping[str, str]


def facts_for(errand: Errand) -> Facts:
    slots = list(Memory.objects.confirmed().exclude(name=""))
    values = {slot.name: slot.value for slot in slots}
    words = [errand.goal, *errand.answers, errand.message.text if errand.message else ""]
    names = names_in(hide_values("\n".join(words), values))
    usable = {
        slot.name: slot.value
        for slot in slots
        if slot.name in names and (not slot.sites or any(covers(site, errand.site) for site in slot.sites))
    }
    return Facts(values, usable)


def put_in(call: C, facts: Facts) -> C:
    """Return a call with values for the names in it. Raises CallInvalid for a fact that may not be used here."""
    enters = type(call) in ENTERING
    if not enters and type(call) not in COMPARING:
        return call
    written = call.model_dump(mode="json")
    values = facts.usable if enters else facts.values
    if enters and (others := _facts_in(written) & (facts.values.keys() - facts.usable.keys())):
        raise CallInvalid(f"You may not use {{{{{min(others)}}}}} for this. Ask the owner if it is needed.")
    try:
        return type(call).model_validate(_filled(written, values))
    except ValidationError:
        raise CallInvalid("That is too long with the owner's fact in it.") from None


def _facts_in(written: Any) -> set[str]:
    if isinstance(written, dict | list):
        inner = written.values() if isinstance(written, dict) else written
        return set[str]().union(*map(_facts_in, inner))
    return names_in(written) if isinstance(written, str) else set()


def _filled(written: Any, values: Mapping[str, str]) -> Any:
    if isinstance(written, dict):
        return {name: _filled(inner, values) for name, inner in written.items()}
    if isinstance(written, list):
        return [_filled(inner, values) for inner in written]
    return fill_in(written, values) if isinstance(written, str) else written
