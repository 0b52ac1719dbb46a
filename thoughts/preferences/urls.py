from django.urls import path

from thoughts.preferences import views

urlpatterns = [
    path("interests/", views.preferences, name="preferences"),
    path("interests/suggestions/", views.suggestions, name="suggestions"),
    path("interests/<int:pk>/look/", views.preference_look, name="preference_look"),
    path("interests/<int:pk>/edit/", views.preference_edit, name="preference_edit"),
    path("interests/<int:pk>/merge/", views.preference_merge, name="preference_merge"),
    path("interests/<int:pk>/apart/", views.preference_apart, name="preference_apart"),
    path("merges/<int:pk>/undo/", views.merge_undo, name="merge_undo"),
    path("candidates/<int:pk>/confirm/", views.candidate_confirm, name="candidate_confirm"),
    path("candidates/<int:pk>/dismiss/", views.candidate_dismiss, name="candidate_dismiss"),
    path("candidates/<int:pk>/offer/", views.candidate_offer, name="candidate_offer"),
    path("interests/<int:pk>/delete/", views.preference_delete, name="preference_delete"),
    path("interests/<int:pk>/mute/", views.preference_mute, name="preference_mute"),
    path("interests/<int:pk>/unmute/", views.preference_unmute, name="preference_unmute"),
    path("interests/<int:pk>/wake/", views.preference_wake, name="preference_wake"),
    path("sites/mute/", views.site_mute, name="site_mute"),
    path("sites/<int:pk>/unmute/", views.site_unmute, name="site_unmute"),
]
