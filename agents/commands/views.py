"""The list of commands for the web page, and the download of the conversation."""

from django.http import Http404, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from agents.commands import registry
from devices.conversation import export
from penny_site.requests import OwnerRequest


@require_safe
def command_list(request: OwnerRequest) -> JsonResponse:
    commands = registry.completions(request.GET.get("q", "")[:32])
    return JsonResponse(
        {"commands": [{"name": command.name, "usage": command.usage, "does": command.does} for command in commands]}
    )


@require_safe
def conversation_export(request: OwnerRequest, form: str) -> HttpResponseBase:
    if form not in export.FORMS:
        raise Http404
    file_form = export.FORMS[form]
    pieces = export.stream_messages(file_form, request.user)
    response = StreamingHttpResponse(pieces, content_type=file_form.content_type)
    response["Content-Disposition"] = f'attachment; filename="penny-conversation.{form}"'
    return response
