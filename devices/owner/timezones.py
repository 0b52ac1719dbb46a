"""Read a time zone as the owner writes it. Every way to set one reads it here."""

import re
from functools import lru_cache
from zoneinfo import available_timezones

UNKNOWN = "I know no such time zone. Write one such as Europe/Berlin, or a large city in yours."
_OFFSET = re.compile(r"(?:utc|gmt) ?([+-])0?(\d{1,2})(?::?00)?")


def parse_timezone(text: str) -> str | None:
    """Return the name of a zone: "europe/berlin", "New York", "UTC+2"; None if there is none."""
    name = " ".join(text.lower().split())
    if offset := _OFFSET.fullmatch(name):
        # The names count westwards: UTC+2 is Etc/GMT-2.
        name = f"etc/gmt{'-' if offset[1] == '+' else '+'}{offset[2]}"
    name = name.replace(" ", "_")
    return _zones().get(name) or _cities().get(name)


@lru_cache
def _zones() -> dict[str, str]:
    return {zone.lower(): zone for zone in available_timezones()}


@lru_cache
def _cities() -> dict[str, str]:
    """Return zones by every ending of their names, "north_dakota/center" and "center" alike."""
    zones = sorted(available_timezones(), reverse=True)  # the first in the alphabet is put in last
    endings = ((zone.lower().split("/"), zone) for zone in zones if not zone.startswith("Etc/GMT"))
    return {"/".join(parts[at:]): zone for parts, zone in endings for at in range(1, len(parts))}
