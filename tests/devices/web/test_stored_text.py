"""Secrets are removed from addresses in stored texts and JSON."""

import json

import pytest

from devices.web.stored_text import json_to_store, text_to_store

SECRET = "hunter2"


@pytest.mark.parametrize(
    ("text", "result"),
    [
        (f"https://a.example/b?x=1&token={SECRET}", "https://a.example/b?x=1"),
        (
            f"Look at (https://a.example/?token={SECRET}&x=1) and tell me",
            "Look at (https://a.example/?x=1) and tell me",
        ),
        (f"HTTPS://A.example/?password={SECRET}", "https://a.example/"),
        (f"a.example/?token={SECRET}&y=2", "a.example/?y=2"),
        (f"url=https://a.example/?token={SECRET}", "url=https://a.example/"),
        (f"https://owner:{SECRET}@a.example/b", "https://a.example/b"),
        (f"https://a.example/b;jsessionid={SECRET}/c", "https://a.example/b/c"),
        (f"https://a.example/#access_token={SECRET}&x=1", "https://a.example/"),
        (f"https://a.example/?next=https%3A%2F%2Fb.example%2F%3Ftoken%3D{SECRET}", "https://a.example/"),
        (f"https://a.example/?q=%E9t%E9&token={SECRET}", "https://a.example/?q=%E9t%E9"),
        (f"https://a.example/?%c0%bc+token={SECRET}&x=%ff", "https://a.example/?x=%ff"),
        (f"ftp://a.example/ https://a.example/?token={SECRET}", "ftp://a.example/ https://a.example/"),
    ],
)
def test_a_text_is_stored_without_the_secrets_of_its_addresses(text: str, result: str) -> None:
    assert text_to_store(text) == result


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What? No.",
        "HTTPS://A.example and https://b.example/?q=a+b#part, (https://c.example).",
        "https://[ is no address, nor is https://a b",
        "key=1; token=2 is said of no address",
        "Who said: a.example/?q=1",
        "An address of an old site: https://a.example/?q=%E9t%E9",
        "<?xml version='1.0'?>%c0%bcaudio src=x%c0%be",
        "\ud800 https://a.example/?\udfff=+\ud800",
    ],
)
def test_what_has_nothing_to_hide_stays_as_it_is_written(text: str) -> None:
    assert text_to_store(text) == text


def test_json_is_looked_through_to_the_bottom_and_so_is_json_in_its_texts() -> None:
    address, result = f"https://a.example/?token={SECRET}", "https://a.example/"
    escaped = json.dumps({"url": address}).replace("token", "to\\u006ben")
    assert SECRET in escaped
    value = {"a": [address, 1, None, {"b": address}], "c": escaped, "d": f"{{{address}", "e": '{"x":  1}'}
    assert json_to_store(value) == {
        "a": [result, 1, None, {"b": result}],
        "c": json.dumps({"url": result}),
        "d": f"{{{result}",
        "e": '{"x":  1}',
    }
