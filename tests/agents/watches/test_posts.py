"""New posts in a simulated forum: what is reported, and what is not."""

import pytest
from django.utils import timezone

from tests.agents.watches.shop import Shop, report_titles, watch_of
from tests.agents.watches.shop import shop as shop
from thoughts.models import Observation, SeenItem, Thought
from thoughts.models.watches import CONFIRM_AFTER

pytestmark = pytest.mark.django_db(transaction=True)
FORUM = [
    ("Home", "https://shop.example/"),
    ("Nine bars", "https://shop.example/t/1?utm_source=x"),
    ("Brass", "https://shop.example/t/2"),
]


def _forum(shop: Shop, *posts: tuple[str, str]) -> None:
    links = [*posts, *FORUM]
    shop.shows(text="\n".join(words for words, _ in links), links=links)


async def test_new_posts_are_told_by_their_address_whatever_their_order(shop: Shop) -> None:
    watch = await watch_of(kind="posts", below=None, label="forum")
    _forum(shop)
    await shop.visit(watch)
    shop.shows(text="Home", links=[(words, url.partition("?")[0]) for words, url in reversed(FORUM)])
    await shop.visit(watch)
    _forum(shop, ("Levers compared", "https://shop.example/t/3"), ("A <b>grinder</b>", "https://shop.example/t/4"))
    await shop.visit(watch)
    assert await report_titles() == []
    assert watch.next_check_at <= timezone.now() + CONFIRM_AFTER
    await shop.visit(watch)
    await shop.visit(watch)
    assert await report_titles() == ["forum: 2 new posts"]
    thought = await Thought.objects.prefetch_related("claims__page").aget()
    assert [claim.quote for claim in thought.claims.all()] == ["Levers compared"]  # text like HTML is not plain
    assert await SeenItem.objects.filter(state="told").acount() == 2
    assert [row async for row in Observation.objects.order_by("at").values_list("items_new", flat=True)] == [
        0,
        0,
        0,
        2,
        0,
    ]


async def test_what_was_there_once_only_is_nobody_s_news(shop: Shop) -> None:
    watch = await watch_of(kind="posts", below=None)
    for number in range(6):
        _forum(shop, *([(f"Advertisement {number}", f"https://ads.example/{number}")] if number else []))
        await shop.visit(watch)
    assert await report_titles() == []


async def test_a_page_that_is_another_one_now_is_said_to_be_and_not_a_hundred_posts(shop: Shop) -> None:
    watch = await watch_of(kind="posts", below=None, label="forum")
    _forum(shop)
    await shop.visit(watch)
    for _ in range(2):
        shop.shows(links=[(f"Post {number}", f"https://shop.example/new/{number}") for number in range(100)])
        await shop.visit(watch)
    assert await report_titles() == [
        "forum: I no longer find the posts that I knew. The page may have changed its shape"
    ]


async def test_new_passages_of_a_thread_are_told_with_their_words(shop: Shop) -> None:
    watch = await watch_of(kind="thread", below=None, label="thread")
    first, second = (
        "I have had this lever for ten years and would buy it again.",
        "Mine arrived broken, and nobody answers my letters.",
    )
    for text in (first, f"{first}\n5 min ago\n{second}", f"{first}\n7 min ago\n{second}"):
        shop.shows(text=text)
        await shop.visit(watch)
    assert await report_titles() == ["thread: 1 new post"]
    assert (await Thought.objects.aget()).text == second


@pytest.mark.parametrize(
    "further",
    [
        "https://shop.example/lever?page={}",
        "https://shop.example/lever/page-{}",
        "https://shop.example/lever&start={}0",
    ],
)
async def test_a_thread_that_goes_on_on_a_further_page_is_told(shop: Shop, further: str) -> None:
    watch = await watch_of(kind="thread", below=None, label="thread")
    first = "I have had this lever for ten years and would buy it again."
    others = [("Another thread 3", "https://shop.example/other?page=3"), ("About", "https://shop.example/about")]
    for last in (2, 3, 3):
        shop.shows(text=first, links=[(str(number), further.format(number)) for number in range(2, last + 1)] + others)
        await shop.visit(watch)
    assert await report_titles() == ["thread: 1 new post"]
    assert [item.url async for item in SeenItem.objects.filter(state="told")] == [further.format(3)]


LEVER = "I have had this lever for ten years and would buy it again."
LETTERS = "Mine arrived broken, and nobody answers my letters about it."


async def test_counters_times_and_edits_of_a_thread_are_no_new_posts(shop: Shop) -> None:
    watch = await watch_of(kind="thread", below=None, label="thread")
    for text in (
        f"Anna · 2 hours ago · {LEVER} · 3 likes",
        f"Anna · 3 hours ago · {LEVER} · 12 likes · 1 reply",
        f"Anna · 1 day ago · {LEVER} EDIT: the seal is worn now. · 12 likes",
        f"Anna · yesterday · {LEVER} EDIT: the seal is worn now, buy another. · 14 likes",
    ):
        for _ in range(2):
            shop.shows(text=text)
            await shop.visit(watch)
    assert await report_titles() == []
    for hours in (2, 3):
        shop.shows(text=f"Anna · 2 days ago · {LEVER} · 14 likes\nBert · {hours} hours ago · {LETTERS} · {hours} likes")
        await shop.visit(watch)
    assert await report_titles() == ["thread: 1 new post"]
    assert await SeenItem.objects.acount() == 2


async def test_a_topic_with_more_replies_or_an_edited_title_is_no_new_post(shop: Shop) -> None:
    watch = await watch_of(kind="posts", below=None, label="forum")
    talk = "https://shop.example/t"
    for replies, title in (
        (1, "brass-lever"),
        (2, "brass-lever"),
        (3, "brass-lever-solved"),
        (3, "brass-lever-solved"),
    ):
        links = [
            (title.replace("-", " "), f"{talk}/{title}/812"),
            (f"{replies} replies", f"{talk}/{title}/812/{replies}"),
            (f"{replies}h", f"{talk}/{title}/812/{replies}"),
            ("Latest post", f"{talk}/{title}/812?post={replies}"),
        ]
        shop.shows(text="Forum", links=links)
        await shop.visit(watch)
    assert await report_titles() == []
    for _ in range(2):
        shop.shows(text="Forum", links=[*links, ("brass lever of mine", f"{talk}/brass-lever-of-mine/813")])
        await shop.visit(watch)
    assert await report_titles() == ["forum: 1 new post"]


async def test_a_post_with_another_key_than_now_stays_known(shop: Shop) -> None:
    watch = await watch_of(kind="thread", below=None)
    now = timezone.now()
    shop.shows(text=LEVER)
    await shop.visit(watch)
    await SeenItem.objects.aupdate(key="of-another-time")
    for number in range(2):
        shop.shows(text=f"{LEVER} · {number + 2} likes")
        await shop.visit(watch)
    assert await report_titles() == []
    assert (await SeenItem.objects.aget()).first_seen_at >= now


@pytest.mark.parametrize(("kind", "scrolls"), [("posts", True), ("thread", True), ("price", None)])
async def test_a_page_is_scrolled_on_for_its_list_alone(shop: Shop, kind: str, scrolls: bool | None) -> None:
    watch = await (watch_of(kind=kind, below=None) if scrolls else watch_of())
    _forum(shop)
    await shop.visit(watch)
    assert [call.scrolls for call in shop.calls] == [scrolls]
