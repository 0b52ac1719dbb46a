from django.urls import path

from agents.run_pages import views

urlpatterns = [
    path("preferences/<int:pk>/forget/", views.forget, name="preference_forget"),
    path("runs/<uuid:pk>/", views.run, name="run"),
    path("thoughts/<uuid:pk>/dig/", views.thought_dig, name="thought_dig"),
    path("turns/<uuid:turn_id>/", views.turn, name="turn"),
    path("turns/<uuid:turn_id>/evidence/<int:number>/", views.answer_evidence, name="answer_evidence"),
    path("schedules/", views.all_schedules, name="schedules"),
    path("schedules/new/", views.new_schedule, name="new_schedule"),
    path("schedules/times/", views.schedule_times, name="schedule_times"),
    path("schedules/<int:pk>/", views.schedule, name="schedule"),
    path("schedules/<int:pk>/run/", views.schedule_run, name="schedule_run"),
    path("schedules/<int:pk>/pause/", views.schedule_pause, name="schedule_pause"),
    path("schedules/<int:pk>/resume/", views.schedule_resume, name="schedule_resume"),
    path("schedules/<int:pk>/delete/", views.schedule_delete, name="schedule_delete"),
    path("schedules/<int:pk>/restore/", views.schedule_restore, name="schedule_restore"),
    path("asks/<uuid:prompt>/", views.ask_answer, name="ask_answer"),
    path("commands/", views.command_list, name="command_list"),
    path("chat/conversation.<slug:form>", views.conversation_export, name="conversation_export"),
    path("digest/", views.digests, name="digests"),
]
