"""The run of `manage.py hands`: the operator's page tools in one tab, called line by line by a person.

It reaches pages through `call_page` alone, under the site's grant to act. It asks no model, and does no act.
"""

import asyncio
from dataclasses import dataclass

from constance.utils import get_values
from django.utils import timezone

from agents.acting import states
from agents.acting.delegate import new_errand, place_of, take_tab
from agents.acting.end_texts import end_text
from agents.acting.hands import conversation, events
from agents.acting.hands.lines import Find, LineRefused, Look, Quit, Read, parse_line
from agents.acting.limits import ErrandLimits
from agents.acting.loop import ENDS
from agents.acting.step_texts import dialog_text, refusal_text
from agents.gateway.page_calls import Place, call_page, permit_site, release_tab
from agents.model_choice.in_use import models_in_use
from agents.models import Errand, Memory, Run
from agents.pages.store import new_page
from agents.runs import failure_texts
from agents.runs.budget_spent import BudgetSpent
from agents.runs.context import Context, ToolRefused
from agents.runs.handles import Handles
from agents.zones.slots import cover_values
from devices import protocol, redis
from devices.db import in_db
from devices.models import Ask, Device
from devices.owner import stop
from devices.web.address import Address
from devices.web.hosts import grant_host

TAKEN_OVER = "owner_took_over"
GOAL = "Look around for manage.py hands, at the terminal"
LOOK_S = 2.0
_ENDS = {
    "acting_off": (
        "No connected browser may act on pages. Open the browser, and switch on Act on pages under Permissions › "
        "Browsers."
    ),
    "disconnected": "The browser with {site} is gone: closed, its computer sleeps, or Penny's web process ended.",
    "left_site": "{site} led to another site, where this tab may not go. Begin there to look at it.",
    "interrupted": "Penny's worker ended meanwhile. The tab is given back.",
    TAKEN_OVER: "You took the page on {site}. The tab stays as it is.",
}


_DOING = {
    Look: "Looking at the page",
    Find: "Looking for words",
    Read: "Reading the page",
    protocol.GoAction: "Going to a page",
    protocol.WaitAction: "Waiting",
}


async def use_hands(run: Run) -> None:
    """Carry out the lines of a run until it ends. A run that was interrupted does not go on."""
    if run.attempt > 1:
        await _give_back(run, Run.State.FAILED, "interrupted", _end_words("interrupted", ""))
        return
    address = await in_db(conversation.take_line)(run) or run.task
    try:
        await (await _open(run, address)).take_lines()
        await _give_back(run, Run.State.DONE, "", "You ended it.")
    except _Idle:
        await _give_back(run, Run.State.DONE, "idle", "Nothing was written for ten minutes.")
    except BudgetSpent as spent:
        await _give_back(run, Run.State.DONE, spent.code, str(spent))
    except ToolRefused as refused:
        await _give_back(
            run, Run.State.FAILED, refused.code, _end_words(refused.code, refused.host or grant_host(address))
        )
    except asyncio.CancelledError:
        if await asyncio.shield(in_db(_is_with_owner)(run)):
            await asyncio.shield(_give_back(run, Run.State.DONE, TAKEN_OVER, ""))
        raise


async def _give_back(run: Run, state: Run.State, code: str, words: str) -> None:
    """Give the tab back, then end the run. A tab that the owner took stays as it is: they are in it."""
    errand = run.errand
    if errand is not None:
        is_good = state == Run.State.DONE
        await in_db(states.end_errand)(errand, Errand.State.DONE if is_good else Errand.State.FAILED, code)
        if code == TAKEN_OVER:
            words = _end_words(code, errand.site)
        else:
            await release_tab(run, errand)
    await in_db(run.end)(state, outcome=words, error_code=code)


def _is_with_owner(run: Run) -> bool:
    return Errand.objects.filter(runs=run.pk, state=Errand.State.PAUSED).exists()


class _Idle(Exception):
    """Nobody wrote a line for long."""


def _end_words(code: str, site: str) -> str:
    if code in _ENDS:
        return _ENDS[code].format(site=site)
    return failure_texts.tool_failure(code, site) if code in failure_texts.TOOL else end_text(code, site)


async def _open(run: Run, address: str) -> "Session":
    """Open the tab, in which the first snapshot is the answer to the first line. Raises ToolRefused."""
    numbers = await in_db(get_values)()
    context = Context(run, "hands", Handles([address]), address, await in_db(models_in_use)(), numbers)
    if await in_db(conversation.is_idle)(run, timezone.now()):
        raise _Idle
    if await in_db(stop.is_stopped)():
        raise ToolRefused("stopped")
    if not await in_db(Device.objects.capable)("act_on_page"):
        raise ToolRefused("acting_off")
    asking = _Asking(run, grant_host(address))
    context.say = asking.say
    permission = await permit_site(context, address, is_known=True)
    errand = await in_db(new_errand)(context, permission.device, permission.granted_host, address, GOAL)
    context.budget = ErrandLimits.of_hands(errand)
    session = Session(run, context, errand, place_of(errand, permission, address))
    await take_tab(context, errand, session.place, address)
    await session.tell(await session.look(Look()))
    return session


@dataclass
class _Asking:
    """Tells the command that the owner is asked, once."""

    run: Run
    site: str
    is_told: bool = False

    async def say(self, _: str) -> None:
        if not self.is_told and await in_db(self._is_asked)():
            self.is_told = True
            words = f"Asked on your devices whether Penny may act on {self.site}. Answer there."
            await in_db(conversation.write_event)(self.run, events.Question(site=self.site, text=words))

    def _is_asked(self) -> bool:
        """Return whether there is a question, also one that the owner answered at once."""
        return Ask.objects.filter(run_id=self.run.pk).exists()


@dataclass
class Session:
    """One tab of one site, and who writes lines for it."""

    run: Run
    context: Context
    errand: Errand
    place: Place

    async def take_lines(self) -> None:
        """Carry out one line after the other until `quit`. Raises ToolRefused, BudgetSpent."""
        while True:
            text = await in_db(conversation.take_line)(self.run)
            if text is None:
                await self._wait()
                continue
            try:
                line = parse_line(text, self.place.url)
                if isinstance(line, Quit):
                    return
                await self.tell(await self._obey(line))
            except LineRefused as refused:
                await self.tell(events.Refusal(code=refused.code, text=str(refused)))
            except ToolRefused as refused:
                if refused.code in ENDS:
                    raise
                await self.tell(events.Refusal(code=refused.code, text=refusal_text(refused.code).partition(": ")[2]))

    async def tell(self, event: events.Event) -> None:
        await in_db(conversation.write_event)(self.run, event)

    async def _wait(self) -> None:
        """Wait for a line. Raises _Idle, and ToolRefused when the browser is gone."""
        if await in_db(conversation.is_idle)(self.run, timezone.now()):
            raise _Idle
        if not await in_db(self._is_connected)():
            raise ToolRefused("disconnected", self.errand.site)
        await redis.wait_for(conversation.line_key(self.run.pk), LOOK_S)

    def _is_connected(self) -> bool:
        """Whether the browser has the connection that it began with: a new one means that the web process ended."""
        device = self.place.device
        return Device.objects.connected().filter(pk=device.pk, connection=device.connection).exists()

    async def _obey(self, line: Look | Find | Read | protocol.GoAction | protocol.WaitAction) -> events.Event:
        await in_db(states.show_line)(self.errand, f"{_DOING[type(line)]} on {self.errand.site}")
        if isinstance(line, Look):
            return await self.look(line)
        if isinstance(line, Find):
            return await self._find(line)
        return await self._read() if isinstance(line, Read) else await self._move(line)

    async def look(self, line: Look) -> events.Snapshot:
        characters = min(int(self.context.numbers["ACT_PART_CHARACTERS"]), protocol.SNAPSHOT_CHARACTERS)
        arguments = protocol.SnapshotPageArguments(tab=self.place.tab, part=line.part, characters=characters)
        page = await call_page(self.context, self.place, protocol.SNAPSHOT_PAGE, arguments)
        return events.Snapshot(**page.model_dump(include=set(events.Snapshot.model_fields) - {"event"}))

    async def _find(self, line: Find) -> events.Matches:
        arguments = protocol.FindOnPageArguments(tab=self.place.tab, words=line.words, role="", limit=20)
        answer = await call_page(self.context, self.place, protocol.FIND_ON_PAGE, arguments)
        matches = [events.Match(line=match.line, part=match.part, ref=match.ref) for match in answer.matches]
        return events.Matches(words=line.words, matches=matches)

    async def _move(self, action: protocol.GoAction | protocol.WaitAction) -> events.Event:
        number = await in_db(self.errand.count_act)()
        arguments = protocol.ActOnPageArguments(tab=self.place.tab, act_id=self.errand.act_id(number), action=action)
        longer_s = action.ms / 1_000 if isinstance(action, protocol.WaitAction) else 0.0
        acted = await call_page(
            self.context,
            self.place,
            protocol.ACT_ON_PAGE,
            arguments,
            more_s=longer_s,
            number=number,
        )
        if acted.effects is None:
            kinds = ", ".join(acted.shown.kinds).replace("_", " ") if acted.shown else ""
            words = f"Going there would do something ({kinds or 'of which nothing can be said'}). hands does no act."
            return events.Refusal(code="does_something", text=words)
        effects = acted.effects
        return events.Effect(
            did=action.do,
            url=acted.url,
            has_navigated=effects.has_navigated,
            dialog=dialog_text(effects.dialog) if effects.dialog else None,
            changes=acted.changes,
        )

    async def _read(self) -> events.ReadPage:
        """Return the page as a reader would get it, with ▮ for the values of the owner's facts."""
        arguments = protocol.ReadTabArguments(read=self.place.tab)
        page = await call_page(self.context, self.place, protocol.READ_TAB, arguments)
        row = new_page(page, Address.parse(page.url), self.place.device.label)
        slots = await in_db(Memory.objects.slots)()
        return events.ReadPage(
            url=row.url,
            title=cover_values(row.title, slots),
            text=cover_values(row.text, slots),
            words=row.words,
            is_cut=row.truncated,
            notice=page.notice.kind if page.notice else None,
        )
