import re
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from devices.access.pairing import open_code
from devices.models import Device, PairingCode, digest
from penny_site.backups.download import PIECE_BYTES, Download
from penny_site.setup import page as setup_page
from thoughts.models import Preference

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def request_code(client: Client) -> tuple[str, str]:
    """Return the digits on the page and the address that the page polls."""
    html = client.post("/setup/code/", headers=HTMX).content.decode()
    digits = re.search(r'id="pairing-code"[^>]*>([\d ]+)<', html)
    poll_address = re.search(r'hx-get="([^"]+)"', html)
    assert digits
    assert poll_address
    return digits[1], poll_address[1]


def connected_browser(label: str) -> Device:
    return Device.objects.create(label=label, kind=Device.Kind.BROWSER, connection="c", seen_at=timezone.now())


def screen(client: Client) -> str:
    html = client.get("/setup/").content.decode()
    headings = re.findall(r"<h1[^>]*>(.*?)</h1>", html, re.DOTALL)
    assert f"<title>{headings[0].strip()}" in html
    return str(headings[0].strip())


def test_a_new_owner_sees_how_to_connect_this_browser_and_nothing_else(owner_client: Client) -> None:
    assert screen(owner_client) == "Connect this browser"
    html = owner_client.get("/setup/").content.decode()
    main = html[html.index("<main") :]
    assert re.findall(r'href="([^"]+)"', main) == ["/setup/extension/chrome/", "/setup/extension/firefox/"]
    assert re.findall(r"<summary>([^<]+)</summary>", main) == ["Another browser?", "No button there? Type a code"]


@pytest.mark.parametrize(
    ("user_agent", "first"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0", "firefox"),
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36", "chrome"),
        ("", "chrome"),
    ],
)
def test_the_build_for_the_browser_that_looks_at_the_page_comes_first(
    owner_client: Client, user_agent: str, first: str
) -> None:
    html = owner_client.get("/setup/", headers={"User-Agent": user_agent}).content.decode()
    downloads = re.findall(r'class="button ?([a-z]*)" href="/setup/extension/(\w+)/"', html)
    assert downloads[0] == ("primary", first)
    assert {browser for _, browser in downloads[1:]} == {"firefox", "chrome"} - {first}


@pytest.mark.parametrize(
    "user_agent",
    [
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 "
            "Safari/605.1.15"
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            "CriOS/130.0 Mobile/15E148 Safari/604.1"
        ),
        "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36",
        "Mozilla/5.0 (Android 14; Mobile; rv:153.0) Gecko/153.0 Firefox/153.0",
        "Mozilla/5.0 (Linux; Android 14; Tablet) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36",
    ],
)
def test_a_browser_that_cannot_load_the_extension_is_told_which_can(owner_client: Client, user_agent: str) -> None:
    html = owner_client.get("/setup/", headers={"User-Agent": user_agent}).content.decode()
    assert "Connect a browser" in html
    assert "On a computer, Firefox, Chrome, Edge" in html
    assert "/setup/extension/" not in html


def test_a_connected_browser_turns_the_page_into_the_box_of_the_first_interest(owner_client: Client) -> None:
    def poll() -> HttpResponse:
        return owner_client.get("/setup/?screen=connect", headers=HTMX)  # type: ignore[return-value]

    assert poll().status_code == 204
    device = Device.objects.create(label="Kitchen", kind=Device.Kind.BROWSER)
    assert poll().status_code == 204  # it is paired, and about to connect
    Device.objects.update(connection="c", seen_at=timezone.now())
    answer = poll()
    html = answer.content.decode()
    assert answer.headers["HX-Retarget"] == "#screen"
    assert "<title>What should Penny look for? · Penny</title>" in html
    assert '<p id="turned" hx-swap-oob="innerHTML"><b>Kitchen</b> is connected.' in html
    assert html.count("data-example") == 3
    assert 'href="/settings/model/">Add one</a>' in html
    Device.objects.filter(pk=device.pk).update(connection=None)
    assert owner_client.get("/setup/?screen=ask", headers=HTMX).status_code == 204  # the owner may be writing


def test_a_paired_browser_that_does_not_connect_is_listed(owner_client: Client) -> None:
    Device.objects.create(label="Kitchen", kind=Device.Kind.BROWSER)
    Device.objects.update(created_at=timezone.now() - timedelta(seconds=11))
    assert "Your browsers" in owner_client.get("/setup/?screen=connect", headers=HTMX).content.decode()


def test_the_first_interest_is_added_on_the_page_and_leads_to_the_feed(owner_client: Client) -> None:
    connected_browser("Kitchen")
    html = owner_client.get("/setup/").content.decode()
    form = html[html.index('class="first-interest"') :]
    fields = dict(re.findall(r'type="hidden" name="(next|valence)" value="([^"]*)"', form))
    answer = owner_client.post("/interests/", fields | {"text": "night trains"})
    assert answer.headers["Location"] == "/"
    assert [(row.text, row.valence) for row in Preference.objects.all()] == [("night trains", Preference.Valence.LIKE)]


def test_a_page_that_asks_leads_to_the_feed_when_the_sidebar_was_answered(owner_client: Client) -> None:
    connected_browser("Kitchen")
    Preference.objects.create(text="night trains", valence=Preference.Valence.LIKE)
    assert owner_client.get("/setup/?screen=ask", headers=HTMX).headers["HX-Redirect"] == "/"


def test_with_an_interest_the_page_lists_browsers_and_refreshes_the_list_in_place(owner_client: Client) -> None:
    Preference.objects.create(text="night trains", valence=Preference.Valence.LIKE)
    assert screen(owner_client) == "Connect this browser"
    connected_browser("Kitchen")
    Device.objects.create(label="Editor", kind=Device.Kind.API)
    assert screen(owner_client) == "Your browsers"
    html = owner_client.get("/setup/").content.decode()
    assert "Editor" not in html
    assert "Connect another browser" in html
    answer = owner_client.get("/setup/?screen=browsers", headers=HTMX)
    assert "Kitchen" in answer.content.decode()
    assert "HX-Retarget" not in answer.headers
    Device.objects.all().delete()
    assert owner_client.get("/setup/?screen=browsers", headers=HTMX).headers["HX-Retarget"] == "#screen"


def test_a_code_has_eight_digits_and_is_not_in_the_address_that_is_polled(owner_client: Client) -> None:
    digits, poll_address = request_code(owner_client)
    assert re.fullmatch(r"\d{4} \d{4}", digits)
    assert PairingCode.objects.get().digest == digest(digits.replace(" ", ""))
    assert digits.replace(" ", "") not in poll_address


def test_the_page_offers_a_code_by_itself_until_a_browser_is_paired(owner_client: Client) -> None:
    page = owner_client.get("/setup/").content.decode()
    assert 'hx-trigger="submit, load"' in page
    html = owner_client.post("/setup/code/", {"renewals": "10"}, headers=HTMX).content.decode()
    offered = re.search(r'data-pairing-offer="(\d{8})"', html)
    assert offered
    assert PairingCode.objects.get().digest == digest(offered[1])
    Device.objects.create(label="Kitchen", kind=Device.Kind.BROWSER)
    assert "load" not in re.findall(r'hx-trigger="submit, ([^"]+)"', owner_client.get("/setup/").content.decode())


def test_a_page_that_stays_open_renews_its_offer_ten_times(owner_client: Client) -> None:
    renewals, opened_at = "10", (timezone.now() - timedelta(minutes=3)).isoformat()
    for left in range(9, -1, -1):
        html = owner_client.post("/setup/code/", {"renewals": renewals}, headers=HTMX).content.decode()
        assert f"&amp;renewals={left}" in html
        over = {"since": opened_at, "renewals": str(left)}
        html = owner_client.get("/setup/code/", over, headers=HTMX).content.decode()
        assert ('hx-trigger="submit, load"' in html) == (left > 0)
        renewals = str(left)


def test_a_page_that_asks_by_itself_spoils_no_code_from_elsewhere(owner_client: Client) -> None:
    by_itself = {"renewals": "10"}
    assert owner_client.post("/setup/code/", by_itself, headers=HTMX).status_code == 200
    assert owner_client.post("/setup/code/", by_itself, headers=HTMX).status_code == 200  # its own one, after a reload
    open_code("Kitchen")
    elsewhere = PairingCode.objects.get()
    assert owner_client.post("/setup/code/", by_itself, headers=HTMX).status_code == 204
    assert PairingCode.objects.get() == elsewhere
    assert owner_client.post("/setup/code/", by_itself | {"pressed": "yes"}, headers=HTMX).status_code == 200
    assert PairingCode.objects.get() != elsewhere


@pytest.mark.parametrize("renewals", ["", "-1", "11", "1e9", "many", "١"])
def test_an_invalid_number_of_renewals_renews_nothing(owner_client: Client, renewals: str) -> None:
    opened_at = (timezone.now() - timedelta(minutes=3)).isoformat()
    over = {"since": opened_at, "renewals": renewals}
    assert "hx-trigger" not in owner_client.get("/setup/code/", over, headers=HTMX).content.decode()


def test_a_get_of_the_page_opens_no_code(owner_client: Client) -> None:
    owner_client.get("/setup/")
    assert not PairingCode.objects.exists()


def test_the_code_is_shown_until_a_device_is_paired(owner_client: Client) -> None:
    _, poll_address = request_code(owner_client)
    assert owner_client.get(poll_address, headers=HTMX).status_code == 204
    Device.objects.create(label="Kitchen", kind=Device.Kind.BROWSER)
    html = owner_client.get(poll_address, headers=HTMX).content.decode()
    assert "<b>Kitchen</b> is paired." in html
    assert "hx-get" not in html


def test_the_code_expires_after_two_minutes(owner_client: Client) -> None:
    opened_at = (timezone.now() - timedelta(minutes=3)).isoformat()
    html = owner_client.get("/setup/code/", {"since": opened_at}, headers=HTMX).content.decode()
    assert "The two minutes are over." in html
    assert "Show a new code" in html


@pytest.mark.parametrize("since", ["", "yesterday", "2026-01-01T00:00:00", "2026-13-45T00:00:00Z"])
def test_an_invalid_time_shows_the_button_again(owner_client: Client, since: str) -> None:
    assert "Show a code" in owner_client.get("/setup/code/", {"since": since}, headers=HTMX).content.decode()


def test_without_javascript_the_code_comes_in_the_page(owner_client: Client) -> None:
    html = owner_client.post("/setup/code/").content.decode()
    assert 'id="pairing-code"' in html
    assert "Connect this browser" in html


def test_a_test_shows_its_result(owner_client: Client) -> None:
    html = owner_client.post("/setup/test/model/", headers=HTMX).content.decode()
    assert "none is set" in html
    assert "Choose one under Settings › Model." in html


def test_without_javascript_the_result_of_a_test_comes_in_the_page(owner_client: Client) -> None:
    html = owner_client.post("/setup/test/model/").content.decode()
    assert re.search(r'id="result-model" role="status"><p class="notice warn">', html)


@pytest.mark.parametrize("part", ["database", "nothing"])
def test_a_part_without_a_test_is_not_found(owner_client: Client, part: str) -> None:
    assert owner_client.post(f"/setup/test/{part}/").status_code == 404


def test_paired_devices_are_listed_and_lead_to_permissions(owner_client: Client) -> None:
    Preference.objects.create(text="night trains", valence=Preference.Valence.LIKE)
    connected_browser("Kitchen")
    Device.objects.create(label="Old laptop", kind=Device.Kind.BROWSER, revoked_at=timezone.now())
    html = owner_client.get("/setup/").content.decode()
    assert "Kitchen" in html
    assert 'href="/permissions/browsers/' in html
    assert "Old laptop" not in html


def test_an_extension_that_is_not_built_says_how_to_build_it(
    owner_client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(setup_page, "ROOT", tmp_path)
    answer = owner_client.get("/setup/extension/firefox/")
    assert answer.status_code == 404
    assert "make install" in answer.content.decode()


def test_an_extension_is_downloaded_under_its_name(
    owner_client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(setup_page, "ROOT", tmp_path)
    folder = tmp_path / "browser_ext" / ".output"
    folder.mkdir(parents=True)
    (folder / "penny-chrome.zip").write_bytes(b"zip")
    answer = owner_client.get("/setup/extension/chrome/")
    assert b"".join(answer.streaming_content) == b"zip"  # type: ignore[attr-defined]
    assert answer.headers["Content-Disposition"] == 'attachment; filename="penny-chrome.zip"'
    answer.close()


def test_no_other_file_can_be_downloaded(owner_client: Client) -> None:
    assert owner_client.get("/setup/extension/safari/").status_code == 404
    assert owner_client.get("/setup/extension/..%2f..%2fmanage/").status_code == 404


async def test_a_large_file_is_sent_in_pieces(tmp_path: Path) -> None:
    """Read it as an ASGI server does: a backup may be larger than memory."""
    whole = bytes(range(256)) * 5_000
    (tmp_path / "large.zip").write_bytes(whole)
    with closing(Download(tmp_path / "large.zip")) as download:
        pieces = [piece async for piece in download]
    assert b"".join(pieces) == whole
    assert max(len(piece) for piece in pieces) == PIECE_BYTES < len(whole)
