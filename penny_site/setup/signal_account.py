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


def signal_qr() -> bytes | None:
    """Return the picture by which a phone links its Signal account to Penny's server, None where it gives none."""
    try:
        with opener.open(f"{settings.SIGNAL_URL}/v1/qrcodelink?device_name=Penny", timeout=SIGNAL_TEST_S) as response:
            found: bytes = response.read(QR_BYTES)
        return found if found.startswith(b"\x89PNG") else None
    except (OSError, URLError, ValueError):
        return None


def trust_on_signal() -> bool:
    """Have Penny's server trust the owner's numbers as they are now; return whether it did. What waited for that is
    sent at once.
    """
    account = LineState.of("signal").account
    trusted = [
        account
        and _put_to_signal(
            f"/v1/identities/{_path(account)}/trust/{_path(number.address)}", {"trust_all_known_keys": True}
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
    """Give Penny's account on Signal her name and her picture; return whether Signal took them. Never to a number of
    the owner's own.
    """
    account = LineState.of("signal").account
    if not account or Device.objects.active().filter(kind=Device.Kind.SIGNAL, address=account).exists():
        return False
    picture = base64.b64encode((ROOT / "penny_site/static/penny/icons/penny-512.png").read_bytes()).decode()
    return _put_to_signal(f"/v1/profiles/{_path(account)}", {"name": "Penny", "about": "", "base64_avatar": picture})


def _path(number: str) -> str:
    return quote(number, safe="")


def _put_to_signal(path: str, body: dict[str, Any]) -> bool:
    headers = {"Content-Type": "application/json"}
    request = Request(f"{settings.SIGNAL_URL}{path}", json.dumps(body).encode(), headers, method="PUT")  # noqa: S310
    try:
        with opener.open(request, timeout=SIGNAL_TEST_S) as response:
            return bool(response.status in (200, 201, 204))
    except (OSError, URLError, ValueError):
        return False
