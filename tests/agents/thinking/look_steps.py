"""The steps of a search that the owner started, as a browser is sent them."""

from devices import protocol as p
from tests.client import Client
from tests.waiting import until


def check_steps_sent(laptop: Client) -> None:
    """Check that a browser was sent each step of a search about espresso, and its find."""
    until(lambda: _looks(laptop)[-1].step == "over", "the end of the search is sent")
    looks = _looks(laptop)
    assert list(dict.fromkeys(look.step for look in looks if look.step != "starting"))[:4] == [
        "searching", "reading", "writing", "over",
    ]  # fmt: skip
    assert {look.site for look in looks if look.step == "searching"} == {"DuckDuckGo"}
    readings = [look for look in looks if look.step == "reading"]
    assert readings[0].number == 1
    assert {look.site for look in readings} <= {"coffee.example", "lab.example", "museum.example"}
    assert looks[-1].thought_id is not None


def _looks(laptop: Client) -> list[p.Look]:
    """Return the steps of this search: the one of an earlier test may be shown at the start."""
    return [frame.look for frame in laptop.frames_of(p.LookingChanged) if frame.look and frame.look.about == "espresso"]
