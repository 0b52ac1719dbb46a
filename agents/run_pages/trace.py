"""The trace of a run as JSON, to be shown to others: what its page shows, without secrets.

Keys of services, signed tokens and long random numbers are cut out of every text, passwords by their names, and the
secret parameters of addresses as wherever Penny stores one.
"""

import re
from typing import Any

from agents.run_pages.flow import Flow, Node
from devices.models import Ask
from devices.web.hosts import HostInvalid, url_to_store
from thoughts.text.private.url_secrets import ENDINGS, HEXADECIMAL, KNOWN

REMOVED = "(removed)"
VERSION = 1
_NAMES = (*ENDINGS, "authorization", "cookie", "passcode", "otp", "pin")
_ADDRESS = re.compile(r"https?://[^\s<>\"'\\)\]]+", re.IGNORECASE)
_USER = re.compile(r"(?<=://)[^\s/@]{1,500}@")
# `"password": "x"` also inside JSON that is a text itself, with its escaped quotes; a name may have a prefix.
_NAMED = re.compile(
    rf"(?P<name>(?<![A-Za-z0-9])[A-Za-z0-9_-]{{0,40}}?(?:{'|'.join(_NAMES)})\\*[\"']?[ \t]?[:=][ \t]?)"
    rf"(?:\\*\"(?:[^\"\\]|\\[^\"])*\\*\"?|(?:(?:bearer|basic) )?[^\s,;}}\]]+)",
    re.IGNORECASE,
)


def trace_of(flow: Flow) -> dict[str, Any]:
    run = flow.run
    return {
        "version": VERSION,
        "run": str(run.pk),
        "kind": run.kind,
        "state": run.state,
        "asked": cut_secrets_of_text(flow.run.asked),
        "outcome": cut_secrets_of_text(run.outcome),
        "error": run.error_code,
        "created_at": run.created_at,
        "started_at": run.started_at,
        "ended_at": run.ended_at,
        "attempts": run.attempt,
        "steps": [_step(node) for node in flow.nodes],
        "asks": [_ask(ask) for ask in flow.asks],
        "answer": cut_secrets_of_text(flow.answer.text) if flow.answer else None,
    }


def _step(node: Node) -> dict[str, Any]:
    step = node.step
    return {
        "number": node.number,
        "zone": step.zone,
        "kind": step.kind,
        "name": step.name,
        "labels": step.origin,
        "state": step.state,
        "error": step.error_code,
        "device": step.device.label if step.device else None,
        "started_at": step.started_at,
        "ended_at": step.ended_at,
        "input_tokens": step.input_tokens,
        "output_tokens": step.output_tokens,
        "prompt_removed_at": step.prompt_removed_at,
        "request": without_secrets_in(step.request),
        "result": without_secrets_in(step.result),
    }


def _ask(ask: Ask) -> dict[str, Any]:
    return {
        "kind": ask.kind,
        "capability": ask.capability,
        "host": ask.host,
        "text": cut_secrets_of_text(ask.text),
        "state": ask.state,
        "created_at": ask.created_at,
    }


def without_secrets_in(value: Any) -> Any:
    """Return a JSON value in which no text and no field with the name of a secret holds one."""
    if isinstance(value, dict):
        return {
            name: REMOVED if field and name.lower().endswith(_NAMES) else without_secrets_in(field)
            for name, field in value.items()
        }
    if isinstance(value, list):
        return [without_secrets_in(item) for item in value]
    return cut_secrets_of_text(value) if isinstance(value, str) else value


def cut_secrets_of_text(text: str) -> str:
    text = _ADDRESS.sub(lambda match: _storable(match[0]), _USER.sub("", text))
    for secret in (KNOWN, HEXADECIMAL):
        text = secret.sub(REMOVED, text)
    return _NAMED.sub(rf"\g<name>{REMOVED}", text)


def _storable(address: str) -> str:
    try:
        return url_to_store(address)
    except HostInvalid:
        return REMOVED
