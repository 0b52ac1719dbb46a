"""Translate German time phrases into the English of agents/schedules/time_phrases.py.

"jeden Werktag um 8" becomes "every weekday at 8". Word by word, the longer forms first. Unknown words stay, and that
grammar then finds no time in them.
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
# Short days count only in a range ("mo-fr"): "do" and "so" are also words.
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
    "jahr(?:en?|s)?": "year",
}
_UNITS_BY_NAME = {"monat": "month", "jahr": "year"}
_NUMBER_MONTHS = r"\d|januar|jaenner|februar|maerz|mrz|april|mai|juni|juli|august|september|okt|november|dez"
_DAY, _SHORT_DAY, _PART = "|".join(_DAYS), "|".join(_SHORT), "|".join(_PARTS)
_ONE = "eine[rmn]?"
_OF_MONTH = r"(?:im|des|jedes|jeden|in jedem|eines) monats?"

Said = str | Callable[[re.Match[str]], str]
_FORMS: list[tuple[str, Said]] = [
    # Dates and times of day in figures
    (
        rf"({_SHORT_DAY})\.?(?=,? (?:den |der )?\d{{1,2}}\. ?(?:{_NUMBER_MONTHS}))",
        lambda match: _SHORT[match[1]],
    ),
    (rf"(?:am|zum) (\d{{1,2}})\.(?! ?(?:{_NUMBER_MONTHS}))", r"on the \1th"),
    (r"(\d{1,2})\.(\d{1,2})\.(\d{2})", lambda match: f"20{match[3]}-{int(match[2]):02}-{int(match[1]):02}"),
    (r"(\d{1,2})\.(\d{1,2})\.(\d{4})", lambda match: f"{match[3]}-{int(match[2]):02}-{int(match[1]):02}"),
    (
        r"(\d{1,2})\.(\d{1,2})\.",
        lambda match: f"{match[1]} {month_name[int(match[2])] if int(match[2]) <= 12 else match[0]}".lower(),
    ),
    (
        rf"(\d{{1,2}}|{'|'.join(_NUMBERS)}) ?einhalb stunden",
        lambda match: f"{_NUMBERS.get(match[1], match[1])} and a half hours",
    ),
    (rf"({'|'.join(_NUMBERS)})", lambda match: _NUMBERS[match[1]]),
    (
        r"(?:um )?(5|10|15|20|25) (nach|vor) (halb )?(\d{1,2})",
        lambda match: _few_minutes_in_figures(match),
    ),
    (r"(?:um )?halb (\d{1,2})", lambda match: f"at {(int(match[1]) - 1) % 24 or 12}:30"),
    (r"(?:um )?viertel nach (\d{1,2})", r"at \1:15"),
    (r"(?:um )?viertel vor (\d{1,2})", lambda match: f"at {(int(match[1]) - 1) % 24 or 12}:45"),
    (r"(?:um )?dreiviertel (\d{1,2})", lambda match: f"at {(int(match[1]) - 1) % 24 or 12}:45"),
    (r"(\d{1,2}) uhr (\d{2})", r"\1:\2 uhr"),
    (r"(?:um )?ein uhr", "at 01:00"),
    (
        r"(?:um )?(\d{1,2})(?:[:.](\d{2}))?(?: uhr)? (morgens|frueh|vormittags|mittags|nachmittags|abends)",
        lambda match: _with_part(match),
    ),
    (r"(?:um )?(\d{1,2})[:.](\d{2}) uhr", lambda match: f"at {match[1]:0>2}:{match[2]}"),
    (r"(?:um )?(\d{1,2}) uhr", lambda match: f"at {match[1]:0>2}:00"),
    # How often
    (r"(?:14|vierzehn)-?taegi(?:g|ch)|zwei-?woechentlich|alle vierzehn tage", "every 2 weeks"),
    (r"vierteljaehrlich|quartalsweise|jedes (?:quartal|vierteljahr)|einmal (?:im|pro) quartal", "every quarter"),
    (r"halbjaehrlich|jedes (?:halbjahr|halbe jahr)", "every half year"),
    (r"einmal (?:am|pro) tag", "every day"),
    (r"einmal (?:pro|in der|die) woche", "every week"),
    (r"einmal (?:im|pro) monat", "every month"),
    (r"einmal (?:im|pro) jahr", "every year"),
    (r"unter der woche", "every weekday"),
    (rf"(?:{_SHORT_DAY})(?:(?:, ?|/| und |, und | & )(?:{_SHORT_DAY}))+", lambda match: _list_of_days(match)),
    (r"(?:am |zum )?monatsersten?", "on the first of the month"),
    (r"(?:am |zum )?(?:monatsende|ende (?:des|dieses) monats)", "at the end of the month"),
    (r"(?:am )?ende (?:des )?(?:naechsten|kommenden) monats", "at the end of next month"),
    (r"(?:am |zum )?(?:jahresende|ende (?:des|dieses) jahres)", "at the end of the year"),
    (r"(?:am )?ende (?:der|dieser) woche", "at the end of the week"),
    (r"dieses wochenende", "this weekend"),
    (r"(?:naechstes|kommendes) wochenende", "next weekend"),
    (r"naechste[nrs]? (monat|jahr)", lambda match: f"next {_UNITS_BY_NAME[match[1]]}"),
    (rf"uebernaechste[nrs]? ({_DAY})", lambda match: f"{_DAYS[match[1]]} after next"),
    (r"uebernaechste woche", "the week after next"),
    (r"(heute|morgen) in (?:einer|1) woche", r"1 week from \1"),
    (r"(heute|morgen) in (\d{1,2}) wochen", r"\2 weeks from \1"),
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
    (rf"({_SHORT_DAY}) ?(?:-|–|bis) ?({_SHORT_DAY})", lambda match: f"{_SHORT[match[1]]} to {_SHORT[match[2]]}"),
    (rf"({_DAY})s? ?(?:-|–|bis) ?({_DAY})s?", lambda match: f"{_DAYS[match[1]]} to {_DAYS[match[2]]}"),
    (_OF_MONTH, "of the month"),
    # How long
    (rf"{_ONE} halben? stunde", "half an hour"),
    (rf"{_ONE} halben? jahr", "6 month"),
    (rf"(?:{_ONE} )?dreiviertel ?stunde", "45 minutes"),
    (rf"(?:{_ONE} )?viertelstunde", "15 minutes"),
    (r"(?:anderthalb|eineinhalb) stunden?", "1 and a half hours"),
    (rf"(?:{_ONE}) (minute|stunde|tag|woche|monat|jahr)", r"1 \1"),
    (r"(\d{1,3}), ?(\d{1,2})(?= (?:stunde|std|tag|woche))", r"\1.\2"),
    *((rf"({unit})", name) for unit, name in _UNITS.items()),
    # Days and their parts
    (rf"({_DAY})(morgen|{_PART})", r"\1 \2"),
    (r"(?:am|in der) (morgen|frueh)", "in the morning"),
    (rf"(?:am|in der) ({_PART})", lambda match: f"in the {_PARTS[match[1]]}"),
    (rf"(jeden|heute|(?:{_DAY})s?) morgen", r"\1 morning"),
    (r"uebermorgen", "the day after tomorrow"),
    (r"morgen", "tomorrow"),
    (r"frueh", "in the morning"),
    (r"heute", "today"),
    (r"mittags", "at noon"),
    (r"morgens|vormittags", "in the morning"),
    (r"nachmittags", "in the afternoon"),
    (r"abends", "in the evening"),
    (rf"(um )?({_PART})", lambda match: f"{'at ' if match[1] else ''}{_PARTS[match[2]]}"),
    (rf"({_DAY})s", lambda match: f"{_DAYS[match[1]]}s"),
    (rf"({_DAY})", lambda match: _DAYS[match[1]]),
    (rf"({'|'.join(_MONTHS)})", lambda match: _MONTHS[match[1]]),
    # What joins them
    (rf"({'|'.join(_NTH)})[nrs]?", lambda match: _NTH[match[1]]),
    (r"naechste[nrs]?", "next"),
    (r"kommende[nrs]?", "coming"),
    (r"diese[nrs]?", "this"),
    (r"jede[nrs]?|alle|an jedem", "every"),
    (r"am|zum", "on"),
    (r"um", "at"),
    (r"von", "from"),
    (r"und", "and"),
]
# "at 7 am" is English: "am" after a figure is not the German word.
_IN_ORDER = [
    (
        re.compile(rf"(?<![\w.])(?<!\d )(?:{form})(?!\w)" if form == "am|zum" else rf"(?<!\w)(?:{form})(?!\w)"),
        replacement,
    )
    for form, replacement in _FORMS
]


def _few_minutes_in_figures(match: re.Match[str]) -> str:
    """Return "5 vor halb 8" as "at 7:25"."""
    minutes = int(match[4]) * 60 - (30 if match[3] else 0) + int(match[1]) * (1 if match[2] == "nach" else -1)
    return f"at {minutes // 60 % 24}:{minutes % 60:02}"


def _list_of_days(match: re.Match[str]) -> str:
    return f"every {', '.join(_SHORT[day] for day in re.findall(_SHORT_DAY, match[0]))}"


def _with_part(match: re.Match[str]) -> str:
    hour, minute = int(match[1]), match[2] or "00"
    is_later = hour < {"nachmittags": 12, "abends": 12, "mittags": 6}.get(match[3], 0)
    return f"at {hour + 12 if is_later else hour:02}:{minute}"


def in_english(phrase: str) -> str:
    """Return a phrase in lower-case English, as far as its words are known."""
    text = unicodedata.normalize("NFC", phrase.lower()).translate(_LETTERS)
    for form, english in _IN_ORDER:
        text = form.sub(english, text)
    return text
