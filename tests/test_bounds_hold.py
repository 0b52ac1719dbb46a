"""Bounds of outside texts that no other test passes: what is longer or more is refused or cut."""

import io
import json
import zipfile
from datetime import date
from pathlib import Path

import httpx2
import pytest
from django.core.exceptions import ValidationError

from agents.commands import understand as understand  # registers every command
from agents.commands.consent import WORDS_MAX, parse_consent
from agents.commands.registry import PHRASE_MAX, parse_phrase
from agents.llm import client
from agents.llm.messages import ModelFailed
from agents.llm.providers import Endpoint
from agents.llm.replies.written_calls import CALL_CHARACTERS, CALLS_MAX, read_written
from agents.llm.streams.event_stream import BODY_BYTES, EVENT_BYTES
from agents.skills.files import SKILLS_MAX, read_bundle
from agents.zones.inputs import Private
from agents.zones.model_json import REPAIR_CHARACTERS
from agents.zones.planner import planner_request
from agents.zones.quotes import QUOTE_CHARACTERS, find_span
from agents.zones.reader_answers import ReadingInvalid, parse_reading
from devices.web.hosts import HOST_CHARACTERS, grant_host
from penny_site.backups import archive
from tests.agents.llm.test_event_stream import Server, piece, read_stream
from tests.stand_ins.model_server import Reply, run_model_server
from thoughts.models import Page, Watch
from thoughts.recurrence import VALUES_MAX, validate_rrule
from thoughts.watches.changes import ITEMS_MAX, items_of

CALL = '<tool_call>{"name": "go", "arguments": {"n": 1}}</tool_call>'
SKILL = "---\nname: s{number}\ndescription: Words.\nsites: shop.example\n---\nLook.\n"


@pytest.mark.parametrize("words", [(), ("One ",)])
async def test_a_model_that_is_silent_too_long_is_given_up(words: tuple[str, ...]) -> None:
    async def record(_: object) -> None:
        pass

    request = planner_request(Private("Ada"), date(2026, 11, 25), [], Private("Go"), [], [])
    with run_model_server() as server:
        server.on(lambda _: True, Reply(tokens=words, hangs=True))
        endpoint = Endpoint("openai-compatible", "m", server.url, "")
        with pytest.raises(ModelFailed) as failure:
            await client.ask(endpoint, request, record, silence_s=0.3)
    assert failure.value.code == "model_slow"


@pytest.mark.parametrize(("count", "is_carried_out"), [(CALLS_MAX, True), (CALLS_MAX + 1, False)])
def test_an_answer_with_too_many_calls_carries_out_none(count: int, is_carried_out: bool) -> None:
    assert bool(read_written(CALL * count, ["go"]).calls) is is_carried_out


@pytest.mark.parametrize(("rest", "is_carried_out"), [(200, True), (0, False)])
def test_a_text_that_is_too_long_is_no_call(rest: int, is_carried_out: bool) -> None:
    text = CALL.replace("1}", f'"{"x" * (CALL_CHARACTERS - rest)}"}}')
    assert bool(read_written(text, ["go"]).calls) is is_carried_out


async def test_an_event_of_a_stream_that_does_not_end_breaks_it() -> None:
    with pytest.raises(httpx2.HTTPError):
        await read_stream(Server([b"data: " + b"x" * (EVENT_BYTES + 1), piece("rest")]))


async def test_of_an_answer_in_one_body_no_more_than_its_bound_is_put_together() -> None:
    body = json.dumps({"choices": [{"message": {"role": "assistant", "content": "x" * BODY_BYTES}}]}).encode()
    pieces = await read_stream(Server([body[at : at + 65536] for at in range(0, len(body), 65536)]))
    assert b"chat.completion.chunk" not in b"".join(pieces)


@pytest.mark.parametrize(("filling", "is_mended"), [(100, True), (REPAIR_CHARACTERS, False)])
def test_of_broken_json_no_more_than_its_bound_is_mended(filling: int, is_mended: bool) -> None:
    claims = '"claims": [{"text": "It is nine bars.", "quote": "Nine bars."}'
    broken = (
        '{"found": true, "more": "' + "x " * (filling // 2) + '", "headline": "Bars", "summary": "Nine.", ' + claims
    )
    if is_mended:
        assert parse_reading(broken, "Nine bars.").claims
    else:
        with pytest.raises(ReadingInvalid):
            parse_reading(broken, "Nine bars.")


def test_of_a_quote_no_more_than_its_bound_is_looked_for() -> None:
    page = "word " * 1000
    span = find_span(page, page)
    assert span is None or span.end - span.start <= QUOTE_CHARACTERS


@pytest.mark.parametrize(("length", "is_yes"), [(WORDS_MAX, True), (WORDS_MAX + 1, False)])
def test_a_long_text_is_no_yes(length: int, is_yes: bool) -> None:
    assert bool(parse_consent("yes".ljust(length, "!"))) is is_yes


def test_a_long_text_is_no_phrase_of_a_command() -> None:
    assert parse_phrase("my watches".ljust(PHRASE_MAX))
    assert not parse_phrase("my watches".ljust(PHRASE_MAX + 1))


@pytest.mark.parametrize(("length", "is_host"), [(HOST_CHARACTERS, True), (HOST_CHARACTERS + 1, False)])
def test_a_host_is_as_long_as_names_may_be(length: int, is_host: bool) -> None:
    name = ("a" * 61 + ".") * 4 + "de".rjust(length - 248, "a")
    url = f"https://{name}/"
    if is_host:
        assert grant_host(url) == name
    else:
        with pytest.raises(ValueError):
            grant_host(url)


def test_a_rule_of_time_has_few_values() -> None:
    validate_rrule("FREQ=YEARLY;BYMONTHDAY=" + ",".join(str(day % 31 + 1) for day in range(31)))
    with pytest.raises(ValidationError):
        validate_rrule("FREQ=YEARLY;BYMONTHDAY=" + ",".join(["1"] * (VALUES_MAX + 1)))


def test_of_a_long_page_the_first_posts_are_watched() -> None:
    posts = (f"This is what number {number} of them wrote down at length." for number in range(ITEMS_MAX + 50))
    page, watch = Page(url="https://forum.example/t", text="\n\n".join(posts)), Watch(kind=Watch.Kind.THREAD)
    assert len(items_of(watch, page)) <= ITEMS_MAX


def test_a_zip_with_many_skills_is_refused() -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as folder:
        for number in range(SKILLS_MAX + 1):
            folder.writestr(f"s{number}/SKILL.md", SKILL.format(number=number))
    with pytest.raises(Exception, match=str(SKILLS_MAX)):
        read_bundle(data.getvalue())


def test_a_long_list_of_a_backup_is_cut_and_then_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as folder:
        folder.writestr(archive.MANIFEST, '{"format": 1, "more": "' + "x" * archive.MANIFEST_BYTES + '"}')
    with pytest.raises(archive.Damaged):
        archive.read_manifest(path)
