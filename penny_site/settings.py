"""Django's settings, derived from penny_site/environment.py and the data folder."""

import os
import secrets
import sys
import tomllib
from typing import Any
from urllib.parse import urlsplit

import dj_database_url

from agents.llm.providers import parse_endpoint
from devices.access.secret_files import read_or_create
from penny_site import private_files
from penny_site.environment import DEFAULT_PORT, ROOT, EnvironmentInvalid, read_environment, read_running_servers
from penny_site.logs import logging_config
from penny_site.owner_settings import CONSTANCE_ADDITIONAL_FIELDS as CONSTANCE_ADDITIONAL_FIELDS
from penny_site.owner_settings import CONSTANCE_BACKEND as CONSTANCE_BACKEND
from penny_site.owner_settings import CONSTANCE_CONFIG as CONSTANCE_CONFIG
from penny_site.owner_settings import CONSTANCE_CONFIG_FIELDSETS as CONSTANCE_CONFIG_FIELDSETS
from penny_site.owner_settings import DISK_FREE_MB_MOST as DISK_FREE_MB_MOST
from penny_site.sign_in import oidc

_environment = read_environment()
# The version of the server and the extension, which are released together.
VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

# Database threads alternate with the event loop. At Python's default of 5 ms, each query waits so long for a busy loop.
sys.setswitchinterval(0.0005)
# numpy multiplies with one thread: several spin while they wait for each other, five times slower on a busy machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

DATA = _environment.data
os.umask(private_files.UMASK)  # of this process and of all that it starts
try:
    DATA.mkdir(mode=0o700, parents=True, exist_ok=True)
    _running = read_running_servers(DATA)
    SECRET_KEY = (
        _environment.secret_key
        or read_or_create(
            _environment.secret_key_file or DATA / "secret_key", lambda: secrets.token_urlsafe(48).encode()
        )
        .decode()
        .strip()
    )
except OSError as error:
    raise EnvironmentInvalid(
        f"the data folder {DATA} cannot be used: {error.strerror}; choose another with --data DIR"
    ) from None

UP_PORT = _environment.up_port
# How the owner runs manage.py, where that cannot be told from here.
MANAGE = _environment.manage
# Only `restore` sets this. DATA is then its staging folder inside this folder.
RESTORE_INTO = _environment.restore_into

# Address
# --------------------------------------------------------------------------------------------------------------------

_public: str = _environment.public_url or _running.get("public_url") or f"http://127.0.0.1:{DEFAULT_PORT}"
_address = urlsplit(_public)
# The origin. BASE_PATH is the path prefix on a shared origin; the results of `reverse` include it.
PUBLIC_URL = f"{_address.scheme}://{_address.netloc.lower()}".removesuffix(
    {"http": ":80", "https": ":443"}[_address.scheme]
)
BASE_PATH = _address.path.rstrip("/")
HOME_URL = PUBLIC_URL + BASE_PATH
FORCE_SCRIPT_NAME = BASE_PATH or None
LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"]
IS_LOOPBACK = f"[{_address.hostname}]" in LOOPBACK_NAMES or _address.hostname in LOOPBACK_NAMES
ALLOWED_HOSTS = LOOPBACK_NAMES if IS_LOOPBACK else [_address.hostname or ""]
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
_tls = _address.scheme == "https"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _tls
CSRF_COOKIE_HTTPONLY = True  # the pages hold the token
# All ports of a host share cookies. The port in the name keeps two local programs from signing each other out.
SESSION_COOKIE_NAME = "__Host-penny" if _tls else f"penny_{_address.port or 80}"
CSRF_COOKIE_NAME = "__Host-penny-csrf" if _tls else f"penny_csrf_{_address.port or 80}"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"  # a GET changes nothing, and links from a phone must work
SESSION_COOKIE_AGE = 90 * 24 * 3600
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _tls else None
# With no-referrer, browsers send `Origin: null` with every form, which the CSRF check refuses.
SECURE_REFERRER_POLICY = "same-origin"
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "feed"

# Django
# ---------------------------------------------------------------------------------------------------------------------

DEBUG = False
ROOT_URLCONF = "penny_site.urls"
ASGI_APPLICATION = "penny_site.asgi.application"
INSTALLED_APPS = [
    "penny_site",  # before the admin, whose frame it overrides
    "penny_site.apps.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "channels",
    "constance",
    "django_htmx",
    "thoughts",
    "devices",
    "agents",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "penny_site.middleware.headers",
    "penny_site.middleware.one_address",
    "penny_site.cross_site.own_writes",
    "penny_site.cross_site.own_reads",
    "penny_site.middleware.Compression",
    "penny_site.middleware.DiskFull",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "penny_site.middleware.owner",
    "penny_site.middleware.page_above",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "penny_site.frame.context.navigation",
            ]
        },
    }
]
# The owner's name and the internal id of the service for signing in; empty without a service.
OIDC_NAME = OIDC_PROVIDER = OIDC_URL = ""
if _environment.oidc_url:
    try:
        _oidc_secret = (
            _environment.oidc_secret_file.read_text().strip()
            if _environment.oidc_secret_file
            else _environment.oidc_secret
        )
    except OSError as error:
        raise EnvironmentInvalid(f"PENNY_OIDC_SECRET_FILE cannot be read: {error.strerror}") from None
    globals().update(
        oidc.build_settings(_environment.oidc_url, _environment.oidc_client, _oidc_secret, _environment.oidc_name)
    )
    INSTALLED_APPS += oidc.APPS
    MIDDLEWARE += oidc.MIDDLEWARE
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
TIME_ZONE = "UTC"
FORMAT_MODULE_PATH = "penny_site.formats"
STATIC_URL = f"{BASE_PATH}/static/"
# The chat page is built with the extension, whose conversation it shows.
STATICFILES_DIRS = [ROOT / "browser_ext/.output/web"]
# Static files are served from the apps, so collectstatic is not needed.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
LOGGING = logging_config(DATA / "log")

# Database
# -------------------------------------------------------------------------------------------------------------------

if _environment.database_url:
    try:
        DATABASES: dict[str, Any] = {"default": dj_database_url.parse(_environment.database_url)}
    except (ValueError, dj_database_url.ParseError):
        raise EnvironmentInvalid(
            "PENNY_DATABASE_URL cannot be used: write postgresql://USER:PASSWORD@HOST/NAME"
        ) from None
    # A wait for a lock ends after 20 s. A process that dies inside a transaction releases its locks after 60 s.
    _patience = {"options": "-c lock_timeout=20s -c idle_in_transaction_session_timeout=60s"}
    DATABASES["default"]["OPTIONS"] = _patience | DATABASES["default"].get("OPTIONS", {})
else:
    # BEGIN IMMEDIATE and WAL: with Django's defaults 709 of 1,600 concurrent read-then-write transactions failed, with
    # these none. synchronous=FULL: acknowledged writes must survive a power cut. The tick checkpoints the WAL beside
    # the writers: a checkpoint takes 0.1 s, and no writer should wait for it. Without a tick, SQLite checkpoints at
    # 64 MB. secure_delete: what is deleted is overwritten with zeros; some
    # builds of SQLite do so by themselves.
    DATABASES = {
        "default": {
            "ENGINE": "penny_site.sqlite",
            "NAME": DATA / "penny.sqlite3",
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA journal_size_limit=27103364; "
                "PRAGMA wal_autocheckpoint=16384; PRAGMA secure_delete=ON;",
            },
        }
    }
# A server may have gone away since the last request. For a file, the check would only double each query.
DATABASES["default"] |= {"CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": bool(_environment.database_url)}

# Redis
# ----------------------------------------------------------------------------------------------------------------------

REDIS_URL: str = _environment.redis_url or _running.get("redis_url", "")
SANDBOX_REDIS_URL: str = _environment.sandbox_redis_url or _running.get("sandbox_redis_url", "")
# The layer's subscription has a timeout of its own for each read: this one does not end it while it is idle.
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "devices.sockets.layer.Layer",
        "CONFIG": {"hosts": [{"address": REDIS_URL or "unix:///nowhere", "socket_timeout": None}]},  # devices/redis.py
    }
}

# Models
# ---------------------------------------------------------------------------------------------------------------------

MODEL = parse_endpoint(_environment.model, _environment.model_url or "", _environment.model_key)
MODEL_NOTE: str = _environment.model_note  # why PENNY_MODEL=auto found none
HANDOVER_FD: int | None = _environment.handover_fd  # the supervisor's socket (agents/model_choice/hand_over.py)
EMBEDDING_MODEL = parse_endpoint(
    _environment.embedding_model if MODEL else "", _environment.model_url or "", _environment.model_key
)
IMAGE_MODEL = parse_endpoint(_environment.image_model, _environment.model_url or "", _environment.model_key)
READER_MODEL = (
    parse_endpoint(_environment.reader_model if MODEL else "", _environment.model_url or "", _environment.model_key)
    or MODEL
)
VISION_MODEL = parse_endpoint(
    _environment.vision_model if MODEL else "", _environment.model_url or "", _environment.model_key
)
ACT_MODEL = parse_endpoint(
    _environment.act_model if MODEL else "", _environment.model_url or "", _environment.model_key
)
TRANSCRIPTION_MODEL = parse_endpoint(_environment.transcription_model, *_environment.transcription)

# Signal
# ---------------------------------------------------------------------------------------------------------------------

SIGNAL_URL: str = _environment.signal_url or ""
SIGNAL_NUMBER: str = _environment.signal_number or ""
