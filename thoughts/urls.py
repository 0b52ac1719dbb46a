from django.urls import path

from thoughts import views

urlpatterns = [
    path("", views.feed, name="feed"),
    path("archive/", views.archive, name="archive"),
    path("saved/", views.saved, name="saved"),
    path("thoughts/count/", views.unread_count, name="unread_count"),
    path("thoughts/fresh/", views.fresh, name="fresh"),
    path("thoughts/<uuid:pk>/", views.thought, name="thought"),
    path("thoughts/<uuid:pk>/evidence/<int:number>/", views.thought_evidence, name="thought_evidence"),
    path("thoughts/<uuid:pk>/read/", views.thought_read, name="thought_read"),
    path("thoughts/<uuid:pk>/unread/", views.thought_unread, name="thought_unread"),
    path("thoughts/<uuid:pk>/react/", views.thought_react, name="thought_react"),
    path("thoughts/<uuid:pk>/unreact/", views.thought_unreact, name="thought_unreact"),
    path("thoughts/<uuid:pk>/save/", views.thought_save, name="thought_save"),
    path("thoughts/<uuid:pk>/unsave/", views.thought_unsave, name="thought_unsave"),
    path("thoughts/<uuid:pk>/hide/", views.thought_hide, name="thought_hide"),
    path("thoughts/<uuid:pk>/unhide/", views.thought_unhide, name="thought_unhide"),
    path("thoughts/<uuid:pk>/alike/", views.thought_alike, name="thought_alike"),
    path("pictures/<slug:sha256>.webp", views.picture, name="picture"),
    path("preferences/", views.preferences, name="preferences"),
    path("preferences/<int:pk>/delete/", views.preference_delete, name="preference_delete"),
    path("preferences/<int:pk>/mute/", views.preference_mute, name="preference_mute"),
    path("preferences/<int:pk>/unmute/", views.preference_unmute, name="preference_unmute"),
    path("preferences/<int:pk>/wake/", views.preference_wake, name="preference_wake"),
    path("sites/mute/", views.site_mute, name="site_mute"),
    path("sites/<int:pk>/unmute/", views.site_unmute, name="site_unmute"),
]
