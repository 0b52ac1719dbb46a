"""Words that people look for, in the feed, the conversation and the sources."""

from __future__ import annotations

from tests.bench.reality.outcome import Outcome

# Number, what is looked for, the text, and whether it is found there.
IN_THE_FEED = [
    ("B548", "生命科学", "我们研究生命科学的历史", True),
    ("B550", "亚", "德玛西亚", True),
    ("B551", "まちづくり", "地域住民が主体となってまちづくりを進めるための組織です", True),
    ("B552", "itgc", "重跑gen-itgc后50条", True),
    ("B555", "대한", "대한민국의 수도", True),
    ("B557", "ユーザー", "開始ﾕｰｻﾞｰ認証完了", True),
    ("B558", "バス", "ハスの花が咲く", False),
    ("B560", "كتاب", "هذا كِتاب جديد", True),
    ("B562", "الدورى", "نتائج الدوري", True),
    ("B563", "اياب", "موعد ايـــــاب", True),
    ("B564", "مزرعه", "بيع مزرعة", True),
    ("B566", "الله", "بسم ٱلله", True),
    ("B569", "ขา", "ข้าว", False),
    ("B570", "שלום", "שָׁלוֹם עולם", True),
    ("B572", "muller", "Herr Müller", True),
    ("B573", "istanbul", "İSTANBUL'da", True),
    ("B575", "C", "I like C and Rust", True),
    ("B577", "C#", "The vitamin C in fruit", False),
    ("B578", ".NET", "The .NET runtime", True),
    ("B579", "AI", "News on AI", True),
    ("B580", "e-mail", "an e-mail came", True),
    ("B581", "email", "an e-mail came", True),
    ("B582", "3.5", "GPT 3.5 is old", True),
    ("B584", "🦀", "Rust 🦀 news", True),
    ("B585", "🎉", "🎉", True),
    ("B587", "the", "The Who", True),
    ("B590", "file", "the ﬁle", True),
    ("B591", "ＡＢＣ", "abc news", True),
    ("B592", "हिन्दी", "हिंदी समाचार", True),
    ("B593", "pho", "phở bò", True),
    ("B597", "ユーザー", "ユニークなサーバー", False),
]
IN_THE_CONVERSATION = [
    ("B599", "ärzten", "Bei den ÄRZTEN war es voll", True),
    ("B602", "straße", "In der HAUPTSTRASSE und der STRASSE", True),
    ("B605", "café", "Im cafe\u0301", True),
    ("B607", "민국", "대한민국의 수도", True),
    ("B608", "ユーザー", "開始ﾕｰｻﾞｰ認証完了", True),
    ("B609", "istanbul", "İSTANBUL'da", True),
    ("B610", "file", "the ﬁle", True),
    ("B611", "μm", "5 \u00b5m dick", True),
    ("B613", "sure_thing", "a sure_thing it is", True),
    ("B614", "\\", "C:\\Users", True),
    ("B615", "οδος", "ΟΔΟΣ Ερμού", True),
    ("B616", "αθηνών", "ΑΘΗΝΏΝ", True),
    ("B618", "middleword", "a mid**dle**word", True),
    ("B620", "d", "vitamin D", True),
]
IN_THE_SOURCES = [
    ("B621", "ärzteblatt", "Deutsches ÄRZTEBLATT", True),
    ("B622", "ÄRZTE", "ÄRZTE ohne Grenzen", True),
    ("B623", "червоний", "ЧЕРВОНИЙ колір", True),
    ("B624", "cafe", "Café au lait", True),
    ("B625", "öffentlich", "/ÖFFENTLICH", True),
    ("B626", "ÖFFENTLICH", "/ÖFFENTLICH", True),
]


def outcomes() -> list[Outcome]:
    """Store each text in its table, and search it as its page does."""
    cases = [(_is_in_feed, IN_THE_FEED), (_is_in_conversation, IN_THE_CONVERSATION), (_is_in_sources, IN_THE_SOURCES)]
    return [
        Outcome(number, "K17", is_found(words, text) == expected, f"“{words}” in “{text}”")
        for is_found, rows in cases
        for number, words, text, expected in rows
    ]


def _is_in_feed(words: str, text: str) -> bool:
    from thoughts.feed.filter import Filter, narrowed
    from thoughts.index.finds import catch_up
    from thoughts.models import Thought

    Thought.objects.all().delete()
    Thought.objects.create(title=text, text="")
    catch_up()
    return bool(narrowed(Thought.objects.all(), Filter(words=words)).exists())


def _is_in_conversation(words: str, text: str) -> bool:
    from django.db import transaction

    from devices.conversation.messages import messages_holding, render_content, store_message
    from devices.models import Message
    from devices.owner.account import the_owner

    Message.objects.all().delete()
    with transaction.atomic():
        store_message(the_owner(), render_content(text), device_label="chat", direction="in")
        transaction.get_connection().run_on_commit.clear()  # no device waits here
    return bool(messages_holding(the_owner(), words, None, 5)[0])


def _is_in_sources(words: str, text: str) -> bool:
    from thoughts.models import Source

    folder = text[1:] if text.startswith("/") else ""
    Source.objects.all().delete()
    Source.objects.create(
        key="k", kind="page", url="https://site.example/", domain="site.example", title=text, folder=folder
    )
    return Source.objects.all().holding(words).exists()
