"""Django's settings, all derived from the environment (penny_site/environment.py) and the data folder."""

import os
import secrets
import sys
import tomllib
import zoneinfo
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from tzlocal import get_localzone_name

from agents.llm.providers import parse_endpoint
from devices.access.secret_files import read_or_create
from devices.channels.registry import chosen_kinds
from penny_site.environment import DEFAULT_PORT, ROOT, EnvironmentInvalid, read_environment, running
from penny_site.logs import logging_config
from penny_site.sign_in import oidc

_environment = read_environment()
# The one of the server and of the extension, which are released together.
VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

# The database's thread takes turns with the event loop. At Python's 5 ms a busy loop makes each query wait that long.
sys.setswitchinterval(0.0005)
# numpy multiplies with one thread: several wait for each other busily, and on a machine that has other work that takes
# five times as long.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

DATA = _environment.data
try:
    DATA.mkdir(mode=0o700, parents=True, exist_ok=True)
    _running = running(DATA)
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
# Set by `restore` alone: it makes everything ready in DATA, which is then a folder inside this one.
RESTORE_INTO = _environment.restore_into

# Address
# --------------------------------------------------------------------------------------------------------------------

_public: str = _environment.public_url or _running.get("public_url") or f"http://127.0.0.1:{DEFAULT_PORT}"
_address = urlsplit(_public)
# The origin, and the path below which everything stands where Penny shares it: what `reverse` returns begins with that
# path.
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
CSRF_COOKIE_HTTPONLY = True  # the token stands in the pages
# Cookies are shared by all ports of a host, so their names carry the port: two local programs do not sign each other
# out.
SESSION_COOKIE_NAME = "__Host-penny" if _tls else f"penny_{_address.port or 80}"
CSRF_COOKIE_NAME = "__Host-penny-csrf" if _tls else f"penny_csrf_{_address.port or 80}"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"  # a GET changes nothing here, and links from a phone must work
SESSION_COOKIE_AGE = 90 * 24 * 3600
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _tls else None
# Not no-referrer: under that one browsers send `Origin: null` with every form, which the check against forgery refuses.
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
    "penny_site.middleware.own_writes",
    "penny_site.middleware.DiskFull",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "penny_site.middleware.owner",
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
                "penny_site.context.page",
            ]
        },
    }
]
# What the service is called, by the owner and inside, through which they may sign in besides; empty where none is set.
OIDC_NAME = OIDC_PROVIDER = ""
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
        oidc.settings_of(_environment.oidc_url, _environment.oidc_client, _oidc_secret, _environment.oidc_name)
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
# Static files are served from the apps themselves: nothing to collect, nothing to forget.
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
    # Whoever waits for a lock gives up some time, and a process that vanished in the middle of a transaction lets go of
    # its own.
    _patience = {"options": "-c lock_timeout=20s -c idle_in_transaction_session_timeout=60s"}
    DATABASES["default"]["OPTIONS"] = _patience | DATABASES["default"].get("OPTIONS", {})
else:
    # BEGIN IMMEDIATE and WAL: with Django's defaults 709 of 1,600 concurrent read-then-write transactions failed, with
    # these none. synchronous=FULL, because what was acknowledged must survive a power cut. The log is written back by
    # the tick, beside whoever writes: a tenth of a second in which nobody should have to wait. 64 MB are the most if
    # the tick stays away.
    DATABASES = {
        "default": {
            "ENGINE": "penny_site.sqlite",
            "NAME": DATA / "penny.sqlite3",
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA journal_size_limit=27103364; "
                "PRAGMA wal_autocheckpoint=16384;",
            },
        }
    }
# A server may have gone away in the meantime, a file may not: there the check would only double each query.
DATABASES["default"] |= {"CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": bool(_environment.database_url)}

# Redis
# ----------------------------------------------------------------------------------------------------------------------

REDIS_URL: str = _environment.redis_url or _running.get("redis_url", "")
SANDBOX_REDIS_URL: str = _environment.sandbox_redis_url or _running.get("sandbox_redis_url", "")
# Without a socket_timeout of None redis-py 8 ends an idle subscription after 5 s, and every WebSocket with it.
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "devices.sockets.layer.Layer",
        "CONFIG": {"hosts": [{"address": REDIS_URL or "unix:///nowhere", "socket_timeout": None}]},
    }
}

# Models
# ---------------------------------------------------------------------------------------------------------------------

MODEL = parse_endpoint(_environment.model, _environment.model_url or "", _environment.model_key)
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
TRANSCRIPTION_MODEL = parse_endpoint(_environment.transcription_model, *_environment.transcription)

# Signal
# ---------------------------------------------------------------------------------------------------------------------

SIGNAL_URL: str = _environment.signal_url or ""
SIGNAL_NUMBER: str = _environment.signal_number or ""

# What the owner can change in the admin (DESIGN: numbers to start from).
# -----------------------------------------------------

DISK_FREE_MB_MOST = 10_000


def outlets() -> list[tuple[str, str]]:
    """Return what may be chosen for what nobody asked for: a kind of device, or one of several of a kind."""
    from devices.channels.routing import one_of_several  # which needs the settings

    devices = [(str(device.pk), f"{device} ({device.kind}, {device.pk})") for device in one_of_several()]
    return [("", "the first that reaches me"), *((kind, kind) for kind in chosen_kinds()), *devices]


CONSTANCE_BACKEND = "constance.backends.database.DatabaseBackend"
CONSTANCE_ADDITIONAL_FIELDS = {
    "timezone": [
        "django.forms.ChoiceField",
        {"choices": [(name, name) for name in sorted(zoneinfo.available_timezones())]},
    ],
    "template": ["django.forms.RegexField", {"regex": r"^https?://\S*\{query\}\S*$"}],
    "templates": [
        "django.forms.RegexField",
        {"regex": r"^\s*(https?://\S*\{query\}\S*\s*)*$", "required": False, "widget": "django.forms.Textarea"},
    ],
    "count": ["django.forms.IntegerField", {"min_value": 1}],
    "points": ["django.forms.FloatField", {}],
    "outlet": [
        "django.forms.ChoiceField",
        {"required": False, "choices": outlets},
    ],
    "share": ["django.forms.FloatField", {"min_value": 0, "max_value": 1}],
    "money": ["django.forms.FloatField", {"min_value": 0}],
    "clock": ["django.forms.RegexField", {"regex": r"^([01]\d|2[0-3]):[0-5]\d$", "required": False, "strip": True}],
    "days_share": ["django.forms.FloatField", {"min_value": 0, "max_value": 365}],
    "days": ["django.forms.IntegerField", {"min_value": 0, "max_value": 36_500}],
    "megabytes": ["django.forms.IntegerField", {"min_value": 0, "max_value": DISK_FREE_MB_MOST}],
    "switch": ["django.forms.BooleanField", {"required": False}],
    "words": ["django.forms.CharField", {"required": False, "max_length": 64}],
}
CONSTANCE_CONFIG = {
    "OWNER_NAME": ("", "What Penny calls you.", "words"),
    "OWNER_PLACE": (
        "",
        "Where you are, such as Leipzig: for what depends on the place. Only the planner sees it.",
        "words",
    ),
    "TIMEZONE": (
        get_localzone_name() or "UTC",
        "The timezone of your dates and schedules, such as Europe/Berlin.",
        "timezone",
    ),
    "SEARCH_TEMPLATE": (
        "https://html.duckduckgo.com/html/?q={query}",
        "The address of your search engine, with {query} in it.",
        "template",
    ),
    "SEARCH_MORE": (
        "",
        (
            "Further search engines, an address with {query} in each line: asked when the first finds nothing, "
            "where you allowed them."
        ),
        "templates",
    ),
    "VIDEO_TEMPLATE": (
        "https://www.youtube.com/results?search_query={query}",
        "The address at which Penny searches for videos, with {query} in it.",
        "template",
    ),
    "IDLE_S": (60, "Seconds without a message after which background work may start.", "count"),
    "UNREAD_THOUGHTS_MAX": (20, "Penny stops thinking when this many thoughts are unread.", "count"),
    "LEARN_FROM_CHAT": (
        True,
        "Whether Penny learns what you like from what you write to her. It takes a model.",
        "switch",
    ),
    "LEARN_AFTER_S": (300, "Seconds of your silence after which she does.", "count"),
    "MENTIONS_BEFORE_THINKING": (2, "How often you mention something before Penny thinks about it by itself.", "count"),
    "CANDIDATES": (
        True,
        "Whether pages read in thinking, and files that you import, may suggest what you like. You confirm each.",
        "switch",
    ),
    "HISTORY_TOPICS": (
        True,
        (
            "Whether Penny looks through the browsing history that you share for what else you like. You confirm "
            "each. A model reads titles."
        ),
        "switch",
    ),
    "THOUGHT_WORDS_MIN": (50, "A thought with fewer words is discarded. Extractive thoughts need half of it.", "count"),
    "DUPLICATE_TITLE_CONTAINMENT": (
        0.5,
        "Share of a title's words that a recent thought's title may hold, together with alike content.",
        "share",
    ),
    "DUPLICATE_COSINE": (
        0.9,
        "How alike a find may mean to a recent thought, from 0 to 1, before it is discarded as the same.",
        "share",
    ),
    "FOLD_COSINE": (
        0.82,
        "How alike thoughts mean, from 0 to 1, of which the feed shows one and folds the others beneath it.",
        "share",
    ),
    "DISLIKE_COSINE": (0.8, "How alike a find may mean to a dislike, from 0 to 1, before it is discarded.", "share"),
    "DAYS_PER_POINT": (
        3.0,
        "By how many days a point lifts a thought on the feed.",
        "days_share",
    ),
    "DUPLICATE_LOOKBACK": (50, "How many recent thoughts a new one is compared with.", "count"),
    "PREFERENCE_MERGE_CONTAINMENT": (
        0.6,
        "Share of its words that a preference has in common with a known one to be taken for the same.",
        "share",
    ),
    "PREFERENCE_MERGE_COSINE": (
        0.85,
        "How alike two preferences mean, from 0 to 1, to be taken for the same.",
        "share",
    ),
    "MODEL_SILENCE_S": (
        60,
        "Seconds after which a model that says nothing has failed. More for a slow machine.",
        "count",
    ),
    "CHAT_STEPS_MAX": (8, "Planner steps in one turn.", "count"),
    "TURN_STEPS_MAX": (60, "Model requests and tool calls in one turn, readings included.", "count"),
    "TURN_TOKENS_MAX": (400_000, "Tokens that the models may take in and write in one turn.", "count"),
    "TURN_PAGES_MAX": (16, "Pages that one turn opens at most, results of searches included.", "count"),
    "TURN_SECONDS_MAX": (900, "Seconds after which a turn ends with what it has.", "count"),
    "THINKING_STEPS_MAX": (30, "Model requests and tool calls in one thinking run, readings included.", "count"),
    "THINKING_TOKENS_MAX": (200_000, "Tokens that the models may take in and write in one thinking run.", "count"),
    "THINKING_PAGES_MAX": (8, "Pages that one thinking run opens at most, results of searches included.", "count"),
    "THINKING_SECONDS_MAX": (1800, "Seconds after which a thinking run ends with what it has.", "count"),
    "DAY_TOKENS_MAX": (1_000_000, "Tokens that background work may use in a day, all runs together.", "count"),
    "DAY_MONEY_MAX": (
        0.0,
        "Money that background work may cost in a day, by the admin's price table. 0: tokens alone count.",
        "money",
    ),
    "DAY_PAGES_MAX": (400, "Pages that background work may open in a day, results of searches included.", "count"),
    "DAY_MINUTES_MAX": (240, "Minutes that background work may take in a day, all runs together.", "count"),
    "DAY_INTERRUPTIONS_MAX": (
        12,
        "How often background work may ask you something in a day. Answers and digests count, and come anyhow.",
        "count",
    ),
    "NOTIFY_CHANNEL": (
        "",
        (
            "Where Penny tells you what you did not ask for: signal, push, apprise or browser, or of several of "
            "a kind the id of one. "
            "Empty: the first of these that reaches you."
        ),
        "outlet",
    ),
    "NOTIFY_FINDS_MAX": (
        1,
        "How many finds a day Penny interrupts you for, besides the feed, of the day's interruptions. 0: none.",
        "days",
    ),
    "NOTIFY_POINTS_MIN": (1.0, "Points that a find needs before Penny interrupts you for it.", "points"),
    "NOTIFY_COOLDOWN_MIN": (
        10,
        "Minutes between two interruptions at least. They double while you answer none.",
        "count",
    ),
    "NOTIFY_COOLDOWN_MAX_MIN": (90, "Minutes that they double to at most.", "count"),
    "NOTIFY_TOPIC_H": (24, "Hours for which Penny does not interrupt you again for the same preference.", "count"),
    "MUTED_UNTIL": ("", "Until when Penny interrupts you for nothing, as /mute says it. Empty: she may.", "words"),
    "SIGNAL_READ_RECEIPTS": (False, "Whether Penny tells your phone that she has read a message.", "switch"),
    "DAY_LOW_SHARE": (
        0.2,
        "When this share of a day's budget is left, thinking takes your strongest preferences first.",
        "share",
    ),
    "QUIET_FROM": (
        "",
        "From this time on, such as 22:00, nothing starts in the background. Empty: no quiet hours.",
        "clock",
    ),
    "QUIET_TO": (
        "",
        "Until this time, such as 07:00. A schedule may say that quiet hours do not hold for it.",
        "clock",
    ),
    "TOOL_DEADLINE_S": (30, "Seconds that a browser tool may take.", "count"),
    "BROWSE_DEADLINE_S": (60, "Seconds that opening and reading one page may take.", "count"),
    "PAGES_PER_THOUGHT": (
        3,
        "Pages that one thinking run opens; more only where fewer than two of them say something.",
        "count",
    ),
    "SOURCES_PER_THOUGHT": (
        1,
        "How many of your own sources one thinking run looks at, where you allowed their sites. 0: none.",
        "days",
    ),
    "EXPLORATION_SHARE": (
        0.2,
        "Share of thinking that starts from a preference whose turn it is not, to explore.",
        "share",
    ),
    "THOUGHT_LANGUAGE": (
        "",
        "The language of thoughts, such as English. Empty: the one of the preference that they come from.",
        "words",
    ),
    "RATE_PER_HOST_MINUTE": (10, "Tool calls on one domain in a minute, all its hosts together.", "count"),
    "RATE_MINUTE": (60, "Tool calls in a minute, over all hosts.", "count"),
    "API_CALLS_MINUTE": (60, "Calls that one program may make in a minute, where you gave it a token.", "count"),
    "ASK_S": (60, "Seconds that a turn waits for your answer to an ask.", "count"),
    "ASK_LINE_S": (
        600,
        "Seconds that a turn waits for it where you asked over Signal: a phone is not always in the hand.",
        "count",
    ),
    "DISK_FREE_MB": (200, "With less room than this on the disk, in megabytes, Penny takes no new work.", "megabytes"),
    "BACKUPS_KEPT": (7, "Backups that stay in the data folder: the newest ones. Older ones are deleted.", "count"),
    "BACKUP_DAILY": (True, "Back up once a day.", "switch"),
    "KEEP_PROMPTS_DAYS": (30, "Days after which the words of a recorded model request are removed. 0: never.", "days"),
    "KEEP_STEPS_DAYS": (
        90,
        "Days after which the steps of a run are removed, and the calls to browsers. 0: never.",
        "days",
    ),
    "KEEP_PAGES_DAYS": (
        90,
        "Days after which a page that was read is removed, if no thought or message cites it. 0: never.",
        "days",
    ),
    "KEEP_VISITS_DAYS": (
        365,
        (
            "Days after which a visit of a watch is removed that you were told nothing of, with its page, and "
            "what left that page. 0: never."
        ),
        "days",
    ),
    "KEEP_HISTORY_DAYS": (
        90,
        "Days after which a visit of the browsing history that you share is removed. 0: never.",
        "days",
    ),
    "FEED_PAGE_SIZE": (12, "Cards on one page of the feed.", "count"),
    "COUNT_POLL_S": (300, "Seconds between two looks of the feed at the number of new thoughts.", "count"),
}
