"""Parsing SKILL.md in the Agent Skills form, and the refusals."""

import pytest

from agents.skills.bundled import FOLDER
from agents.skills.documents import DocumentInvalid, Selector, parse
from agents.skills.patterns import Pattern, PatternInvalid, place_of
from tests.agents.skills.skills import document

GOOD = """---
name: coffee-forum
description: >-
  Reads threads
  about machines.
license: MIT
metadata:
  version: "2"
  domains: coffee.example/forum/* *.grind.example
  selectors: |
    title: h1 > a[href]
    posts[]: .post p
---

# Reading

- Count what was confirmed.
"""


def test_a_document_says_its_name_its_sites_what_to_look_for_and_what_to_do() -> None:
    skill = parse(GOOD)
    assert (skill.name, skill.description) == ("coffee-forum", "Reads threads about machines.")
    assert [str(pattern) for pattern in skill.patterns] == ["coffee.example/forum/*", "*.grind.example"]
    assert skill.selectors == (Selector("title", "h1 > a[href]", False), Selector("posts", ".post p", True))
    assert skill.instructions == "# Reading\n\n- Count what was confirmed."
    assert skill.warnings == ()


def test_lines_may_end_as_in_windows_and_fields_may_be_lists() -> None:
    text = GOOD.replace(
        "domains: coffee.example/forum/* *.grind.example", 'domains: ["coffee.example/forum/*", "*.grind.example"]'
    )
    assert parse("\ufeff" + text.replace("\n", "\r\n")) == parse(GOOD)


def test_what_is_not_used_is_said() -> None:
    text = GOOD.replace("license: MIT", "allowed-tools: Bash\nmodel: big").replace('version: "2"', "colour: red")
    assert parse(text).warnings == (
        "“model” is not used.",
        "“allowed-tools” is not used: a skill adds no tools and allows nothing.",
        "“metadata: colour” is not used.",
    )


@pytest.mark.parametrize(
    ("part", "to", "says"),
    [
        ("---\nname", "name", "begins with a line of three dashes"),
        ("name: coffee-forum", "name: Coffee Forum", "name: at most 64 small letters"),
        ("name: coffee-forum", "name: 7", "name: at most 64 small letters"),
        ("name: coffee-forum", "name: " + "a" * 65, "name: at most 64 small letters"),
        ("description: >-\n  Reads threads\n  about machines.", "description: ''", "description: say"),
        ("description: >-\n  Reads threads\n  about machines.", "description: " + "a" * 1025, "description: say"),
        ("license: MIT", "license: [", "cannot be read near line 8"),
        ("license: MIT", "license: !!python/object/apply:os.system [ls]", "cannot be read"),
        ("license: MIT", "a: &a [x]\nb: *a", "may not refer to itself"),
        ("coffee.example/forum/* *.grind.example", "'https://coffee.example'", "without http"),
        ("coffee.example/forum/* *.grind.example", "'coffee example/ $'", "names no host"),
        ("coffee.example/forum/* *.grind.example", "''", "name between one and"),
        ("coffee.example/forum/* *.grind.example", "[7]", "only texts"),
        ("coffee.example/forum/* *.grind.example", "a" * 201, "too long"),
        ("posts[]: .post p", "posts", "is none"),
        ("posts[]: .post p", "Posts: p", "is none"),
        ("posts[]: .post p", "title: p", "the same name"),
        ("posts[]: .post p", "posts: " + "p" * 201, "is none"),
        ("posts[]: .post p", "\n    ".join(f"f{n}: p" for n in range(25)), "at most 24"),
        ("metadata:", "metadata: x\nother:", "metadata needs lines"),
        ("# Reading\n\n- Count what was confirmed.\n", "", "no instructions"),
        ("# Reading", "x" * 12_001, "too long"),
        ("# Reading", "x" * 40_001, "too long"),
        ("# Reading", "\x00", "NUL"),
    ],
)
def test_a_document_that_is_no_skill_is_refused_with_what_to_do(part: str, to: str, says: str) -> None:
    assert part in GOOD
    with pytest.raises(DocumentInvalid, match=says.replace("(", r"\(")):
        parse(GOOD.replace(part, to, 1))


def test_a_document_that_unfolds_without_end_is_refused_before_it_does() -> None:
    bomb = "\n".join([f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)])
    with pytest.raises(DocumentInvalid, match="refer to itself"):
        parse(f"---\nname: bomb\na0: &a0 lol\n{bomb}\n---\nx\n")


@pytest.mark.parametrize("name", ["amazon", "forum", "hacker-news", "reddit", "reverb", "shop", "wikipedia", "youtube"])
def test_those_that_come_with_penny_are_in_the_form_and_complete(name: str) -> None:
    skill = parse((FOLDER / name / "SKILL.md").read_text())
    assert skill.name == name
    assert skill.warnings == ()
    assert len(skill.selectors) >= 5
    assert "# Finding" in skill.instructions
    assert "# Reading" in skill.instructions


PAGES = "https://www.forum.example/threads/1?page=2"
MEANT = [
    ("coffee.example", "https://coffee.example/x/y", True),
    ("coffee.example", "https://www.coffee.example/", False),
    ("*.coffee.example", "https://coffee.example/", True),
    ("*.coffee.example", "https://de.m.coffee.example/", True),
    ("*.coffee.example", "https://notcoffee.example/", False),
    ("coffee.example/forum/*", "https://coffee.example/forum/a/b", True),
    ("coffee.example/forum/*", "https://coffee.example/forum", False),
    ("coffee.example/Forum/*", "https://coffee.example/forum/a", False),
    ("COFFEE.example/a?c", "https://coffee.example/abc", True),
    ("coffee.example/[ab].html", "https://coffee.example/b.html", True),
    ("coffee.example/watch", "https://coffee.example/watch?v=1", True),
    ("forum.*", "https://forum.coffee.example/", True),
    ("forum.*", "https://coffee.example/forum.", False),
    ("*/threads/*", PAGES, True),
    ("*/threads/*", "https://a.example/thread/1", False),
    ("*", PAGES, True),
    ("bücher.example", "https://bücher.example/", True),
    ("localhost:8000", "http://localhost:8000/", True),
    ("localhost:8000", "http://localhost:9000/", False),
    ("coffee.example", "https://coffee.example.evil.example/", False),
    ("coffee.example", "https://evil.example/coffee.example", False),
]


@pytest.mark.parametrize(("pattern", "url", "is_meant"), MEANT)
def test_a_pattern_means_pages_by_host_and_path(pattern: str, url: str, is_meant: bool) -> None:
    assert Pattern.parse(pattern).matches(*place_of(url)) is is_meant


def test_a_pattern_with_many_stars_is_refused_and_one_with_a_few_is_quick() -> None:
    with pytest.raises(PatternInvalid):
        Pattern.parse("a.example/" + "*a" * 20)
    assert not Pattern.parse("a.example/" + "*a" * 8).matches("a.example", "/" + "a" * 8000 + "b")


@pytest.mark.parametrize(
    ("pattern", "host", "meets"),
    [
        ("*.youtube.com", "youtube.com", True),
        ("*.youtube.com", "m.youtube.com", True),
        ("www.youtube.com", "youtube.com", True),
        ("news.example", "other.example", False),
        ("youtube.com", "m.youtube.com", False),
        ("forum.*", "forum.coffee.example", True),
        ("*/forum/*", "coffee.example", False),
    ],
)
def test_a_pattern_meets_a_grant_where_some_page_can_be_both(pattern: str, host: str, meets: bool) -> None:
    assert Pattern.parse(pattern).meets(host) is meets


def test_a_document_that_the_page_offers_as_an_example_is_a_skill() -> None:
    assert parse(document()).name == "coffee-forum"
