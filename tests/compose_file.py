"""docker-compose.yml as data, and the part of the Compose Specification that it uses."""

from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

from tests.commands import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]

Duration = Annotated[str, Field(pattern=r"^(\d+(h|m|s|ms|us))+$")]
Words = str | list[str]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Health(Strict):
    test: list[str]
    interval: Duration | None = None
    timeout: Duration | None = None
    start_period: Duration | None = None
    retries: int | None = None


class Dependency(Strict):
    condition: Literal["service_started", "service_healthy", "service_completed_successfully"]


class Service(Strict):
    image: str
    build: str | None = None
    profiles: list[str] = []
    user: str | None = None
    entrypoint: Words | None = None
    command: Words | None = None
    environment: dict[str, str] = {}
    restart: Annotated[str, Field(pattern=r"^(no|always|unless-stopped|on-failure(:\d+)?)$")] = "no"
    init: bool = False
    read_only: bool = False
    tmpfs: list[str] = []
    cap_drop: list[str] = []
    cap_add: list[str] = []
    security_opt: list[str] = []
    pids_limit: int | None = None
    mem_limit: str | None = None
    stop_grace_period: Duration | None = None
    ports: list[str] = []
    volumes: list[str] = []
    secrets: list[str] = []
    networks: list[str] = []
    network_mode: Literal["none"] | None = None
    depends_on: dict[str, Dependency] = {}
    healthcheck: Health | None = None


class Network(Strict):
    internal: bool | Annotated[str, Field(pattern=r"^\$\{")] = False


class Secret(Strict):
    file: str


class Compose(BaseModel):
    """The whole file. Keys that begin with `x-` are extensions."""

    model_config = ConfigDict(extra="allow", strict=True)
    __pydantic_extra__: dict[Annotated[str, Field(pattern="^x-")], Any]

    services: dict[str, Service]
    networks: dict[str, Network | None]
    volumes: dict[str, None]
    secrets: dict[str, Secret]

    def unknown_names(self) -> set[str]:
        """Return the names that the services use but the file does not define."""
        names = set[str]()
        for service in self.services.values():
            names |= (
                {*service.depends_on} - {*self.services}
                | {*service.networks} - {*self.networks}
                | {*service.secrets} - {*self.secrets}
            )
            names |= {volume.partition(":")[0] for volume in service.volumes} - {*self.volumes}
        return names
