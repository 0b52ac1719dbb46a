from django.urls import path

from devices.record import views

urlpatterns = [
    path("permissions/record/", views.record, name="record"),
    path("permissions/record/penny-record.csv", views.export_record, name="record_export"),
]
