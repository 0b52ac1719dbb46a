"""How often something repeats, as a person says it: the plain forms of a recurrence rule, and back."""

import re
from dataclasses import dataclass
from datetime import time

DAYS = {"MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday", "SU": "Sunday"}
WORKDAYS = ("MO", "TU", "WE", "TH", "FR")
_EVERY = re.compile(r"FREQ=(MINUTELY|HOURLY);INTERVAL=(\d{1,4})")
_AT = re.compile(r"FREQ=(?:DAILY|WEEKLY;BYDAY=([A-Z,]+));BYHOUR=(\d{1,2});BYMINUTE=(\d{1,2});BYSECOND=0")


@dataclass(frozen=True)
class Repeat:
    """`how`: minutes, hours, daily, days, or rule for what has no plain form. `every` counts minutes or hours."""

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
        """Return the recurrence rule that says the same."""
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
            return f"{_named(self.days)} at {self.at:%H:%M}"
        return self.rule


def _named(days: tuple[str, ...]) -> str:
    if set(days) == set(WORKDAYS):
        return "Monday to Friday"
    return ", ".join(name for day, name in DAYS.items() if day in days)
