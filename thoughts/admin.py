"""Show thoughts, pages, preferences, candidates, reactions and taste to the operator."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from agents.thinking.start import start_thinking
from devices.conversation.unread import tell_unread
from devices.owner import muted_sites
from penny_site.admin_pages.filters import whether
from penny_site.admin_pages.lists import ListAdmin
from penny_site.admin_pages.read_only import ReadOnlyAdmin, ReadOnlyInline, join_labels
from thoughts.feed.forms import MutedSiteForm
from thoughts.models import (
    Candidate,
    Claim,
    MutedSite,
    Page,
    Preference,
    Reaction,
    Subscription,
    Taste,
    Thought,
    WrongReading,
)
from thoughts.preferences import merges
from thoughts.sources import admin as sources  # noqa: F401  registers its classes
from thoughts.taste.reasons import reason
from thoughts.visits import admin as history  # noqa: F401  registers its classes
from thoughts.watches import admin as watches  # noqa: F401  registers its classes


@admin.register(Preference)
class PreferenceAdmin(ListAdmin):
    title = "What you like and dislike"
    add_label = "Add an interest"
    list_display = ["text", "valence", "muted", "strength", "source", "used_at", "last_find", "created_at"]
    list_filter = ["valence", "muted", "source"]
    search_fields = ["text"]
    list_select_related = ["last_thought"]
    fields = [
        "text",
        "valence",
        "muted",
        "strength",
        "mentions",
        "source",
        "from_where",
        "used_at",
        "last_find",
        "created_at",
    ]
    readonly_fields = ["mentions", "source", "from_where", "used_at", "last_find", "created_at"]
    actions = ["think_now", "mute", "unmute", "make_one", "forget"]

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Allow deleting candidates together with the preference that they were read for."""
        deleted, counts, needed, protected = super().get_deleted_objects(objs, request)
        return deleted, counts, needed - {Candidate._meta.verbose_name}, protected

    @admin.action(description="Make two of them one: the one with more mentions stays", permissions=["change"])
    def make_one(self, request: HttpRequest, rows: QuerySet[Preference]) -> None:
        chosen = list(rows.order_by("-mentions", "created_at")[:3])
        try:
            if len(chosen) != 2:
                raise merges.Unmergeable("Choose two that say the same.")
            merges.merge(*chosen)
            messages.success(
                request, f"“{chosen[1]}” is now part of “{chosen[0]}”. The preferences page parts them again."
            )
        except merges.Unmergeable as error:
            messages.error(request, str(error))

    @admin.action(description="Forget, with all that came of it", permissions=["delete"])
    def forget(self, request: HttpRequest, rows: QuerySet[Preference]) -> HttpResponse | None:
        """Redirect to the page that lists what would be forgotten, for one preference at a time."""
        if len(rows) != 1:
            messages.error(request, "Choose one at a time: you are shown what goes with it.")
            return None
        return redirect("preference_forget", rows[0].pk)

    @admin.display(description="last find", ordering="last_thought__created_at")
    def last_find(self, preference: Preference) -> str:
        return str(preference.last_thought or "-")

    @admin.display(description="labels")
    def from_where(self, preference: Preference) -> str:
        return join_labels(preference.origin)

    @admin.action(description="Think about it now")
    def think_now(self, request: HttpRequest, rows: QuerySet[Preference]) -> None:
        likes = [row for row in rows if row.valence == Preference.Valence.LIKE]
        for row in likes:
            start_thinking(preference=row)
        if likes:
            messages.success(
                request, f"Started thinking about {', '.join(map(str, likes))}. The outcome appears under Runs."
            )
        if len(likes) < len(rows):
            messages.warning(request, "What you dislike starts no thinking.")

    @admin.action(description="Mute: think no more about it")
    def mute(self, request: HttpRequest, rows: QuerySet[Preference]) -> None:
        messages.success(request, f"{rows.update(muted=True)} muted.")

    @admin.action(description="Unmute")
    def unmute(self, request: HttpRequest, rows: QuerySet[Preference]) -> None:
        messages.success(request, f"{rows.update(muted=False)} unmuted.")


class ClaimInline(ReadOnlyInline):
    model = Claim
    fields = ["text", "quote", "page", "from_where"]
    verbose_name_plural = "claims and what supports them"

    @admin.display(description="labels")
    def from_where(self, claim: Claim) -> str:
        return join_labels(claim.origin)


class ReactionInline(ReadOnlyInline):
    model = Reaction
    fields = ["valence", "preference", "strength_change", "notified_before", "device_label", "created_at", "undone_at"]


@admin.register(Thought)
class ThoughtAdmin(ListAdmin):
    title = "What Penny found"
    list_display = ["title", "seed_text", "from_where", "created_at", "is_read", "reaction", "points", "is_extractive"]
    list_filter = [
        ("notified_at", whether("read", "read", "new")),
        "reaction",
        ("saved_at", whether("saved", "saved", "not saved")),
        ("hidden_at", whether("hidden", "hidden", "shown")),
        "is_extractive",
    ]
    search_fields = ["title", "text", "seed_text"]
    date_hierarchy = "created_at"
    readonly_fields = [
        "title", "text", "seed_text", "preference", "sources", "from_where", "is_extractive", "created_at",
        "notified_at", "saved_at",
        "hidden_at", "reaction", "points", "why", "explores",
    ]  # fmt: skip
    fields = tuple(readonly_fields)
    inlines = [ClaimInline, ReactionInline]
    actions = ["show_again"]

    @admin.action(description="Show again what was hidden")
    def show_again(self, request: HttpRequest, rows: QuerySet[Thought]) -> None:
        messages.success(request, f"{rows.update(hidden_at=None)} on the feed again.")
        tell_unread()

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Allow deleting reactions together with their thought."""
        deleted, counts, needed, protected = super().get_deleted_objects(objs, request)
        return deleted, counts, needed - {Reaction._meta.verbose_name}, protected

    def view_on_site(self, thought: Thought) -> str:
        return reverse("thought", args=[thought.pk])

    @admin.display(description="read", boolean=True)
    def is_read(self, thought: Thought) -> bool:
        return thought.notified_at is not None

    @admin.display(description="why it stands where it does")
    def why(self, thought: Thought) -> str:
        return _summed(thought.reasons)

    @admin.display(description="pages")
    def sources(self, thought: Thought) -> str:
        return "\n".join(thought.pages.values_list("url", flat=True)) or "-"

    @admin.display(description="labels")
    def from_where(self, thought: Thought) -> str:
        return join_labels(thought.origin)


@admin.register(WrongReading)
class WrongReadingAdmin(ReadOnlyAdmin):
    title = "Pages Penny read wrong"
    list_display = ["domain", "title", "complaint", "created_at"]
    search_fields = ["domain", "title", "complaint"]
    fields = ["url", "title", "complaint", "text", "left_out", "extracted_with", "fetched_at", "created_at"]


@admin.register(Page)
class PageAdmin(ReadOnlyAdmin):
    title = "Pages Penny read"
    list_display = ["domain", "title", "extracted_with", "truncated", "words", "device_label", "fetched_at"]
    list_filter = ["extracted_with", "truncated"]
    search_fields = ["domain", "title", "url"]
    fields = [
        "url",
        "domain",
        "from_where",
        "title",
        "text",
        "left_out",
        "extracted_with",
        "truncated",
        "is_changing",
        "words",
        "device_label",
        "fetched_at",
        "sha256",
    ]

    @admin.display(description="labels")
    def from_where(self, page: Page) -> str:
        return join_labels(page.origin)


@admin.register(Reaction)
class ReactionAdmin(ReadOnlyAdmin):
    """The owner's thumbs with device and effect, undone ones included."""

    title = "Your thumbs, and what they changed"
    list_display = ("thought", "valence", "preference", "strength_change", "device_label", "created_at", "undone_at")
    list_filter = ["valence", ("undone_at", whether("taken back", "taken back", "still counts")), "device_label"]
    search_fields = ["thought__title", "preference__text"]
    list_select_related = ["thought", "preference"]
    date_hierarchy = "created_at"
    fields = [
        "thought",
        "valence",
        "preference",
        "strength_change",
        "device_label",
        "created_at",
        "undone_at",
        "notified_before",
    ]


@admin.register(Candidate)
class CandidateAdmin(ReadOnlyAdmin):
    """Suggestions from pages and the answers to them. The owner answers on the preferences page."""

    title = "What pages suggested to look for"
    list_display = ["text", "state", "from_where", "seed", "same_as", "created_at", "decided_at"]
    list_filter = ["state", "source", ("same_as", whether("repeats another", "yes", "no"))]
    search_fields = ["text", "seed__text"]
    list_select_related = ["seed", "same_as"]
    fields = ["text", "state", "source", "from_where", "page", "seed", "same_as", "created_at", "decided_at"]

    @admin.display(description="labels")
    def from_where(self, candidate: Candidate) -> str:
        return join_labels(candidate.origin)


def _summed(parts: list[dict[str, Any]]) -> str:
    reasons = [(part["points"], reason(part)) for part in parts]
    return "\n".join(f"{points:+.2f} {why.before}{why.text}{why.after}" for points, why in reasons) or "-"


@admin.register(Taste)
class TasteAdmin(ReadOnlyAdmin):
    """Every weight that ranks thoughts."""

    title = "What your thumbs taught Penny"
    list_display = ["__str__", "learned_at", "changed_at", "since"]
    fields = ["outcomes", "learned_at", "changed_at", "since", "every_weight"]
    actions = ["begin_anew"]

    @admin.display(description="weights")
    def every_weight(self, taste: Taste) -> str:
        return _summed(taste.weights)

    @admin.action(description="Begin anew: forget what was learned")
    def begin_anew(self, request: HttpRequest, rows: QuerySet[Taste]) -> None:
        for row in rows:
            row.begin_anew(timezone.now())
        messages.success(
            request, "Penny begins anew with your preferences. The taste page can learn again from what came before."
        )


@admin.register(MutedSite)
class MutedSiteAdmin(ListAdmin):
    title = "Sites Penny tells you nothing about"
    add_label = "Mute a site"
    form = MutedSiteForm
    list_display = ["host", "created_at"]
    search_fields = ["host"]

    def has_change_permission(self, request: HttpRequest, obj: MutedSite | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: MutedSite, form: object, change: bool) -> None:
        obj.pk = muted_sites.mute_site(obj.host).pk


@admin.register(Subscription)
class SubscriptionAdmin(ReadOnlyAdmin):
    """Deleting a subscription revokes it.

    The page Subscriptions creates them and shows the address once.
    """

    title = "Addresses your feed reader follows"
    list_display = ["name", "created_at", "used_at"]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_active)
