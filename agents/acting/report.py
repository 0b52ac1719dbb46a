"""What errands did and what they left undone, for the owner, from the steps that code recorded.

Names of controls and values are words of a page: what holds them has the site's label, and no request with tools holds
them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from agents.models import Errand, Run, Step
from agents.runs.act_words import short, values_of
from agents.runs.page_controls import control_name
from thoughts.rendering import escape_markdown
from thoughts.text.cleaning import clean_line

Fate = Literal["done", "maybe", "refused"]
ACTS_MAX, NAME_CHARACTERS = 20, 80
NOT_TOLD = frozenset({"hover", "scroll", "wait"})  # they change nothing that anybody keeps


@dataclass(frozen=True)
class Report:
    """Markdown, and the labels of what stands in it."""

    text: str
    origin: frozenset[str]


@dataclass(frozen=True)
class Deed:
    """One act as it was recorded. `fate`: done; maybe, where its answer was lost; refused, where nobody said yes."""

    words: str
    fate: Fate


def report_of(run: Run, *, also_done: bool = False) -> Report | None:
    """Return what the errands of a run did, None without any that ended otherwise than done.

    `also_done`: those that are done as well, where no writer says it.
    """
    errands = list(Errand.objects.filter(message=run.message) if run.message else Errand.objects.filter(runs=run))
    reported = [errand for errand in reversed(errands) if also_done or errand.state != Errand.State.DONE]
    if not reported:
        return None
    return Report("\n\n".join(_paragraphs(reported)), frozenset({errand.site for errand in reported}))


def words_for_writer(errand: Errand, end: str) -> str:
    """Return what was done in plain text: by the operator's own summary, or by the reason why it ended."""
    head = f"What was done on {errand.site}, {errand.get_state_display()}: {errand.summary or end or 'Nothing.'}"
    lines = [f"- {deed.words}" for deed in deeds_of(errand) if deed.fate == "done"]
    return "\n".join([head, *lines])


def _paragraphs(errands: Iterable[Errand]) -> Iterator[str]:
    for errand in errands:
        deeds = deeds_of(errand)
        yield _listed("On {site} I did this:", errand, deeds, "done") or f"On {errand.site} I changed nothing."
        if lines := _listed("This may have happened on {site} too, nobody can tell:", errand, deeds, "maybe"):
            yield lines
        if lines := _listed("Without your yes I did not do this:", errand, deeds, "refused"):
            yield lines
        if errand.state != Errand.State.DONE:
            yield f"Not done: what was left of “{escape_markdown(clean_line(errand.goal)[:200])}”."


def _listed(heading: str, errand: Errand, deeds: list[Deed], fate: Fate) -> str:
    own = [deed for deed in deeds if deed.fate == fate]
    if not own:
        return ""
    lines = [f"- {escape_markdown(deed.words)}" for deed in own[-ACTS_MAX:]]
    more = [f"- {len(own) - ACTS_MAX} acts before these"] if len(own) > ACTS_MAX else []
    return "\n".join([heading.format(site=errand.site), "", *more, *lines])


def deeds_of(errand: Errand) -> list[Deed]:
    """Return the acts of an errand in their order, each once, though it was called for again."""
    tries: dict[str, list[Step]] = {}
    for step in Step.objects.filter(key__startswith=f"{errand.pk}:", name="act_on_page").order_by("id"):
        tries.setdefault(step.key, []).append(step)
    approved = {_arguments(step).get("approved") for steps in tries.values() for step in steps}
    deeds = ((steps[-1], _fate(steps, approved)) for steps in tries.values())
    return [Deed(_past_words(step), fate) for step, fate in deeds if fate and _action(step).get("do") not in NOT_TOLD]


def _fate(tries: list[Step], approved: set[str | None]) -> Fate | None:
    if any(step.result.get("state") == "done" for step in tries):
        return "done"
    if any(step.state in (Step.State.STARTED, Step.State.UNKNOWN) for step in tries):
        return "maybe"
    question = next((step.result["shown"] for step in tries if step.result.get("shown")), None)
    return "refused" if question and question.get("digest") not in approved else None


def _past_words(step: Step) -> str:
    action, controls = _action(step), step.request.get("controls", {})

    def name_of(ref: object) -> str:
        name = clean_line(control_name(controls.get(str(ref), "")))[:NAME_CHARACTERS]
        return f"“{name}”" if name else "a control"

    match action.get("do"):
        case "click":
            return f"Clicked {name_of(action.get('ref'))}"
        case "set" | "type":
            entries = [f"“{clean_line(short(value))}” into {name_of(ref)}" for ref, value in values_of(action)]
            return f"Entered {', '.join(entries)}{', and sent the form' if action.get('submits') else ''}"
        case "press":
            return f"Pressed {short(action.get('keys'))}"
        case "go" if action.get("to") == "ref":
            return f"Followed {name_of(action.get('ref'))}"
        case "go":
            return f"Went {clean_line(short(action.get('path') or action.get('to')))}"
    return "Acted on the page"


def _arguments(step: Step) -> dict[str, Any]:
    return dict(step.request.get("arguments", {}))


def _action(step: Step) -> dict[str, Any]:
    return dict(_arguments(step).get("action", {}))
