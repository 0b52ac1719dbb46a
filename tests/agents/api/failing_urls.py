"""The addresses of the site with one under /v1 that fails."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.urls import path

from penny_site.urls import handler400 as handler400
from penny_site.urls import handler500 as handler500
from penny_site.urls import urlpatterns as site_patterns


@login_not_required
def fail(_: HttpRequest) -> HttpResponse:
    raise RuntimeError("for the test")


urlpatterns = [path("v1/fails", fail), *site_patterns]
