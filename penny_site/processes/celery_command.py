"""Run Celery's worker or beat: `python -m penny_site.processes.celery_command APP worker|beat OPTIONS`.

Celery's own command line loads all its commands and plugins, the editor of a terminal among them: 9 MB in each process.
Imports no Django, since the sandbox starts here too.
"""

import os
import sys

from celery.app.utils import find_app
from celery.bin.base import CLIContext


def main(app: str, command: str, *options: str) -> None:
    # Celery would run Django's checks and ignore what they find. They load all pages: 9 MB, and a ninth of the start.
    os.environ["CELERY_SKIP_CHECKS"] = "1"
    if command == "worker":
        from celery.bin.worker import worker as run
    else:
        from celery.bin.beat import beat as run
    run.main(list(options), f"celery {command}", obj=CLIContext(find_app(app), no_color=False, workdir=None))


if __name__ == "__main__":
    main(*sys.argv[1:])
