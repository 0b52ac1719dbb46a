from django.urls import path

from thoughts.sources import views

urlpatterns = [
    path("sources/", views.sources, name="sources"),
    path("sources/add/", views.source_add, name="source_add"),
    path("sources/penny-sources.opml", views.export, name="sources_export"),
    path("sources/files/<int:pk>/", views.imported, name="imported_file"),
    path("sources/files/<int:pk>/undo/", views.imported_undo, name="imported_file_undo"),
    path("sources/files/<int:pk>/redo/", views.imported_redo, name="imported_file_redo"),
    path("sources/files/<int:pk>/look/", views.imported_look, name="imported_file_look"),
    path("sources/<int:pk>/pause/", views.source_pause, name="source_pause"),
    path("sources/<int:pk>/resume/", views.source_resume, name="source_resume"),
    path("sources/<int:pk>/remove/", views.source_remove, name="source_remove"),
    path("sources/<int:pk>/restore/", views.source_restore, name="source_restore"),
    path("sources/<int:pk>/allow/", views.source_allow, name="source_allow"),
    path("sources/<int:pk>/disallow/", views.source_disallow, name="source_disallow"),
]
