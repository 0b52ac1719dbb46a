from django.urls import path

from agents import views

urlpatterns = [
    path("preferences/<int:pk>/forget/", views.forget, name="preference_forget"),
    path("runs/<uuid:pk>/", views.run, name="run"),
    path("turns/<uuid:turn_id>/", views.turn, name="turn"),
    path("turns/<uuid:turn_id>/evidence/<int:number>/", views.answer_evidence, name="answer_evidence"),
]
