"""The pages of a Penny whose owner set another service to sign in through."""

from django.urls import include, path

from penny_site.urls import urlpatterns as known

urlpatterns = [path("sign-in/oidc/", include("penny_site.sign_in.oidc_urls")), *known]
