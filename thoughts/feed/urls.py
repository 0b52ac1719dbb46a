from django.urls import path

from thoughts.feed import views

urlpatterns = [
    path("", views.feed, name="feed"),
    path("archive/", views.archive, name="archive"),
    path("saved/", views.saved, name="saved"),
    path("thoughts/meaning/<str:view>/", views.search_by_meaning, name="search_by_meaning"),
    path("thoughts/count/", views.unread_count, name="unread_count"),
    path("thoughts/fresh/", views.fresh, name="fresh"),
    path("thoughts/<uuid:pk>/", views.show_thought, name="thought"),
    path("thoughts/<uuid:pk>/evidence/<int:number>/", views.thought_evidence, name="thought_evidence"),
    path("thoughts/<uuid:pk>/similar/", views.thought_similar, name="thought_similar"),
    path("pictures/<slug:sha256>.webp", views.serve_picture, name="picture"),
]
