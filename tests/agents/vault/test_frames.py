"""A browser keeps a page that the owner chose, and asks whether it is kept."""

import hashlib
from typing import Any
from uuid import uuid4

import pytest

from agents.frames import vault
from agents.frames.answer import answer_frame
from agents.vault.keep import key_of
from agents.vault.never import NEVER
from agents.vault.search import search_kept
from devices import protocol
from devices.models import Device
from devices.owner.account import the_owner
from devices.protocol import frames
from devices.web.address import Address
from tests.client import make_page
from thoughts.index import passages
from thoughts.models import Kept, Page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
URL = "https://clinic.example/team"
CONTACTS = {"emails": ["ada@brunswick.example"], "phones": ["+17325550142"], "profiles": ["https://github.com/ada"]}


@pytest.fixture
def keeper() -> Device:
    return Device.objects.create(label="Desk", kind=Device.Kind.BROWSER)


def vault_answer(device: Device, **frame: Any) -> protocol.ServerFrame:
    client_frame: Any = frames._client.validate_python({"ref": str(uuid4())} | frame)
    [answer] = answer_frame(the_owner(), device, client_frame)
    return answer


def keep(
    device: Device, why: str = "asked", url: str = URL, text: str = "Come by at noon.", **fields: Any
) -> protocol.ServerFrame:
    signs = {"private_window": False, "asks_secret": False} | fields
    page = make_page(url, "Our team", text).model_dump()
    return vault_answer(device, type="page.keep", page=page, why=why, contacts=CONTACTS, masked=1, **signs)


def kept_at(device: Device, address: str) -> Any:
    answer = vault_answer(device, type="kept.look", key=key_of(address))
    assert isinstance(answer, protocol.KeptState)
    times = {row.pk: row.kept_at for row in Kept.objects.kept()}
    assert answer.kept_at == (times[answer.entry] if answer.entry else None)
    return answer.kept_at


def test_a_page_that_the_owner_keeps_is_stored_with_its_contacts_and_found_by_them(keeper: Device) -> None:
    assert isinstance(keep(keeper), protocol.Ack)
    row = Kept.objects.get()
    assert (row.source, row.masked, row.contacts, row.keep_until) == ("asked", 1, CONTACTS, None)
    passages.index_some()
    for question in ("brunswick email", "team phone", "github profile"):
        assert [one.entry for one in search_kept(question).passages] == [row.pk], question


def test_a_browser_is_told_when_a_page_was_kept(keeper: Device) -> None:
    assert kept_at(keeper, URL) is None
    keep(keeper)
    row = Kept.objects.get()
    assert kept_at(keeper, URL) == row.kept_at
    assert kept_at(keeper, f"{URL}#part") == row.kept_at
    assert kept_at(keeper, f"{URL}/other") is None
    Kept.objects.filter(pk=row.pk).set_deleted(row.kept_at)
    assert kept_at(keeper, URL) is None


@pytest.mark.parametrize(
    ("rule", "fields"),
    [
        ("private_window", {"private_window": True}),
        ("secret_field", {"asks_secret": True}),
        ("unsaid", {"private_window": None}),
        ("unsaid", {"asks_secret": None}),
    ],
)
@pytest.mark.parametrize("why", ["asked", "auto"])
def test_what_is_never_kept_is_refused_whatever_the_browser_thinks_of_it(
    rule: str, fields: dict[str, Any], why: str, keeper: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vault, "check_may_keep", lambda *_: None)
    answer = keep(keeper, why, **fields)
    assert isinstance(answer, protocol.Error)
    assert (answer.code, Kept.objects.count(), Page.objects.count()) == ("left_out", 0, 0)
    monkeypatch.delitem(NEVER, rule)
    assert isinstance(keep(keeper, why, **fields), protocol.Ack)


def test_no_page_of_penny_is_kept_and_without_that_rule_it_is(
    keeper: Device, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"{settings.PUBLIC_URL}/memory/"
    answer = keep(keeper, url=url)
    assert isinstance(answer, protocol.Error)
    assert (answer.code, Kept.objects.count()) == ("left_out", 0)
    monkeypatch.setattr(Address, "is_own", False)
    assert isinstance(keep(keeper, url=url), protocol.Ack)


def test_no_secret_of_a_page_is_stored_whoever_covers_it_and_without_the_cover_it_is(
    keeper: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a changed extension sends: secrets in every text, one behind characters that cleaning takes out."""
    card, code = "4111 1111 1111 1111", "Your verification code is 482913."
    texts = {
        "title": f"Card {card}",
        "text": f"{'Water is heated in a boiler. ' * 900}Card 4111 11\u200b11 1111 1111. {code} [Card](l1)",
        "left_out": f"Password: correcthorse99 and {card}",
        "links": [{"text": f"Card {card}", "url": URL}, {"text": "Our team", "url": URL}],
        "metadata": {"kind": "article", "author": card, "title": "Our team"},
    }
    page = make_page(URL, "", "").model_dump() | texts
    contacts = {"emails": ["ada@brunswick.example"], "phones": ["378282246310005", "+17325550142"]}
    signs = {"private_window": False, "asks_secret": False, "masked": 1, "contacts": contacts}
    for _ in range(2):
        assert isinstance(vault_answer(keeper, type="page.keep", page=page, why="asked", **signs), protocol.Ack)
    row = Kept.objects.select_related("page").get()
    in_rows = str([*Page.objects.values(), *Kept.objects.values()])
    for secret in ("1111 1111", "482913", "correcthorse99", "378282246310005"):
        assert secret not in in_rows
    assert (row.masked, row.page.title, row.page.metadata["author"]) == (8, "Card ▮", "▮")
    assert row.page.links[1] == {"text": "Our team", "url": URL}
    assert row.sha256 == row.page.sha256 == hashlib.sha256(row.page.text.encode()).hexdigest()
    assert row.contacts == {"emails": ["ada@brunswick.example"], "phones": ["+17325550142"]}
    passages.index_some()
    found_texts = [row.page.text[one.start : one.end] for one in search_kept("card verification").passages]
    assert any(text.endswith("verification code is ▮. [Card](l1)") for text in found_texts)
    monkeypatch.setattr("agents.vault.keep.cover_page", lambda _: 0)
    vault_answer(keeper, type="page.keep", page=page, why="asked", **signs)
    assert Page.objects.filter(text__contains="482913").count() == 1


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ({"why": "auto"}, "not_keeping"),
        ({"url": "ftp://clinic.example/"}, "bad_url"),
        ({"text": " \n"}, "no_words"),
    ],
)
def test_a_page_that_is_not_kept_is_refused_with_a_reason(keeper: Device, frame: dict[str, str], code: str) -> None:
    answer = keep(keeper, **frame)
    assert isinstance(answer, protocol.Error)
    assert (answer.code, Kept.objects.count()) == (code, 0)
    assert answer.ref
