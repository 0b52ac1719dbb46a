"""The command line of `manage.py` that works for this Penny: in a container, from `make up`, or from elsewhere."""

import shlex
import sys

from django.conf import settings

from penny_site.environment import ROOT


def manage_command(name: str) -> str:
    """Return the command line that runs a command of `manage.py`.

    Anybody who reaches Penny from elsewhere sees it: there it names no folder of her machine.
    """
    if settings.MANAGE:
        return f"{settings.MANAGE} {name}"
    python, manage, data = sys.executable, str(ROOT / "manage.py"), str(settings.DATA.absolute())
    options = [] if data == str(ROOT / "data") else ["--data", data]
    if not settings.IS_LOOPBACK:
        python, manage, options = ".venv/bin/python", "manage.py", ["--data", "DATA_FOLDER"] if options else []
    return shlex.join([python, manage, name, *options])
