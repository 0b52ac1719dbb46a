from django.urls import path, re_path

from agents.api import views

urlpatterns = [
    re_path("^v1/chat/completions/?$", views.chat_completions, name="chat_completions"),
    re_path("^v1/models/?$", views.models, name="models"),
    re_path("^v1/models/(?P<name>[^/]+)/?$", views.model, name="model"),
    path("v1/pictures/<str:sha256>.webp", views.picture, name="program_picture"),
    re_path("^v1(?:/.*)?$", views.nothing_there, name="program_nothing"),
    path("api/docs", views.docs, name="api_docs"),
    path("permissions/programs/", views.programs, name="programs"),
    path("permissions/programs/<int:pk>/revoke/", views.token_revoke, name="token_revoke"),
    path("permissions/programs/<int:pk>/restore/", views.token_restore, name="token_restore"),
]
