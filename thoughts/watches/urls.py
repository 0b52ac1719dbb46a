from django.urls import path

from thoughts.watches import views

urlpatterns = [
    path("watches/", views.watches, name="watches"),
    path("watches/<int:pk>/", views.watch, name="watch"),
    path("watches/<int:pk>/visits/<int:number>/", views.visit, name="watched_page"),
    path("watches/<int:pk>/visit/", views.watch_visit, name="watch_visit"),
    path("watches/<int:pk>/pause/", views.watch_pause, name="watch_pause"),
    path("watches/<int:pk>/resume/", views.watch_resume, name="watch_resume"),
    path("watches/<int:pk>/delete/", views.watch_delete, name="watch_delete"),
    path("watches/<int:pk>/restore/", views.watch_restore, name="watch_restore"),
]
