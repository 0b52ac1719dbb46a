from django.urls import path

from thoughts.reading import views

urlpatterns = [
    path("pages/<int:pk>/", views.show_page, name="page_read"),
    path("pages/<int:pk>/wrong/", views.report_wrong, name="page_wrong"),
    path("pages/wrong/", views.wrong_readings, name="wrong_readings"),
    path("pages/wrong/<int:pk>.json", views.export_wrong, name="wrong_reading_export"),
    path("pages/wrong/<int:pk>/delete/", views.delete_wrong, name="wrong_reading_delete"),
]
