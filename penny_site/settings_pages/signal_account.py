import base64
import json
from typing import Any
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import Request

from django.conf import settings

from devices.channels import routing
from devices.channels.signal import own_numbers
from devices.models import Delivery, Device, LineState
from devices.models.deliveries import UNTRUSTED
from penny_site.environment import ROOT
from penny_site.health.http import QR_BYTES, SIGNAL_TEST_S, opener


def fetch_signal_qr() -> bytes | None:
    """Fetch the QR code (PNG) that links a phone's account to Penny's server, or return None."""
    try:
        with opener.open(f"{settings.SIGNAL_URL}/v1/qrcodelink?device_name=Penny", timeout=SIGNAL_TEST_S) as response:
            picture: bytes = response.read(QR_BYTES)
        return picture if picture.startswith(b"\x89PNG") else None
    except (OSError, URLError, ValueError):
        return None


def trust_on_signal() -> bool:
    """Have Signal's server trust the current keys of the owner's numbers; return whether it did.

    Deliveries that waited for the trust are sent at once.
    """
    account = LineState.of("signal").account
    trusted = [
        account
        and _put_to_signal(
            f"/v1/identities/{_quote_number(account)}/trust/{_quote_number(number.address)}",
            {"trust_all_known_keys": True},
        )
        for number in own_numbers.proven_numbers()
    ]
    if not trusted or not all(trusted):
        return False
    LineState.objects.filter(line="signal", problem=UNTRUSTED).update(problem="", said="", problem_since=None)
    Delivery.objects.open().filter(device__kind=Device.Kind.SIGNAL).update(not_before=None)
    routing.wake_sender()
    return True


def name_on_signal() -> bool:
    """Set the name and picture of Penny's Signal account; return whether Signal accepted them.

    An account that is one of the owner's own numbers is left alone.
    """
    account = LineState.of("signal").account
    if not account or Device.objects.active().filter(kind=Device.Kind.SIGNAL, address=account).exists():
        return False
    picture = base64.b64encode((ROOT / "penny_site/static/penny/icons/penny-512.png").read_bytes()).decode()
    return _put_to_signal(
        f"/v1/profiles/{_quote_number(account)}", {"name": "Penny", "about": "", "base64_avatar": picture}
    )


def _quote_number(number: str) -> str:
    return quote(number, safe="")


def _put_to_signal(path: str, body: dict[str, Any]) -> bool:
    headers = {"Content-Type": "application/json"}
    request = Request(f"{settings.SIGNAL_URL}{path}", json.dumps(body).encode(), headers, method="PUT")  # noqa: S310
    try:
        with opener.open(request, timeout=SIGNAL_TEST_S) as response:
            return bool(response.status in (200, 201, 204))
    except (OSError, URLError, ValueError):
        return False
