"""The long run: python -m tests.chaos [--turns 300] [--kills 40] [--links 20] [--devices 3] [--span 300] [--seed N]"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.chaos.faults import Plan
from tests.chaos.run import carry_out, seed_of_today
from tests.penny import run_penny, with_model
from tests.stand_ins import model_server


def main() -> int:
    plan = _parse_plan()
    print(f"chaos with --seed {plan.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="penny-chaos-") as folder, model_server.run_model_server() as model:
        data = Path(folder) / "data"
        with run_penny(data, **with_model(model.url)) as penny:
            penny.allow_many_calls()
            report = carry_out(plan, penny, model, Path(folder))
            print(report, flush=True)
            if report.violations:
                print(penny.logs())
    return 1 if report.violations or report.is_slow else 0


def _parse_plan() -> Plan:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in {"turns": 300, "kills": 40, "links": 20, "devices": 3, "seed": seed_of_today()}.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--span", type=float, default=300.0, help="seconds over which all of it happens")
    options = parser.parse_args()
    return Plan(options.seed, options.turns, options.kills, options.links, options.devices, options.span)


if __name__ == "__main__":
    sys.exit(main())
