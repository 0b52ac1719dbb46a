"""Circles are noticed at the step at which they are plain, and healthy work is left alone."""

import random

import pytest

from agents.acting.detectors import HINTS_MAX, Circles, Happened, family

SHOP = "https://shop.example"


def happened(tool: str = "click", arguments: str = "1", page: str = "p", **more: object) -> Happened:
    values = {"outcome": "done", "before": SHOP, "after": SHOP, "ref": arguments, "acts": True} | more
    return Happened(tool, arguments, page=page, **values)  # type: ignore[arg-type]


def hints(calls: list[Happened]) -> list[int]:
    """Return the steps, from 1, that deserve a hint."""
    circles = Circles()
    return [number for number, call in enumerate(calls, 1) if circles.tell(call)]


def stops_at(calls: list[Happened]) -> int:
    circles = Circles()
    for number, call in enumerate(calls, 1):
        circles.tell(call)
        if circles.must_stop:
            return number
    return 0


A, B, C = (happened(arguments=ref, page=ref) for ref in "123")


@pytest.mark.parametrize(
    ("calls", "first", "stop"),
    [
        ([A] * 12, 3, 8),
        ([A, B] * 10, 4, 11),
        ([A, B, C] * 10, 6, 13),
        ([happened("look", "{}", acts=False)] * 12, 3, 10),
        ([happened("type", str(n), "same") for n in range(20)], 5, 12),
        ([happened(page=str(n)) for n in range(20)], 5, 8),
    ],
)
def test_a_circle_gets_hints_and_ends(calls: list[Happened], first: int, stop: int) -> None:
    assert hints(calls)[0] == first
    assert stops_at(calls) == stop


def test_a_way_back_and_forth_gets_a_hint_in_its_second_round_and_ends_in_its_fourth() -> None:
    there = [happened("go", str(n), f"a{n}", before=f"{SHOP}/a", after=f"{SHOP}/b", acts=False) for n in range(9)]
    back = [happened("go", str(-n), f"b{n}", before=f"{SHOP}/b", after=f"{SHOP}/a", acts=False) for n in range(9)]
    calls = [call for pair in zip(there, back, strict=True) for call in pair]
    assert hints(calls)[0] == 4
    assert stops_at(calls) == 8


def test_healthy_calls_between_begin_the_count_of_hints_anew() -> None:
    circles = Circles()
    for number in range(4 * HINTS_MAX):
        for _ in range(3):
            circles.tell(happened("find", f"x{number}", f"x{number}", acts=False))
        for step in range(3):
            assert circles.tell(happened("find", f"y{number}.{step}", f"{number}.{step}", acts=False)) == ""
    assert not circles.must_stop


def test_two_hundred_healthy_ways_are_left_alone() -> None:
    for seed in range(200):
        dice = random.Random(seed)
        calls, at = [], f"{SHOP}/0"
        for number in range(dice.randint(3, 40)):
            tool = dice.choice(["click", "set", "look", "find", "go", "scroll", "press"])
            after = f"{SHOP}/{'abcdefghij'[number % 10]}{number // 10 * 'x'}" if tool == "go" else at
            calls.append(
                happened(tool, f"{number}", f"{number}", before=at, after=after, acts=tool not in ("look", "find"))
            )
            at = after
        assert hints(calls) == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (f"{SHOP}/item/12?x=1", f"{SHOP}/item/7#top", True),
        (f"{SHOP}/a/b", f"{SHOP}/a/c", False),
        (f"{SHOP}/deep/a/b/c", f"{SHOP}/a/b/c", True),
        ("https://a.example/x", "https://b.example/x", False),
    ],
)
def test_a_family_is_a_page_without_its_numbers(one: str, other: str, same: bool) -> None:
    assert (family(one) == family(other)) is same
