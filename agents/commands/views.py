from django.http import Http404, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from agents.commands import registry
from devices.conversation import export
from penny_site.requests import OwnerRequest


@require_safe
def command_list(request: OwnerRequest) -> JsonResponse:
    """Answer what may go on from what was typed, `?q=/re`."""
    found = registry.completions(request.GET.get("q", "")[:32])
    return JsonResponse({"commands": [{"name": each.name, "usage": each.usage, "does": each.does} for each in found]})


@require_safe
def conversation_export(request: OwnerRequest, form: str) -> HttpResponseBase:
    """Send the whole conversation as a file, a piece at a time."""
    if form not in export.FORMS:
        raise Http404
    pieces, content_type = export.FORMS[form]
    response = StreamingHttpResponse(export.streamed(pieces, request.user), content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="penny-conversation.{form}"'
    return response
