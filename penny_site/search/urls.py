from django.urls import path

from penny_site.search import views

urlpatterns = [
    path("", views.search_all, name="search"),
    path("meaning/", views.search_meaning, name="search_meaning"),
]
