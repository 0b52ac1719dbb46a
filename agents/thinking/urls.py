from django.urls import path

from agents.thinking import views

urlpatterns = [
    path("looking/", views.looking, name="looking"),
    path("looking/now/", views.look_now, name="look_now"),
]
