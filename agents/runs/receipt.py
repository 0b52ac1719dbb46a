"""The receipt of an answer: what was read and done for it, and what left this machine."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from agents.models import Run, Step
from agents.models.budgets import money
from devices.grants.engines import engine_hosts
from devices.web.hosts import is_loopback
from thoughts.text.labels import ATTACHMENT, foreign

SEARCH, ACT = "search_web", "act_on_page"
HOSTS_MOST = 4


def receipt_of(run: Run, unseen_before: datetime | None = None) -> dict[str, Any] | None:
    """`unseen_before`: the conversation before that was not seen, which the owner is to be told."""
    receipt = receipt_from(run, run.steps.only("kind", "name", "origin", "state", "host", "result"))
    return receipt | {"unseen_before": unseen_before.isoformat()} if receipt and unseen_before else receipt


def receipt_from(run: Run, steps: Iterable[Step]) -> dict[str, Any] | None:
    """Return a `protocol.Receipt`, None for a run without steps, and where a step does not say which model it asked.

    A request or a search that failed counts: its words may have been sent.
    """
    rows = list(steps)
    hosts = {step.host for step in rows if step.kind == Step.Kind.MODEL}
    if not rows or None in hosts:
        return None
    return {
        "sites": len(_sites_read(rows)),
        "searches": sum(step.name == SEARCH for step in rows),
        "acts": sum(_was_done(step) for step in rows if step.name == ACT),
        "sent_to": sorted(host for host in hosts if host and not is_loopback(host))[:HOSTS_MOST],
        "cost": money(run.spent_micros),
    }


def _sites_read(rows: Iterable[Step]) -> set[str]:
    """Return the sites of which a page was read. A search engine that was only searched is none."""
    steps = [step for step in rows if step.name != SEARCH and step.state != Step.State.FAILED]
    sites = {site for step in steps for site in foreign(step.origin)} - {ATTACHMENT}
    engines = sites & engine_hosts() if any(step.name == SEARCH for step in rows) else set()
    domains = {step.result.get("domain") for step in steps if step.kind == Step.Kind.TOOL} if engines else set()
    return sites - (engines - domains)


def _was_done(step: Step) -> bool:
    """Return whether an act was done, or may have been: nobody heard its answer."""
    return step.state in (Step.State.STARTED, Step.State.UNKNOWN) or step.result.get("state") == "done"
