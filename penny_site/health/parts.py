"""Check the parts that Penny needs, for /readyz, the pages and `doctor`."""

import time
from datetime import timedelta
from uuid import uuid4

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from pydantic import ValidationError

from agents.pages.sandbox_client import send
from agents.zones.sandbox_messages import Confinement, ReadingReply, ReadingRequest, Report
from devices import disk
from devices.channels import routing
from devices.channels.signal import own_numbers
from devices.models import Delivery, Device, LineState
from devices.owner import clock, machine_clock
from devices.redis import sync_client
from penny_site.health import model
from penny_site.health.alive import BEAT_KEY, WORKER_KEY
from penny_site.health.broker import check_broker
from penny_site.health.http import SIGNAL_TEST_S
from penny_site.health.part import START
from penny_site.health.part import Part as Part
from penny_site.upgrades import TOO_OLD, TOO_OLD_ADVICE, is_too_old
from thoughts.text.numbers import size_text

TEST_S = 60
SIGNAL_STALE = timedelta(seconds=45)


def readiness(*, asks_model: bool = False) -> list[Part]:
    """Return the current state of every part. No check takes longer than a read from Redis.

    But `asks_model` has the worker ask the model one word if that was some minutes ago, which may take seconds.
    """
    return [
        *machinery(),
        *first_steps(asks_model=asks_model),
        check_signal(),
    ]


def machinery() -> list[Part]:
    """Return the parts of this machine, all of which Penny needs."""
    broker = check_broker()
    return [
        check_database(),
        _check_disk(),
        broker,
        _check_alive("worker", "Worker", WORKER_KEY, broker),
        _check_sandbox(),
        _check_alive("beat", "Beat", BEAT_KEY, broker),
        *_check_clock(),
    ]


def first_steps(*, asks_model: bool = False) -> list[Part]:
    """Return the parts that the owner sets up first."""
    return [model.check_model(asks=asks_model), _check_browser()]


def is_ready(parts: list[Part]) -> bool:
    return all(part.is_ok for part in parts if part.is_required)


def is_running() -> bool:
    """Whether the broker and the worker of this data folder answer."""
    broker = check_broker()
    return broker.is_ok and _check_alive("worker", "Worker", WORKER_KEY, broker).is_ok


def try_part(name: str) -> Part:
    """Use a part for real, for up to a minute, and return its state.

    Raises KeyError for an unknown name.
    """
    tries = {
        "model": model.try_in_worker,
        "browser": _try_browser,
        "sandbox": _try_sandbox,
        "broker": _try_broker,
        "signal": _try_signal,
    }
    return tries[name]()


def check_database() -> Part:
    """Check that the database opens and has every migration of this version."""
    try:
        connection.ensure_connection()
        if is_too_old(MigrationRecorder(connection).applied_migrations()):
            return Part("database", "Database", False, True, TOO_OLD, TOO_OLD_ADVICE)
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            is_new = not executor.loader.applied_migrations
            text = "is not made yet" if is_new else "is older than this version"
            return Part("database", "Database", False, True, text, "Run python manage.py migrate, or make up.")
    except DatabaseError as error:
        return Part(
            "database",
            "Database",
            False,
            True,
            f"does not open: {error}",
            "Check PENNY_DATABASE_URL and the data folder.",
        )
    return Part("database", "Database", True, True, connection.vendor)


def _check_disk() -> Part:
    free = f"{size_text(disk.free_bytes())} free"
    try:
        has_room = disk.has_room()
    except DatabaseError:
        has_room = disk.can_write()
    if has_room:
        return Part("disk", "Disk", True, True, free)
    advice = f"Penny takes no new work until there is more room where {settings.DATA} is. Nothing that she has is lost."
    return Part("disk", "Disk", False, True, f"is full: {free}", advice)


def _check_clock() -> list[Part]:
    """Return the clock of this machine while it may be wrong."""
    try:
        doubt = machine_clock.describe_doubt(timezone.now())
    except DatabaseError:
        doubt = ""
    return [Part("clock", "Clock", False, False, doubt, machine_clock.ADVICE)] if doubt else []


def _check_alive(name: str, label: str, key: str, broker: Part) -> Part:
    """Look for the key that the process renews: a broker that takes nothing does not hold it for long."""
    try:
        is_ok = settings.REDIS_URL != "" and bool(sync_client().exists(key))
    except redis.RedisError:
        is_ok = False
    if settings.REDIS_URL and not is_ok and not broker.is_ok:
        return Part(name, label, False, True, "is not seen without the broker", "Look at the broker first.")
    return Part(
        name,
        label,
        is_ok,
        True,
        "runs" if is_ok else "does not run",
        "" if is_ok else f"{START} Its log is {settings.DATA}/log.",
    )


def _check_sandbox() -> Part:
    own = sandbox_report()
    if own is None:
        return Part("sandbox", "Sandbox", False, True, "does not run", START)
    how = f"with {own.model}" if own.model else "by extraction"
    text = f"runs, reads {how}, {_describe_confinement(own)}"
    return Part("sandbox", "Sandbox", True, True, text, own.note)


def sandbox_report() -> Report | None:
    """Return what the sandbox tells of itself, None while it does not run."""
    try:
        report = _sandbox_redis().get("alive") if settings.SANDBOX_REDIS_URL else None
    except redis.RedisError:
        report = None
    try:
        return Report.model_validate_json(str(report)) if report else None
    except ValidationError:  # of another version, or not from the sandbox
        return None


def _describe_confinement(confinement: Confinement) -> str:
    closed = [name for name in ("files", "network") if getattr(confinement, name)]
    return f"{' and '.join(closed)} closed to it" if closed else "not confined by the system"


def _check_browser() -> Part:
    try:
        labels = [device.label for device in Device.objects.connected().exclude(kind=Device.Kind.WEB)]
    except DatabaseError:
        labels = []
    if not labels:
        return Part(
            "browser",
            "Browser",
            False,
            False,
            "none is connected",
            "Open the browser that you paired, or pair one below.",
        )
    return Part("browser", "Browser", True, False, ", ".join(labels))


def check_signal() -> Part:
    """Report Signal by the worker's last check. Signal that is not set up counts as working."""
    if not settings.SIGNAL_URL:
        return Part("signal", "Signal", True, False, "not set up")
    try:
        state, numbers = LineState.of("signal"), own_numbers.proven_numbers()
    except DatabaseError:
        return Part("signal", "Signal", False, False, "cannot be looked at", "The database does not open.")
    if state.problem:
        return Part("signal", "Signal", False, False, "does not work", state.said)
    if state.checked_at is None or timezone.now() - state.checked_at > SIGNAL_STALE:
        return Part("signal", "Signal", False, False, "nobody listens", f"The worker does. {START}")
    if not numbers:
        return Part(
            "signal",
            "Signal",
            False,
            False,
            "knows no number of yours",
            "Enter yours under Settings › Notifications, and write the code from it.",
        )
    if state.listening_since is None:
        return Part(
            "signal", "Signal", False, False, "is being connected", "If that lasts, look whether its server runs."
        )
    received = (
        f"last received {clock.time_in_words(state.heard_at, timezone.now())}"
        if state.heard_at
        else "nothing received yet"
    )
    refusals = (
        f", {state.refused:,} message{'s' if state.refused > 1 else ''} of others refused" if state.refused else ""
    )
    unread = f", {state.unread:,} that I could not read" if state.unread else ""
    return Part(
        "signal",
        "Signal",
        True,
        False,
        f"{state.account} listens (version {state.version}), {received}{refusals}{unread}",
    )


def _try_signal() -> Part:
    """Send the owner a test message, and wait for the state of its delivery."""
    part = check_signal()
    number = next(iter(own_numbers.proven_numbers()), None)
    if not part.is_ok or number is None:
        return part
    words = "This is a test: what Penny sends over Signal arrives."
    delivery = routing.queue(number, None, "You asked for a test.", key=f"test:{uuid4()}", text=words)
    for _ in range(4 * SIGNAL_TEST_S):
        time.sleep(0.25)
        delivery.refresh_from_db()
        if delivery.state != Delivery.State.QUEUED:
            break
    is_ok = delivery.state == Delivery.State.ACCEPTED
    advice = "" if is_ok else delivery.error or "It waits in the outbox. Look again in a minute."
    return Part("signal", "Signal", is_ok, False, f"{number.address}: {delivery.get_state_display()}", advice)


def _try_browser() -> Part:
    part = _check_browser()
    labels = [device.label for device in Device.objects.capable("browse_url")]
    if part.is_ok and not labels:
        return Part(
            "browser",
            "Browser",
            False,
            False,
            "connected, but tools are switched off",
            "Switch tools on in the sidebar.",
        )
    return part


def _try_broker() -> Part:
    part = check_broker()
    if part.is_ok and not _check_alive("beat", "Beat", BEAT_KEY, part).is_ok:
        return Part(
            "broker", "Broker", False, True, "answers, but no tick came through it", f"Look into {settings.DATA}/log."
        )
    return part


def _try_sandbox() -> Part:
    """Have the sandbox read a small text without a model."""
    request = ReadingRequest(
        title="Test",
        text="Penny tests her reader with this one sentence about herself.",
        domain="penny",
        question="Penny",
    )
    try:
        key = send(str(uuid4()), "sandbox.read", request.model_dump(mode="json"), False)
        answer = _sandbox_redis(TEST_S + 5).blpop([key], timeout=TEST_S)
    except (redis.RedisError, OSError):
        return Part("sandbox", "Sandbox", False, True, "cannot be reached", START)
    if answer is None or not ReadingReply.model_validate_json(answer[1]).reading:
        return Part(
            "sandbox", "Sandbox", False, True, "does not answer", f"Its log is {settings.DATA}/log/sandbox.log."
        )
    return Part("sandbox", "Sandbox", True, True, "read a sentence and answered")


def _sandbox_redis(timeout_s: float = 5.0) -> redis.Redis:
    return redis.Redis.from_url(
        settings.SANDBOX_REDIS_URL, decode_responses=True, socket_connect_timeout=2, socket_timeout=timeout_s
    )
