from django.urls import path

from agents.vault import views

urlpatterns = [
    path("kept/", views.kept_pages, name="kept_pages"),
    path("kept/<uuid:pk>/", views.kept_page, name="kept_page"),
    path("kept/<uuid:pk>/read/", views.read_kept, name="kept_read"),
]
