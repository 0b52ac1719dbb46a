from django.urls import path, re_path

from thoughts.subscriptions import views

urlpatterns = [
    path("permissions/feeds/", views.subscriptions, name="subscriptions"),
    path("permissions/feeds/<int:pk>/revoke/", views.subscription_revoke, name="subscription_revoke"),
    path("permissions/feeds/<int:pk>/restore/", views.subscription_restore, name="subscription_restore"),
    re_path(
        r"^subscriptions/(?P<token>[\w-]{16,128})/(?P<view>new|archive|saved)\.(?P<form>atom|json)$",
        views.document,
        name="subscription",
    ),
]
