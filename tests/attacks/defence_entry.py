"""One entry of the list of defences, and the test modules that the entries name most."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Defence:
    """One defence.

    `off`: what the test switches off or goes around, one or more paths with a comma between them: MODULE:ATTRIBUTE,
    or FILE.ts:EXPORT in the extension. `test`: FILE::NAME of the test in which the attack then succeeds.
    """

    name: str
    off: str
    test: str


WITHOUT = "tests/attacks/test_without.py::test_a_defence_holds_and_without_it_the_attack_gets_through"
SWITCHES = "tests/attacks/test_switches.py::test_"
PERMITS = "tests/attacks/test_permit_switches.py::test_"
DOOR = "tests/attacks/test_door_switches.py::test_"
SOCKETS = "tests/attacks/test_socket_switches.py::test_"
PAGES = "tests/attacks/test_page_switches.py::test_"
RUNS = "tests/attacks/test_run_switches.py::test_"
