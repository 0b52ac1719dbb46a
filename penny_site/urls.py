from django.conf import settings
from django.contrib import admin
from django.urls import include, path

from devices.access import views as devices
from penny_site import views
from penny_site.health import views as health_views_module
from penny_site.setup import restored_views
from penny_site.setup import views as setup_views
from penny_site.sign_in import passkey_views
from penny_site.sign_in import views as sign_in_views

admin.autodiscover()
handler400, handler500 = "penny_site.errors.bad_request", "penny_site.errors.server_error"
urlpatterns = [
    path("healthz", health_views_module.healthz, name="healthz"),
    path("readyz", health_views_module.readyz, name="readyz"),
    path("api/pair", devices.pair, name="pair"),
    path("", include("penny_site.web_app.urls")),
    path("help/", include("penny_site.help.urls")),
    path("admin/", admin.site.urls),
    path("chat/", views.chat, name="chat"),
    path("search/", include("penny_site.search.urls")),
    path("sign-in/", sign_in_views.sign_in, name="sign_in"),
    path("sign-in/passkey/begin/", passkey_views.begin_signing_in, name="passkey_begin_signing_in"),
    path("sign-in/passkey/", passkey_views.sign_in, name="passkey_sign_in"),
    path("passkeys/begin/", passkey_views.begin_adding, name="passkey_begin_adding"),
    path("passkeys/", passkey_views.add, name="passkey_add"),
    path("passkeys/<int:pk>/remove/", passkey_views.remove, name="passkey_remove"),
    path("sign-in/<str:token>/", sign_in_views.sign_in_link, name="sign_in_link"),
    path("sign-out/", sign_in_views.sign_out, name="sign_out"),
    path("settings/signing-in/", sign_in_views.all_sign_ins, name="sign_ins"),
    path("settings/signing-in/others/end/", sign_in_views.sign_in_end_others, name="sign_in_end_others"),
    path("settings/signing-in/<int:pk>/end/", sign_in_views.sign_in_end, name="sign_in_end"),
    path("password/", sign_in_views.password, name="password"),
    path("setup/", setup_views.setup, name="setup"),
    path("setup/test/<slug:part>/", setup_views.setup_test, name="setup_test"),
    path("setup/code/", setup_views.setup_code, name="setup_code"),
    path("setup/restored/", restored_views.restored, name="restored"),
    path("setup/restored/<uuid:pk>/on/", restored_views.device_on, name="restored_device_on"),
    path("setup/restored/<int:pk>/on/", restored_views.subscription_on, name="restored_subscription_on"),
    path("setup/restored/leave-off/", restored_views.leave_off, name="restored_leave_off"),
    path("setup/extension/<slug:browser>/", setup_views.extension, name="extension"),
    path("", include("penny_site.settings_pages.urls")),
    path("", include("devices.grants.urls")),
    path("", include("devices.browsers.urls")),
    path("", include("devices.record.urls")),
    path("", include("agents.api.urls")),
    path("", include("agents.activity.urls")),
    path("", include("agents.urls")),
    path("", include("agents.thinking.urls")),
    path("", include("agents.skills.urls")),
    path("", include("agents.memory.urls")),
    path("", include("agents.vault.files.urls")),
    path("", include("agents.vault.forget.urls")),
    path("", include("agents.vault.left.urls")),
    path("", include("agents.vault.transfer.urls")),
    path("", include("agents.vault.urls")),
    path("", include("thoughts.feed.card_actions.urls")),
    path("", include("thoughts.preferences.urls")),
    path("", include("thoughts.taste.urls")),
    path("", include("thoughts.watches.urls")),
    path("", include("thoughts.sources.urls")),
    path("", include("thoughts.subscriptions.urls")),
    path("", include("thoughts.visits.urls")),
    path("", include("thoughts.reading.urls")),
    path("", include("thoughts.feed.urls")),
    path("", include("penny_site.frame.moved")),
]
if settings.OIDC_NAME:
    urlpatterns.insert(0, path("sign-in/oidc/", include("penny_site.sign_in.oidc_urls")))
