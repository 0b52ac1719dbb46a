"""Whatever an operator calls and wherever a tab goes: its requests hold one site, and reach that site alone."""

from collections import Counter

import pytest

from agents.acting import entered
from agents.gateway import page_calls
from agents.llm import messages
from agents.zones import inputs
from tests.agents.acting.random_errands import do_errands

SEEDS = range(2_000)
FEW = range(200)


async def test_two_thousand_random_errands_keep_to_their_site(monkeypatch: pytest.MonkeyPatch) -> None:
    worlds = await do_errands(monkeypatch, SEEDS)
    assert [fault for world in worlds for fault in world.faults] == []
    requests, acts = sum(len(world.requests) for world in worlds), sum(world.acts for world in worlds)
    assert requests > len(SEEDS)
    assert acts > len(SEEDS)
    ends = Counter(world.host == world.site for world in worlds)
    assert min(ends.values()) > len(SEEDS) / 20  # some tabs were led away


async def pass_all(*_: object) -> None:
    pass


def keep_text(text: str) -> str:
    return text


@pytest.mark.parametrize(
    ("module", "name", "off", "fault"),
    [
        (page_calls, "_require_here", pass_all, "words of"),
        (page_calls, "_require_granted", pass_all, "an act on"),
        (entered, "is_secret", lambda _: False, "a field of secrets"),
        (messages, "cut_secrets_in", keep_text, "a key of a page"),
        (inputs, "cut_secrets_in", keep_text, "a key of a page"),
    ],
)
async def test_with_a_defence_off_random_errands_find_the_way_out(
    monkeypatch: pytest.MonkeyPatch, module: object, name: str, off: object, fault: str
) -> None:
    monkeypatch.setattr(module, name, off)
    worlds = await do_errands(monkeypatch, FEW)
    assert any(fault in one for world in worlds for one in world.faults)
