import fcntl
import json
import os
import socket
import sys
import tempfile
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection
from django.db.utils import OperationalError

from agents.model_choice.in_use import models_in_use
from devices import disk
from devices.owner.account import new_sign_in_link, the_owner
from penny_site import private_files
from penny_site.checks import SETTINGS_TAG
from penny_site.environment import ROOT, EnvironmentInvalid
from penny_site.processes.plan import model_variables, plan_processes

ANNOUNCEMENT = """
Penny runs. Sign in once with this link (it works for 12 hours):

  {link}

Then {address}/setup/ shows how to load the extension into Firefox or Chrome and gives you a pairing code:
  Firefox  about:debugging → This Firefox → Load Temporary Add-on → browser_ext/.output/penny-firefox.zip
  Chrome   chrome://extensions → Developer mode → Load unpacked → browser_ext/.output/chrome-mv3
{model}
Ctrl-C stops everything.
"""
NO_MODEL = "No model is set: Penny reads and answers by extraction. Choose one on {address}/settings/model/"


class Command(BaseCommand):
    requires_system_checks = (SETTINGS_TAG,)
    help = "Start everything on this machine and keep it running. Options: --port N, --data DIR."

    def handle(self, *args: Any, **options: Any) -> None:
        """Check, migrate, then replace this process by the supervisor, which loads no Django."""
        lock = _lock_data_folder()
        with suppress(OSError):  # files of another user; `doctor` says so
            private_files.close_paths(settings.DATA)
        _check_port(settings.UP_PORT)
        try:
            call_command("migrate", verbosity=0, interactive=False, if_pending=True)
            the_owner()
            link = new_sign_in_link()
        except OperationalError as error:
            if disk.is_full(error):
                raise EnvironmentInvalid(
                    f"the disk that {settings.DATA} is on is full; free some room there, then start again"
                ) from None
            raise EnvironmentInvalid(f"the database cannot be opened: {error}".strip()) from None
        endpoint = models_in_use().main
        model = f"Model: {endpoint}" if endpoint else NO_MODEL.format(address=settings.HOME_URL)
        announcement = ANNOUNCEMENT.format(link=link, address=settings.HOME_URL, model=model)
        variables = model_variables()
        connection.close()
        _become_supervisor(plan_processes(settings.UP_PORT, variables) | {"announcement": announcement}, lock)


def _lock_data_folder() -> int:
    """Lock the data folder and return the lock's descriptor, which the supervisor inherits."""
    try:
        lock = os.open(settings.DATA / "up.lock", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise EnvironmentInvalid(
            f"Penny already runs on {settings.DATA}; stop it first, or choose another folder with --data DIR"
        ) from None
    except OSError as error:
        raise EnvironmentInvalid(
            f"the data folder {settings.DATA} cannot be written: {error.strerror}; choose another with --data DIR"
        ) from None
    return lock


def _check_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise EnvironmentInvalid(
                f"port {port} cannot be used: {error.strerror}; choose another with --port N"
            ) from None


def _become_supervisor(plan: dict[str, Any], lock: int) -> None:
    file = tempfile.TemporaryFile("w+")  # noqa: SIM115  inherited open; unnamed, as it holds the environment
    json.dump(plan, file)
    file.seek(0)
    apart = {place: fcntl.fcntl(one, fcntl.F_DUPFD_CLOEXEC, 10) for place, one in ((3, file.fileno()), (9, lock))}
    for place, one in apart.items():  # each may stand on the other's place
        os.dup2(one, place)
    sys.stdout.flush()
    os.chdir(ROOT)
    os.execv(sys.executable, [sys.executable, "-m", "penny_site.processes.supervisor"])  # noqa: S606
