"""Whether a page may be kept that a browser sent by itself.

The browser decides first, and sees more: fields, headers, the window. Here stands what the server can tell as well, so
that a browser that is mistaken, or a program in its place, keeps nothing that the owner did not switch on.
"""

from datetime import timedelta
from typing import NoReturn

from django.utils import timezone

from agents.vault.keep import NotKept
from devices import protocol
from devices.grants.grants import Decision, decide
from devices.models import Device
from devices.web.address import Address
from devices.web.hosts import HostInvalid
from devices.web.visits import bare_domain
from thoughts.models import Kept
from thoughts.text.private.correspondence import is_correspondence
from thoughts.text.private.secrets import SURE, secrets_in
from thoughts.text.private.topics import topic_of

WORDS_LEAST = 40
A_MINUTE, A_DAY = timedelta(minutes=1), timedelta(days=1)
# A browser sends six a minute, and what waited while it was away: twenty pages at most.
A_MINUTE_MOST, A_DAY_MOST = 30, 600
MASKED_PART = 0.02


def check_may_keep(page: protocol.Page, masked: int, device: Device) -> None:
    """Raises NotKept: the browser may not keep this page by itself."""
    keeping = Device.objects.active().filter(pk=device.pk).values_list("keeping", flat=True).first()
    if keeping in (None, Device.Keeping.OFF):
        raise NotKept("not_keeping", "This browser does not keep pages by itself.")
    try:
        address = Address.parse(page.url)
        bare_domain(address.host)
    except HostInvalid:
        raise NotKept("left_out", "Only pages of public sites are kept by themselves.") from None
    decision = decide(address.href, "keep")
    if decision.is_blocked:
        _leave_out("You left this site out.")
    if not decision.is_allowed:
        _check_not_chosen(keeping, decision, address, page)
    if is_correspondence(address.host):
        _leave_out("Mail and messages are not kept by themselves.")
    _check_text(page, masked)
    _check_rates(device)


def _check_not_chosen(keeping: str, decision: Decision, address: Address, page: protocol.Page) -> None:
    if keeping != Device.Keeping.ALL:
        _leave_out(f"You did not choose {decision.host} to be kept.")
    if address.href != address.stored:
        _leave_out("The address of this page seems to hold a secret.")
    path = address.stored.split("/", 3)[-1]
    if topic_of(address.host, path, page.title):
        _leave_out("This page seems to be about health, money or sex.")


def _check_text(page: protocol.Page, masked: int) -> None:
    words = page.words if page.words is not None else len(page.text.split())
    if words < WORDS_LEAST:
        raise NotKept("no_words", "That page has too few words to keep.")
    if masked > MASKED_PART * words:
        _leave_out("That page holds many secrets.")
    # Others need a word beside them: what the browser covered can make one seem to be there.
    if any(secret.kind in SURE for secret in secrets_in(f"{page.title}\n{page.text}")):
        _leave_out("That page holds a secret.")


def _check_rates(device: Device) -> None:
    rows = Kept.objects.filter(device=device.pk.hex, source=Kept.Source.AUTO)
    now = timezone.now()
    for span, most in ((A_MINUTE, A_MINUTE_MOST), (A_DAY, A_DAY_MOST)):
        if rows.filter(kept_at__gt=now - span).count() >= most:
            raise NotKept("too_many_kept", "This browser kept too many pages by itself in a short time.")


def _leave_out(why: str) -> NoReturn:
    raise NotKept("left_out", f"{why} It is not kept.")
