from django.urls import path

from agents.vault.transfer import views

urlpatterns = [
    path("kept/move/", views.move, name="kept_move"),
    path("kept/export/", views.export_kept, name="kept_export"),
    path("kept/imports/<int:pk>/", views.show_import, name="kept_import"),
    path("kept/imports/<int:pk>/facts/", views.decide_imported_facts, name="kept_import_facts"),
]
