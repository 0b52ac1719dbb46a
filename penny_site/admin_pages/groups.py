"""The first page of the admin: five groups of lists in the words of the site, and three lists of every day."""

from dataclasses import dataclass

from django.apps import apps
from django.contrib.admin import AdminSite
from django.urls import reverse

DAILY = ("devices.Grant", "agents.Skill", "agents.Schedule")
NAMES = {"devices.Grant": "Sites", "agents.Skill": "Skills", "agents.Schedule": "Routine"}
SETTINGS = "constance.Config"  # a model without a table
RETENTION = "retention"  # a page without a model


@dataclass(frozen=True)
class List:
    name: str
    address: str
    title: str = ""
    add: str = ""
    add_at: str = ""


@dataclass(frozen=True)
class Group:
    """`line` says what the lists are for; `models` names them in their order."""

    name: str
    line: str
    models: tuple[str, ...]


GROUPS = (
    Group(
        "Conversation",
        "What you and Penny wrote, what she asked you, and what she sent to your phone.",
        ("devices.Message", "devices.Ask", "devices.Delivery", "agents.Memory", "agents.Digest"),
    ),
    Group(
        "Finds & interests",
        "What Penny looks for, where she looks, and what she found.",
        (
            "thoughts.Thought", "thoughts.Preference", "thoughts.Candidate", "thoughts.Reaction", "thoughts.Taste",
            "thoughts.Watch", "thoughts.Observation", "thoughts.SeenItem", "thoughts.Source", "thoughts.ImportedFile",
            "thoughts.Visit",
        ),
    ),
    Group(
        "Permissions",
        "What Penny may open, and which devices and programs may talk to her.",
        ("devices.Grant", "agents.Skill", "devices.Device", "thoughts.Subscription", "thoughts.MutedSite"),
    ),
    Group(
        "Activity",
        "What Penny does by herself, what she did, which pages she read, and what that cost.",
        ("agents.Schedule", "agents.Run", "agents.Day", "thoughts.Page", "thoughts.WrongReading"),
    ),
    Group(
        "Machine",
        "Settings, prices of models, your account, and how long records are kept.",
        (SETTINGS, "agents.Price", "auth.User", RETENTION),
    ),
)  # fmt: skip


def daily_lists(site: AdminSite) -> list[List]:
    return [_list(site, name) for name in DAILY]


def grouped_lists(site: AdminSite) -> list[dict[str, object]]:
    return [
        {"name": group.name, "line": group.line, "lists": [_list(site, name) for name in group.models]}
        for group in GROUPS
    ]


def _list(site: AdminSite, name: str) -> List:
    if name == RETENTION:
        return List("How long records are kept", reverse("settings_data"))
    if name == SETTINGS:
        return List("Settings", reverse("admin:constance_config_changelist"))
    model = apps.get_model(name)
    shown_by, path = site._registry[model], f"admin:{model._meta.app_label}_{model._meta.model_name}"
    words = NAMES.get(name) or str(model._meta.verbose_name_plural)
    return List(
        words[:1].upper() + words[1:],
        reverse(f"{path}_changelist"),
        getattr(shown_by, "title", ""),
        getattr(shown_by, "add_label", ""),
        reverse(f"{path}_add"),
    )
