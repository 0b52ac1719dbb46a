"""Words of time phrases, with the patterns that match them: days, months, counts."""

from datetime import time

MORNING = time(8)
DAYS = {
    name: code
    for code, names in {
        "MO": "monday mon", "TU": "tuesday tue tues", "WE": "wednesday wed", "TH": "thursday thu thur thurs",
        "FR": "friday fri",
        "SA": "saturday sat", "SU": "sunday sun",
    }.items()
    for name in names.split()
}  # fmt: skip
ORDER = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
MONTHS = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
        "september sep sept",
         "october oct", "november nov", "december dec"), 1,
    )
    for name in names.split()
}  # fmt: skip
NTH = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": -1}
UNIT = "minute|min|hour|day|week|month|year"
COUNTS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twelve": 12,
    "other": 2,
    "half": 0,
    "half an": 0,
}
DAY = rf"(?:{'|'.join(sorted(DAYS, key=len, reverse=True))})"
MONTH = rf"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})"
NUMBER = rf"(?:\d{{1,4}}|{'|'.join(sorted(COUNTS, key=len, reverse=True))})"


def count_of(text: str | None) -> int:
    if text is None:
        return 1
    return int(text) if text.isdecimal() else COUNTS[text]
