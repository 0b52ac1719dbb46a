"""The pages of skills: list, one skill with its versions, edit, import and try."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db.models import Prefetch
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from agents.models import Run, Skill, SkillTrial, SkillVersion
from agents.skills import files, trials
from agents.skills import versions as skills_versions
from agents.skills.active import granted_hosts
from agents.skills.diffs import difference
from agents.skills.documents import DocumentInvalid, parse
from agents.skills.forms import EXAMPLE, BundleForm, DocumentForm, SitesForm, TrialForm
from agents.skills.words import field_label
from devices.disk import DiskFull
from devices.web.hosts import HostInvalid
from penny_site.requests import OwnerRequest, next_below, redirect_with_undo, with_body_of
from penny_site.row_views import RowViews

MB = 1024 * 1024
TRIALS_SHOWN, NUMBER_MAX = 5, 2**31 - 1
Source = SkillVersion.Source
row_views = RowViews(
    Skill,
    "skill",
    "skills",
    {"pause": "{} is off.", "resume": "{} is on.", "delete": "{} is deleted.", "restore": "{} is back."},
)


@dataclass(frozen=True)
class SkillRow:
    """A skill on the list. `reached`: whether one of its sites may be read."""

    skill: Skill
    version: SkillVersion
    waiting: SkillVersion | None
    reached: bool


@with_body_of(files.FILE_BYTES + MB)
@require_http_methods(["GET", "HEAD", "POST"])
def skills(request: OwnerRequest) -> HttpResponse:
    form = BundleForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        return _import_bundle(request, form.bundle)
    return render(request, "agents/skills/skills.html", {"rows": _skill_rows(), "form": form})


def _skill_rows() -> list[SkillRow]:
    rows = (
        Skill.objects.kept()
        .select_related("approved")
        .prefetch_related(Prefetch("versions", SkillVersion.objects.defer("document", "instructions")))
    )
    hosts = granted_hosts(None)
    return [SkillRow(skill, skill.shown, skill.waiting, skill.reaches(hosts)) for skill in rows if skill.versions.all()]


def _import_bundle(request: OwnerRequest, bundle: files.Bundle) -> HttpResponse:
    versions, refusals = [], list(bundle.refusals)
    for document in bundle.documents:
        try:
            versions.append(skills_versions.write_version(document, Source.IMPORTED))
        except DocumentInvalid as error:
            refusals.append(f"{parse(document).name}: {error}")
        except DiskFull as error:
            messages.error(request, str(error))
            return redirect("skills")
    if versions:
        messages.success(request, _import_text(versions, bundle.note))
    if refusals:
        more = f" And {len(refusals) - files.REFUSED_SHOWN} more." if len(refusals) > files.REFUSED_SHOWN else ""
        messages.error(request, f"Stayed out: {' '.join(refusals[: files.REFUSED_SHOWN])}{more}")
    return redirect("skill", versions[0].skill.name) if len(versions) == 1 and not refusals else redirect("skills")


def _import_text(versions: list[SkillVersion], note: str) -> str:
    """Return what an import brought, and what the owner has to do."""
    waiting = [version for version in versions if version.approved_at is None]
    if not waiting:
        return f"Everything in that file was here already. {note}".strip()
    names = ", ".join(version.skill.name for version in waiting)
    siteless = ", ".join(version.skill.name for version in waiting if not version.domains)
    sites = f"Which sites are these for: {siteless}?" if siteless else ""
    return " ".join(filter(None, (f"{names}: read and approve what came, then Penny uses it.", sites, note)))


@require_safe
def export_all(request: OwnerRequest) -> HttpResponse:
    return _send_zip(
        [skill.shown for skill in Skill.objects.kept().select_related("approved") if skill.versions.exists()],
        "penny-skills",
    )


@require_safe
def export(request: OwnerRequest, name: str) -> HttpResponse:
    """Send a skill as a zip with its SKILL.md: the version asked for, else the one in use."""
    row = _skill(name)
    number = request.GET.get("version", "")
    requested_version = (
        row.versions.filter(number=int(number)).first() if number.isdecimal() and int(number) <= NUMBER_MAX else None
    )
    return _send_zip([requested_version or row.shown], name)


def _send_zip(versions: list[SkillVersion], name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}.zip"'}
    return HttpResponse(files.write_zip(versions), content_type="application/zip", headers=headers)


@require_safe
def skill(request: OwnerRequest, name: str) -> HttpResponse:
    row = _skill(name)
    return _render_skill(request, row, TrialForm())


def _render_skill(request: OwnerRequest, row: Skill, form: TrialForm, sites: SitesForm | None = None) -> HttpResponse:
    version, waiting = row.shown, row.waiting
    context = {
        "skill": row,
        "version": version,
        "waiting": waiting,
        "lines": difference(row.approved.document, waiting.document) if waiting and row.approved else [],
        "reached": row.reaches(granted_hosts(None)),
        "form": form,
        "sites_form": sites or SitesForm(),
        "can_try": trials.can_try(),
        "trials": SkillTrial.objects.filter(version__skill=row).select_related("version", "run")[:TRIALS_SHOWN],
    }
    return render(request, "agents/skills/skill.html", context)


def new(request: OwnerRequest) -> HttpResponse:
    return _save_document(request, None, DocumentForm(request.POST or None, initial={"document": EXAMPLE}))


def edit(request: OwnerRequest, name: str) -> HttpResponse:
    row = _skill(name)
    return _save_document(
        request,
        row,
        DocumentForm(request.POST or None, initial={"document": (row.waiting or row.shown).document}),
    )


def _save_document(request: OwnerRequest, row: Skill | None, form: DocumentForm) -> HttpResponse:
    if request.method == "POST" and form.is_valid():
        is_approved = request.POST.get("then") == "approve"
        try:
            new_version = skills_versions.write_version(
                form.cleaned_data["document"], Source.OWNER, skill=row, approve=is_approved
            )
            messages.success(
                request,
                f"{new_version.label_and_number} is "
                f"{'saved and in use' if is_approved else 'saved. Penny uses it once you approve it'}.",
            )
            return redirect("skill", new_version.skill.name)
        except (DocumentInvalid, DiskFull) as error:
            form.add_error("document", str(error))
    context: dict[str, Any] = {"form": form, "skill": row}
    if row is not None:
        context |= {"versions": row.versions.all(), "waiting": row.waiting}
    return render(request, "agents/skills/edit.html", context)


@require_POST
def attempt(request: OwnerRequest, name: str) -> HttpResponse:
    """Try a version on a page: the one asked for, else the one in use."""
    row = _skill(name)
    form = TrialForm(request.POST)
    if not form.is_valid():
        return _render_skill(request, row, form)
    number = request.POST.get("version", "")
    requested_version = (
        row.versions.filter(number=int(number)).first() if number.isdecimal() and int(number) <= NUMBER_MAX else None
    )
    try:
        new_trial = trials.start_trial(requested_version or row.shown, form.cleaned_data["url"])
    except (DiskFull, HostInvalid) as error:
        messages.error(request, str(error))
        return redirect("skill", name)
    return redirect("skill_trial", name, new_trial.pk)


@require_safe
def trial(request: OwnerRequest, name: str, pk: int) -> HttpResponse:
    """Show the result of a trial. The open page polls every second; 204 means no change."""
    rows = SkillTrial.objects.filter(version__skill__name=name).select_related("version__skill", "run")
    row = get_object_or_404(rows, pk=min(pk, NUMBER_MAX))
    if request.htmx and request.GET.get("state") == row.run.state:
        return HttpResponse(status=204)
    template = "agents/skills/_trial.html" if request.htmx else "agents/skills/trial.html"
    fields = [(field_label(field["name"]), field["texts"]) for field in row.found.get("fields", [])]
    context = {
        "trial": row,
        "skill": row.version.skill,
        "run": row.run,
        "is_open": row.run.state in Run.OPEN,
        "fields": fields,
        "is_empty": not any(texts for _, texts in fields),
    }
    return render(request, template, context)


@require_safe
def version(request: OwnerRequest, name: str, number: int) -> HttpResponse:
    row = _version(name, number)
    current = row.skill.approved
    lines = difference(current.document, row.document) if current and current.pk != row.pk else []
    return render(
        request, "agents/skills/version.html", {"skill": row.skill, "version": row, "used": current, "lines": lines}
    )


@require_POST
def approve(request: OwnerRequest, name: str, number: int) -> HttpResponse:
    row = _version(name, number)
    before = row.skill.approved
    try:
        skills_versions.approve_version(row, timezone.now())
    except DocumentInvalid as error:
        messages.error(request, str(error))
        return redirect(next_below(request, "skill", name))
    if before is None or before.pk == row.pk:
        undo = reverse("skill_unapprove", args=[name, number])
    else:
        undo = reverse("skill_approve", args=[name, before.number])
    return redirect_with_undo(
        request,
        f"Penny uses {row.label_and_number} from now on, on sites that you allowed.",
        undo,
        home="skill",
        below=(name,),
    )


@require_POST
def name_sites(request: OwnerRequest, name: str, number: int) -> HttpResponse:
    row, form = _version(name, number), SitesForm(request.POST)
    if form.is_valid():
        try:
            version = skills_versions.name_sites(row, form.cleaned_data["sites"])
            messages.success(
                request, f"{version.label} is for {', '.join(version.sites)}. Approve it, then Penny uses it."
            )
            return redirect("skill", name)
        except (DocumentInvalid, DiskFull) as error:
            form.add_error("sites", str(error))
    return _render_skill(request, row.skill, TrialForm(), form)


@require_POST
def unapprove(request: OwnerRequest, name: str, number: int) -> HttpResponse:
    row = _version(name, number)
    skills_versions.withdraw_approval(row)
    undo = reverse("skill_approve", args=[name, number])
    return redirect_with_undo(
        request, f"Penny does not use {row.label_and_number} any more.", undo, home="skill", below=(name,)
    )


@require_POST
def decline(request: OwnerRequest, name: str, number: int) -> HttpResponse:
    row = _version(name, number)
    skills_versions.decline(row, timezone.now())
    words, undo = (
        f"{row.label_and_number} is turned down; it stays among the versions.",
        reverse("skill_undecline", args=[name, number]),
    )
    return redirect_with_undo(request, words, undo, home="skill", below=(name,))


@require_POST
def undecline(request: OwnerRequest, name: str, number: int) -> HttpResponse:
    row = _version(name, number)
    skills_versions.undecline(row)
    return redirect_with_undo(request, f"{row.label_and_number} waits for you again.", home="skill", below=(name,))


def _skill(name: str) -> Skill:
    return get_object_or_404(
        Skill.objects.kept().filter(versions__isnull=False).select_related("approved").distinct(), name=name
    )


def _version(name: str, number: int) -> SkillVersion:
    rows = SkillVersion.objects.filter(skill__name=name, skill__deleted_at=None).select_related("skill__approved")
    return get_object_or_404(rows, number=min(number, NUMBER_MAX))
