from django.urls import path

from agents.vault.files import views

urlpatterns = [path("kept/file/", views.keep_file, name="kept_file")]
