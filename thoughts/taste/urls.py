from django.urls import path

from thoughts.taste import views

urlpatterns = [
    path("interests/learned/", views.taste, name="taste"),
    path("thoughts/<uuid:pk>/why/", views.why, name="thought_why"),
    path("interests/<int:pk>/strength/", views.strength_teach, name="strength_teach"),
    path("interests/<int:pk>/strength/preview/", views.strength_preview, name="strength_preview"),
    path("interests/<int:pk>/strength/back/", views.strength_undo, name="strength_undo"),
    path("interests/learned/export/", views.taste_export, name="taste_export"),
    path("interests/learned/reset/", views.taste_reset, name="taste_reset"),
    path("interests/learned/restore/", views.taste_restore, name="taste_restore"),
]
