"""German phrases of time, put into the English words that agents/schedules/time_phrases.py reads.

"jeden Werktag um 8" is "every weekday at 8".

Word by word, the longer forms first. What is neither stays as it is, and that grammar then finds no time in it.
"""

import re
import unicodedata
from calendar import month_name
from collections.abc import Callable

_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_DAYS = {
    "montag": "monday", "dienstag": "tuesday", "mittwoch": "wednesday", "donnerstag": "thursday", "freitag": "friday",
    "samstag": "saturday", "sonnabend": "saturday", "sonntag": "sunday",
}  # fmt: skip
# Of days only in "mo-fr": "do" and "so" are words of their own.
_SHORT = {day[:2]: name for day, name in _DAYS.items() if day != "sonnabend"}
_MONTHS = {
    "januar": "january", "jaenner": "january", "februar": "february", "maerz": "march", "mrz": "march",
    "april": "april", "mai": "may",
    "juni": "june", "juli": "july", "august": "august", "september": "september", "oktober": "october",
    "okt": "october",
    "november": "november", "dezember": "december", "dez": "december",
}  # fmt: skip
_NUMBERS = {
    "zwei": "2", "drei": "3", "vier": "4", "fuenf": "5", "sechs": "6", "sieben": "7", "acht": "8", "neun": "9",
    "zehn": "10", "elf": "11",
    "zwoelf": "12", "fuenfzehn": "15", "zwanzig": "20", "dreissig": "30", "vierzig": "40", "fuenfundvierzig": "45",
    "eins": "1",
}  # fmt: skip
_PARTS = {
    "vormittag": "morning",
    "mittag": "noon",
    "nachmittag": "afternoon",
    "abend": "evening",
    "nacht": "night",
    "mitternacht": "midnight",
}
_NTH = {"erste": "first", "zweite": "second", "dritte": "third", "vierte": "fourth", "letzte": "last"}
_UNITS = {
    r"minuten?|min\.?": "minute",
    r"stunden?|std\.?": "hour",
    r"tag(?:en?|s)?": "day",
    "wochen?": "week",
    "monat(?:en?|s)?": "month",
}
_DAY, _SHORT_DAY, _PART = "|".join(_DAYS), "|".join(_SHORT), "|".join(_PARTS)
_ONE = "eine[rmn]?"
_OF_MONTH = r"(?:im|des|jedes|jeden|in jedem|eines) monats?"

Said = str | Callable[[re.Match[str]], str]
_FORMS: list[tuple[str, Said]] = [
    # Dates and times of day in figures
    (r"(\d{1,2})\.(\d{1,2})\.(\d{4})", lambda found: f"{found[3]}-{int(found[2]):02}-{int(found[1]):02}"),
    (
        r"(\d{1,2})\.(\d{1,2})\.",
        lambda found: f"{found[1]} {month_name[int(found[2])] if int(found[2]) <= 12 else found[0]}".lower(),
    ),
    (
        rf"(\d{{1,2}}|{'|'.join(_NUMBERS)}) ?einhalb stunden",
        lambda found: f"{_NUMBERS.get(found[1], found[1])} and a half hours",
    ),
    (rf"({'|'.join(_NUMBERS)})", lambda found: _NUMBERS[found[1]]),
    (r"(?:um )?halb (\d{1,2})", lambda found: f"at {(int(found[1]) - 1) % 24 or 12}:30"),
    (r"(?:um )?viertel nach (\d{1,2})", r"at \1:15"),
    (r"(?:um )?viertel vor (\d{1,2})", lambda found: f"at {(int(found[1]) - 1) % 24 or 12}:45"),
    (r"(?:um )?dreiviertel (\d{1,2})", lambda found: f"at {(int(found[1]) - 1) % 24 or 12}:45"),
    (r"(\d{1,2}) uhr (\d{2})", r"\1:\2 uhr"),
    (r"(?:um )?ein uhr", "at 1:00"),
    (
        r"(?:um )?(\d{1,2})(?:[:.](\d{2}))?(?: uhr)? (morgens|frueh|vormittags|mittags|nachmittags|abends)",
        lambda found: _with_part(found),
    ),
    (r"(?:um )?(\d{1,2})[:.](\d{2}) uhr", r"at \1:\2"),
    (r"(?:um )?(\d{1,2}) uhr", r"at \1:00"),
    # How often
    (r"stuendlich|jede stunde", "hourly"),
    (r"halbstuendlich|(?:jede|alle) halben? stunden?", "every half hour"),
    (r"(?:jede|alle) (?:ein|ander)einhalb stunden|alle anderthalb stunden", "every hour and a half"),
    (r"taeglich|(?:jeden|an jedem) tag", "every day"),
    (r"woechentlich|jede woche", "every week"),
    (r"monatlich|jeden monat", "every month"),
    (r"jaehrlich|jedes jahr", "every year"),
    (r"(?:jeden |an |an jedem )?(?:werk|wochen|arbeits)tag(?:en|s)?", "every weekday"),
    (r"(?:jedes |am |an |an jedem )?wochenenden?|wochenends", "at weekends"),
    (r"jede[nrs]? zweite[nrs]? (minute|stunde|tag|woche|monat)", r"every 2 \1"),
    (rf"({_SHORT_DAY}) ?(?:-|–|bis) ?({_SHORT_DAY})", lambda found: f"{_SHORT[found[1]]} to {_SHORT[found[2]]}"),
    (rf"({_DAY})s? ?(?:-|–|bis) ?({_DAY})s?", lambda found: f"{_DAYS[found[1]]} to {_DAYS[found[2]]}"),
    (_OF_MONTH, "of the month"),
    # How long
    (rf"{_ONE} halben? stunde", "half an hour"),
    (rf"(?:{_ONE} )?dreiviertelstunde", "45 minutes"),
    (rf"(?:{_ONE} )?viertelstunde", "15 minutes"),
    (r"(?:anderthalb|eineinhalb) stunden?", "1 and a half hours"),
    (rf"(?:{_ONE}) (minute|stunde|tag|woche|monat)", r"1 \1"),
    *((rf"({unit})", name) for unit, name in _UNITS.items()),
    # Days and their parts
    (rf"({_DAY})(morgen|{_PART})", r"\1 \2"),
    (r"(?:am|in der) (morgen|frueh)", "in the morning"),
    (rf"(?:am|in der) ({_PART})", lambda found: f"in the {_PARTS[found[1]]}"),
    (rf"(jeden|heute|(?:{_DAY})s?) morgen", r"\1 morning"),
    (r"uebermorgen", "the day after tomorrow"),
    (r"morgen", "tomorrow"),
    (r"frueh", "in the morning"),
    (r"heute", "today"),
    (r"mittags", "at noon"),
    (rf"(um )?({_PART})", lambda found: f"{'at ' if found[1] else ''}{_PARTS[found[2]]}"),
    (rf"({_DAY})s", lambda found: f"{_DAYS[found[1]]}s"),
    (rf"({_DAY})", lambda found: _DAYS[found[1]]),
    (rf"({'|'.join(_MONTHS)})", lambda found: _MONTHS[found[1]]),
    # What joins them
    (rf"({'|'.join(_NTH)})[nrs]?", lambda found: _NTH[found[1]]),
    (r"naechste[nrs]?|kommende[nrs]?", "next"),
    (r"diese[nrs]?", "this"),
    (r"jede[nrs]?|alle|an jedem", "every"),
    (r"am|zum", "on"),
    (r"um", "at"),
    (r"von", "from"),
    (r"und", "and"),
]
# "at 7 am" is English: what follows a figure is no German "am".
_IN_ORDER = [
    (re.compile(rf"(?<![\w.])(?<!\d )(?:{form})(?!\w)" if form == "am|zum" else rf"(?<!\w)(?:{form})(?!\w)"), said)
    for form, said in _FORMS
]


def _with_part(found: re.Match[str]) -> str:
    hour, minute = int(found[1]), found[2] or "00"
    is_later = hour < {"nachmittags": 12, "abends": 12, "mittags": 6}.get(found[3], 0)
    return f"at {hour + 12 if is_later else hour}:{minute}"


def in_english(phrase: str) -> str:
    """Return a phrase in lower case in English words, as far as they are known."""
    said = unicodedata.normalize("NFC", phrase.lower()).translate(_LETTERS)
    for form, english in _IN_ORDER:
        said = form.sub(english, said)
    return said
