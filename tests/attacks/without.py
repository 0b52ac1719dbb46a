"""Switches that turn single defences of a running Penny off.

Nothing of this is shipped. `tests/attacks/switches` stands on the PYTHONPATH of a Penny that a test starts. There it
wraps the functions below as their modules load, in every process. A wrapped function behaves as always unless the
file of the test names its defence. `defences.py` lists all defences.
"""

import importlib.machinery
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

FILE = "PENNY_TESTS_WITHOUT"
ROOT = Path(__file__).resolve().parent.parent.parent
Function = Callable[..., Any]
Instead = Callable[[Function, ModuleType], Function]


def _nothing(original: Function, module: ModuleType) -> Function:
    async def passed(*_: object, **__: object) -> None:
        return None

    return passed


def _fine(original: Function, module: ModuleType) -> Function:
    async def passed(*_: object, **__: object) -> Any:
        return module.Grant()

    return passed


def _no_code(original: Function, module: ModuleType) -> Function:
    return lambda *_, **__: ""


def _same(original: Function, module: ModuleType) -> Function:
    return lambda text, *_, **__: text


def _any_grant(original: Function, module: ModuleType) -> Function:
    def decided(url: str, *arguments: Any) -> Any:
        decision = original(url, *arguments)
        return (
            decision
            if decision.grant
            else module.Decision(decision.host, module.Grant.objects.filter(state="allowed").first())
        )

    return decided


def _unlabelled(original: Function, module: ModuleType) -> Function:
    return lambda *arguments: replace(original(*arguments), origin=["penny"])


def _first_alone(original: Function, module: ModuleType) -> Function:
    return lambda handles: set(sorted(original(handles))[:1])


def _none_open(original: Function, module: ModuleType) -> Function:
    return lambda *_: module.Ask.objects.none()


def _owners_session(original: Function, module: ModuleType) -> Function:
    def decided(*arguments: Any) -> Any:
        decision = original(*arguments)
        if decision.grant:
            decision.grant.session = "owner"
        return decision

    return decided


def _no(original: Function, module: ModuleType) -> Function:
    return lambda *_: False


def _with_metadata(original: Function, module: ModuleType) -> Function:
    def with_metadata(page: Any, *arguments: Any) -> Any:
        metadata = page.metadata.model_dump_json() if page.metadata else ""
        return original(page.model_copy(update={"text": f"{page.text}\n{metadata}"}), *arguments)

    return with_metadata


def _any_link(original: Function, module: ModuleType) -> Function:
    return lambda text, links=None: original(text, None)


# What to wrap for each defence: a module, a function of it (or an entry of a dict of it), and what it does instead.
DEFENCES: dict[str, list[tuple[str, str, Instead]]] = {
    "labels of answers": [("agents.answers.writer", "with_sources", _unlabelled)],
    "the union of labels": [("agents.runs.handles", "Handles.origin", _first_alone)],
    "approval of unknown addresses": [("agents.gateway.approvals", "approve_address", _nothing)],
    "the yes to a look at the history": [("agents.gateway.approvals", "approve", _nothing)],
    "answers without addresses": [("thoughts.text.addresses", "drop_addresses", _same)],
    "cleaning of characters": [
        ("thoughts.text.cleaning", "clean_text", _same),
        ("thoughts.text.cleaning", "clean_line", _same),
    ],
    "grants": [("devices.grants.grants", "decide", _any_grant)],
    "the final address": [("agents.gateway.decisions", "recheck", _fine)],
    "the prompt queue": [("devices.grants.asks", "_open_asks", _none_open)],
    "the session of a grant": [("devices.grants.grants", "decide", _owners_session)],
    "the writer's last word": [("agents.runs.handles", "Handles.has_untrusted", _no)],
    "metadata apart from texts": [("agents.pages.store", "new_page", _with_metadata)],
    "rates": [("agents.gateway.rate_limits", "rate_refusal", _no_code)],
    "the audit": [("agents.llm.audit", "record_before_sending", _nothing)],
    "links of known addresses": [("devices.conversation.messages", "render_safe", _any_link)],
    "safe HTML": [("devices.conversation.messages", "render_safe", _same)],
}


def environment(file: Path) -> dict[str, str]:
    """Return the environment of a Penny whose defences `file` can switch off by name."""
    return {FILE: str(file), "PYTHONPATH": f"{ROOT / 'tests' / 'attacks' / 'switches'}{os.pathsep}{ROOT}"}


@contextmanager
def off(file: Path, *names: str) -> Iterator[None]:
    """Switch some defences off for a while."""
    assert DEFENCES.keys() >= set(names)
    file.write_text("\n".join(names))
    try:
        yield
    finally:
        file.write_text("")


def install(finders: list[Any]) -> None:
    """Wrap the functions as their modules load.

    The sandbox scrubs its environment, so it gets the names too.
    """
    finders.insert(0, _Finder())


class _Finder:
    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != "penny_site.processes.plan" and not any(
            module == name for wraps in DEFENCES.values() for module, _, _ in wraps
        ):
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        assert spec is not None
        assert spec.loader is not None
        spec.loader.exec_module = _wrapping(spec.loader.exec_module)  # type: ignore[method-assign]
        return spec


def _wrapping(execute: Function) -> Function:
    def executed(module: ModuleType) -> None:
        execute(module)
        if module.__name__ == "penny_site.processes.plan":
            module.PLAIN += ("PYTHONPATH", FILE)  # type: ignore[attr-defined]
        for defence, wraps in DEFENCES.items():
            for _, place, instead in (wrap for wrap in wraps if wrap[0] == module.__name__):
                _wrap(module, place, defence, instead)

    return executed


def _wrap(module: ModuleType, place: str, defence: str, instead: Instead) -> None:
    name, _, key = place.rpartition(".")
    holder = getattr(module, name) if name else module
    original = getattr(holder, key)
    if isinstance(original, property):
        assert original.fget is not None
        setattr(holder, key, property(_switched(defence, original.fget, instead(original.fget, module))))
    else:
        setattr(holder, key, _switched(defence, original, instead(original, module)))


def _switched(defence: str, original: Function, without: Function) -> Function:
    def chosen(*arguments: Any, **keywords: Any) -> Any:
        return (without if defence in _off() else original)(*arguments, **keywords)

    return chosen


def _off() -> list[str]:
    try:
        return Path(os.environ[FILE]).read_text().splitlines()
    except OSError:
        return []
