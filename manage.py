#!/usr/bin/env python
"""Penny's commands; `up` starts everything."""

import gc
import os
import sys
from typing import NoReturn

from penny_site.environment import EnvironmentInvalid, take_options


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "penny_site.settings")
    # what is imported stays: to look through it again and again is a tenth of the time that a command takes to start
    gc.disable()
    try:
        take_options(sys.argv)
        import django
        from django.core.management import execute_from_command_line

        django.setup()
        gc.enable()
        execute_from_command_line(sys.argv)
    except EnvironmentInvalid as error:
        end(str(error))
    except Exception as error:
        if why := wrong_with_the_database(error):
            end(why)
        raise


def wrong_with_the_database(error: Exception) -> str:
    """Return what is wrong with the database and what to do, where that is why a command failed; else nothing."""
    from django.db import DatabaseError

    if not isinstance(error, DatabaseError):
        return ""
    from penny_site.health.parts import database

    found = database()
    return "" if found.is_ok else f"the database {found.text}. {found.advice}"


def end(why: str) -> NoReturn:
    print(f"penny: {why}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
