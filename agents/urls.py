from django.urls import path

from agents.commands import views as commands_views
from agents.learning import views as learning_views
from agents.run_pages import views
from agents.schedules import views as schedules_views

urlpatterns = [
    path("interests/<int:pk>/forget/", learning_views.forget, name="preference_forget"),
    path("runs/<uuid:pk>/", views.run, name="run"),
    path("runs/<uuid:pk>/trace.json", views.run_trace, name="run_trace"),
    path("thoughts/<uuid:pk>/dig/", views.thought_dig, name="thought_dig"),
    path("turns/<uuid:turn_id>/", views.turn, name="turn"),
    path("turns/<uuid:turn_id>/evidence/<int:number>/", views.answer_evidence, name="answer_evidence"),
    path("activity/routine/", schedules_views.all_schedules, name="schedules"),
    path("activity/routine/new/", schedules_views.new_schedule, name="new_schedule"),
    path("activity/routine/times/", schedules_views.schedule_times, name="schedule_times"),
    path("activity/routine/<int:pk>/", schedules_views.schedule, name="schedule"),
    path("activity/routine/<int:pk>/run/", schedules_views.schedule_run, name="schedule_run"),
    path("activity/routine/<int:pk>/keep-moment/", schedules_views.schedule_keep_moment, name="schedule_keep_moment"),
    *schedules_views.row_views.urls("activity/routine/<int:pk>/"),
    path("commands/", commands_views.command_list, name="command_list"),
    path("chat/conversation.<slug:form>", commands_views.conversation_export, name="conversation_export"),
    path("digests/", schedules_views.digests, name="digests"),
    path("digests/<slug:day>/", schedules_views.digests, name="digest"),
]
