"""Read the environment (`PENNY_*`) once, for `settings`, and the options that change it."""

import json
import os
import re
import shutil
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from agents.llm.endpoint import AUTO, URLS, clean_key, clean_url, split_model, without_quotes
from agents.llm.providers import EndpointInvalid, parse_endpoint
from agents.sandbox.redis_url import read_url

ROOT = Path(__file__).resolve().parent.parent
DEFAULT_PORT = 8787
STAGING = ".restoring"
MODEL_NOTE = "PENNY_MODEL_NOTE"


class EnvironmentInvalid(Exception):
    """A setting, option or folder prevents the start.

    The text, one line, names the setting and says what to write.
    """


def http_url(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query or parts.fragment:
        raise ValueError("write an address such as http://127.0.0.1:8787")
    if parts.port == 0:
        raise ValueError("port 0 cannot be an address")
    return clean_url(value)


def _public_url(value: str) -> str:
    if not re.fullmatch(r"(/[A-Za-z0-9._~-]+)*", path := urlsplit(http_url(value)).path.rstrip("/")) or {
        ".",
        "..",
    } & set(path.split("/")):
        raise ValueError("write scheme, host, port and perhaps a plain path, such as https://home.example.org/penny")
    return value.rstrip("/")


def _database_url(value: str) -> str:
    if not re.fullmatch(r"postgres(ql)?://[^/]+/[^/]+", value):
        raise ValueError("write postgresql://USER:PASSWORD@HOST/NAME")
    return value


def _redis_url(value: str) -> str:
    if not value.startswith(("redis://", "rediss://", "unix://")):
        raise ValueError("write redis://HOST:PORT/0 or unix:///PATH")
    return value


def _model(value: str) -> str:
    """Return `provider:name` as the rest of Penny writes it, or `auto`, which is looked up later."""
    provider, name = split_model(value)
    if not value:
        return ""
    if provider == AUTO:
        return f"{AUTO}:{name}" if name else AUTO
    try:
        parse_endpoint(value, url="http://set.invalid" if provider == "openai-compatible" else "")
    except EndpointInvalid as error:
        raise ValueError(str(error)) from None
    return f"{provider}:{name}"


def model_key(value: str) -> str:
    key = clean_key(value)
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ValueError("write the key alone, as its provider shows it: one line without blanks")
    return key


def _oidc_url(value: str) -> str:
    parts = urlsplit(http_url(value))
    if parts.scheme != "https" and parts.hostname not in ("127.0.0.1", "localhost", "::1"):
        raise ValueError("write an address with https, such as https://id.example.org: who signs in is proven over it")
    return value.rstrip("/")


def phone_number(value: str) -> str:
    number = re.sub(r"[\s()./-]", "", value)
    if not re.fullmatch(r"\+[1-9]\d{5,14}", number):
        raise ValueError("write a number with its country, such as +491701234567")
    return number


HttpUrl = Annotated[str, AfterValidator(http_url)]
PublicUrl = Annotated[str, AfterValidator(_public_url)]
DatabaseUrl = Annotated[str, AfterValidator(_database_url)]
RedisUrl = Annotated[str, AfterValidator(_redis_url)]
Model = Annotated[str, AfterValidator(_model)]
Key = Annotated[str, AfterValidator(model_key)]
OidcUrl = Annotated[str, AfterValidator(_oidc_url)]
PhoneNumber = Annotated[str, AfterValidator(phone_number)]


# Whatever stands in these, and in the names of files, is meant as it is.
LITERAL = {"data", "manage", "secret_key", "oidc_secret", "restore_into"}


class Environment(BaseSettings):
    """The owner's variables. An empty one counts as not set. Blanks and quotes around a value are forgiven."""

    model_config = SettingsConfigDict(env_prefix="PENNY_", env_ignore_empty=True, extra="ignore")

    data: Path = ROOT / "data"
    database_url: DatabaseUrl | None = Field(default=None, repr=False)
    redis_url: RedisUrl | None = Field(default=None, repr=False)
    redis_url_file: Path | None = None
    sandbox_redis_url: RedisUrl | None = Field(default=None, repr=False)
    sandbox_redis_url_file: Path | None = None
    public_url: PublicUrl | None = None
    secret_key: str = Field(default="", repr=False)
    secret_key_file: Path | None = None
    model: Model = ""
    model_url: HttpUrl | None = None
    model_key: Key = Field(default="", repr=False)
    reader_model: Model = ""
    vision_model: Model = ""
    act_model: Model = ""
    embedding_model: Model = ""
    transcription_model: Model = ""
    transcription_url: HttpUrl | None = None
    transcription_key: Key = Field(default="", repr=False)
    signal_url: HttpUrl | None = None
    signal_number: PhoneNumber | None = Field(default=None, repr=False)
    image_model: Model = ""
    oidc_url: OidcUrl | None = None
    oidc_client: str = ""
    oidc_secret: str = Field(default="", repr=False)
    oidc_secret_file: Path | None = None
    oidc_name: str = Field(default="your other account", max_length=40)
    manage: str = Field(default="", max_length=300)
    up_port: int = DEFAULT_PORT
    restore_into: Path | None = None
    handover_fd: int | None = None

    @model_validator(mode="before")
    @classmethod
    def _forgive(cls, values: dict[str, Any]) -> dict[str, Any]:
        cleaned = {
            name: value
            if name in LITERAL or name.endswith("_file") or not isinstance(value, str)
            else without_quotes(value)
            for name, value in values.items()
        }
        return {name: value for name, value in cleaned.items() if value != ""}

    @property
    def model_note(self) -> str:
        """Why `auto` found no model. The process that looked, or the one that started this one, wrote it."""
        return "" if self.model else os.environ.get(MODEL_NOTE, "")

    @property
    def transcription(self) -> tuple[str, str]:
        """The URL and the key for voice notes. Without either, both are the model's.

        A key never goes to the URL of the other pair.
        """
        if self.transcription_url or self.transcription_key:
            return self.transcription_url or "", self.transcription_key
        return self.model_url or "", self.model_key


def read_environment() -> Environment:
    """Return the parsed environment.

    Raises EnvironmentInvalid with the name of the variable, never with its value.
    """
    try:
        environment = Environment()
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        reason = str(first["msg"]).removeprefix("Value error, ")
        raise EnvironmentInvalid(f"PENNY_{str(first['loc'][0]).upper()} cannot be used: {reason}") from None
    for name in ("redis_url", "sandbox_redis_url"):
        setattr(environment, name, _read_redis_url(f"PENNY_{name.upper()}"))
    _find_model(environment)
    if environment.oidc_url and not environment.oidc_client:
        raise EnvironmentInvalid(
            "PENNY_OIDC_URL cannot be used: it also needs PENNY_OIDC_CLIENT, by which that service knows Penny"
        )
    if environment.transcription_model.startswith("openai-compatible:") and not environment.transcription[0]:
        raise EnvironmentInvalid(
            "PENNY_TRANSCRIPTION_MODEL cannot be used: openai-compatible also needs PENNY_TRANSCRIPTION_URL"
        )
    for name in ("model", "reader_model", "vision_model", "act_model", "embedding_model", "image_model"):
        if str(getattr(environment, name)).startswith("openai-compatible:") and not environment.model_url:
            raise EnvironmentInvalid(
                f"PENNY_{name.upper()} cannot be used: openai-compatible also needs PENNY_MODEL_URL"
            )
    return environment


def _read_redis_url(name: str) -> str | None:
    try:
        url = read_url(os.environ, name)
        return _redis_url(url) if url else None
    except OSError as error:
        raise EnvironmentInvalid(f"{name}_FILE cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise EnvironmentInvalid(f"{name}_FILE cannot be used: {error}") from None


def _find_model(environment: Environment) -> None:
    """Look up the model of `auto`. Raises EnvironmentInvalid.

    What is found also goes into the variables, so that the processes that this one starts do not look again.
    """
    provider, name = split_model(environment.model)
    if provider != AUTO:
        return
    from agents.llm.servers import auto

    try:
        choice = auto.find_endpoint(name, environment.model_url or "", environment.model_key, os.environ)
    except EndpointInvalid as error:
        raise EnvironmentInvalid(f"PENNY_MODEL cannot be used: {error}") from None
    endpoint = choice.endpoint
    environment.model = str(endpoint or "")
    if endpoint is not None and endpoint.url != URLS[endpoint.provider]:
        environment.model_url = endpoint.url
    if endpoint is None or not endpoint.key:
        environment.model_key = ""  # it belongs to no server of this machine
    for field in ("model", "model_url", "model_key"):
        os.environ[f"PENNY_{field.upper()}"] = getattr(environment, field) or ""
    os.environ[MODEL_NOTE] = choice.why


def read_running_servers(data: Path) -> dict[str, Any]:
    """Return the supervisor's record of a data folder's running servers, or {} without any."""
    try:
        servers = json.loads((data / "up.json").read_text())
    except (OSError, ValueError):
        return {}
    return servers if isinstance(servers, dict) and _is_alive(servers.get("pid")) else {}


def take_options(arguments: list[str]) -> None:
    """Turn `--data` and `up --port` into environment variables, before the settings are read.

    Raises EnvironmentInvalid.
    """
    data = _take_option(arguments, "--data")
    if data is not None:
        os.environ["PENNY_DATA"] = str(Path(data).expanduser().absolute())
    folder = Path(os.environ.get("PENNY_DATA") or ROOT / "data")
    if "restore" in arguments[1:2] and not {"-h", "--help"} & set(arguments):
        os.environ["PENNY_RESTORE_INTO"], os.environ["PENNY_DATA"] = str(folder), str(_prepare_staging(folder))
    if "up" in arguments[1:2]:
        _check_restore_complete(folder)
        port = _parse_port(_take_option(arguments, "--port"))
        os.environ["PENNY_UP_PORT"] = str(port)
        os.environ.setdefault("PENNY_PUBLIC_URL", f"http://127.0.0.1:{port}")


def _prepare_staging(into: Path) -> Path:
    """Return the path of a restore's staging folder, inside the empty target folder.

    Raises EnvironmentInvalid if the target is not empty or cannot be used.
    """
    staging = into / STAGING
    try:
        into.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Leftovers of an interrupted restore: it moves the secrets out first, the database last.
        leftovers = {STAGING, "secret_key", "server_key.pem"} if staging.exists() else set()
        names = sorted({path.name for path in into.iterdir()} - leftovers - {"lost+found"})
    except OSError as error:
        raise EnvironmentInvalid(
            f"{into} cannot be used: {error.strerror}; choose another folder with --data DIR"
        ) from None
    if names:
        raise EnvironmentInvalid(
            f"{into} is not empty (it holds {names[0]}): choose an empty folder, or one that is not there, with "
            "--data DIR"
        )
    shutil.rmtree(staging, ignore_errors=True)
    return staging


def _check_restore_complete(data: Path) -> None:
    """Raise EnvironmentInvalid if a restore was interrupted: then the database is still missing."""
    staging = data / STAGING
    if staging.exists() and not (data / "penny.sqlite3").exists():
        raise EnvironmentInvalid(f"a restore into {data} did not end: run it again, or remove {staging}")
    shutil.rmtree(staging, ignore_errors=True)


def _is_alive(pid: object) -> bool:
    try:
        os.kill(int(str(pid)), 0)
    except (ValueError, OverflowError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True


def _parse_port(value: str | None) -> int:
    if value is None:
        return DEFAULT_PORT
    if not value.isdigit() or not 1 <= int(value) <= 65535:
        raise EnvironmentInvalid("--port cannot be used: write a number from 1 to 65535")
    return int(value)


def _take_option(arguments: list[str], name: str) -> str | None:
    for index, argument in enumerate(arguments):
        if argument.startswith(name + "="):
            del arguments[index]
            return argument.partition("=")[2]
        if argument == name:
            if index + 1 >= len(arguments):
                raise EnvironmentInvalid(f"{name} needs a value")
            value = arguments[index + 1]
            del arguments[index : index + 2]
            return value
    return None
