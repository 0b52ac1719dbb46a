from django.urls import path

from devices.grants import views

urlpatterns = [
    path("permissions/", views.all_sites, name="sites"),
    path("permissions/sites/decide/", views.decide_site, name="site_decide"),
    path("permissions/sites/penny-sites.json", views.export_sites, name="sites_export"),
]
