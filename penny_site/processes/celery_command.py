"""Run Celery's worker or beat: `python -m penny_site.processes.celery_command APP worker|beat OPTIONS`.

Celery's own command line loads all its commands and plugins, the editor of a terminal among them: 9 MB in each process.
Imports no Django, since the sandbox starts here too.
"""

import sys

from celery.app.utils import find_app
from celery.bin.base import CLIContext


def main(app: str, command: str, *options: str) -> None:
    if command == "worker":
        from celery.bin.worker import worker as run
    else:
        from celery.bin.beat import beat as run
    run.main(list(options), f"celery {command}", obj=CLIContext(find_app(app), no_color=False, workdir=None))


if __name__ == "__main__":
    main(*sys.argv[1:])
