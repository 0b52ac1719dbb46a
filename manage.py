#!/usr/bin/env python
"""Penny's commands; `up` starts everything."""

import gc
import os
import sys

from penny_site.environment import EnvironmentInvalid, take_options


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "penny_site.settings")
    gc.disable()  # what is imported stays: to look through it again and again is a tenth of the time that a command takes to start
    try:
        take_options(sys.argv)
        import django
        from django.core.management import execute_from_command_line

        django.setup()
        gc.enable()
        execute_from_command_line(sys.argv)
    except EnvironmentInvalid as error:
        print(f"penny: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
