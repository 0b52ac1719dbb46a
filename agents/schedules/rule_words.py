"""Convert recurrence rules into plain words, and back."""

import re
from calendar import month_name
from dataclasses import dataclass
from datetime import time

DAYS = {
    "MO": "Monday",
    "TU": "Tuesday",
    "WE": "Wednesday",
    "TH": "Thursday",
    "FR": "Friday",
    "SA": "Saturday",
    "SU": "Sunday",
}
WORKDAYS = ("MO", "TU", "WE", "TH", "FR")
_EVERY = re.compile(r"FREQ=(MINUTELY|HOURLY);INTERVAL=(\d{1,4})")
_AT = re.compile(r"FREQ=(?:DAILY|WEEKLY;BYDAY=([A-Z,]+));BYHOUR=(\d{1,2});BYMINUTE=(\d{1,2});BYSECOND=0")


@dataclass(frozen=True)
class Repeat:
    """A recurrence rule in plain form.

    `how`: minutes, hours, daily, days, or rule (no plain form). `every` counts minutes or hours.
    """

    how: str
    every: int = 20
    at: time = time(8)
    days: tuple[str, ...] = WORKDAYS
    rule: str = ""

    @classmethod
    def of(cls, rule: str) -> "Repeat":
        if every := _EVERY.fullmatch(rule):
            return cls("minutes" if every[1] == "MINUTELY" else "hours", every=int(every[2]), rule=rule)
        at = _AT.fullmatch(rule)
        days = tuple(at[1].split(",")) if at and at[1] else ()
        if at is None or not set(days) <= set(DAYS) or int(at[2]) > 23 or int(at[3]) > 59:
            return cls("rule", rule=rule)
        return cls("days" if days else "daily", at=time(int(at[2]), int(at[3])), days=days or WORKDAYS, rule=rule)

    def as_rule(self) -> str:
        clock = f"BYHOUR={self.at.hour};BYMINUTE={self.at.minute};BYSECOND=0"
        return {
            "minutes": f"FREQ=MINUTELY;INTERVAL={self.every}",
            "hours": f"FREQ=HOURLY;INTERVAL={self.every}",
            "daily": f"FREQ=DAILY;{clock}",
            "days": f"FREQ=WEEKLY;BYDAY={','.join(day for day in DAYS if day in self.days)};{clock}",
            "rule": self.rule,
        }[self.how]

    def __str__(self) -> str:
        if self.how in ("minutes", "hours"):
            return f"every {self.every} {self.how}" if self.every != 1 else f"every {self.how[:-1]}"
        if self.how == "daily":
            return f"daily at {self.at:%H:%M}"
        if self.how == "days":
            return f"{_days_in_words(self.days)} at {self.at:%H:%M}"
        return self.rule


def _days_in_words(days: tuple[str, ...]) -> str:
    if set(days) == set(WORKDAYS):
        return "Monday to Friday"
    return ", ".join(name for day, name in DAYS.items() if day in days)


def rule_in_words(rule: str) -> str:
    """Return a rule in a person's words; a rule without words unchanged."""
    plain = str(Repeat.of(rule))
    parts = dict(part.split("=", 1) for part in rule.split(";") if "=" in part)
    if plain != rule or not {"FREQ", "BYHOUR", "BYMINUTE"} <= set(parts) or set(parts) - _KNOWN:
        return plain
    days = _on(parts)
    return (
        f"{_how_often(parts)}{days} at {int(parts['BYHOUR']):02}:{int(parts['BYMINUTE']):02}"
        if days is not None
        else plain
    )


_KNOWN = {"FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYHOUR", "BYMINUTE", "BYSECOND"}
_UNITS = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}
_NTH_DAY = re.compile(r"(-?\d+)(MO|TU|WE|TH|FR|SA|SU)")


def _how_often(parts: dict[str, str]) -> str:
    count, unit = int(parts.get("INTERVAL", "1")), _UNITS.get(parts["FREQ"], parts["FREQ"].lower())
    return f"every {unit}" if count == 1 else f"every {count} {unit}s"


def _on(parts: dict[str, str]) -> str | None:
    if nth := _NTH_DAY.fullmatch(parts.get("BYDAY", "")):
        return f" on the {_ordinal(int(nth[1]))} {DAYS[nth[2]]}"
    if "BYDAY" in parts:
        days = parts["BYDAY"].split(",")
        return f" on {_days_in_words(tuple(days))}" if set(days) <= set(DAYS) else None
    if "BYMONTHDAY" not in parts:
        return ""
    day = int(parts["BYMONTHDAY"])
    if "BYMONTH" in parts:
        months = [month_name[int(month)] for month in parts["BYMONTH"].split(",")]
        return f" on {day} {_listed(months)}"
    return " on its last day" if day == -1 else f" on the {_ordinal(day)}"


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _ordinal(number: int) -> str:
    if number == -1:
        return "last"
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
