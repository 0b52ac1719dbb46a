"""Posts that changed a little, and posts that are new."""

import pytest

from tests.cpu_time import check_growth, cpu_s
from thoughts.watches.likeness import is_label, is_same_address, lasting_words, pair_alike

POST = "I have had this lever for ten years and would buy it again"
SAME = [
    f"Anna · 2 hours ago · {POST} · 3 likes · 12 replies",
    f"Anna · 1 day ago · {POST} · 41 likes · Reply",
    f"Anna · just now · {POST}",
    f"Anna · yesterday at 14:05 · {POST} · Likes: 7",
    f"Anna · vor 3 Stunden · {POST} · 5 Antworten · 12 Mal geteilt",
    f"Anna · il y a 2 jours · {POST} · 4 commentaires",
    f"Anna · hace 5 minutos · {POST} · 1.204 vistas",
    f"Anna · 3 ore fa · {POST} · 2 risposte",
    f"Anna · há 2 horas · {POST} · 9 curtidas",
    f"Anna · 2 uur geleden · {POST} · 2 reacties",
    f"Anna · för 2 timmar sedan · {POST} · 3 svar",
    f"Anna · 2 godziny temu · {POST} · 5 komentarzy",
    f"Anna · 2 часа назад · {POST} · 15 просмотров",
    f"Anna · 2時間前 · {POST} · 返信 3 · いいね 12",
    f"Anna · 3小时前 · {POST} · 12 回复",
    f"Anna · 5분 전 · {POST} · 댓글 3",
    f"Anna · 2h · {POST} · 👍 12 💬 3",
    f"Anna · {POST} · 1.2k views",
]
EDITS = [
    (f"{POST}.", f"{POST}, and did. EDIT: the seal is worn now."),
    (f"{POST}. I sell mine for 300 euros.", f"{POST}. I sell mine for 280 euros."),
    ("Mine arived brokn and nobody answers my letters, what can I do now?",
     "Mine arrived broken and nobody answers my letters, what can I do now?"),
    ("このレバーは十年使っていますが、とても良いです。", "このレバーは十一年使っていますが、とても良いです!"),
]  # fmt: skip
DIFFERENT = [
    (POST, "Mine arrived broken, and nobody answers my letters about it."),
    ("Released version 4.2.1 with bug fixes and improvements for all.",
     "Released version 4.2.2 with bug fixes and improvements for all."),
    ("Changes of 2026-11-24: the pump, the seal and the handle are new.",
     "Changes of 2026-11-25: the pump, the seal and the handle are new."),
    ("I have the same problem with my pump since the last update.",
     "Does anybody know where the seal of a pump is sold?"),
]  # fmt: skip
LABELS = [
    "2h",
    "5 replies",
    "vor 2 Stunden",
    "12 Kommentare",
    "Latest post",
    "Zum letzten Beitrag",
    "最新の投稿",
    "3 min ago",
    "👍 5",
]
TITLES = [
    "Nine bars",
    "Post 17",
    "The last of the levers",
    "Two hours of espresso",
    "7 Tipps",
    "Last post office of the valley closes its doors",
]
TALK = "https://talk.example"


@pytest.mark.parametrize("text", SAME)
def test_times_and_counters_do_not_belong_to_the_words_of_a_post(text: str) -> None:
    assert lasting_words(text) == f"anna {POST.lower()}"


@pytest.mark.parametrize(("before", "now"), EDITS)
def test_an_edited_post_is_the_same_one(before: str, now: str) -> None:
    assert pair_alike([("Another one about brass and steel.", ""), (now, "")], [(before, "")]) == {1: 0}


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_another_post_is_another_one(one: str, other: str) -> None:
    assert pair_alike([(other, "")], [(one, "")]) == {}


def test_a_known_post_stands_for_one_new_one_at_most() -> None:
    assert pair_alike([(f"{POST} too", ""), (POST, "")], [(POST, "")]) == {1: 0}


@pytest.mark.parametrize("text", LABELS)
def test_a_link_that_only_counts_or_leads_to_the_latest_post_is_a_label(text: str) -> None:
    assert is_label(text)


@pytest.mark.parametrize("text", TITLES)
def test_a_title_is_no_label(text: str) -> None:
    assert not is_label(text)


@pytest.mark.parametrize(
    ("left", "right", "is_same"),
    [
        ("/t/brass-lever/1234", "/t/brass-lever-solved/1234", True),
        ("/t/brass-lever/1234", "/t/brass-lever/1235", False),
        ("/r/coffee/comments/1a2b3c/brass/", "/r/coffee/comments/1a2b3c/brass_lever/", True),
        ("/2026/11/brass-lever", "/2026/11/brass-levers", False),
        ("/thread?t=812&title=brass", "/thread?t=812&title=lever", True),
        ("/news", "/news", False),
    ],
)
def test_an_address_with_the_same_identifier_is_the_same_post(left: str, right: str, is_same: bool) -> None:
    assert is_same_address(TALK + left, TALK + right) == is_same


@pytest.mark.parametrize(
    "piece", ["1 ", "1,", "2 hours ago ", "a b ", "👍", "vor 1 ", "12 likes ", "いいね", "Likes: ", "0:00:"]
)
def test_the_longest_posts_cost_no_more_than_their_number(piece: str) -> None:
    posts = [(f"{number} {piece * 300}"[:300], "") for number in range(1000)]
    pair_alike(posts[:1], posts[:1])
    check_growth(lambda some: pair_alike(some, some), posts[:250], posts, repr(piece))
    assert cpu_s(lambda: pair_alike(posts, posts)) < 3
