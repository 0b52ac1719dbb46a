"""The state of an errand. The worker and the owner both change it, and each change is one conditional UPDATE.

So nobody overwrites what the other did: an errand that the owner took over does not end, and one that is over is not
taken over.
"""

from django.utils import timezone

from agents.acting.live import tell_errand
from agents.models import Errand

# Why an errand ended, where its tab or its grant is gone: nothing can be read there any more.
WITHOUT_A_PAGE = frozenset({"stopped", "disconnected", "no_browser", "no_tab", "not_granted", "blocked", "acting_off"})
_BUSY = (Errand.State.RUNNING, Errand.State.WAITING)


def end_errand(errand: Errand, state: Errand.State, code: str = "") -> bool:
    """End an errand that is open; return whether it was. Its summary, evidence and address are stored with it."""
    fields = {"code": code, "ended_at": timezone.now(), "line": ""}
    return _change(errand, Errand.OPEN, state, **fields, **_results(errand))


def end_of_work(errand: Errand, state: Errand.State, code: str = "") -> bool:
    """End an errand that is worked on; return False where the owner has taken the page meanwhile."""
    fields = {"code": code, "ended_at": timezone.now(), "line": ""}
    return _change(errand, _BUSY, state, **fields, **_results(errand))


def wait_for_owner(errand: Errand) -> bool:
    return _change(errand, _BUSY, Errand.State.WAITING, line="Waiting for your answer")


def go_on(errand: Errand) -> bool:
    return _change(errand, _BUSY, Errand.State.RUNNING)


def give_page(errand: Errand, code: str = "") -> bool:
    """Give the owner the page; return whether the errand was worked on. `code`: what they are to do there."""
    return _change(errand, _BUSY, Errand.State.PAUSED, code=code, paused_at=timezone.now())


def take_back(errand: Errand) -> bool:
    return _change(errand, (Errand.State.PAUSED,), Errand.State.RUNNING, code="")


def show_line(errand: Errand, line: str) -> None:
    _change(errand, (Errand.State.RUNNING,), Errand.State.RUNNING, line=line)


def _results(errand: Errand) -> dict[str, object]:
    return {"summary": errand.summary, "evidence": errand.evidence, "url": errand.url}


def _change(errand: Errand, before: tuple[Errand.State, ...], state: Errand.State, **fields: object) -> bool:
    """Change the state where it is one of `before`, tell the owner's surfaces, and return whether it changed."""
    if "line" in fields:
        fields["line"] = str(fields["line"])[:160]
    if not Errand.objects.filter(pk=errand.pk, state__in=before).update(state=state, **fields):
        return False
    errand.state = state
    for name, value in fields.items():
        setattr(errand, name, value)
    tell_errand(errand)
    return True
