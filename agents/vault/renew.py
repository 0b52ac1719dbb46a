"""Read a kept page again, in a browser of the owner's, and keep what it says now. No model sees it."""

from typing import Literal
from uuid import UUID

from constance.utils import get_values
from django.db import transaction

from agents.gateway.arguments import BrowseUrl
from agents.gateway.call import call_tool
from agents.gateway.catalog import BROWSE_URL
from agents.gateway.open_page import Opening, Trial
from agents.llm.messages import ToolRequest
from agents.model_choice.in_use import models_in_use
from agents.models import Run
from agents.runs import failure_texts, queue
from agents.runs.budget_spent import BudgetSpent
from agents.runs.context import Context
from agents.runs.handles import Handles
from agents.vault.keep import NotKept, keep_page, key_of
from agents.vault.transfer.imports import read_import
from devices import disk, protocol
from devices.db import in_db
from devices.models import BrowserCall
from devices.web.hosts import url_to_store
from thoughts.models import Kept

FORGOTTEN = "The page was forgotten meanwhile."
ELSEWHERE = "The site led to another page, so nothing new is kept."
UNCHANGED = "It says what it said when it was kept."
NEW = "It has changed: a new version is kept."


@transaction.atomic
def start_renewal(entry: Kept) -> Run:
    """Store a run that reads the page again, and wake the worker; at most one of an entry is open. Raises DiskFull.

    The run knows the entry by its key alone, so that it holds nothing of a page that is forgotten later.
    """
    disk.check_room()
    if (run := renewal_of(entry)) and run.state in Run.OPEN:
        return run
    run = Run.objects.create(kind=Run.Kind.VAULT, task=entry.pk.hex)
    queue.enqueue_on_commit(run)
    return run


def renewal_of(entry: Kept) -> Run | None:
    return Run.objects.filter(kind=Run.Kind.VAULT, task=entry.pk.hex).first()


def newer_version(entry: Kept) -> Kept | None:
    rows = Kept.objects.kept().filter(address_key=entry.address_key, kept_at__gt=entry.kept_at)
    return rows.order_by("-kept_at").first()


async def work_on_vault(run: Run) -> None:
    """Carry out a run: the reading of one page, or an import. Raises Parked."""
    await (_renew(run) if run.task else read_import(run))


async def _renew(run: Run) -> None:
    entry = await in_db(_entry_of)(run)
    if entry is None:
        await in_db(run.end)(Run.State.DISCARDED, outcome=FORGOTTEN)
        return
    url, domain = entry.page.url, entry.page.domain
    numbers = await in_db(get_values)()
    context = Context(run, "vault", Handles([url]), domain, await in_db(models_in_use)(), numbers)
    trial = context.of(Opening).trial = Trial([])
    try:
        content = await call_tool(context, ToolRequest("code", BROWSE_URL.name, BrowseUrl(url=url).model_dump_json()))
    except BudgetSpent as spent:
        content = {"error": spent.code}
    finally:
        await in_db(_delete_calls)(run)
    if trial.page is None:
        code = str(content.get("error", "internal"))
        await in_db(run.end)(Run.State.FAILED, outcome=failure_texts.tool_failure(code, domain), error_code=code)
        return
    await in_db(_keep_version)(run, entry, trial.page)


def _delete_calls(run: Run) -> None:
    """Delete the calls of a run: they hold the address."""
    BrowserCall.objects.filter(run_id=run.pk).delete()


def _entry_of(run: Run) -> Kept | None:
    return Kept.objects.kept().select_related("page").filter(pk=UUID(run.task)).exclude(source="file").first()


def _keep_version(run: Run, entry: Kept, page: protocol.Page) -> None:
    step = run.steps.exclude(device=None).select_related("device").last()
    if not Kept.objects.kept().filter(pk=entry.pk).exists() or step is None or step.device is None:
        run.end(Run.State.DISCARDED, outcome=FORGOTTEN)
        return
    if key_of(url_to_store(page.url)) != entry.address_key:
        run.end(Run.State.DISCARDED, outcome=ELSEWHERE)
        return
    page = page.model_copy(update={"left_out": None, "image": None})
    try:
        # What stands in attributes is not in a reading: the contacts are those of the version before.
        source: Literal["auto", "asked"] = "auto" if entry.source == Kept.Source.AUTO else "asked"
        row = keep_page(page, step.device, source, entry.contacts)
    except NotKept as refusal:
        run.end(Run.State.FAILED, outcome=str(refusal), error_code=refusal.code)
        return
    run.end(Run.State.DONE, outcome=UNCHANGED if row.pk == entry.pk else NEW)
