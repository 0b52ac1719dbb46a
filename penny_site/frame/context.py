"""The context of every page's frame. Each value is computed when a template first uses it."""

from datetime import datetime
from functools import cached_property

from constance import config
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from agents.frames.counts import current_counts
from agents.model_choice.in_use import models_in_use
from agents.models import Schedule
from agents.runs.day_budget import Attention, Meter, attention, meter
from agents.schedules import start
from devices.models import Device
from devices.owner.stop import is_stopped
from devices.protocol import CountsChanged
from penny_site.frame.places import PLACES, SETTINGS, Here, Place
from penny_site.help.handbook import page_address
from thoughts.subscriptions.models import Subscription


class Nav:
    def __init__(self, request: HttpRequest) -> None:
        self._request = request

    @property
    def base(self) -> str:
        return str(settings.BASE_PATH)

    @cached_property
    def here(self) -> Here:
        match = self._request.resolver_match
        return Here(match.view_name if match else "")

    @property
    def places(self) -> tuple[Place, ...]:
        return PLACES

    @property
    def settings(self) -> Place:
        return SETTINGS

    @property
    def help(self) -> str:
        return page_address(self.here.help) if self.here.help else reverse("help")

    @cached_property
    def theme(self) -> str:
        """Return the owner's theme, "" for the system's. Strangers get the system's."""
        theme = str(config.THEME) if self.is_signed_in else "auto"
        return "" if theme == "auto" else theme

    @cached_property
    def counts(self) -> CountsChanged:
        return current_counts()

    @cached_property
    def has_model(self) -> bool:
        return models_in_use().main is not None

    @cached_property
    def poll_s(self) -> int:
        return max(5, int(config.COUNT_POLL_S))

    @cached_property
    def next_thinking_at(self) -> datetime | None:
        schedules = Schedule.objects.active().filter(kind=Schedule.Kind.THINKING)
        times = [start.starts_at(schedule, timezone.now()) for schedule in schedules]
        return min(filter(None, times), default=None)

    @cached_property
    def attention(self) -> Attention:
        return attention(timezone.now())

    @cached_property
    def meter(self) -> Meter:
        return meter(timezone.now())

    @cached_property
    def is_signed_in(self) -> bool:
        return bool(self._request.user.is_authenticated)

    @cached_property
    def is_stopped(self) -> bool:
        return self.is_signed_in and is_stopped()

    @cached_property
    def waits(self) -> bool:
        """Whether something out of a restored backup waits to be switched on."""
        return self.is_signed_in and (Device.objects.waiting().exists() or Subscription.objects.waiting().exists())


def navigation(request: HttpRequest) -> dict[str, Nav]:
    return {"nav": Nav(request)}
