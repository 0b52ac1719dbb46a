"""The committed types of the extension are generated from the contract."""

import json
import subprocess

from devices import protocol
from tests.commands import ROOT

EXTENSION = ROOT / "browser_ext"


def test_the_committed_types_are_what_the_contract_generates() -> None:
    schema = json.dumps(protocol.schema(), indent=2, sort_keys=True)
    command = ["node", "scripts/protocol.mjs", "--stdout"]
    generated = subprocess.run(
        command, cwd=EXTENSION, input=schema, capture_output=True, text=True, check=True, timeout=60
    )
    assert generated.stdout == (EXTENSION / "src" / "protocol.gen.ts").read_text(), (
        "run `manage.py protocol_schema | npm run protocol`"
    )
