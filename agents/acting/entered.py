"""What a call would enter, and into which control. A field for secrets gets nothing, and no surface shows what it was.

The browser refuses the same; here the value does not even leave, so that no record of a call holds it.
"""

from collections.abc import Mapping

from agents.acting import calls
from agents.runs.act_words import refs_of, values_of
from agents.runs.context import ToolRefused
from agents.runs.page_controls import FOCUS, is_secret, role_and_name


def refuse_secrets(call: calls.Call, controls: Mapping[str, str], site: str) -> None:
    """Raise ToolRefused for a call that enters something into a field for secrets."""
    if any(is_secret(control) for control in _controls_of(call, controls)):
        raise ToolRefused("secret_refused", site)


def may_be_shown(call: calls.Call, controls: Mapping[str, str]) -> bool:
    """Whether the owner's surfaces may show what it enters. Not where the field is one for secrets, or is unknown."""
    fields = _controls_of(call, controls)
    return bool(fields) and all(control and not is_secret(control) for control in fields)


def names_of(call: calls.Call, controls: Mapping[str, str]) -> dict[str, str]:
    """Return role and name of each control that it names, by ref, without what stands in it."""
    if not isinstance(call, calls.Acting):
        return {}
    refs = refs_of(call.action().model_dump(mode="json"))
    return {ref: role_and_name(controls[ref]) for ref in refs if ref in controls}


def _controls_of(call: calls.Call, controls: Mapping[str, str]) -> list[str]:
    """Return the control of each value, "" for one that no snapshot showed."""
    if not isinstance(call, calls.Set | calls.Fill | calls.Type | calls.Select | calls.Check):
        return []
    focused = [control for control in controls.values() if FOCUS in control[-2:]]
    refs = [ref for ref, _ in values_of(call.action().model_dump(mode="json"))]
    return [control for ref in refs for control in ([controls.get(ref, "")] if ref else focused)]
