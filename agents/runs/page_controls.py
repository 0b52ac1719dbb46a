"""Controls as a snapshot names them: `[7 textbox Coupon = SAVE10 required]`. A page cannot write a bracket there.

The words in it are the page's own, so untrusted.
"""

import re
from collections.abc import Iterable

_CONTROL = re.compile(r"\[(\d{1,7}) ([^\]\n]{1,400})\]")
# What stands behind the name: that it is secret, its value, and what the control says of itself.
_STATES = re.compile(
    r"( secret)?( = .*|( ✓| ~| •| −| \+| disabled| required| readonly| busy| >)*( !.*)?( >)?)$", re.DOTALL
)
_ROLES = re.compile(
    r"^(button|link|checkbox|radio|tab|menuitem|menuitemcheckbox|menuitemradio|option|switch|combobox|textbox|searchbox|"
    r"slider|spinbutton|treeitem|gridcell|scrollbar|color|date|datetime|file|month|time|week|select|click)( |$)"
)
FOCUS = " >"


def controls_in(texts: Iterable[object]) -> dict[str, str]:
    """Return the controls of snapshots and changes, by ref: all that stands in the brackets. Later texts win."""
    return {match[1]: match[2] for text in texts for match in _CONTROL.finditer(str(text or ""))}


def role_and_name(control: str) -> str:
    """Return a control without its value and states."""
    return _STATES.sub("", control, count=1).strip() or control


def control_name(control: str) -> str:
    """Return the name that people see."""
    return _ROLES.sub("", role_and_name(control), count=1)


def is_secret(control: str) -> bool:
    """Whether the browser marked it as a field for a password, a code or a card. A name that ends so counts as well."""
    states = _STATES.search(control)
    return states is not None and states[1] is not None
