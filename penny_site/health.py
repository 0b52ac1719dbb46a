"""What Penny needs and whether it is there: for /readyz, the setup page, and `doctor`."""

import json
from dataclasses import dataclass
from urllib.error import URLError
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener
from uuid import uuid4

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from agents.providers import LOCAL_SERVERS, Endpoint
from agents.readings import Confinement, ReadingReply, ReadingRequest
from agents.sandbox_client import send
from devices import disk
from devices.models import Device
from devices.redis import sync_client
from penny_site.alive import BEAT_KEY, WORKER_KEY

START = "Start Penny with make up."
TEST_S = 60


class _Stay(HTTPRedirectHandler):
    """Follow no redirect: whatever listens at a port must not send Penny, and a key with her, to another address."""

    def redirect_request(self, *_: object) -> None:
        """An answer that leads elsewhere counts as a refusal (HTTPError)."""


_opener = build_opener(ProxyHandler({}), _Stay)


@dataclass(frozen=True)
class Part:
    """One thing that Penny is made of. `advice` says what to do where `is_ok` is false."""

    name: str
    label: str
    is_ok: bool
    is_required: bool
    text: str
    advice: str = ""


@dataclass(frozen=True)
class LocalModel:
    """A model server that listens on this machine, and the models that it names."""

    server: str
    provider: str
    url: str
    models: list[str]


def readiness() -> list[Part]:
    """Return every part as it is now. Quick: nothing is asked that takes longer than a look into Redis."""
    return [
        database(),
        _disk(),
        _broker(),
        _alive("worker", "Worker", WORKER_KEY),
        _sandbox(),
        _alive("beat", "Beat", BEAT_KEY),
        _model(),
        _browser(),
    ]


def is_ready(parts: list[Part]) -> bool:
    return all(part.is_ok for part in parts if part.is_required)


def is_running() -> bool:
    """Whether the servers of this data folder answer."""
    return _broker().is_ok and _alive("worker", "Worker", WORKER_KEY).is_ok


def test(name: str) -> Part:
    """Try a part for real and return what came of it; this may take up to a minute. Raises KeyError for a name that is none."""
    return {"model": _try_model, "browser": _try_browser, "sandbox": _try_sandbox, "broker": _try_broker}[name]()


def local_models() -> list[LocalModel]:
    """Look for model servers at their usual ports on this machine."""
    found = [(server, provider, url, _models_at(url, 1.0)) for server, provider, url in LOCAL_SERVERS]
    return [LocalModel(server, provider, url, models) for server, provider, url, models in found if models is not None]


def database() -> Part:
    """Return whether the database opens and is as this version needs it."""
    try:
        connection.ensure_connection()
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            is_new = not executor.loader.applied_migrations
            text = "is not made yet" if is_new else "is older than this version"
            return Part("database", "Database", False, True, text, "Run python manage.py migrate, or make up.")
    except DatabaseError as error:
        return Part("database", "Database", False, True, f"does not open: {error}", "Check PENNY_DATABASE_URL and the data folder.")
    return Part("database", "Database", True, True, connection.vendor)


def _disk() -> Part:
    free = f"{disk.free_bytes() // disk.MB:,} MB free"
    try:
        has_room = disk.has_room()
    except DatabaseError:
        has_room = disk.can_write()
    if has_room:
        return Part("disk", "Disk", True, True, free)
    advice = f"Penny takes no new work until there is more room where {settings.DATA} is. Nothing that she has is lost."
    return Part("disk", "Disk", False, True, f"is full: {free}", advice)


def _broker() -> Part:
    if not settings.REDIS_URL:
        return Part("broker", "Broker", False, True, "does not run", START)
    try:
        sync_client().ping()
    except redis.RedisError:
        return Part("broker", "Broker", False, True, "does not answer", START)
    return Part("broker", "Broker", True, True, "answers")


def _alive(name: str, label: str, key: str) -> Part:
    try:
        is_ok = settings.REDIS_URL != "" and bool(sync_client().exists(key))
    except redis.RedisError:
        is_ok = False
    return Part(name, label, is_ok, True, "runs" if is_ok else "does not run", "" if is_ok else f"{START} Its log is {settings.DATA}/log.")


def _sandbox() -> Part:
    try:
        told = _sandbox_redis().get("alive") if settings.SANDBOX_REDIS_URL else None
    except redis.RedisError:
        told = None
    if not told:
        return Part("sandbox", "Sandbox", False, True, "does not run", START)
    how = f"with {settings.READER_MODEL}" if settings.READER_MODEL else "by extraction"
    confinement = Confinement.model_validate_json(str(told))
    return Part("sandbox", "Sandbox", True, True, f"runs, reads {how}, {_closed(confinement)}", confinement.note)


def _closed(confinement: Confinement) -> str:
    closed = [name for name in ("files", "network") if getattr(confinement, name)]
    return f"{' and '.join(closed)} closed to it" if closed else "not confined by the system"


def _model() -> Part:
    endpoint = settings.MODEL
    if endpoint is None:
        advice = "Set PENNY_MODEL (and PENNY_MODEL_URL, PENNY_MODEL_KEY where needed) and start Penny again."
        return Part("model", "Model", False, False, "none is set: Penny quotes instead of writing", advice)
    return Part("model", "Model", True, False, f"{endpoint} at {endpoint.url}")


def _browser() -> Part:
    try:
        labels = [device.label for device in Device.objects.connected().exclude(kind=Device.Kind.WEB)]
    except DatabaseError:
        labels = []
    if not labels:
        return Part("browser", "Browser", False, False, "none is connected", "Open the browser that you paired, or pair one below.")
    return Part("browser", "Browser", True, False, ", ".join(labels))


def _try_model() -> Part:
    endpoint: Endpoint | None = settings.MODEL
    if endpoint is None:
        return _model()
    names = _models_at(endpoint.url, 10.0, endpoint.key)
    if names is None:
        advice = "Start the model's server, or correct PENNY_MODEL_URL and PENNY_MODEL_KEY."
        return Part("model", "Model", False, False, f"{endpoint.url} does not answer", advice)
    if names and endpoint.name not in names:
        return Part("model", "Model", False, False, f"{endpoint.url} has no {endpoint.name}", f"It has: {', '.join(names[:8])}.")
    return Part("model", "Model", True, False, f"{endpoint} answers")


def _try_browser() -> Part:
    part = _browser()
    able = [device.label for device in Device.objects.capable("browse_url")]
    if part.is_ok and not able:
        return Part("browser", "Browser", False, False, "connected, but tools are switched off", "Switch tools on in the sidebar.")
    return part


def _try_broker() -> Part:
    part = _broker()
    if part.is_ok and not _alive("beat", "Beat", BEAT_KEY).is_ok:
        return Part("broker", "Broker", False, True, "answers, but no tick came through it", f"Look into {settings.DATA}/log.")
    return part


def _try_sandbox() -> Part:
    """Have a small text read without a model, the whole way there and back."""
    request = ReadingRequest(
        title="Test", text="Penny tests her reader with this one sentence about herself.", domain="penny", question="Penny"
    )
    try:
        key = send(str(uuid4()), "sandbox.read", request.model_dump(mode="json"), False)
        answer = _sandbox_redis(TEST_S + 5).blpop([key], timeout=TEST_S)
    except (redis.RedisError, OSError):
        return Part("sandbox", "Sandbox", False, True, "cannot be reached", START)
    if answer is None or not ReadingReply.model_validate_json(answer[1]).reading:
        return Part("sandbox", "Sandbox", False, True, "does not answer", f"Its log is {settings.DATA}/log/sandbox.log.")
    return Part("sandbox", "Sandbox", True, True, "read a sentence and answered")


def _sandbox_redis(timeout_s: float = 5.0) -> redis.Redis:
    return redis.Redis.from_url(settings.SANDBOX_REDIS_URL, decode_responses=True, socket_connect_timeout=2, socket_timeout=timeout_s)


def _models_at(url: str, timeout_s: float, key: str = "") -> list[str] | None:
    """Return the names of the models that an endpoint has, or None when it does not answer as one."""
    request = Request(f"{url.rstrip('/')}/models", headers={"Authorization": f"Bearer {key}"} if key else {})  # noqa: S310
    try:
        with _opener.open(request, timeout=timeout_s) as response:
            listed = json.load(response)
        return [str(model["id"]) for model in listed["data"]]
    except (OSError, URLError, ValueError, KeyError, TypeError):
        return None
