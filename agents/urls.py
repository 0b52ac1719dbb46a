from django.urls import path

from agents import views

urlpatterns = [
    path("runs/<uuid:pk>/", views.run, name="run"),
    path("turns/<uuid:turn_id>/", views.turn, name="turn"),
    path("turns/<uuid:turn_id>/evidence/<int:number>/", views.answer_evidence, name="answer_evidence"),
]
