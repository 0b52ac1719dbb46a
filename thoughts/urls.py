from django.urls import path

from thoughts import views

urlpatterns = [
    path("", views.feed, name="feed"),
    path("archive/", views.archive, name="archive"),
    path("thoughts/count/", views.unread_count, name="unread_count"),
    path("thoughts/<uuid:pk>/", views.thought, name="thought"),
    path("thoughts/<uuid:pk>/read/", views.thought_read, name="thought_read"),
    path("thoughts/<uuid:pk>/unread/", views.thought_unread, name="thought_unread"),
    path("pictures/<slug:sha256>.webp", views.picture, name="picture"),
    path("preferences/", views.preferences, name="preferences"),
    path("preferences/<int:pk>/delete/", views.preference_delete, name="preference_delete"),
]
