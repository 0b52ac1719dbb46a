#!/usr/bin/env python
"""Penny's commands; `up` starts everything."""

import os
import sys

from penny_site.environment import EnvironmentInvalid, take_options


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "penny_site.settings")
    try:
        take_options(sys.argv)
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)
    except EnvironmentInvalid as error:
        print(f"penny: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
