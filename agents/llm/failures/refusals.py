"""Tell why a model's server refuses, from the words of usual servers. Imports no Django.

Statuses say little: local servers answer 400 or 500 to everything, and some send the reason as an event of a stream.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agents.llm.endpoint import KEY_VARIABLES
from agents.llm.messages import ModelFailed

if TYPE_CHECKING:
    from agents.llm.providers import Endpoint

REASON_CHARACTERS = 4000
WHERE = "under Settings › Model"
SILENT, CUT_OFF = "model_slow", "model_cut_off"
BROKEN_OFF = frozenset({SILENT, CUT_OFF})  # what was heard before is good
NOT_WHOLE = "so this is not whole."
# The first form that fits counts: what is particular stands before what is general.
_REASONS: dict[str, tuple[str, ...]] = {
    "model_loading": (
        r"loading model",
        r"model (?:is )?(?:still |currently )?(?:being )?load(?:ing|ed into)",
        r"is currently loading",
        r"warming up",
        r"still (?:starting|loading)",
        r"server (?:is )?(?:starting|not ready)",
    ),
    "model_memory": (
        r"out of memory",
        r"requires more (?:system |gpu )?memory",
        r"not enough (?:system |gpu )?memory",
        r"cuda error",
        r"insufficient (?:system )?memory",
        r"failed to allocate",
        r"kv cache.{0,40}(?:full|space)",
    ),
    "model_context": (
        r"context[ _-]?(?:length|size|window|limit)",
        r"maximum context",
        r"n_ctx",
        r"n_keep",
        r"tokens to keep",
        r"max_model_len",
        r"too many (?:input )?tokens",
        r"(?:prompt|input|request|message)s? (?:is|are|was) too (?:long|large)",
        r"(?:prompt|input)[ _](?:tokens?|length).{0,40}(?:exceed|too|larger|longer)",
        r"exceed.{0,70}(?:context|token limit|max.{0,10}tokens)",
        r"reduce the length",
        r"string_above_max_length",
        r"input is too long",
        r"payload too large",
        r"content_too_large",
    ),
    "model_no_tools": (
        r"(?:does|do) not support (?:the use of )?(?:tool|function)",
        (
            r"(?:tool|function)[ _-]?(?:use|call(?:s|ing)?|choice)?s? (?:is|are) (?:not|currently not) "
            r"(?:supported|available|enabled|allowed)"
        ),
        r"no endpoints found that support (?:the provided )?tool",
        r"enable-auto-tool-choice",
        r"tool-call-parser",
        r"tools? param(?:eter)?s? requires? --jinja",
        r"requires? --jinja",
        r"(?:unsupported|unknown|unrecognized|unexpected|invalid|extra)[^.]{0,60}\b(?:tools|tool_choice|functions)\b",
        r"(?:`|\x27|\")(?:tools|tool_choice|functions)(?:`|\x27|\") (?:is|are) (?:not|un)\w*",
        r"tools? not supported",
        r"without tool(?:s| support)",
        r"tools (?:is|are) unsupported",
    ),
    "model_no_system": (
        r"system (?:role|message|prompt|instruction)s? (?:is |are )?(?:not|un)\s?(?:supported|allowed|enabled)",
        r"(?:does|do) not support (?:the )?(?:\"|\x27)?(?:system|developer)",
        r"(?:developer|system) instruction is not enabled",
        r"roles must alternate",
        r"only (?:the )?user and assistant roles",
        r"(?:unexpected|unknown|invalid|unsupported) (?:message )?role",
        r"role[^.]{0,30}(?:system|developer)[^.]{0,30}(?:not|invalid|unsupported)",
        r"(?:system|developer)[^.]{0,20}is not one of",
    ),
    "model_no_pictures": (
        (
            r"(?:does|do|can) ?not "
            r"(?:support|accept|process|handle|take)[^.]{0,30}(?:image|vision|picture|multimodal|multi-modal)"
        ),
        r"(?:image|vision|picture|multimodal|image_url)[^.]{0,40}(?:not|un)\s?(?:supported|available|enabled|allowed)",
        r"no endpoints found that support image",
        r"(?:invalid|unknown|unsupported) (?:content|part|message)[^.]{0,30}image",
        r"missing data required for image",
        r"mmproj",
        r"not a (?:vision|multimodal) model",
        r"image input is not",
        r"content must be a string",
    ),
    "model_quota": (
        r"insufficient[_ ](?:quota|balance|credit|funds)",
        r"exceeded your current quota",
        r"out of credits",
        r"(?:more|enough|no) credits",
        r"credit balance",
        r"billing",
        r"payment required",
        r"spend(?:ing)? limit",
        r"usage limit",
        r"quota (?:exceeded|reached|has been)",
        r"allowance",
    ),
    "model_key_refused": (
        (
            r"(?:invalid|incorrect|missing|wrong|no|expired|unknown|bad|malformed|valid) "
            r"(?:api|auth\w*|x-api|access|bearer)[ _-]?(?:key|token|credentials?|header)"
        ),
        r"api[ _-]?key (?:is |was )?(?:not|in|un|required|missing|expired|disabled)",
        r"unauthori[sz]ed",
        r"authentication",
        r"no auth credentials",
        r"invalid[_ ]api[_ ]key",
        r"didn't provide an api key",
        r"permission[ _]denied",
        r"forbidden",
    ),
    "model_not_found": (
        (
            r"model[^.]{0,120}(?:not found|does not exist|not exist|is not (?:available|loaded|a "
            r"valid|found|supported)|isn't available|unknown|not_found|no longer)"
        ),
        r"no (?:such )?models? (?:loaded|named|found|available)",
        r"unknown model",
        r"try pulling it",
        r"model_not_found",
        r"not a valid model",
        r"invalid model",
        r"failed to load model",
        r"no endpoints found for",
        r"decommissioned",
    ),
    "model_busy": (
        r"rate[ _-]?limit",
        r"too many requests",
        r"slow down",
        r"queue is full",
        r"no slot",
        r"at capacity",
        r"overloaded",
        r"high demand",
    ),
}
_FORMS = {code: re.compile("|".join(forms), re.IGNORECASE | re.DOTALL) for code, forms in _REASONS.items()}
_STATUSES = {
    401: "model_key_refused",
    402: "model_quota",
    403: "model_key_refused",
    413: "model_context",
    429: "model_busy",
}


def refusal_code(reason: str, status: int = 0) -> str:
    """Return the code of a refusal: by its words, else by its status; empty where neither tells."""
    reason = reason[:REASON_CHARACTERS]
    by_words = next((code for code, form in _FORMS.items() if form.search(reason)), "")
    if status in (401, 403) and by_words not in ("model_quota", "model_not_found"):
        return "model_key_refused"
    return by_words or _STATUSES.get(status, "")


def broken_off(silent_s: float | None, *, has_text: bool) -> ModelFailed:
    """Return the failure of an answer that has no end. `silent_s`: how long nothing was heard; None: it broke off.

    `has_text`: the owner sees what was written before.
    """
    if silent_s is None:
        what = "The model broke off in the middle of its answer"
        return ModelFailed(CUT_OFF, f"{what}, {NOT_WHOLE}" if has_text else f"{what}. Try again.")
    what = f"The model said nothing for {silent_s:g} s"
    more = f"Try again, choose a smaller model {WHERE}, or let it be silent longer under Settings › Expert."
    return ModelFailed(SILENT, f"{what}, {NOT_WHOLE}" if has_text else f"{what}. {more}")


def failure_of(code: str, endpoint: Endpoint) -> ModelFailed:
    """Return the failure with words that say what to do."""
    server = endpoint.provider if endpoint.provider in KEY_VARIABLES else endpoint.url
    texts = {
        "model_loading": f"{endpoint} is still loading. Try again in a minute.",
        "model_memory": (
            f"{endpoint} does not fit into the memory of its machine. Choose a smaller model, or a smaller context."
        ),
        "model_context": "That is too much text for the model. Ask about less, or choose a larger model.",
        "model_no_tools": f"{endpoint} takes no tools. Choose a model that calls tools.",
        "model_no_system": f"{endpoint} takes no instructions. Choose a model that is made for chats.",
        "model_no_pictures": f"{endpoint} takes no pictures. Choose a model that sees pictures {WHERE}.",
        "model_quota": f"The allowance at {server} is used up. Add credit there, or choose another model.",
        "model_key_refused": f"{server} refused the key. Enter another one {WHERE}.",
        "model_key_missing": f"{server} wants a key, and none is set. Enter it {WHERE}.",
        "model_not_found": f"{endpoint.url} has no model named {endpoint.name}. Choose another one {WHERE}.",
        "model_busy": f"{server} limits how often it may be asked. Try again in a minute.",
    }
    if code == "model_key_refused" and not endpoint.key:
        code = "model_key_missing"
    return ModelFailed(code, texts[code])
