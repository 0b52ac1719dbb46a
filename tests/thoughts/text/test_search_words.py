"""What a search finds, whatever the script, and wherever it looks."""

import pytest
from django.apps import apps

from thoughts.migrations._fold_more_letters import fold_more
from thoughts.models import Source
from thoughts.models.search_words import searchable_words
from thoughts.text.search_words import may_go_on, query_words


def finds(words: str, text: str) -> bool:
    row = searchable_words(text)
    return bool(query_words(words)) and all(
        (f" {word}" if may_go_on(word) else f" {word} ") in row for word in query_words(words)
    )


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("STRASSE", "die Straße"), ("uber", "Über"), ("cafe\u0301", "Café"), ("oeuvre", "oeuvre"), ("ЁЖ", "еж"),
        ("αθήνα", "ΑΘΗΝΑ"), ("σοφος", "ΣΟΦΌΣ"), ("isparta", "ISPARTA'lı"), ("ısparta", "İSPARTA"),
        ("أحمد", "احمد"), ("مدرسه", "مدرسة"), ("على", "علي"), ("کتاب", "كتاب"), ("סֵפֶר", "ספר"),
        ("東京", "東京都"), ("ｶﾒﾗ", "カメラ"), ("ベッド", "ベッド"),
        ("한국어", "저는 한국어를 배워요"), ("국어", "한국어"),
        ("संबंध", "सम्बन्ध"), ("ประเทศ", "ประเทศไทย"), ("email", "E-Mail"), ("wifi", "Wi‑Fi"),
        ("C++", "in C++ written"),
        ("lodz", "ŁÓDŹ"), ("smorrebrød", "Smørrebrød"), ("dakovic", "Đaković"), ("Ħal", "hal"),
        ("f#", "F# and more"), ("👍", "👍🏽 so"), ("①", "1"), ("naive", "naïve"), ("bold", "a **bold** word"),
        ("boldly", "**bold**ly"), ("example.org", "https://www.example.org/x"),
    ],
)  # fmt: skip
def test_a_word_is_found_in_all_its_forms(words: str, text: str) -> None:
    assert finds(words, text)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("ハ", "バ"), ("ビス", "ヒス"), ("ベッド", "ペット"), ("ข้าว", "ขาว"), ("मा", "मी"), ("c", "C# alone"),
        ("c#", "c"), ("c++", "c"), ("r", "rust"), ("ever", "lever"), ("…", "…"), ("", "a"),
        ("email", "e-m-a-i-l"), ("👍", "👎"),
    ],
)  # fmt: skip
def test_another_word_is_not_found(words: str, text: str) -> None:
    assert not finds(words, text)


@pytest.mark.django_db
def test_words_that_were_stored_before_are_folded_by_the_migration() -> None:
    source = Source.objects.create(key="k", kind="site", url="https://a.example/", domain="a.example", title="Łódź")
    Source.objects.update(words=" łodz ")
    assert not Source.objects.all().holding("łódź").exists()
    fold_more("thoughts", "Source", "words")(apps, None)
    assert list(Source.objects.all().holding("łódź")) == [source]


@pytest.mark.django_db
def test_sources_are_found_by_all_that_is_shown_of_them_in_any_form() -> None:
    source = Source.objects.create(
        key="k", kind="site", url="https://aerzte.example/", domain="aerzte.example", title="Deutsches ÄRZTEBLATT",
        folder="Öffentlich / Café", tags="Gesundheit, ①",
    )  # fmt: skip
    for words in ("ärzteblatt", "arzte", "cafe öffentlich", "gesundheit", "aerzte.example", ""):
        assert Source.objects.all().holding(words).exists(), words
    assert not Source.objects.all().holding("zahn").exists()
    source.title = "Zahnärzte"
    source.save()
    assert Source.objects.all().holding("zahn").exists()
