"""Answers to requests that end in no view's answer: JSON for programs, pages for people."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import loader
from django.views import defaults

from agents.api.schemas import ErrorBody, ErrorDetail
from penny_site.manage_command import manage_command
from penny_site.requests import is_api

MALFORMED = "The request is malformed, or it names a host that Penny does not answer for."
FAILED = "Something failed in Penny. Her log says what: `{command}` names the file."


def program_error(status: int, code: str, message: str) -> JsonResponse:
    kind = "invalid_request_error" if status < 500 else "server_error"
    detail = ErrorDetail(message=message, type=kind, code=code)
    return JsonResponse(ErrorBody(error=detail).model_dump(), status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if is_api(request):
        return program_error(400, "bad_request", MALFORMED)
    return defaults.bad_request(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    command = manage_command("doctor")
    if is_api(request):
        return program_error(500, "failed", FAILED.format(command=command))
    return HttpResponse(loader.get_template("500.html").render({"command": command}), status=500)
