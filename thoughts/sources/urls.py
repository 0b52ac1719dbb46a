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
    *views.row_views.urls("sources/<int:pk>/"),
    path("sources/<int:pk>/allow/", views.source_allow, name="source_allow"),
    path("sources/<int:pk>/disallow/", views.source_disallow, name="source_disallow"),
]
