from django.urls import path

from thoughts.watches import views

urlpatterns = [
    path("watches/", views.watches, name="watches"),
    path("watches/<int:pk>/", views.show_watch, name="watch"),
    path("watches/<int:pk>/visits/<int:number>/", views.show_visit, name="watched_page"),
    path("watches/<int:pk>/visit/", views.watch_visit, name="watch_visit"),
    *views.row_views.urls("watches/<int:pk>/"),
]
