from django.urls import path

from agents.skills import views

urlpatterns = [
    path("permissions/skills/", views.skills, name="skills"),
    path("permissions/skills/penny-skills.zip", views.export_all, name="skills_export"),
    path("permissions/skills/new/", views.new, name="new_skill"),
    path("permissions/skills/of/<slug:name>/", views.skill, name="skill"),
    path("permissions/skills/of/<slug:name>/edit/", views.edit, name="skill_edit"),
    path("permissions/skills/of/<slug:name>/try/", views.attempt, name="skill_try"),
    path("permissions/skills/of/<slug:name>/trials/<int:pk>/", views.trial, name="skill_trial"),
    path("permissions/skills/of/<slug:name>/export/", views.export, name="skill_export"),
    *views.row_views.urls("permissions/skills/of/<slug:name>/"),
    path("permissions/skills/of/<slug:name>/versions/<int:number>/", views.version, name="skill_version"),
    path("permissions/skills/of/<slug:name>/versions/<int:number>/approve/", views.approve, name="skill_approve"),
    path("permissions/skills/of/<slug:name>/versions/<int:number>/sites/", views.name_sites, name="skill_sites"),
    path("permissions/skills/of/<slug:name>/versions/<int:number>/unapprove/", views.unapprove, name="skill_unapprove"),
    path("permissions/skills/of/<slug:name>/versions/<int:number>/decline/", views.decline, name="skill_decline"),
    path("permissions/skills/of/<slug:name>/versions/<int:number>/undecline/", views.undecline, name="skill_undecline"),
]
