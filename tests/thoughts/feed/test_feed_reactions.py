"""Thumbs, saving, hiding and muting on the feed.

With htmx they act on the card, without JavaScript they are forms.
"""

import re
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from devices.models import Message
from thoughts.models import MutedSite, Page, Preference, Thought

pytestmark = pytest.mark.django_db

ON_FEED = {"HX-Request": "true", "HX-Current-URL": "http://testserver/"}
IN_ARCHIVE = {"HX-Request": "true", "HX-Current-URL": "http://testserver/archive/"}
UNDO = {"undo": "1"}


@pytest.fixture
def lever_thought() -> Thought:
    seed = Preference.objects.create(text="lever espresso")
    row = Thought.objects.create(
        title="A lever", text="It holds.", html="<p>It holds.</p>", preference=seed, seed_text=seed.text
    )
    url = "https://www.coffeelab.example/lever"
    page = Page.objects.create(
        url=url, domain="www.coffeelab.example", title="A", text="It holds.", extracted_with="text", sha256="0" * 64
    )
    row.pages.add(page)
    return row


def post_act(client: Client, address: str, headers: dict[str, str] | None = None, **fields: str) -> str:
    return client.post(address, fields, headers=headers or {}, follow=True).content.decode()


@pytest.mark.parametrize(
    ("valence", "words", "stays"),
    [
        ("1", "You like this: “lever espresso” counts a little more.", True),
        ("-1", "You do not like this: “lever espresso” counts a little less.", False),
    ],
)
def test_a_thumb_leaves_a_line_that_undoes_it_and_one_up_the_card_too(
    owner_client: Client, lever_thought: Thought, valence: str, words: str, stays: bool
) -> None:
    html = post_act(owner_client, f"/thoughts/{lever_thought.pk}/react/", ON_FEED, valence=valence)
    assert words in html
    assert ('class="card"' in html) is stays
    assert ('aria-pressed="true" aria-label="I like this"' in " ".join(html.split())) is stays
    assert f'/thoughts/{lever_thought.pk}/unreact/"' in html
    assert 'data-unread="0"' in html
    assert [row.pk for row in Thought.objects.archived()] == [lever_thought.pk]
    back = post_act(owner_client, f"/thoughts/{lever_thought.pk}/unreact/", ON_FEED, **UNDO)
    assert f'id="card-{lever_thought.pk}"' in back
    assert 'data-unread="1"' in back
    assert Preference.objects.get().strength == 1


def test_the_buttons_say_what_they_do_and_what_stands(owner_client: Client, lever_thought: Thought) -> None:
    pressed = re.compile(r'aria-pressed="(\w+)" aria-label="([^"]+)"')
    assert pressed.findall(owner_client.get("/").content.decode()) == [
        ("false", "I like this"),
        ("false", "I do not like this"),
        ("false", "Save"),
    ]
    post_act(owner_client, f"/thoughts/{lever_thought.pk}/react/", ON_FEED, valence="-1")
    for address in ("/archive/", f"/thoughts/{lever_thought.pk}/"):
        html = owner_client.get(address).content.decode()
        assert pressed.findall(html) == [
            ("false", "I like this"),
            ("true", "I do not like this"),
            ("false", "Save"),
        ]


def test_without_javascript_a_thumb_is_a_form_that_comes_back_with_an_undo(
    owner_client: Client, lever_thought: Thought
) -> None:
    page = owner_client.get("/").content.decode()
    form = re.search(rf'<form method="post" action="/thoughts/{lever_thought.pk}/react/".*?</form>', page, re.DOTALL)
    assert form
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form.group()))
    html = post_act(owner_client, f"/thoughts/{lever_thought.pk}/react/", None, **fields)
    assert f'<form method="post" action="/thoughts/{lever_thought.pk}/unreact/">' in html
    assert Thought.objects.get().reaction == 1
    assert 'class="card"' in post_act(owner_client, f"/thoughts/{lever_thought.pk}/unreact/", None)
    assert Thought.objects.get().reaction is None


def test_what_is_read_already_keeps_its_card_in_the_archive(owner_client: Client, lever_thought: Thought) -> None:
    lever_thought.mark_read(timezone.now())
    html = post_act(owner_client, f"/thoughts/{lever_thought.pk}/react/", IN_ARCHIVE, valence="-1")
    assert f'id="card-{lever_thought.pk}"' in html
    assert "You do not like this: “lever espresso” counts a little less." in html
    assert f'action="/thoughts/{lever_thought.pk}/unreact/"' in html


def test_the_feed_and_the_socket_say_the_same_in_the_conversation(owner_client: Client, lever_thought: Thought) -> None:
    post_act(owner_client, f"/thoughts/{lever_thought.pk}/react/", ON_FEED, valence="1")
    assert list(Message.objects.order_by("seq").values_list("kind", "text", "device_label")) == [
        ("notification", "A lever\n\nIt holds.", "Penny"),
        ("reaction", "👍", "Web page"),
    ]


@pytest.mark.parametrize("valence", ["", "0", "2", "yes"])
def test_what_is_no_reaction_changes_nothing(owner_client: Client, lever_thought: Thought, valence: str) -> None:
    assert owner_client.post(f"/thoughts/{lever_thought.pk}/react/", {"valence": valence}).status_code == 400
    assert not Message.objects.exists()


@pytest.mark.parametrize("act", ["react", "unreact", "save", "unsave", "hide", "unhide"])
def test_a_get_does_nothing_and_what_is_gone_is_not_found(
    owner_client: Client, lever_thought: Thought, act: str
) -> None:
    assert owner_client.get(f"/thoughts/{lever_thought.pk}/{act}/").status_code == 405
    unknown_id = "00000000-0000-4000-8000-000000000000"
    assert owner_client.post(f"/thoughts/{unknown_id}/{act}/", {"valence": "1"}).status_code == 404


def test_each_view_has_an_index_that_is_entered_at_the_cursor() -> None:
    at, key = timezone.now(), uuid4()
    for rows, index in (
        (Thought.objects.unread(), "new"),
        (Thought.objects.archived(), "archive"),
        (Thought.objects.saved(), "saved"),
    ):
        plan = str(rows.before((at, key))[:13].explain())
        if connection.vendor == "sqlite":  # elsewhere an empty table is read as it is
            assert f"SEARCH thoughts_thought USING INDEX feed_{index} (created_at<?)" in plan


def test_what_is_alike_is_looked_for_among_what_is_alike_whatever_the_feed_is_narrowed_to() -> None:
    plan = str(Thought.objects.unread().unfolded(preference=1, since=timezone.now()).explain())
    if connection.vendor == "sqlite":
        assert "USING INDEX feed_alike (alike=?)" in plan


def test_hiding_takes_a_thought_out_of_every_view_until_it_is_undone(
    owner_client: Client, lever_thought: Thought
) -> None:
    for read in (None, timezone.now()):
        Thought.objects.update(notified_at=read, saved_at=timezone.now())
        assert "Hidden." in post_act(owner_client, f"/thoughts/{lever_thought.pk}/hide/", ON_FEED)
        for address in ("/", "/archive/"):
            assert 'class="card"' not in owner_client.get(address).content.decode()
        assert Thought.objects.unread().count() == 0
        assert 'class="card"' in post_act(owner_client, f"/thoughts/{lever_thought.pk}/unhide/", ON_FEED, **UNDO)


def test_a_topic_is_muted_on_its_card_and_unmuted_on_the_preferences_page(
    owner_client: Client, lever_thought: Thought
) -> None:
    seed = Preference.objects.get()
    html = post_act(owner_client, f"/interests/{seed.pk}/mute/", ON_FEED, thought=str(lever_thought.pk))
    assert "“lever espresso” is muted: Penny looks for it no more." in html
    assert f'id="card-{lever_thought.pk}"' in html
    assert f'action="/interests/{seed.pk}/unmute/"' in html
    assert not Preference.objects.seeds().exists()
    assert "Unmute" in owner_client.get("/interests/").content.decode()
    assert "Penny looks for “lever espresso” again." in post_act(owner_client, f"/interests/{seed.pk}/unmute/")
    assert Preference.objects.seeds().exists()


def test_a_site_is_muted_on_a_card_once_and_unmuted_on_the_preferences_page(
    owner_client: Client, lever_thought: Thought
) -> None:
    for _ in range(2):
        html = post_act(
            owner_client, "/sites/mute/", ON_FEED, host="www.coffeelab.example", thought=str(lever_thought.pk)
        )
        assert "Penny looks without coffeelab.example." in html
    muted = MutedSite.objects.get()
    assert f'action="/sites/{muted.pk}/unmute/"' in owner_client.get("/interests/").content.decode()
    assert "coffeelab.example is no longer muted." in post_act(owner_client, f"/sites/{muted.pk}/unmute/")
    assert not MutedSite.objects.exists()


@pytest.mark.parametrize("host", ["", "com", "github.io", "a b", "ftp://x.example"])
def test_what_is_no_site_is_refused_with_a_sentence(owner_client: Client, lever_thought: Thought, host: str) -> None:
    assert 'class="notice error"' in post_act(owner_client, "/sites/mute/", None, host=host)
    assert not MutedSite.objects.exists()


def test_more_like_this_keeps_nothing_until_the_owner_says_the_words(
    owner_client: Client, lever_thought: Thought
) -> None:
    address = f"/thoughts/{lever_thought.pk}/alike/"
    assert 'value="A lever"' in owner_client.get(address, {"valence": "-1"}).content.decode()
    assert Preference.objects.count() == 1
    post_act(owner_client, address, None, valence="-1", text="plastic levers", next="/")
    preference = Preference.objects.get(text="plastic levers")
    assert (preference.valence, preference.source, preference.mentions, preference.origin) == (
        -1,
        "reaction",
        1,
        ["owner"],
    )


def test_words_of_a_thought_and_of_a_preference_are_text_on_every_button_and_page(
    owner_client: Client, lever_thought: Thought
) -> None:
    Preference.objects.update(text="<i>lever</i>")
    Page.objects.update(domain='"><i>site</i>')
    Thought.objects.update(title='"><i>A lever</i>')
    pages = [
        owner_client.get(address).content.decode()
        for address in ("/", f"/thoughts/{lever_thought.pk}/", f"/thoughts/{lever_thought.pk}/alike/")
    ]
    pages.append(post_act(owner_client, f"/thoughts/{lever_thought.pk}/react/", ON_FEED, valence="1"))
    pages.append(
        post_act(
            owner_client, f"/interests/{Preference.objects.get().pk}/mute/", ON_FEED, thought=str(lever_thought.pk)
        )
    )
    for html in pages:
        assert "<i>" not in html
        assert "&lt;i&gt;" in html


def test_more_of_what_is_known_counts_once_more(owner_client: Client, lever_thought: Thought) -> None:
    post_act(owner_client, f"/thoughts/{lever_thought.pk}/alike/", None, valence="1", text="LEVER espresso")
    preference = Preference.objects.get()
    assert (preference.text, preference.source, preference.mentions, preference.valence) == (
        "LEVER espresso",
        "added",
        2,
        1,
    )


def test_a_preference_that_rests_says_why_and_can_be_woken(owner_client: Client, lever_thought: Thought) -> None:
    Preference.objects.update(strength=0)
    html = owner_client.get("/interests/").content.decode()
    assert "resting: you disliked its last finds" in html
    post_act(owner_client, f"/interests/{Preference.objects.get().pk}/wake/")
    assert Preference.objects.seeds().exists()


def test_buttons_cost_no_query_for_each_card(owner_client: Client, lever_thought: Thought) -> None:
    owner_client.get("/")
    with CaptureQueriesContext(connection) as one:
        owner_client.get("/")
    for number in range(5):
        seed = Preference.objects.create(text=f"topic {number}")
        Thought.objects.create(title=str(number), preference=seed).pages.add(Page.objects.get())
    with CaptureQueriesContext(connection) as six:
        owner_client.get("/")
    assert len(six) == len(one)


def test_the_menu_of_a_card_is_loaded_when_it_opens_and_is_a_page_without_javascript(
    owner_client: Client, lever_thought: Thought
) -> None:
    address = f"/thoughts/{lever_thought.pk}/more/"
    assert "Hide this" not in owner_client.get("/").content.decode()
    assert f'href="{address}" hx-get="{address}"' in owner_client.get("/").content.decode()
    menu = owner_client.get(address, headers=ON_FEED).content.decode()
    assert menu.startswith('<details class="pop more" open>')
    hide = f"/thoughts/{lever_thought.pk}/hide/"
    assert f'hx-post="{hide}"' in menu
    page = owner_client.get(address).content.decode()
    assert "<h1>More about this find</h1>" in page
    assert "hx-post" not in page
    assert f'action="{hide}"' in page
    assert f'hx-get="{address}?page"' in owner_client.get(f"/thoughts/{lever_thought.pk}/").content.decode()
    assert "hx-post" not in owner_client.get(f"{address}?page", headers=ON_FEED).content.decode()
