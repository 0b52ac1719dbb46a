"""Files that the owner keeps are found by their words; their bytes are stored nowhere."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from agents.vault import keep
from agents.vault.keep import NotKept, keep_file
from agents.vault.search import Scope, search_kept
from tests.page_client import PageClient
from tests.stand_ins.pdfs import article_pages, pdf
from thoughts.index import passages
from thoughts.models import Kept, Page

pytestmark = pytest.mark.django_db(transaction=True)

WORDS = "The boiler of the machine holds two litres. Its valve opens at eleven bar, which protects the group."
PDF = pdf(article_pages("Manual", [WORDS]))


def send_files(client: PageClient, *files: SimpleUploadedFile) -> str:
    return client.post("/kept/file/", {"file": files}, follow=True).content.decode()


def test_a_pdf_is_kept_and_found_by_its_words(owner_client: PageClient) -> None:
    html = send_files(owner_client, SimpleUploadedFile("manual.pdf", PDF))
    assert "“manual.pdf” is kept." in html
    row = Kept.objects.get()
    assert (row.source, row.mime, row.size_bytes, row.origin) == ("file", "application/pdf", len(PDF), ["attachment"])
    assert "holds two litres" in row.page.text
    while passages.index_some():
        pass
    [first, *_] = [one for one in search_kept("valve opens", Scope(source="file")).passages if one.end]
    assert "eleven bar" in row.page.text[first.start : first.end]


def test_several_files_are_kept_at_once_and_each_refusal_is_told(owner_client: PageClient) -> None:
    files = [
        SimpleUploadedFile("notes.md", WORDS.encode()),
        SimpleUploadedFile("locked.pdf", pdf(article_pages("Manual", [WORDS]), is_locked=True)),
        SimpleUploadedFile("empty.txt", b" \n "),
    ]
    html = send_files(owner_client, *files)
    assert "“notes.md” is kept." in html
    assert "“locked.pdf” asks for a password." in html
    assert "“empty.txt” holds no words." in html
    assert [row.name for row in Kept.objects.all()] == ["notes.md"]
    assert Page.objects.count() == 1


def test_the_same_words_are_kept_once_and_come_back_when_they_were_forgotten() -> None:
    first = keep_file("notes.md", WORDS.encode())
    Kept.objects.filter(pk=first.pk).set_deleted(first.kept_at)
    assert keep_file("again.md", WORDS.encode()).pk == first.pk
    assert Kept.objects.kept().count() == 1


def test_a_file_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keep, "FILE_BYTES", 10)
    with pytest.raises(NotKept, match="larger than"):
        keep_file("notes.md", WORDS.encode())


def test_without_a_file_the_page_says_so(owner_client: PageClient) -> None:
    assert "Choose a file first." in send_files(owner_client)


def test_the_page_offers_to_keep_a_file_while_nothing_is_kept(owner_client: PageClient) -> None:
    assert 'action="/kept/file/"' in owner_client.get("/kept/").content.decode()
