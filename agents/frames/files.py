"""Answer the frames of a file that arrives in parts."""

from django.contrib.auth.models import User

from agents.vault.files import parts
from devices import protocol
from devices.models import Device

Answers = list[protocol.ServerFrame]


def begin_file(owner: User, device: Device, frame: protocol.FileBegin) -> Answers:
    return [parts.begin_file(device, frame)]


def take_part(owner: User, device: Device, frame: protocol.FilePart) -> Answers:
    return [parts.take_part(device, frame)]


def end_file(owner: User, device: Device, frame: protocol.FileEnd) -> Answers:
    return [parts.end_file(device, frame.ref)]
