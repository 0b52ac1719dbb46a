"""Whatever fails, every message is stored once, ends once, and reaches every device."""

import tempfile
from pathlib import Path

import pytest

from tests.chaos.faults import KILLS, LINKS, Plan
from tests.chaos.run import Report, carry_out, seed_of_today
from tests.penny import run_penny, with_model
from tests.stand_ins.model_server import ModelServer

pytestmark = pytest.mark.processes("processes are killed")


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """The seed of this run; the report of a failure names it, for --chaos-seed."""
    option = request.config.getoption("--chaos-seed")
    return int(option) if option is not None else seed_of_today()


def run_plan(plan: Plan, model: ModelServer) -> Report:
    print(f"replay this with --chaos-seed {plan.seed}")
    with (
        tempfile.TemporaryDirectory(prefix="penny-chaos-") as folder,
        run_penny(Path(folder) / "data", **with_model(model.url)) as penny,
    ):
        penny.allow_many_calls()
        report = carry_out(plan, penny, model, Path(folder))
        print(report, penny.logs() if report.violations else "")
    return report


def test_half_of_the_kinds_of_kills_and_bad_links_lose_nothing(seed: int, model: ModelServer) -> None:
    plan = Plan(seed, turns=8, kills=len(KILLS) // 2, links=len(LINKS) // 2, devices=2, span_s=9)
    report = run_plan(plan, model)
    assert report.violations == []


@pytest.mark.long
def test_one_kill_and_one_bad_link_of_each_kind_lose_nothing(seed: int, model: ModelServer) -> None:
    report = run_plan(Plan(seed, turns=24, kills=len(KILLS), links=len(LINKS), span_s=18), model)
    assert report.violations == []


@pytest.mark.long
def test_forty_kills_and_twenty_bad_links_lose_nothing_and_are_soon_over(seed: int, model: ModelServer) -> None:
    report = run_plan(Plan(seed, turns=300, kills=40, links=20, span_s=300), model)
    assert report.violations == []
    assert not report.is_slow
