"""Hand an errand to the operator: its site is asked about, a tab is taken, the work done, and what came of it is read.

The planner that asked for it learns typed values alone.
"""

import asyncio

from django.db import IntegrityError, transaction

from agents.acting import away, states
from agents.acting.approval import approve_act, ask_question
from agents.acting.limits import ErrandLimits
from agents.acting.live import tell_errand
from agents.acting.loop import Ended, Work, work_on
from agents.acting.resume import earlier_errand, earlier_lines
from agents.acting.transcript import Transcript
from agents.gateway.arguments import Act
from agents.gateway.open_page import refuse_act, resolve, spend
from agents.gateway.page_calls import Place, call_page, permit_site, release_tab
from agents.gateway.permits import Permit
from agents.models import OPEN_OF_A_DEVICE, Errand, Run
from agents.runs.budget_spent import BudgetSpent
from agents.runs.context import Content, Context, Parked, ToolRefused
from devices import protocol
from devices.db import in_db
from devices.grants import asks
from devices.models import Device
from devices.web.hosts import grant_host
from devices.web.stored_text import address_to_store
from thoughts.text.labels import of_host

FRONT = "tab"  # where the planner means the page in front of the owner


class OneErrand(asyncio.Lock):
    """Several errands of one answer are done one after the other."""


async def do_errand(context: Context, arguments: Act) -> tuple[Errand, protocol.Page | None]:
    """Do an errand; return it, and the page at which it ended where that can be read.

    One of an earlier attempt of the run goes on where it stood; one that is over is not done again. Raises ToolRefused,
    Parked.
    """
    async with context.of(OneErrand):
        earlier = await in_db(earlier_errand)(context.run, arguments.where)
        if earlier is not None and earlier.state not in Errand.OPEN:
            return earlier, None
        with context.budget.standing_still():
            return await _do_alone(context, arguments, earlier)


async def _do_alone(context: Context, arguments: Act, earlier: Errand | None) -> tuple[Errand, protocol.Page | None]:
    work = await (begin_errand(context, arguments) if earlier is None else go_on_with(context, earlier))
    try:
        if work.errand.state == Errand.State.PAUSED:  # nobody gave the page back
            await in_db(states.end_errand)(work.errand, Errand.State.PARTIAL, "not_handed_back")
            return work.errand, None
        ended = await work_on(work)
        page = await _last_page(work, ended)
        if not await in_db(states.end_of_work)(work.errand, ended.state, ended.code):
            raise Parked  # the owner took the page meanwhile
        if ended.failure:
            raise ended.failure
        return work.errand, page
    finally:
        await asyncio.shield(_leave(work))


async def begin_errand(context: Context, arguments: Act) -> Work:
    """Return the work of a new errand, in its tab. Raises ToolRefused."""
    url, is_known, is_front = _address_of(context, arguments.where)
    _require_model(context)
    permission = await permit_site(context, url, is_known=is_known)
    if is_front and not permission.with_logins:
        raise ToolRefused("shows_logins", permission.granted_host)  # the owner is signed in there
    errand = await in_db(new_errand)(context, permission.device, permission.granted_host, url, arguments.goal)
    work = _work_of(context, errand, place_of(errand, permission, url))
    try:
        await take_tab(context, errand, work.place, url, is_front=is_front)
    except ToolRefused as refused:
        await in_db(states.end_errand)(errand, Errand.State.FAILED, refused.code)
        raise
    return work


async def go_on_with(context: Context, errand: Errand) -> Work:
    """Return the work of an errand that an earlier attempt left open: in its own browser, or in none.

    Raises ToolRefused.
    """
    try:
        _require_model(context)
        if errand.device is None or not errand.tab:
            raise ToolRefused("no_tab", errand.site)
        await in_db(asks.withdraw_run)(context.run.id)
        if not await in_db(away.is_connected)(errand) and not await away.is_back(context, errand):
            raise ToolRefused("disconnected", errand.site)
        await permit_site(context, errand.url, is_known=True)
        work = _work_of(context, errand, Place(errand.pk, errand.device, errand.site, errand.tab, errand.url))
        if errand.state != Errand.State.PAUSED:
            await in_db(states.go_on)(errand)
            work.transcript.older = await earlier_lines(work.context, work.place, errand)
    except ToolRefused as refused:
        await in_db(states.end_errand)(errand, Errand.State.FAILED, refused.code)
        raise
    return work


def _require_model(context: Context) -> None:
    if context.models.act is None:
        raise ToolRefused("no_model")


def _work_of(context: Context, errand: Errand, place: Place) -> Work:
    assert context.models.act is not None
    own = Context(context.run, context.caller, context.handles, context.question, context.models, context.numbers)
    own.say, own.on_start, own.budget = context.say, context.on_start, ErrandLimits.of_errand(errand, context.numbers)
    return Work(own, errand, place, context.models.act, approve_act, ask_question, Transcript(errand.site))


async def _leave(work: Work) -> None:
    """Give the tab back, unless the run was interrupted or the owner has the page: its next attempt goes on there."""
    if work.errand.state in Errand.OPEN:
        if not await in_db(_is_cancelled)(work):
            return
        await in_db(states.end_errand)(work.errand, Errand.State.CANCELLED, "cancelled")
    await release_tab(work.context.run, work.errand)
    await spend(work.context)


def _is_cancelled(work: Work) -> bool:
    return Run.objects.filter(pk=work.context.run.pk).exclude(cancel_requested_at=None).exists()


def errand_outcome(errand: Errand) -> Content:
    """Return what a planner may know of an errand: typed values."""
    return {
        "domain": of_host(errand.site),
        "outcome": str(errand.state),
        "why": errand.code or None,
        "steps": errand.spent_steps,
    }


async def _last_page(work: Work, ended: Ended) -> protocol.Page | None:
    """Return the page at which the errand ends, None if it cannot be read.

    It is read before the errand is over: from then on the browser leaves the tab to its owner.
    """
    if ended.failure or ended.code in states.WITHOUT_A_PAGE:
        return None
    work.limits.leave_last_words()
    await in_db(states.show_line)(work.errand, "Reading the page at the end")
    try:
        arguments = protocol.ReadTabArguments(read=work.place.tab)
        return await call_page(work.context, work.place, protocol.READ_TAB, arguments)
    except (ToolRefused, BudgetSpent):
        return None


async def close_errands(run: Run) -> None:
    """End the errands that a finished run left open, and give their tabs back: no errand outlives its run."""
    for errand in await in_db(_left_open)(run):
        if await in_db(states.end_errand)(errand, Errand.State.CANCELLED, "cancelled"):
            await release_tab(run, errand)


def _left_open(run: Run) -> list[Errand]:
    over = Run.objects.filter(pk=run.pk).exclude(state__in=Run.OPEN)
    return list(Errand.objects.open().filter(runs__in=over).select_related("device", "message"))


def _address_of(context: Context, where: str) -> tuple[str, bool, bool]:
    """Return the address, whether the owner named it, and whether it is the tab in front. Raises ToolRefused."""
    if where.strip().lower() == FRONT:
        host = context.run.message.tab_host if context.run.message else ""
        if not host:
            raise ToolRefused("no_tab")
        return f"https://{host}/", True, True
    url, is_known = resolve(context, where)
    refuse_act(context, where, url)
    return url, is_known, False


@transaction.atomic
def new_errand(context: Context, device: Device, site: str, url: str, goal: str) -> Errand:
    """Store the errand. Raises ToolRefused where too many of the device are open."""
    if Errand.objects.open().filter(device=device).count() >= OPEN_OF_A_DEVICE:
        raise ToolRefused("too_many_errands")
    errand = Errand.objects.create(
        message=context.run.message, device=device, goal=goal, site=site, url=address_to_store(url)
    )
    Run.objects.filter(pk=context.run.pk).update(errand=errand)
    context.run.errand = errand
    tell_errand(errand)
    return errand


def place_of(errand: Errand, permission: Permit, url: str) -> Place:
    return Place(errand.pk, permission.device, errand.site, url=url, with_logins=permission.with_logins)


async def take_tab(context: Context, errand: Errand, place: Place, url: str, *, is_front: bool = False) -> None:
    """Take the tab in front, or open one. Raises ToolRefused."""
    arguments = protocol.ManageTabArguments(
        errand=errand.pk,
        do="adopt" if is_front else "open",
        host=errand.site,
        url=None if is_front else url,
        session="owner" if place.with_logins else "clean",
    )
    state = await call_page(context, place, protocol.MANAGE_TAB, arguments)
    place.tab = state.tab
    await in_db(_keep_tab)(errand, state)


def _keep_tab(errand: Errand, state: protocol.TabState) -> None:
    errand.tab, errand.is_own_tab, errand.url = state.tab, state.is_own, address_to_store(state.url)
    try:
        with transaction.atomic():
            errand.save(update_fields=["tab", "is_own_tab", "url"])
    except IntegrityError:
        errand.tab = ""
        raise ToolRefused("busy_tab", grant_host(state.url)) from None
