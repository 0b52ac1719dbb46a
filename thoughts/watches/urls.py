from django.urls import path

from thoughts.watches import views

urlpatterns = [
    path("watches/", views.watches, name="watches"),
    path("watches/paused/", views.paused_watches, name="paused_watches"),
    path("watches/add/", views.add_watch, name="watch_add"),
    path("watches/<int:pk>/", views.show_watch, name="watch"),
    path("watches/<int:pk>/visits/<int:number>/", views.show_visit, name="watched_page"),
    path("watches/<int:pk>/visit/", views.watch_visit, name="watch_visit"),
    path("watches/<int:pk>/allow/", views.watch_allow, name="watch_allow"),
    *views.row_views.urls("watches/<int:pk>/"),
]
