from django.urls import path

from thoughts.taste import views

urlpatterns = [
    path("interests/learned/", views.taste, name="taste"),
    path("interests/learned/export/", views.taste_export, name="taste_export"),
    path("interests/learned/reset/", views.taste_reset, name="taste_reset"),
    path("interests/learned/restore/", views.taste_restore, name="taste_restore"),
]
