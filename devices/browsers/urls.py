from django.urls import path

from devices.browsers import views

urlpatterns = [
    path("permissions/browsers/", views.all_browsers, name="browsers"),
    path("permissions/browsers/<uuid:pk>/tool/", views.switch_tool, name="browser_tool"),
    path("permissions/browsers/<uuid:pk>/rename/", views.rename_browser, name="browser_rename"),
    path("permissions/browsers/<uuid:pk>/stop-keeping/", views.stop_keeping, name="browser_keeps_no_more"),
    path("permissions/browsers/<uuid:pk>/unpair/", views.unpair_browser, name="browser_unpair"),
    path("permissions/browsers/<uuid:pk>/restore/", views.restore_browser, name="browser_restore"),
]
