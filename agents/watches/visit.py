"""Visit the page of a watch, and compare it with the last visit.

A model is asked only if the page has changed and does not say what is needed in a form that code can read.
"""

import hashlib
from decimal import Decimal

from constance.utils import get_values
from django.db import transaction
from django.utils import timezone

from agents.gateway.arguments import BrowseUrl
from agents.gateway.call import call_tool
from agents.gateway.catalog import BROWSE_URL
from agents.gateway.open_page import Opening
from agents.llm.messages import ToolRequest
from agents.model_choice.in_use import models_in_use
from agents.models import Run
from agents.pages.read import read_item
from agents.pages.sandbox_client import SandboxFailed
from agents.runs import failure_texts
from agents.runs.budget_spent import BudgetSpent
from agents.runs.context import Context, ToolRefused
from agents.runs.give_way import run_between_turns
from agents.runs.handles import Handles
from agents.watches import report
from agents.zones.reader_answers import Offer
from agents.zones.sandbox_messages import ReadingRequest
from devices.conversation.unread import tell_unread
from devices.db import in_db
from thoughts.models import Page
from thoughts.models.watches import Observation, Watch
from thoughts.text import unsure
from thoughts.text.numbers import money_text
from thoughts.watches import changes
from thoughts.watches.changes import Verdict

PLAIN_SOURCES = ("json_ld", "microdata", "open_graph", "typed")
ASKED = "What does {name} cost now, in which currency, and is it in stock?"


async def run_visit(run: Run) -> None:
    """Carry out one visit within its budget. Raises ModelFailed, Parked."""
    watch = await in_db(_watch)(run)
    if watch is None:
        await in_db(run.end)(Run.State.DISCARDED, outcome="The watch was deleted meanwhile.")
        return
    models, numbers = await in_db(models_in_use)(), await in_db(get_values)()
    context = Context(run, "watch", Handles([watch.url]), watch.own_name, models, numbers)
    try:
        page, facts = await _open_page(context, watch)
        before = await in_db(_before)(watch)
        observation = await _observe_page(context, watch, page, facts, before)
        await in_db(_store_visit)(run, watch, observation, before)
    except BudgetSpent as spent:
        await in_db(run.end)(Run.State.DISCARDED, outcome=str(spent), error_code=spent.code)
    except (ToolRefused, SandboxFailed) as failed:
        await in_db(_end_failed)(run, watch, failed.code)


def _watch(run: Run) -> Watch | None:
    return Watch.objects.kept().filter(pk=run.watch_id).first() if run.watch_id else None


def _before(watch: Watch) -> Observation | None:
    return watch.observations.select_related("page").first()


async def _open_page(context: Context, watch: Watch) -> tuple[Page, str]:
    """Return the page as it is now, and its facts. Raises ToolRefused, BudgetSpent, Parked."""
    context.of(Opening).is_for_list = watch.is_for_items
    request = ToolRequest("code", BROWSE_URL.name, BrowseUrl(url=watch.url).model_dump_json())
    content = await run_between_turns(context, lambda: call_tool(context, request))
    if context.budget.spent:
        raise context.budget.spent
    if "error" in content:
        raise ToolRefused(str(content["error"]))
    handle = str(content["handle"])
    return context.handles.pages[handle], context.handles.facts[handle]


async def _observe_page(
    context: Context, watch: Watch, page: Page, facts: str, before: Observation | None
) -> Observation:
    """Return the observation of a page, not yet saved."""
    observation = Observation(watch=watch, page=page, facts_sha256=hashlib.sha256(facts.encode()).hexdigest())
    if watch.is_for_items:
        return observation
    request = _request(watch, page, facts)
    offer = (await read_item(context, request, use_model=False)).offer
    if not _is_enough(watch, offer):
        if before is not None and _was_read(observation, before, use_model=context.use_model):
            return _as_before(observation, before)
        if context.use_model:
            by_code = offer
            offer = (await run_between_turns(context, lambda: read_item(context, request, use_model=True))).offer
            offer = _agreed(offer, by_code)
    return _filled_from_offer(observation, offer) if offer else observation


def _agreed(offer: Offer | None, by_code: Offer | None) -> Offer | None:
    """Return a model's offer without what code reads otherwise, with the reasons.

    A model may choose where code finds several prices; it cannot make one of a range or of instalments.
    """
    if by_code is None:
        return offer
    price_code, stock_code = unsure.price_code(by_code.unsure), unsure.stock_code(by_code.unsure)
    agreed = offer or Offer(source="model")
    if agreed.price and by_code.price and (agreed.price, agreed.currency) != (by_code.price, by_code.currency):
        price_code = unsure.PRICE_DIFFERS
    if {agreed.stock, by_code.stock} == {"in", "out"}:
        stock_code = unsure.STOCK_DIFFERS
        agreed = agreed.model_copy(update={"stock": "unknown"})
    elif agreed.stock != "unknown":
        stock_code = ""
    if price_code in unsure.NO_PRICE:
        agreed = agreed.model_copy(update={"price": "", "quote": "", "start": 0, "end": 0})
    elif agreed.price:
        price_code = ""
    codes = " ".join(code for code in (price_code, stock_code) if code)
    return agreed.model_copy(update={"unsure": codes}) if offer or codes else None


def _is_enough(watch: Watch, offer: Offer | None) -> bool:
    """Return whether the page's data answers the watch, so that nobody has to read its text."""
    if offer is None or offer.source not in PLAIN_SOURCES:
        return False
    return bool(offer.price) if watch.below is not None else offer.stock != "unknown"


def _filled_from_offer(observation: Observation, offer: Offer) -> Observation:
    observation.price, observation.currency = Decimal(offer.price) if offer.price else None, offer.currency
    observation.stock, observation.source, observation.field = offer.stock, offer.source, offer.field
    observation.quote, observation.start, observation.end = offer.quote, offer.start, offer.end
    observation.unsure = offer.unsure
    return observation


def _was_read(observation: Observation, before: Observation, *, use_model: bool) -> bool:
    """Return whether the same page was read at the last visit, no worse than it would be now."""
    is_same = changes.same_as_before(observation.page, before) and observation.facts_sha256 == before.facts_sha256
    return is_same and not (use_model and before.source == "text")


def _as_before(observation: Observation, before: Observation) -> Observation:
    """Copy what the last visit read: the same words are not read again."""
    for name in ("price", "currency", "stock", "source", "field", "quote", "start", "end", "unsure"):
        setattr(observation, name, getattr(before, name))
    return observation


def _request(watch: Watch, page: Page, facts: str) -> ReadingRequest:
    return ReadingRequest(
        title=page.title,
        text=page.text,
        domain=page.domain,
        question=ASKED.format(name=watch.label or "what this page sells"),
        wants_offer=True,
        currency=watch.currency,
        facts=facts,
        url=page.url,
    )


@transaction.atomic
def _store_visit(run: Run, watch: Watch, observation: Observation, before: Observation | None) -> None:
    """Store a visit with all that follows from it, if this attempt still holds the run."""
    now = timezone.now()
    current = Watch.objects.kept().select_for_update().filter(pk=watch.pk).first()
    if current is None:
        run.end(Run.State.DISCARDED, outcome="The watch was deleted meanwhile.")
        return
    page = _page_to_keep(observation.page, before)
    observation.page, observation.watch, observation.at = page, current, now
    verdict = _settle_verdict(current, observation, before)
    current.title = page.title[:300]
    changes.come_again(current, verdict, now)
    observation.items_new = len(verdict.items)
    observation.save()
    thought = report.store_report(current, observation, verdict) if verdict.reports else None
    if thought is not None and "shape" in verdict.reports:
        current.missing_told_at = now
    current.save()
    if not run.end(Run.State.DONE, outcome=outcome_text(current, observation, verdict), thought=thought):
        transaction.set_rollback(True)
        return
    if thought is not None:
        Observation.objects.filter(pk=observation.pk).update(thought=thought)
        tell_unread()


def _settle_verdict(watch: Watch, observation: Observation, before: Observation | None) -> Verdict:
    if watch.is_for_items:
        return changes.settle_items(
            watch, changes.items_of(watch, observation.page), observation.at, is_first=before is None
        )
    return changes.settle_price(watch, observation, before)


def _page_to_keep(page: Page, before: Observation | None) -> Page:
    """Return the page to keep: one that says the same as at the last visit is kept once."""
    if before is None or not changes.same_as_before(page, before):
        return page
    page.delete()
    return before.page


def outcome_text(watch: Watch, observation: Observation, verdict: Verdict) -> str:
    if watch.is_for_items:
        return f"{verdict_count(verdict)} on {watch.domain}."
    price = money_text(observation.price, observation.currency) or "no price"
    again = " Penny looks again in a moment, before she tells you." if verdict.look_again else ""
    why = "".join(f" {reason}" for reason in observation.reasons)
    return f"{observation.page.domain}: {price}, {observation.get_stock_display()}.{why}{again}"


def verdict_count(verdict: Verdict) -> str:
    if verdict.items:
        return f"{len(verdict.items)} new post{'s' if len(verdict.items) > 1 else ''}"
    return "Something new, which has to be seen twice," if verdict.look_again else "Nothing new"


def _end_failed(run: Run, watch: Watch, code: str) -> None:
    """End a failed visit; the watch's page shows why, and a later visit follows."""
    current = Watch.objects.filter(pk=watch.pk).first()
    with transaction.atomic():
        if (
            run.end(Run.State.FAILED, outcome=failure_texts.tool_failure(code, watch.domain), error_code=code)
            and current is not None
        ):
            current.note_trouble(code, timezone.now())
