from django.urls import path

from agents.commands import views as commands_views
from agents.learning import views as learning_views
from agents.run_pages import views
from agents.schedules import views as schedules_views

urlpatterns = [
    path("preferences/<int:pk>/forget/", learning_views.forget, name="preference_forget"),
    path("runs/<uuid:pk>/", views.run, name="run"),
    path("runs/<uuid:pk>/trace.json", views.run_trace, name="run_trace"),
    path("thoughts/<uuid:pk>/dig/", views.thought_dig, name="thought_dig"),
    path("turns/<uuid:turn_id>/", views.turn, name="turn"),
    path("turns/<uuid:turn_id>/evidence/<int:number>/", views.answer_evidence, name="answer_evidence"),
    path("schedules/", schedules_views.all_schedules, name="schedules"),
    path("schedules/new/", schedules_views.new_schedule, name="new_schedule"),
    path("schedules/times/", schedules_views.schedule_times, name="schedule_times"),
    path("schedules/<int:pk>/", schedules_views.schedule, name="schedule"),
    path("schedules/<int:pk>/run/", schedules_views.schedule_run, name="schedule_run"),
    *schedules_views.row_views.urls("schedules/<int:pk>/"),
    path("asks/<uuid:prompt>/", schedules_views.ask_answer, name="ask_answer"),
    path("commands/", commands_views.command_list, name="command_list"),
    path("chat/conversation.<slug:form>", commands_views.conversation_export, name="conversation_export"),
    path("digest/", schedules_views.digests, name="digests"),
]
