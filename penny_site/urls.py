from django.contrib import admin
from django.urls import include, path

from devices import views as devices
from penny_site import app_views, health_views, views

urlpatterns = [
    path("healthz", health_views.healthz, name="healthz"),
    path("readyz", health_views.readyz, name="readyz"),
    path("api/pair", devices.pair, name="pair"),
    path("manifest.webmanifest", app_views.manifest, name="manifest"),
    path("service_worker.js", app_views.service_worker, name="service_worker"),
    path("offline/", app_views.offline, name="offline"),
    path("share/", app_views.share, name="share"),
    path("admin/", admin.site.urls),
    path("chat/", views.chat, name="chat"),
    path("sign-in/", views.sign_in, name="sign_in"),
    path("sign-in/<str:token>/", views.sign_in_link, name="sign_in_link"),
    path("sign-out/", views.sign_out, name="sign_out"),
    path("password/", views.password, name="password"),
    path("setup/", views.setup, name="setup"),
    path("setup/test/<slug:part>/", views.setup_test, name="setup_test"),
    path("setup/code/", views.setup_code, name="setup_code"),
    path("setup/models/", views.setup_models, name="setup_models"),
    path("setup/back-up/", views.back_up, name="back_up"),
    path("setup/backups/<str:name>/", views.backup, name="backup"),
    path("setup/extension/<slug:browser>/", views.extension, name="extension"),
    path("", include("agents.urls")),
    path("", include("thoughts.acts.urls")),
    path("", include("thoughts.preference_pages.urls")),
    path("", include("thoughts.taste_pages.urls")),
    path("", include("thoughts.watch_pages.urls")),
    path("", include("thoughts.sources.urls")),
    path("", include("thoughts.subscriptions.urls")),
    path("", include("thoughts.history_pages.urls")),
    path("", include("thoughts.urls")),
]
