from django.urls import path

from agents.memory import views

urlpatterns = [
    path("memory/", views.memories, name="memories"),
    path("memory/<int:pk>/", views.memory, name="memory"),
    path("memory/<int:pk>/forget/", views.forget, name="memory_forget"),
    path("memory/<int:pk>/restore/", views.restore, name="memory_restore"),
]
