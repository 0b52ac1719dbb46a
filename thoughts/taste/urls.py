from django.urls import path

from thoughts.taste import views

urlpatterns = [
    path("taste/", views.taste, name="taste"),
    path("taste/export/", views.taste_export, name="taste_export"),
    path("taste/reset/", views.taste_reset, name="taste_reset"),
    path("taste/restore/", views.taste_restore, name="taste_restore"),
]
