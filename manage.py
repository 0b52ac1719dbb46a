#!/usr/bin/env python
"""Penny's commands; `up` starts everything."""

import gc
import os
import sys
from typing import NoReturn

from penny_site.environment import EnvironmentInvalid, take_options


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "penny_site.settings")
    # Imported objects live as long as the process: collecting among them takes a tenth of the time of a start, and a
    # fifth of that of an update.
    gc.disable()
    try:
        take_options(sys.argv)
        import django
        from django.core.management import execute_from_command_line

        django.setup()
        gc.freeze()
        gc.enable()
        execute_from_command_line(sys.argv)
    except EnvironmentInvalid as error:
        end(str(error))
    except Exception as error:
        if why := wrong_with_the_database(error):
            end(why)
        raise


def wrong_with_the_database(error: Exception) -> str:
    """Return the fault of the database and the advice, or an empty text for any other error."""
    from django.db import DatabaseError

    if not isinstance(error, DatabaseError):
        return ""
    from penny_site.health.parts import check_database

    part = check_database()
    return "" if part.is_ok else f"the database {part.text}. {part.advice}"


def end(why: str) -> NoReturn:
    print(f"penny: {why}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
