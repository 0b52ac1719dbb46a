"""Answer the frames of a client: with `ack`, `error`, or the data that a frame asks for."""

from collections.abc import Sequence
from itertools import takewhile

import structlog
from django.contrib.auth.models import User
from django.db import DatabaseError

from agents.acting.steer import NoErrand
from agents.answers.attachments import AttachmentRefused
from agents.answers.conversation import temporary_chat
from agents.commands.delete import StillAnswered
from agents.frames.handlers import ACTIONS, Answers
from agents.learning import history_reports
from agents.pages.store import PageRefused
from agents.turns import start
from agents.vault.keep import NotKept
from devices import disk, protocol
from devices.conversation import messages, reactions
from devices.conversation.deletion import MessageGone
from devices.conversation.threads import ThreadGone
from devices.grants import asks
from devices.models import Device
from devices.web.hosts import HostInvalid

log = structlog.get_logger("penny.sockets")


def answer_frame(owner: User, device: Device, frame: protocol.ClientFrame, waiting_here: int = 0) -> Answers:
    """Do what a frame asks for and return the answers. `waiting_here`: open turns of its socket."""
    ref = _ref(frame)
    try:
        if isinstance(frame, protocol.ChatSend):
            start.start_turn(owner, device, frame, waiting_here)
            return [protocol.Ack(ref=str(frame.turn_id))]
        return ACTIONS[type(frame)](owner, device, frame)
    except HostInvalid as error:
        return [protocol.Error(code="bad_host", message=str(error), ref=ref)]
    except asks.AskOver as error:
        return [protocol.Error(code="over", message=str(error), ref=ref)]
    except (PageRefused, AttachmentRefused) as error:
        return [protocol.Error(code="bad_page", message=str(error), ref=ref)]
    except (start.Unsupported, temporary_chat.SealBroken, history_reports.NotShared) as error:
        return [protocol.Error(code="unsupported", message=str(error), ref=ref)]
    except history_reports.TooMany as error:
        return [protocol.Error(code="too_many", message=str(error), ref=ref)]
    except StillAnswered as error:
        return [protocol.Error(code="open", message=str(error), ref=ref)]
    except (reactions.ThoughtGone, ThreadGone, MessageGone) as error:
        return [protocol.Error(code="not_found", message=str(error), ref=ref)]
    except NotKept as error:
        return [protocol.Error(code=error.code, message=str(error), ref=ref)]
    except NoErrand as error:
        return [protocol.Error(code="no_errand", message=str(error), ref=ref)]
    except start.Busy as error:
        return [protocol.Error(code="not_stored", message=str(error), ref=ref)]
    except disk.DiskFull as error:
        return [protocol.Error(code=error.code, message=str(error), ref=ref)]
    except DatabaseError as error:
        if disk.is_full(error):
            return [protocol.Error(code=disk.DiskFull.code, message=disk.REFUSED, ref=ref)]
        log.exception("frame.failed", frame_type=frame.type)
        return [
            protocol.Error(
                code="not_stored", message="Penny could not store that. It was not lost here: send it again.", ref=ref
            )
        ]
    except Exception:
        log.exception("frame.failed", frame_type=frame.type)
        return [
            protocol.Error(code="internal", message="Something went wrong inside Penny. It is in the log.", ref=ref)
        ]


def is_plain(frame: protocol.ClientFrame) -> bool:
    """Whether a frame can be stored together with others of its kind."""
    return isinstance(frame, protocol.ChatSend) and start.is_plain(frame)


def render_ahead(frames: Sequence[protocol.ClientFrame]) -> None:
    """Render what the frames will store, outside of the thread that stores it."""
    messages.render_ahead([frame.text for frame in frames if isinstance(frame, protocol.ChatSend)])


def answer_frames(
    owner: User, device: Device, frames: Sequence[protocol.ClientFrame], waiting_here: int
) -> list[tuple[protocol.ClientFrame, Answers]]:
    """Answer frames in their order. Plain messages at the beginning are stored together."""
    plain = [frame for frame in takewhile(is_plain, frames) if isinstance(frame, protocol.ChatSend)]
    if len(plain) < 2 or not _are_stored_together(owner, device, plain, waiting_here):
        return [(frame, answer_frame(owner, device, frame, waiting_here)) for frame in frames]
    acks: list[tuple[protocol.ClientFrame, Answers]] = [
        (frame, [protocol.Ack(ref=str(frame.turn_id))]) for frame in plain
    ]
    return acks + [(frame, answer_frame(owner, device, frame, waiting_here)) for frame in frames[len(plain) :]]


def _are_stored_together(owner: User, device: Device, frames: list[protocol.ChatSend], waiting_here: int) -> bool:
    """Store messages in one transaction. On any error, each is stored and answered alone."""
    try:
        return start.start_plain_turns(owner, device, frames, waiting_here)
    except Exception:
        log.exception("frames.failed")
        return False


def reject_flooding(frame: protocol.ChatSend) -> protocol.Error:
    """Return the error for a message that is not queued, since the socket has too many.

    Leaving it unread would also delay the pings that keep the socket open.
    """
    return protocol.Error(code="not_stored", message=start.FLOODING, ref=str(frame.turn_id))


def _ref(frame: protocol.ClientFrame) -> str | None:
    for name in ("turn_id", "call_id", "request_id", "thought_id", "ref", "host"):
        if (value := getattr(frame, name, None)) is not None:
            return str(value)
    return None
