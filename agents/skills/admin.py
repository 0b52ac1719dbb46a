"""The admin of skills and their versions."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from agents.models import Skill, SkillVersion
from agents.skills import files, versions
from agents.skills.documents import DocumentInvalid, parse
from agents.skills.forms import EXAMPLE, FORM
from penny_site.admin_pages.lists import Button, ListAdmin
from penny_site.admin_pages.read_only import ReadOnlyInline, join_labels


class SkillForm(forms.ModelForm):  # type: ignore[type-arg]
    """The newest document of a skill. Saving a changed one makes a version."""

    document = forms.CharField(
        strip=False, help_text=FORM, widget=forms.Textarea(attrs={"rows": 30, "cols": 110, "spellcheck": "false"})
    )
    use = forms.BooleanField(label="approve it", required=False, help_text="Penny uses only what you approved.")

    class Meta:
        model = Skill
        fields = ["is_on"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["document"] = self.instance.newest.document if self.instance.pk else EXAMPLE

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if data.get("use") and data.get("document") and not parse(data["document"]).patterns:
            self.add_error("document", versions.SITES_MISSING)
        return data

    def clean_document(self) -> str:
        text = str(self.cleaned_data["document"]).replace("\r\n", "\n")
        try:
            name = parse(text).name
        except DocumentInvalid as error:
            raise ValidationError(str(error)) from None
        if self.instance.pk and name != self.instance.name:
            raise ValidationError(f"name: this skill is called {self.instance.name}. Add a new one for another name.")
        if not self.instance.pk and Skill.objects.kept().filter(name=name).exists():
            raise ValidationError(f"name: there is a skill called {name} already.")
        return text


class VersionInline(ReadOnlyInline):
    model = SkillVersion
    fk_name = "skill"
    fields = ["number", "source", "state", "created_at", "approved_at", "declined_at", "difference"]

    @admin.display(description="document")
    def difference(self, version: SkillVersion) -> SafeString:
        address = reverse("skill_version", args=[version.skill.name, version.number])
        return format_html('<a href="{}">what it says, and what is different</a>', address)


@admin.register(Skill)
class SkillAdmin(ListAdmin):
    title = "Skills that teach Penny to read sites"
    add_label = "Write a skill"
    is_undoable = True
    form = SkillForm
    list_display = ["name", "description", "domains", "state"]
    list_filter = ["is_on", "versions__source"]
    search_fields = ["name", "versions__description"]
    fields = ["document", "use", "is_on"]
    inlines = [VersionInline]
    actions = ["approve", "turn_on", "turn_off", "export"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Skill]:
        rows: QuerySet[Skill] = super().get_queryset(request)
        return (
            rows.filter(deleted_at=None, versions__isnull=False)
            .distinct()
            .select_related("approved")
            .prefetch_related("versions")
        )

    def view_on_site(self, skill: Skill) -> str:
        return reverse("skill", args=[skill.name])

    @admin.display(description="what it is for")
    def description(self, skill: Skill) -> str:
        return Truncator(skill.shown.description).words(20)

    @admin.display(description="sites")
    def domains(self, skill: Skill) -> str:
        return join_labels(skill.shown.domains[:6])

    @admin.display(description="state")
    def state(self, skill: Skill) -> SafeString:
        """Return a chip, and a link to the version that waits: it is read before it is approved."""
        look, words = ("ok", "in use") if skill.is_on and skill.approved else ("", "off" if skill.approved else "new")
        chip = format_html('<span class="chip {}">{}</span>', look, words)
        if skill.waiting is None:
            return chip
        address = reverse("skill_version", args=[skill.name, skill.waiting.number])
        return format_html('{} <a href="{}">Read what waits</a>', chip, address)

    def buttons(self, row: Skill) -> list[Button]:
        waiting = row.waiting
        approve = []
        if waiting and waiting.domains:
            approve = [Button("Approve", reverse("skill_approve", args=[row.name, waiting.number]))]
        switch = ("Turn off", "skill_pause") if row.is_on else ("Turn on", "skill_resume")
        others = [Button(label, reverse(page, args=[row.name])) for label, page in (switch, ("Delete", "skill_delete"))]
        return [*approve, *others]

    def save_model(self, request: HttpRequest, obj: Skill, form: Any, change: bool) -> None:
        is_on, data = obj.is_on, form.cleaned_data
        owner = SkillVersion.Source.OWNER
        version = versions.write_version(data["document"], owner, skill=obj if change else None, approve=data["use"])
        Skill.objects.filter(pk=version.skill_id).update(is_on=is_on)
        obj.pk = version.skill_id
        obj.refresh_from_db()

    def delete_model(self, request: HttpRequest, obj: Skill) -> None:
        obj.set_deleted(timezone.now())

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Skill]) -> None:
        Skill.objects.filter(pk__in=list(queryset.values_list("pk", flat=True))).update(deleted_at=timezone.now())

    @admin.action(description="Approve the version that waits", permissions=["change"])
    def approve(self, request: HttpRequest, rows: QuerySet[Skill]) -> None:
        for version in [skill.waiting for skill in rows]:
            if version is None:
                continue
            try:
                versions.approve_version(version, timezone.now())
                messages.success(request, f"Penny uses {version} from now on, on sites that you allowed.")
            except DocumentInvalid as error:
                messages.error(request, f"{version}: {error}")

    @admin.action(description="Turn on", permissions=["change"])
    def turn_on(self, request: HttpRequest, rows: QuerySet[Skill]) -> None:
        Skill.objects.filter(pk__in=[skill.pk for skill in rows]).update(is_on=True)

    @admin.action(description="Turn off", permissions=["change"])
    def turn_off(self, request: HttpRequest, rows: QuerySet[Skill]) -> None:
        Skill.objects.filter(pk__in=[skill.pk for skill in rows]).update(is_on=False)

    @admin.action(description="Export")
    def export(self, request: HttpRequest, rows: QuerySet[Skill]) -> HttpResponse:
        headers = {"Content-Disposition": 'attachment; filename="penny-skills.zip"'}
        return HttpResponse(
            files.write_zip(skill.shown for skill in rows), content_type="application/zip", headers=headers
        )
