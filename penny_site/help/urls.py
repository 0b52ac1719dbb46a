from django.urls import path

from penny_site.help import views

urlpatterns = [
    path("", views.contents, name="help"),
    path("<slug:name>/", views.handbook_page, name="help_page"),
    path("pictures/<str:name>", views.picture, name="help_picture"),
]
