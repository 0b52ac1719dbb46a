"""The URL patterns of a Penny with an OpenID Connect service."""

from django.urls import include, path

from penny_site.urls import urlpatterns as penny_patterns

urlpatterns = [path("sign-in/oidc/", include("penny_site.sign_in.oidc_urls")), *penny_patterns]
