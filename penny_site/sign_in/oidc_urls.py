from django.urls import path, register_converter

from penny_site.sign_in import oidc_views


class Back:
    """Match one fixed callback path: the owner registers it at the service."""

    regex = "back"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return "back"


register_converter(Back, "back")

urlpatterns = [
    path("", oidc_views.begin, name="oidc_begin"),
    path("linked/<int:pk>/remove/", oidc_views.unlink, name="oidc_unlink"),
    # allauth looks the callback up by this name.
    path("<back:provider_id>/", oidc_views.callback, name="openid_connect_callback"),
]
