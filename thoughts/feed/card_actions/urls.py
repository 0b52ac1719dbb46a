from django.urls import path

from thoughts.feed.card_actions import views

urlpatterns = [
    path("thoughts/<uuid:pk>/more/", views.thought_more, name="thought_more"),
    path("thoughts/<uuid:pk>/read/", views.thought_read, name="thought_read"),
    path("thoughts/<uuid:pk>/unread/", views.thought_unread, name="thought_unread"),
    path("thoughts/<uuid:pk>/react/", views.thought_react, name="thought_react"),
    path("thoughts/<uuid:pk>/unreact/", views.thought_unreact, name="thought_unreact"),
    path("thoughts/<uuid:pk>/save/", views.thought_save, name="thought_save"),
    path("thoughts/<uuid:pk>/unsave/", views.thought_unsave, name="thought_unsave"),
    path("thoughts/<uuid:pk>/hide/", views.thought_hide, name="thought_hide"),
    path("thoughts/<uuid:pk>/unhide/", views.thought_unhide, name="thought_unhide"),
    path("thoughts/<uuid:pk>/alike/", views.thought_alike, name="thought_alike"),
]
