from django.urls import path

from agents.vault.left import views

urlpatterns = [
    path("left/<uuid:pk>/", views.left, name="left"),
    path("left/<uuid:pk>/restore/<int:key>/", views.restore_left, name="left_restore"),
]
