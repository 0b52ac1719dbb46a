"""Answer the frames of the vault."""

from django.contrib.auth.models import User

from agents.vault import keep
from agents.vault.auto import check_may_keep
from agents.vault.never import check_never
from devices import protocol
from devices.models import Device
from thoughts.models import Kept

Answers = list[protocol.ServerFrame]


def keep_sent_page(owner: User, device: Device, frame: protocol.PageKeep) -> Answers:
    check_never(frame)
    if frame.why == "auto":
        check_may_keep(frame.page, frame.masked, device)
    contacts = frame.contacts.model_dump() if frame.contacts else None
    keep.keep_page(frame.page, device, frame.why, contacts, frame.masked)
    return [protocol.Ack(ref=str(frame.ref))]


def find_kept_page(owner: User, device: Device, frame: protocol.KeptLook) -> Answers:
    row = Kept.objects.kept().filter(address_key=frame.key).order_by("-kept_at").only("pk", "kept_at").first()
    return [protocol.KeptState(ref=frame.ref, kept_at=row.kept_at if row else None, entry=row.pk if row else None)]
