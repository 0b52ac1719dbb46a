"""Files that a browser sends in parts: put together on the disk, read by the worker, then deleted.

What became of a file stays for as long as its browser may ask for it again.
"""

import base64
import binascii
import hashlib
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal
from uuid import UUID

import structlog
from django.conf import settings
from kombu.exceptions import OperationalError
from pydantic import BaseModel, ValidationError
from redis.exceptions import RedisError

from agents.vault.keep import NotKept, keep_file
from devices import disk, protocol
from devices.models import Device

TASK = "agents.keep_sent_file"
STAYS_FOR = timedelta(minutes=10)
READING_S = 180  # no file takes as long: its worker is gone
OPEN_OF_A_DEVICE = 4
GONE = "That file did not arrive whole. Send it again."
log = structlog.get_logger("penny.vault")


class _State(BaseModel):
    name: str
    size_bytes: int
    sha256: str
    step: Literal["arriving", "reading", "kept", "refused"] = "arriving"
    message: str = ""


def begin_file(device: Device, frame: protocol.FileBegin) -> protocol.FileState:
    """Return how far a file is; one that is not known begins. Raises NotKept, DiskFull."""
    own = _own_folder(device)
    state = _read_state(own, frame.ref)
    if state is None:
        disk.check_room()
        own.mkdir(mode=0o700, parents=True, exist_ok=True)
        if len(list(own.glob("*.part"))) >= OPEN_OF_A_DEVICE:
            raise NotKept("too_many", f"{OPEN_OF_A_DEVICE} files are on their way already. Wait until one is kept.")
        _part_path(own, frame.ref).touch(mode=0o600)
        state = _State(name=frame.name, size_bytes=frame.size_bytes, sha256=frame.sha256)
        _write_state(own, frame.ref, state)
    elif state.sha256 != frame.sha256:
        raise NotKept("file_broken", GONE)
    elif state.step == "reading" and time.time() - _state_path(own, frame.ref).stat().st_mtime > READING_S:
        state = _end_sent(own, frame.ref, state, GONE)
    return _answer_of(own, frame.ref, state)


def take_part(device: Device, frame: protocol.FilePart) -> protocol.FileState:
    """Append a part if it is the next one; return how far the file is. Raises NotKept, DiskFull."""
    own = _own_folder(device)
    state = _arriving_file(own, frame.ref)
    path = _part_path(own, frame.ref)
    begun = path.stat().st_size
    data = _bytes_of(frame.data)
    if frame.index * protocol.PART_BYTES == begun:
        disk.check_room()
        if len(data) != min(protocol.PART_BYTES, state.size_bytes - begun):
            raise NotKept("file_broken", GONE)
        with path.open("ab") as file:
            file.write(data)
    return _answer_of(own, frame.ref, state)


def end_file(device: Device, ref: UUID) -> protocol.FileState:
    """Have the worker read a file that arrived. Raises NotKept."""
    from celery import current_app

    own = _own_folder(device)
    state = _arriving_file(own, ref)
    if _part_path(own, ref).stat().st_size != state.size_bytes:
        raise NotKept("file_broken", GONE)
    _write_state(own, ref, state := state.model_copy(update={"step": "reading"}))
    try:
        current_app.send_task(TASK, [device.pk.hex, str(ref)], queue="runs", ignore_result=True)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("vault.file_not_handed_over", error=type(error).__name__)
        state = _end_sent(own, ref, state, "Penny could not read it now. Send it again in a minute.")
    return _answer_of(own, ref, state)


def keep_sent_file(device_key: str, ref: UUID) -> None:
    """Read a file that arrived, keep its words, and delete it. For the worker."""
    own = _sent_files() / UUID(device_key).hex
    state = _read_state(own, ref)
    if state is None or state.step != "reading":
        return
    data = _part_path(own, ref).read_bytes()
    try:
        if hashlib.sha256(data).hexdigest() != state.sha256:
            raise NotKept("file_broken", GONE)
        keep_file(state.name, data)
    except (NotKept, disk.DiskFull) as refusal:
        _end_sent(own, ref, state, str(refusal))
        return
    _end_sent(own, ref, state, "", step="kept")


def delete_old_parts(now: datetime) -> None:
    """Delete what no browser may ask for any more."""
    for path in _sent_files().glob("*/*"):
        if path.stat().st_mtime < (now - STAYS_FOR).timestamp():
            path.unlink(missing_ok=True)


def _arriving_file(own: Path, ref: UUID) -> _State:
    state = _read_state(own, ref)
    if state is None or state.step != "arriving" or not _part_path(own, ref).exists():
        raise NotKept("file_broken", GONE)
    return state


def _end_sent(
    own: Path, ref: UUID, state: _State, message: str, step: Literal["kept", "refused"] = "refused"
) -> _State:
    ended = state.model_copy(update={"step": step, "message": message})
    _write_state(own, ref, ended)
    _part_path(own, ref).unlink(missing_ok=True)
    return ended


def _answer_of(own: Path, ref: UUID, state: _State) -> protocol.FileState:
    path = _part_path(own, ref)
    size = path.stat().st_size if state.step == "arriving" and path.exists() else state.size_bytes
    return protocol.FileState(
        ref=ref, step=state.step, parts=-(-size // protocol.PART_BYTES), message=state.message or None
    )


def _bytes_of(data: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(data + "=" * (-len(data) % 4))
    except (binascii.Error, ValueError):
        raise NotKept("file_broken", GONE) from None


def _read_state(own: Path, ref: UUID) -> _State | None:
    try:
        return _State.model_validate_json(_state_path(own, ref).read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def _write_state(own: Path, ref: UUID, state: _State) -> None:
    """Write it whole: its reader sees the old state or the new one."""
    path = _state_path(own, ref)
    fresh = path.with_suffix(".new")
    fresh.write_text(state.model_dump_json())
    fresh.replace(path)


def _sent_files() -> Path:
    return Path(settings.DATA) / "sent_files"


def _own_folder(device: Device) -> Path:
    return _sent_files() / device.pk.hex


def _part_path(own: Path, ref: UUID) -> Path:
    return own / f"{ref.hex}.part"


def _state_path(own: Path, ref: UUID) -> Path:
    return own / f"{ref.hex}.json"
