from django.urls import path

from penny_site.web_app import views

urlpatterns = [
    path("manifest.webmanifest", views.manifest, name="manifest"),
    path("service_worker.js", views.service_worker, name="service_worker"),
    path("offline/", views.offline, name="offline"),
    path("share/", views.share, name="share"),
]
