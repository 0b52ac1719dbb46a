"""The list of commands for the web page, and the download of the conversation."""

from django.http import Http404, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from agents.commands import registry
from devices import protocol
from devices.conversation import export, threads
from penny_site.requests import OwnerRequest


@require_safe
def command_list(request: OwnerRequest) -> JsonResponse:
    commands = registry.completions(request.GET.get("q", "")[:32])
    return JsonResponse(
        {"commands": [{"name": command.name, "usage": command.usage, "does": command.does} for command in commands]}
    )


@require_safe
def conversation_export(request: OwnerRequest, form: str) -> HttpResponseBase:
    """Download the conversation, or of `?thread=` one thread, or `main`, what belongs to none."""
    query = request.GET.get("thread", "")
    thread = threads.thread_named(request.user, query)
    if form not in export.FORMS or (thread is None and query not in ("", "main")):
        raise Http404
    file_form = export.FORMS[form]
    view: protocol.View | None = thread.pk if thread else "main" if query else None
    pieces = export.stream_messages(file_form, request.user, view)
    response = StreamingHttpResponse(pieces, content_type=file_form.content_type)
    name = thread and slugify(thread.name)
    response["Content-Disposition"] = f'attachment; filename="penny-{name or "conversation"}.{form}"'
    return response
