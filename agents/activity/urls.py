from django.urls import path

from agents.activity import views

urlpatterns = [
    path("activity/", views.now_page, name="activity"),
    path("activity/runs/", views.all_runs, name="runs"),
    path("activity/sent/", views.sent_messages, name="sent"),
    path("activity/runs/<uuid:pk>/stop/", views.stop_run, name="run_stop"),
    path("activity/runs/<uuid:pk>/now/", views.try_run_now, name="run_now"),
    path("activity/runs/<uuid:pk>/again/", views.start_run_again, name="run_again"),
    path("activity/stop/", views.stop_all, name="stop_all"),
    path("activity/resume/", views.resume_all, name="resume_all"),
    path("activity/receipt/<str:week>/away/", views.put_receipt_away, name="receipt_away"),
    path("activity/receipt/<str:week>/back/", views.put_receipt_back, name="receipt_back"),
    path("asks/late/<uuid:pk>/", views.answer_late_question, name="late_answer"),
    path("asks/<uuid:prompt>/", views.answer_question, name="ask_answer"),
]
