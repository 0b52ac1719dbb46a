from django.urls import path

from agents.api import views

urlpatterns = [
    path("v1/chat/completions", views.chat_completions, name="chat_completions"),
    path("v1/chat/completions/", views.chat_completions),
    path("v1/models", views.models, name="models"),
    path("v1/models/", views.models),
    path("v1/models/<str:name>", views.model, name="model"),
    path("v1/models/<str:name>/", views.model),
    path("v1/pictures/<str:sha256>.webp", views.picture, name="program_picture"),
    path("v1", views.nothing_there),
    path("v1/", views.nothing_there),
    path("v1/<path:rest>", views.nothing_there),
    path("api/docs", views.docs, name="api_docs"),
    path("programs/", views.programs, name="programs"),
    path("programs/<int:pk>/revoke/", views.token_revoke, name="token_revoke"),
]
