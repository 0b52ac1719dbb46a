"""The owner's own sources: import, undo and export of files; search and pause of the list."""

import json
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from constance.test import override_config
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from agents.learning import from_files, import_files
from agents.models import Run
from devices.models import Grant
from thoughts.models import Candidate, ImportedFile, Page, Preference, Source
from thoughts.sources.files import SIZE_MAX

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
SOURCES = "/interests/sources/"

OPML = """<?xml version="1.0" encoding="UTF-8"?><opml version="2.0"><body>
<outline text="Lever espresso">
<outline text="Lab &lt;i&gt;" xmlUrl="https://lab.example/feed?token=abcdefghijklmnop" htmlUrl="https://lab.example/"/>
<outline text="Museum" xmlUrl="https://museum.example/rss"/></outline>
<outline text="A page" type="link" url="https://page.example/one#part"/>
<outline text="Again" type="link" url="https://page.example/one"/>
<outline text="Own" type="link" url="http://127.0.0.1:8787/admin/"/>
<outline text="Script" type="link" url="javascript:alert(1)"/>
</body></opml>"""
LATER = [{"title": "Other", "url": "https://other.example/", "labels": ["gaggia"], "savedAt": "x"}]


def upload(client: Client, text: str | bytes = OPML, name: str = "mine.opml") -> str:
    """Bring a file, have it read as a worker does, and return the page after that."""
    data = text if isinstance(text, bytes) else text.encode()
    answer = client.post(SOURCES, {"file": SimpleUploadedFile(name, data)}, follow=True)
    if runs := read_waiting_files():
        answer = client.get(f"{SOURCES}files/{runs[0].imported_id}/")
    return answer.content.decode()


def read_waiting_files() -> list[Run]:
    runs = list(Run.objects.filter(kind=Run.Kind.IMPORT, state=Run.State.QUEUED))
    for run in runs:
        Run.objects.filter(pk=run.pk).update(state=Run.State.RUNNING, attempt=1)
        run.refresh_from_db()
        async_to_sync(import_files.read_and_look_through)(run)
    return runs


def the_file() -> ImportedFile:
    return ImportedFile.objects.get()


def source_rows() -> list[tuple[Any, ...]]:
    return list(
        Source.objects.kept().order_by("pk").values_list("kind", "url", "feed_url", "domain", "title", "folder")
    )


def ideas() -> list[str]:
    return [row.text for row in Candidate.objects.open()]


def test_a_file_becomes_sources_and_its_page_says_what_was_found(owner_client: Client) -> None:
    html = upload(owner_client)
    assert source_rows() == [
        ("feed", "https://lab.example/", "https://lab.example/feed", "lab.example", "Lab <i>", "Lever espresso"),
        ("feed", "https://museum.example/", "https://museum.example/rss", "museum.example", "Museum", "Lever espresso"),
        ("page", "https://page.example/one", "", "page.example", "A page", ""),
    ]
    for part in (
        "<h1>mine.opml</h1>",
        "6 entries",
        "3 sources",
        "1 (twice in the file)",
        "1 (Penny&#x27;s own pages)",
        "1 (no address",
        "Lever espresso: 2",
    ):
        assert part in html, part
    assert not Grant.objects.exists()
    assert not Page.objects.exists()


def test_its_folders_are_candidates_of_which_only_the_owner_makes_preferences(owner_client: Client) -> None:
    html = upload(owner_client)
    assert ideas() == ["Lever espresso"]
    assert "Words of the file, not yours" in html
    [idea] = Candidate.objects.all()
    assert (idea.source, idea.origin) == ("import", ["lab.example", "museum.example"])
    assert not Preference.objects.exists()
    html = owner_client.post(
        f"/candidates/{idea.pk}/confirm/", {"next": f"{SOURCES}files/{the_file().pk}/"}, follow=True
    ).content.decode()
    assert "No idea from this file waits" in html
    assert list(Preference.objects.values_list("text", "valence", "source", "origin")) == [
        ("Lever espresso", 1, "import", ["owner"])
    ]


def test_names_that_hold_an_address_or_markup_are_no_candidates(owner_client: Client) -> None:
    rows = [
        {"title": "T", "url": f"https://a.example/{n}", "labels": [name]}
        for n, name in enumerate(["see evil.example/x", "<b>x</b>", "ok"])
    ]
    upload(owner_client, json.dumps(rows), "x.json")
    assert ideas() == ["ok"]


def test_an_import_is_undone_as_a_whole_and_brought_back(owner_client: Client) -> None:
    upload(owner_client)
    before, file = source_rows(), the_file()
    page = Source.objects.get(title="A page")
    owner_client.post(f"{SOURCES}{page.pk}/delete/")
    html = owner_client.post(f"{SOURCES}files/{file.pk}/undo/", follow=True).content.decode()
    assert "2 sources are gone, and the ideas from them" in html
    assert f'action="{SOURCES}files/{file.pk}/redo/"' in html
    assert (source_rows(), ideas()) == ([], [])
    owner_client.post(f"{SOURCES}files/{file.pk}/redo/")
    assert (source_rows(), ideas()) == (before[:2], ["Lever espresso"])
    owner_client.post(f"{SOURCES}{page.pk}/restore/")
    assert source_rows() == before


def test_what_two_files_brought_goes_with_the_second_of_them_and_a_confirmed_idea_stays(owner_client: Client) -> None:
    upload(owner_client)
    owner_client.post(f"/candidates/{Candidate.objects.get().pk}/confirm/")
    upload(owner_client, OPML.replace("Museum", "Renamed"), "again.opml")
    second, first = ImportedFile.objects.all()
    assert (second.added, second.known, len(source_rows())) == (0, 3, 3)
    from_files.undo_import(first, timezone.now())
    assert len(source_rows()) == 3
    from_files.undo_import(second, timezone.now())
    assert source_rows() == []
    assert [row.text for row in Preference.objects.all()] == ["Lever espresso"]


def test_a_file_that_comes_again_after_its_undo_brings_its_sources_again(owner_client: Client) -> None:
    upload(owner_client)
    from_files.undo_import(the_file(), timezone.now())
    upload(owner_client)
    assert (len(source_rows()), Source.objects.count()) == (3, 3)


def test_what_was_undone_goes_for_good_after_a_day(owner_client: Client) -> None:
    upload(owner_client)
    now = timezone.now()
    from_files.undo_import(the_file(), now - timedelta(days=1, minutes=1))
    from_files.delete_forgotten_files(now - timedelta(minutes=2))
    assert Source.objects.exists()
    from_files.delete_forgotten_files(now)
    assert not Source.objects.exists()
    assert not ImportedFile.objects.exists()
    assert not Candidate.objects.exists()


@pytest.mark.parametrize(
    ("data", "messages"),
    [
        (b"", "Choose a file|empty"),
        (b"Hello", "names no addresses"),
        (b"x" * (SIZE_MAX + 1), "larger than 64 MB"),
        (b"PK\x03\x04", "Unpack it"),
    ],
    ids=["empty", "text", "large", "archive"],
)
def test_what_cannot_be_taken_is_said_beside_the_field_and_nothing_is_stored(
    owner_client: Client, data: bytes, messages: str
) -> None:
    html = upload(owner_client, data, "x")
    assert any('<p class="wrong" role="alert">' in html and part in html for part in messages.split("|"))
    assert not ImportedFile.objects.exists()


def test_the_list_is_searched_and_narrowed_to_a_file(owner_client: Client) -> None:
    upload(owner_client)
    upload(owner_client, json.dumps(LATER), "later.json")

    def listed_names(query: str) -> list[str]:
        html = owner_client.get(f"{SOURCES}?{query}").content.decode()
        return [name for name in ("Lab &lt;i&gt;", "Museum", "A page", "Other") if f">{name}<span" in html]

    assert listed_names("") == ["Lab &lt;i&gt;", "Museum", "A page", "Other"]
    assert listed_names("q=lever+MUSEUM") == ["Museum"]
    assert listed_names("q=nothing") == []
    assert (
        listed_names("q=GAGGIA") == listed_names(f"file={ImportedFile.objects.get(name='later.json').pk}") == ["Other"]
    )


def test_a_source_is_paused_and_allowed_and_each_can_be_undone(owner_client: Client) -> None:
    upload(owner_client)
    lab = Source.objects.get(domain="lab.example")
    assert "not allowed yet" in owner_client.get(f"{SOURCES}?q=lab").content.decode()
    html = owner_client.post(f"{SOURCES}{lab.pk}/allow/", {"next": f"{SOURCES}?q=lab"}, follow=True).content.decode()
    assert "may be read" in html
    assert list(Grant.objects.values_list("host", "capability", "state", "scope", "session")) == [
        ("lab.example", "read", "allowed", "always", "clean")
    ]
    html = owner_client.post(f"{SOURCES}{lab.pk}/pause/", {"next": f"{SOURCES}?q=lab"}, follow=True).content.decode()
    assert "paused" in html
    assert f'action="{SOURCES}{lab.pk}/resume/"' in html
    owner_client.post(f"{SOURCES}{lab.pk}/resume/")
    owner_client.post(f"{SOURCES}{lab.pk}/disallow/")
    assert not Grant.objects.exists()
    assert not Source.objects.get(pk=lab.pk).paused


def add_source(client: Client, url: str, kind: str = "site", title: str = "") -> str:
    return client.post(f"{SOURCES}add/", {"url": url, "kind": kind, "title": title}, follow=True).content.decode()


@pytest.mark.parametrize(
    ("url", "kind", "title", "expected"),
    [
        ("lab.example/news", "site", "", ("site", "https://lab.example/news", "", "lab.example", "")),
        (
            "https://lab.example/rss",
            "feed",
            "Lab",
            ("feed", "https://lab.example/", "https://lab.example/rss", "lab.example", "Lab"),
        ),
        (
            " http://lab.example:8080/a#b ",
            "page",
            "Levers",
            ("page", "http://lab.example:8080/a", "", "lab.example", "Levers"),
        ),
    ],
)
def test_a_source_is_added_by_hand(
    owner_client: Client, url: str, kind: str, title: str, expected: tuple[str, ...]
) -> None:
    html = add_source(owner_client, url, kind, title)
    assert [row[:5] for row in source_rows()] == [expected]
    assert "is one of your sources now. She looks there once you allow" in html
    assert "added by you" in html
    [source] = Source.objects.all()
    owner_client.post(f"{SOURCES}{source.pk}/delete/")
    assert f'action="{SOURCES}{source.pk}/delete/"' in html
    assert source_rows() == []
    add_source(owner_client, url, kind)
    assert [row[:5] for row in source_rows()] == ([expected] if kind != "page" else [])


@pytest.mark.parametrize(
    ("fields", "where", "message"),
    [
        ({"url": ""}, "url", "Write the address"),
        ({"url": "not an address"}, "url", "not a web address"),
        ({"url": "javascript:alert(1)"}, "url", "not a web address"),
        ({"url": "ftp://a.example/"}, "url", "only http and https"),
        ({"url": "https://me:secret@a.example/"}, "url", "user name or password"),
        ({"url": "http://127.0.0.1:8787/admin/"}, "url", "Penny&#x27;s own"),
        ({"url": "https://a.example/" + "x" * 8192}, "url", "too long"),
        ({"url": "a.example", "kind": "page"}, "title", "Say what this page is about"),
        ({"url": "a.example", "title": "x" * 301}, "title", "under 300"),
        ({"url": "a.example", "kind": "x"}, "kind", "Choose a site"),
    ],
)
def test_an_address_that_cannot_be_added_is_refused_beside_its_field_and_what_was_written_stays(
    owner_client: Client, fields: dict[str, str], where: str, message: str
) -> None:
    html = owner_client.post(f"{SOURCES}add/", {"kind": "site"} | fields).content.decode()
    assert message in html.partition(f'id="id_{where}_error"')[2][:200]
    assert f'value="{escape(fields["url"])}"' in html or not fields["url"]
    assert not Source.objects.exists()


def test_what_is_a_source_already_is_said_and_another_name_for_it_is_taken(owner_client: Client) -> None:
    add_source(owner_client, "https://lab.example/", title="Lab")
    assert "“Lab” is one of your sources already" in add_source(owner_client, "lab.example", title="Lab")
    add_source(owner_client, "lab.example", title="Levers")
    assert [row[4] for row in source_rows()] == ["Levers"]


def test_what_looks_like_a_secret_in_an_address_is_left_out_and_that_is_said(owner_client: Client) -> None:
    assert "looked like a secret" in add_source(owner_client, "https://lab.example/rss?token=abcdefghijklmnop", "feed")
    assert source_rows()[0][2] == "https://lab.example/rss"


def test_what_was_added_by_hand_stays_when_an_import_that_brought_it_too_is_undone(owner_client: Client) -> None:
    upload(owner_client)
    add_source(owner_client, "https://museum.example/rss", "feed")
    assert source_rows()[1][4] == "Museum"
    from_files.undo_import(the_file(), timezone.now())
    assert [row[4] for row in source_rows()] == ["Museum"]


@pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example/", "/chat/"])
def test_an_act_leads_back_to_the_sources_or_to_the_admin_alone(owner_client: Client, back: str) -> None:
    upload(owner_client)
    answer = owner_client.post(f"{SOURCES}{Source.objects.all()[0].pk}/pause/", {"next": back})
    assert answer.headers["Location"] == SOURCES
    answer = owner_client.post(f"{SOURCES}{Source.objects.all()[0].pk}/resume/", {"next": "/admin/thoughts/source/"})
    assert answer.headers["Location"] == "/admin/thoughts/source/"


def test_the_sources_go_out_as_opml_and_come_in_the_same_elsewhere(owner_client: Client) -> None:
    upload(owner_client)
    upload(owner_client, json.dumps(LATER), "later.json")
    before = list(
        Source.objects.kept().order_by("key").values_list("kind", "url", "feed_url", "title", "folder", "tags")
    )
    answer = owner_client.get(f"{SOURCES}penny-sources.opml")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="penny-sources.opml"'
    Source.objects.all().delete()
    upload(owner_client, answer.content)
    assert (
        list(Source.objects.kept().order_by("key").values_list("kind", "url", "feed_url", "title", "folder", "tags"))
        == before
    )


def test_an_import_stops_where_it_is_too_long_and_says_so(
    owner_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_files, "ENTRIES_MAX", 2)
    html = upload(owner_client)
    assert len(source_rows()) == 2
    assert "2 (more than" in html


def test_with_candidates_switched_off_nothing_is_suggested(owner_client: Client) -> None:
    with override_config(CANDIDATES=False):
        upload(owner_client)
        assert ideas() == []


def test_without_sources_the_page_says_how_to_get_them(owner_client: Client) -> None:
    html = owner_client.get(SOURCES).content.decode()
    assert "No sources yet" in html
    assert "Export Bookmarks to HTML" in html


def test_the_admin_lists_sources_and_undoes_a_file(owner_client: Client) -> None:
    upload(owner_client)
    assert "mine.opml" in owner_client.get("/admin/thoughts/source/").content.decode()
    chosen = {"action": "undo", "_selected_action": [the_file().pk]}
    assert (
        "3 sources are gone" in owner_client.post("/admin/thoughts/importedfile/", chosen, follow=True).content.decode()
    )
    assert source_rows() == []


TWICE = """<opml version="2.0"><body><outline text="Lab" xmlUrl="https://lab.example/rss"/>
<outline text="Coffee"><outline text="Lab" xmlUrl="https://lab.example/rss"/></outline>
<outline text="Levers"><outline text="Lab" xmlUrl="https://lab.example/rss"/></outline>
<outline text="Closed" xmlUrl="https://me:secret@lab.example/rss"/>
<outline text="Nothing"/></body></opml>"""


def test_what_stands_twice_keeps_what_each_place_says(owner_client: Client) -> None:
    html = upload(owner_client, TWICE)
    [source] = Source.objects.all()
    assert (source.folder, source.tags) == ("Coffee", "Levers")
    assert "2 (twice in the file)" in html


def test_what_is_not_taken_stands_on_the_page_with_its_line_and_no_password(owner_client: Client) -> None:
    html = " ".join(upload(owner_client, TWICE).split())
    assert 'Line 4: Closed <span class="soft">(a user name or password in the address)' in html
    assert 'Line 5: Nothing <span class="soft">(no address stands there)' in html
    assert "secret" not in html


def test_a_file_waits_for_a_worker_with_its_progress_and_is_deleted_once_it_is_read(owner_client: Client) -> None:
    html = owner_client.post(SOURCES, {"file": SimpleUploadedFile("x.opml", OPML.encode())}, follow=True)
    assert "Penny reads this file: 0 %" in html.content.decode()
    assert 'hx-trigger="every 2s"' in html.content.decode()
    path = settings.DATA / "imports" / str(the_file().pk)
    assert path.read_text() == OPML
    assert path.stat().st_mode & 0o077 == 0
    read_waiting_files()
    assert not path.exists()
    assert "Penny reads this file" not in owner_client.get(f"{SOURCES}files/{the_file().pk}/").content.decode()


def test_a_file_that_no_worker_came_to_is_deleted_and_that_is_said(owner_client: Client) -> None:
    owner_client.post(SOURCES, {"file": SimpleUploadedFile("x.opml", OPML.encode())})
    import_files.delete_left_files(timezone.now() + timedelta(hours=23))
    assert (settings.DATA / "imports" / str(the_file().pk)).exists()
    import_files.delete_left_files(timezone.now() + timedelta(hours=25))
    assert not (settings.DATA / "imports" / str(the_file().pk)).exists()
    assert "Choose it again" in owner_client.get(f"{SOURCES}files/{the_file().pk}/").content.decode()


def test_an_import_that_was_undone_while_it_waited_brings_nothing_until_it_is_redone(owner_client: Client) -> None:
    owner_client.post(SOURCES, {"file": SimpleUploadedFile("x.opml", OPML.encode())})
    from_files.undo_import(the_file(), timezone.now())
    read_waiting_files()
    assert not Source.objects.exists()
    from_files.redo_import(the_file())
    read_waiting_files()
    assert len(source_rows()) == 3
