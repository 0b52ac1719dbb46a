from django.urls import path

from thoughts.sources import views

urlpatterns = [
    path("interests/sources/", views.sources, name="sources"),
    path("interests/sources/add/", views.source_add, name="source_add"),
    path("interests/sources/penny-sources.opml", views.export, name="sources_export"),
    path("interests/sources/files/<int:pk>/", views.imported, name="imported_file"),
    path("interests/sources/files/<int:pk>/undo/", views.imported_undo, name="imported_file_undo"),
    path("interests/sources/files/<int:pk>/redo/", views.imported_redo, name="imported_file_redo"),
    path("interests/sources/files/<int:pk>/look/", views.imported_look, name="imported_file_look"),
    *views.row_views.urls("interests/sources/<int:pk>/"),
    path("interests/sources/<int:pk>/allow/", views.source_allow, name="source_allow"),
    path("interests/sources/<int:pk>/disallow/", views.source_disallow, name="source_disallow"),
]
