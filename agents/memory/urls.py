from django.urls import path

from agents.memory import views

urlpatterns = [
    path("memory/", views.memories, name="memories"),
    path("memory/slots/", views.keep_slot, name="memory_slot"),
    path("memory/<int:pk>/", views.memory, name="memory"),
    path("memory/<int:pk>/forget/", views.forget_memory, name="memory_forget"),
    path("memory/<int:pk>/restore/", views.restore_memory, name="memory_restore"),
]
