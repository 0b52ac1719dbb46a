"""The handbook: its pages, their order and links, and the help link of Penny's pages."""

import re

import pytest
from django.test import Client
from django.test.utils import override_script_prefix
from django.urls import get_resolver, reverse

from penny_site.frame.places import ADMIN, PLACES, SETTINGS
from penny_site.help.handbook import CONTENTS, Handbook, Page, handbook

pytestmark = pytest.mark.django_db
PAGES = sorted(handbook().pages)


def ids_and_links(html: str) -> tuple[set[str], list[str]]:
    return set(re.findall(r' id="([^"]+)"', html)), re.findall(r'<a href="([^"]+)"', html)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_shown_with_its_title_and_its_neighbours(client: Client, name: str) -> None:
    page = handbook().pages[name]
    html = client.get(page.address).content.decode()
    before, after = handbook().neighbours(page)
    assert f"<title>{page.title} · Help · Penny</title>".replace("'", "&#x27;") in html
    assert f'<h1 id="{page.sections[0].id}">' in html
    assert [f'rel="prev" href="{before.address}"' in html] == [True] if before else 'rel="prev"' not in html
    assert [f'rel="next" href="{after.address}"' in html] == [True] if after else 'rel="next"' not in html


def test_every_page_is_listed_in_the_contents_once() -> None:
    assert sorted(page.name for page in handbook().in_order) == [name for name in PAGES if name != CONTENTS]


def test_from_the_contents_next_leads_through_the_whole_handbook() -> None:
    page: Page | None = handbook().pages[CONTENTS]
    visited_names = []
    while page:
        visited_names.append(page.name)
        page = handbook().neighbours(page)[1]
    assert sorted(visited_names) == PAGES


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_to_an_existing_page_and_heading_or_to_the_web(client: Client, name: str) -> None:
    page = handbook().pages[name]
    own, links = ids_and_links(page.html)
    wrong = []
    for link in links:
        address, _, anchor = link.partition("#")
        if link.startswith("https://"):
            continue
        ids = own if not address else ids_and_links(client.get(address).content.decode())[0]
        if anchor and anchor not in ids:
            wrong.append(link)
    assert wrong == []


@pytest.mark.parametrize("name", PAGES)
def test_no_link_and_no_picture_of_the_texts_is_dropped(name: str) -> None:
    page = handbook().pages[name]
    without_code = re.sub(r"```.*?```|`[^`\n]*`", "", page.markdown, flags=re.DOTALL)
    links = re.findall(r"(?<!!)\[[^\]]*\]\(", without_code)
    pictures = re.findall(r"!\[[^\]]*\]\(", without_code)
    assert len(ids_and_links(page.html)[1]) == len(links)
    assert page.html.count("<img src=") == len(pictures)


def test_every_picture_is_shown_somewhere_and_is_a_png(client: Client) -> None:
    html = "".join(handbook().pages[name].html for name in PAGES)
    for picture in handbook().pictures.values():
        address = reverse("help_picture", args=[picture.name])
        assert f'<img src="{address}"' in html
        answer = client.get(address)
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/png")
        assert answer.content.startswith(b"\x89PNG")
        assert min(picture.size) > 100


def test_the_owner_sees_the_handbook_in_the_frame_of_all_pages(owner_client: Client) -> None:
    html = owner_client.get("/help/feed/").content.decode()
    assert '<nav class="places" aria-label="Penny">' in html
    assert 'href="/">Open Feed › New</a>' in html


@pytest.mark.parametrize(
    ("page", "about"),
    [
        ("/", "/help/feed/"),
        ("/chat/", "/help/chat/"),
        ("/watches/", "/help/watches/"),
        ("/interests/", "/help/interests/"),
        ("/activity/routine/", "/help/routines/"),
        ("/setup/", "/help/first-hour/"),
        ("/permissions/skills/", "/help/skills/"),
        ("/memory/", "/help/memory/"),
        ("/help/", "/help/"),
        ("/nowhere/", "/help/"),
    ],
)
def test_the_header_of_a_page_leads_to_the_page_about_it(owner_client: Client, page: str, about: str) -> None:
    header = owner_client.get(page).content.decode().partition("<header")[2].partition("</header>")[0]
    assert f'href="{about}"><span aria-hidden="true">?</span><span class="unseen">Help</span></a>' in header


def test_the_admin_leads_to_the_handbook(owner_client: Client) -> None:
    assert 'href="/help/settings/"' in owner_client.get("/admin/").content.decode()


def test_the_sign_in_page_links_to_the_page_about_signing_in(client: Client) -> None:
    assert 'href="/help/signing-in/"' in client.get("/sign-in/").content.decode()


def test_every_page_of_a_place_exists_with_its_page_of_the_handbook() -> None:
    routes = {str(name) for name in get_resolver().reverse_dict if isinstance(name, str)} | {ADMIN}
    tabs = [tab for place in (*PLACES, SETTINGS) for tab in place.tabs]
    assert {page for tab in tabs for page in tab.pages} <= routes
    assert {tab.help for tab in tabs} <= set(PAGES)


def test_below_a_base_path_every_link_begins_with_it(client: Client) -> None:
    with override_script_prefix("/penny/"):
        html = client.get("/help/first-hour/").content.decode()
    assert '<a href="/penny/help/signing-in/"' in html
    assert '<img src="/penny/help/pictures/sidebar.png"' in html
    assert '<a href="/help/signing-in/"' in client.get("/help/first-hour/").content.decode()


def test_a_broken_link_loses_its_address_and_keeps_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    from penny_site.help import handbook as module

    links = "[a](../settings.py) [b](gone.md) [c](http://plain.example) [d](javascript:x) [e](/admin/)"
    text = f"# T\n\n{links} ![f](pictures/gone.png)\n"
    monkeypatch.setattr(module, "handbook", lambda: Handbook({"t": module._page("t", text)}, {}))
    module._render_html.cache_clear()
    try:
        assert "href" not in module._render_html("t", "/")
        assert "<img" not in module._render_html("t", "/")
        assert "f</p>" in module._render_html("t", "/")
    finally:
        module._render_html.cache_clear()
