from django.urls import path

from thoughts.visits import views

urlpatterns = [
    path("history/", views.history, name="history"),
    path("history/<int:pk>/delete/", views.visit_delete, name="visit_delete"),
    path("history/delete-site/", views.site_delete, name="visits_of_site_delete"),
    path("history/delete-all/", views.all_delete, name="visits_delete"),
    path("history/restore/<int:stamp>/", views.restore, name="visits_restore"),
    path("history/devices/<uuid:pk>/stop/", views.device_stop, name="history_stop"),
]
