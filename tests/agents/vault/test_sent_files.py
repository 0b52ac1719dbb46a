"""A file that arrives in parts over the socket is kept whole or not at all."""

import base64
import hashlib
import os
import time
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from agents import tasks
from agents.frames.answer import answer_frame
from agents.vault.files import parts
from devices import disk, protocol
from devices.models import Device
from devices.owner.account import the_owner
from tests.stand_ins.pdfs import article_pages, pdf
from thoughts.models import Kept

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
WORDS = "The boiler of the machine holds two litres. "
PART = protocol.PART_BYTES
LARGE = (WORDS * (2 * PART // len(WORDS) + 1)).encode()


@pytest.fixture
def sender(settings: Any, tmp_path: Path) -> Device:
    settings.DATA = tmp_path
    return Device.objects.create(label="Desk", kind=Device.Kind.BROWSER)


def file_answer(device: Device, frame: protocol.ClientFrame) -> protocol.FileState | protocol.Error:
    [one] = answer_frame(the_owner(), device, frame)
    assert isinstance(one, protocol.FileState | protocol.Error)
    return one


def begin(device: Device, data: bytes, ref: UUID, name: str = "manual.pdf") -> protocol.FileState | protocol.Error:
    sha256 = hashlib.sha256(data).hexdigest()
    return file_answer(device, protocol.FileBegin(ref=ref, name=name, size_bytes=len(data), sha256=sha256))


def send_part(device: Device, data: bytes, ref: UUID, index: int) -> protocol.FileState | protocol.Error:
    piece = base64.urlsafe_b64encode(data[index * PART : (index + 1) * PART]).decode().rstrip("=")
    return file_answer(device, protocol.FilePart(ref=ref, index=index, data=piece))


def send_all(device: Device, data: bytes, ref: UUID) -> None:
    begin(device, data, ref)
    for index in range(-(-len(data) // PART)):
        send_part(device, data, ref, index)


def end(device: Device, ref: UUID) -> protocol.FileState | protocol.Error:
    return file_answer(device, protocol.FileEnd(ref=ref))


def step_of(state: protocol.FileState | protocol.Error) -> tuple[str, int]:
    assert isinstance(state, protocol.FileState), state
    return state.step, state.parts


def left_over(tmp_path: Path) -> list[str]:
    return [path.suffix for path in tmp_path.glob("sent_files/*/*")]


def test_a_pdf_is_kept_once_the_worker_has_read_it_and_its_bytes_are_gone(sender: Device, tmp_path: Path) -> None:
    data, ref = pdf(article_pages("Manual", [WORDS])), uuid4()
    send_all(sender, data, ref)
    assert step_of(end(sender, ref)) == ("reading", 1)
    tasks.keep_sent_file(sender.pk.hex, str(ref))
    assert step_of(begin(sender, data, ref)) == ("kept", 1)
    row = Kept.objects.get()
    assert (row.source, row.name, row.size_bytes) == ("file", "manual.pdf", len(data))
    assert left_over(tmp_path) == [".json"]
    tasks.keep_sent_file(sender.pk.hex, str(ref))  # a task that came twice
    assert Kept.objects.count() == 1


def test_it_goes_on_after_a_lost_connection_and_no_part_counts_twice(sender: Device) -> None:
    ref = uuid4()
    assert step_of(begin(sender, LARGE, ref, "notes.txt")) == ("arriving", 0)
    assert step_of(send_part(sender, LARGE, ref, 0)) == ("arriving", 1)
    assert step_of(begin(sender, LARGE, ref, "notes.txt")) == ("arriving", 1)
    assert step_of(send_part(sender, LARGE, ref, 0)) == ("arriving", 1)
    assert step_of(send_part(sender, LARGE, ref, 2)) == ("arriving", 1)  # one that is not its turn
    send_part(sender, LARGE, ref, 1)
    send_part(sender, LARGE, ref, 2)
    end(sender, ref)
    tasks.keep_sent_file(sender.pk.hex, str(ref))
    assert Kept.objects.get().size_bytes == len(LARGE)


def test_a_file_that_nobody_can_read_says_why(sender: Device, tmp_path: Path) -> None:
    data, ref = pdf(article_pages("Manual", [WORDS]), is_locked=True), uuid4()
    send_all(sender, data, ref)
    end(sender, ref)
    tasks.keep_sent_file(sender.pk.hex, str(ref))
    state = begin(sender, data, ref)
    assert isinstance(state, protocol.FileState)
    assert (state.step, state.message) == (
        "refused",
        "“manual.pdf” asks for a password. Save a copy without one, and send that.",
    )
    assert left_over(tmp_path) == [".json"]
    assert not Kept.objects.exists()


def test_what_is_not_whole_is_refused(sender: Device) -> None:
    ref = uuid4()
    assert getattr(end(sender, ref), "code", "") == "file_broken"  # never begun
    begin(sender, LARGE, ref)
    send_part(sender, LARGE, ref, 0)
    assert getattr(end(sender, ref), "code", "") == "file_broken"
    assert getattr(send_part(sender, LARGE[: PART + 9], ref, 1), "code", "") == "file_broken"  # a short part
    assert getattr(begin(sender, WORDS.encode(), ref), "code", "") == "file_broken"  # another file of that name


def test_other_bytes_than_were_announced_are_not_kept(sender: Device) -> None:
    ref = uuid4()
    begin(sender, WORDS.encode(), ref)
    send_part(sender, WORDS.upper().encode(), ref, 0)
    end(sender, ref)
    tasks.keep_sent_file(sender.pk.hex, str(ref))
    assert step_of(begin(sender, WORDS.encode(), ref)) == ("refused", 1)
    assert not Kept.objects.exists()


def test_no_other_browser_goes_on_with_it(sender: Device) -> None:
    other, ref = Device.objects.create(label="Other", kind=Device.Kind.BROWSER), uuid4()
    begin(sender, LARGE, ref)
    assert getattr(send_part(other, LARGE, ref, 0), "code", "") == "file_broken"
    assert step_of(begin(other, LARGE, ref)) == ("arriving", 0)
    assert step_of(send_part(sender, LARGE, ref, 0)) == ("arriving", 1)


def test_few_are_on_their_way_at_once_and_none_where_the_disk_is_full(
    sender: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = [begin(sender, LARGE, uuid4()) for _ in range(parts.OPEN_OF_A_DEVICE + 1)]
    assert [getattr(state, "code", "") for state in states] == [""] * parts.OPEN_OF_A_DEVICE + ["too_many"]
    monkeypatch.setattr(disk, "has_room", lambda: False)
    parts.delete_old_parts(timezone.now() + 2 * parts.STAYS_FOR)
    assert getattr(begin(sender, LARGE, uuid4()), "code", "") == "disk_full"


def test_what_is_left_of_it_goes_after_ten_minutes(sender: Device, tmp_path: Path) -> None:
    begin(sender, LARGE, uuid4())
    parts.delete_old_parts(timezone.now())
    assert sorted(left_over(tmp_path)) == [".json", ".part"]
    parts.delete_old_parts(timezone.now() + parts.STAYS_FOR)
    assert left_over(tmp_path) == []


def test_a_file_whose_worker_ended_is_sent_again(sender: Device, tmp_path: Path) -> None:
    ref = uuid4()
    send_all(sender, WORDS.encode(), ref)
    assert step_of(end(sender, ref)) == ("reading", 1)
    [state] = tmp_path.glob("sent_files/*/*.json")
    os.utime(state, (long_ago := time.time() - parts.READING_S - 1, long_ago))
    assert step_of(begin(sender, WORDS.encode(), ref)) == ("refused", 1)
