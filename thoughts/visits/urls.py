from django.urls import path

from thoughts.visits import views

urlpatterns = [
    path("memory/history/", views.history, name="history"),
    path("memory/history/<int:pk>/delete/", views.visit_delete, name="visit_delete"),
    path("memory/history/delete-site/", views.site_delete, name="visits_of_site_delete"),
    path("memory/history/delete-all/", views.all_delete, name="visits_delete"),
    path("memory/history/restore/<int:stamp>/", views.restore, name="visits_restore"),
    path("memory/history/devices/<uuid:pk>/stop/", views.device_stop, name="history_stop"),
]
