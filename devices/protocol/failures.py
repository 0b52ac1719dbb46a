"""Why a browser did not do what a call asked for."""

from __future__ import annotations

import re
from typing import Annotated, Literal, get_args

from pydantic import BeforeValidator, Field
from typing_extensions import TypeAliasType  # pydantic names no other before Python 3.12

from devices.protocol.base import Part, Text

_Act = Literal[
    "stale_ref",
    "not_found",
    "not_visible",
    "covered",
    "disabled",
    "unstable",
    "not_editable",
    "no_option",
    "ambiguous",
    "secret_refused",
    "value_refused",
    "unsupported",
    "left_site",
    "unsaved",
    "frame_not_granted",
    "changed_since_asked",
    "too_large",
    "owner_took_over",
]
_Call = Literal[
    "not_granted",
    "tools_off",
    "bad_url",
    "redirect_not_granted",
    "load_failed",
    "timeout",
    "cancelled",
    "disconnected",
    "empty_page",
    "needs_sign_in",
    "secret_field",
    "no_clean_session",
    "shows_logins",
    "blocked_by_site",
    "asks_consent",
    "asks_human",
    "unreadable_results",
    "no_element",
    "internal",
    "no_tab",
    "outcome_unknown",
    "navigation_failed",
]
UNKNOWN: Literal["internal"] = "internal"
_CODES = frozenset((*get_args(_Act), *get_args(_Call)))
_FORM = re.compile(r"[a-z][a-z0-9_]{,63}\Z")

ActCode = TypeAliasType("ActCode", _Act)
CallCode = TypeAliasType("CallCode", _Call)


def _or_unknown(code: object) -> object:
    """A browser of a later version may send other codes."""
    return UNKNOWN if isinstance(code, str) and _FORM.match(code) and code not in _CODES else code


class ToolError(Part):
    code: Annotated[ActCode | CallCode, BeforeValidator(_or_unknown)]
    message: Annotated[Text, Field(max_length=1000)]
