from django.urls import path

from agents.vault.forget import views

urlpatterns = [
    path("kept/forget/", views.forget_several, name="kept_forget_several"),
    path("kept/forgotten/<int:key>/restore/", views.undo_forgetting, name="kept_undo"),
]
