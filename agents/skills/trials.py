"""Try a skill: run a version's selectors on one granted page, through a connected browser.

Only what the owner is shown is stored of the page.
"""

from typing import Any

from constance.utils import get_values
from django.db import transaction

from agents.gateway.arguments import BrowseUrl
from agents.gateway.call import call_tool
from agents.gateway.catalog import BROWSE_URL
from agents.gateway.open_page import Opening, Trial
from agents.llm.messages import ToolRequest
from agents.model_choice.in_use import models_in_use
from agents.models import Run, SkillTrial, SkillVersion
from agents.runs import failure_texts, queue
from agents.runs.budget_spent import BudgetSpent
from agents.runs.context import Context
from agents.runs.handles import Handles
from agents.skills.patterns import place_of
from devices import disk, protocol
from devices.db import in_db
from devices.models import Device
from devices.web.hosts import clean_url, grant_host, url_to_store
from thoughts.text.cleaning import clean_line, clean_text

TEXT_CHARACTERS = 1500
TRIALS_KEPT = 20


@transaction.atomic
def start_trial(version: SkillVersion, url: str) -> SkillTrial:
    """Store a trial and wake the worker. Raises DiskFull, HostInvalid.

    The address is the owner's own, unchanged.
    """
    disk.check_room()
    address = clean_url(url if "://" in url else f"https://{url}")
    old = (
        SkillTrial.objects.filter(version__skill=version.skill_id)
        .order_by("-pk")
        .values_list("run_id", flat=True)[TRIALS_KEPT - 1 :]
    )
    Run.objects.filter(pk__in=list(old)).exclude(state__in=Run.OPEN).delete()
    run = Run.objects.create(kind=Run.Kind.TRIAL, task=address)
    trial = SkillTrial.objects.create(version=version, run=run, url=url_to_store(address))
    queue.enqueue_on_commit(run)
    return trial


async def carry_out(run: Run) -> None:
    """Open the page of a trial and store the result. Raises Parked."""
    trial = await in_db(_trial)(run)
    if trial is None:
        await in_db(run.end)(Run.State.DISCARDED, outcome="The skill was deleted meanwhile.")
        return
    selectors = [protocol.Selector(**selector) for selector in trial.version.selectors]
    attempt = Trial(selectors)
    context = Context(
        run, "trial", Handles([run.task]), grant_host(run.task), await in_db(models_in_use)(), await in_db(get_values)()
    )
    context.of(Opening).trial = attempt
    try:
        request = ToolRequest("code", BROWSE_URL.name, BrowseUrl(url=run.task).model_dump_json())
        content = await call_tool(context, request)
    except BudgetSpent as spent:
        content = {"error": spent.code}
    if attempt.page is None:
        code = str(content.get("error", "internal"))
        await in_db(run.end)(
            Run.State.FAILED, outcome=failure_texts.tool_failure(code, grant_host(run.task)), error_code=code
        )
        return
    await in_db(_store_result)(run, trial, attempt.page)


def _trial(run: Run) -> SkillTrial | None:
    return SkillTrial.objects.filter(run=run).select_related("version__skill").first()


@transaction.atomic
def _store_result(run: Run, trial: SkillTrial, page: protocol.Page) -> None:
    trial.found = found_on(trial.version, page)
    trial.save(update_fields=["found"])
    hits = sum(bool(field["texts"]) for field in trial.found["fields"])
    outcome = f"Found {hits} of {len(trial.version.selectors)} things." if trial.version.selectors else "Read the page."
    if not run.end(Run.State.DONE, outcome=outcome):
        transaction.set_rollback(True)


def found_on(version: SkillVersion, page: protocol.Page) -> dict[str, Any]:
    """Return the result of a trial for the owner: words of the web, cleaned and bounded."""
    hits = {field.name: field for field in page.fields or []}
    host, path = place_of(page.url)
    return {
        "url": url_to_store(page.url),
        "domain": host,
        "title": clean_line(page.title)[:300],
        "matches": any(pattern.matches(host, path) for pattern in version.patterns),
        "can_select": page.fields is not None or not version.selectors,
        "extracted_with": page.extracted_with,
        "characters": len(page.text),
        "words": page.words,
        "text": clean_text(page.text)[:TEXT_CHARACTERS],
        "fields": [
            {"name": selector["name"], "css": selector["css"], "texts": _clean_lines(hits.get(selector["name"]))}
            for selector in version.selectors
        ],
    }


def _clean_lines(field: protocol.PageField | None) -> list[str]:
    return [line for text in (field.texts if field else []) if (line := clean_line(text))]


def can_try() -> bool:
    """Whether a connected browser can run selectors."""
    return bool(Device.objects.capable(protocol.RUNS_SELECTORS))
