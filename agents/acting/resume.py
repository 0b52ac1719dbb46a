"""Go on with an errand whose run was interrupted: no act is made twice, and one that may have happened is said."""

import json
import re

from agents.acting.away import when_back
from agents.acting.transcript import LINES_MAX
from agents.gateway.page_calls import Place, call_page
from agents.llm.messages import ToolRequest
from agents.models import Errand, Run, Step
from agents.runs.act_words import act_words
from agents.runs.context import Context
from devices import protocol
from devices.db import in_db

_LAST = {
    "done": "Act {number} was done before you were interrupted.",
    "begun": "Act {number} may have happened before you were interrupted. Look before you do it again.",
    "unknown": "Act {number} did not happen: you were interrupted.",
}


def earlier_calls(run: Run) -> tuple[ToolRequest, ...]:
    """Return the calls for the errands of earlier attempts, so that no planner is asked for them again."""
    if run.attempt < 2 or run.message is None:
        return ()
    errands = list(Errand.objects.filter(message=run.message).exclude(tab="").order_by("created_at"))
    return tuple(
        ToolRequest(f"errand{number}", "act", json.dumps({"where": f"e{number}", "goal": errand.goal}))
        for number, errand in enumerate(errands, 1)
    )


def earlier_errand(run: Run, where: str) -> Errand | None:
    """Return the errand that such a call is for."""
    number = re.fullmatch(r"e([1-9][0-9]?)", where)
    if number is None or run.attempt < 2 or run.message is None:
        return None
    errands = Errand.objects.filter(message=run.message).exclude(tab="").select_related("device", "message")
    return errands.order_by("created_at")[int(number[1]) - 1 :].first()


async def earlier_lines(context: Context, place: Place, errand: Errand) -> list[str]:
    """Return a line for each act of the earlier attempts, and what became of the last one. Raises ToolRefused."""
    lines = await in_db(_act_lines)(context.run, errand)
    if errand.paused_at is not None:
        lines.append("The owner had the page and gave it back. Look at what they did there.")
    if not errand.number:
        return lines
    arguments = protocol.ActOutcomeArguments(act_id=errand.act_id(errand.number))
    outcome = await when_back(context, errand, lambda: call_page(context, place, protocol.ACT_OUTCOME, arguments))
    return [*lines, _LAST[outcome.state].format(number=errand.number)]


def _act_lines(run: Run, errand: Errand) -> list[str]:
    steps = Step.objects.filter(run=run, key__startswith=f"{errand.pk}:").order_by("-id")[:LINES_MAX]
    return [_act_line(step) for step in reversed(steps)]


def _act_line(step: Step) -> str:
    action = step.request.get("arguments", {}).get("action", {})
    words = act_words(action, step.request.get("controls", {}))
    return f"{step.key.rpartition(':')[2]} {words}: {step.error_code or step.result.get('state') or step.state}"
