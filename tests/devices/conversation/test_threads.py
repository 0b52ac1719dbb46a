"""Threads: names over the one conversation. Each turn sees its own, and all devices get every message."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from asgiref.sync import async_to_sync
from django.test import Client as PageClient
from django.utils import timezone

from agents.answers.conversation import history
from agents.commands import understand
from agents.frames.answer import answer_frame
from agents.models import Proposal
from devices import protocol as p
from devices.access.handshake import web_device
from devices.conversation import threads
from devices.models import Message, Thread
from devices.owner.account import the_owner
from tests.agents.background import carry_out_all
from tests.agents.commands.asking import ask_model
from tests.agents.outbox.send_message import immediate_answer, reply_to, send_message
from tests.stand_ins.model_server import ModelServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


def say(text: str, **fields: Any) -> Message:
    """Send a message that a model-less Penny answers; return the answer."""
    run = send_message(text, **fields)
    carry_out_all()
    return reply_to(run)


def names() -> list[str]:
    return [thread.name for thread in threads.sync_frame().threads]


def answer_of(frame: p.ClientFrame) -> p.ServerFrame:
    [answer] = answer_frame(the_owner(), web_device(), frame)
    return answer


def test_the_first_message_begins_and_names_a_thread_and_its_answer_belongs_to_it() -> None:
    answer = say("## Which grinder\nfor espresso?", thread=(thread := uuid4()))
    assert answer.parent
    assert [answer.thread_id, answer.parent.thread_id, names()] == [thread, thread, ["Which grinder"]]
    say("And a cheaper one?", thread=thread)
    say("Hello")
    assert [names(), Message.objects.filter(thread=thread).count()] == [["Which grinder"], 4]
    assert list(Message.objects.values_list("seq", flat=True)) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("\n  - *  \n > Two   words ", "Two words"),
        ("long " * 30, "long long long long long long long long long long long…"),
        ("x" * 90, "x" * 59 + "…"),
        ("#", "New conversation"),
    ],
)
def test_a_name_is_the_first_line_with_words(words: str, name: str) -> None:
    assert threads.name_from(words) == name


def test_a_turn_sees_the_messages_of_its_own_thread_alone() -> None:
    one, other = uuid4(), uuid4()
    say("grinders", thread=one)
    say("passports", thread=other)
    say("main words")
    messages = [send_message(words, thread=thread).message for words, thread in [("a", one), ("b", other), ("c", None)]]
    histories = [
        [entry.text for entry in entries if entry.direction == "in"]
        for entries in history.recent_entries([message for message in messages if message])
    ]
    assert histories == [["grinders"], ["passports"], ["main words"]]


def test_only_the_thread_keeps_the_words_of_another_from_a_request(
    monkeypatch: pytest.MonkeyPatch, model: ModelServer
) -> None:
    say("canary of another thread", thread=uuid4())
    ask_model(monkeypatch, model, "What did I say?")
    assert ["canary" in request.everything for request in model.requests] == [False] * len(model.requests) != []
    Message.objects.update(thread=None)
    ask_model(monkeypatch, model, "What did I say now?")
    assert "canary" in model.requests[-1].everything


def test_a_reply_goes_to_the_thread_of_what_it_replies_to() -> None:
    answer = say("grinders", thread=(thread := uuid4()))
    reply = say("Why?", parent_id=answer.pk)
    assert [reply.thread_id, reply.parent and reply.parent.thread_id] == [thread, thread]
    main = say("Hello")
    assert say("Why?", parent_id=main.pk, thread=thread).thread_id is None


def test_a_yes_answers_what_was_asked_in_its_own_thread() -> None:
    proposal = immediate_answer("/help", thread=(thread := uuid4()))
    Proposal.objects.create(message=proposal, act="export", arguments={})

    def yes(where: UUID | None) -> bool:
        return understand.parse_command(the_owner(), web_device(), "yes", None, timezone.now(), where) is not None

    assert [yes(thread), yes(None), yes(uuid4())] == [True, False, False]
    assert immediate_answer("yes", thread=thread).text.startswith("The conversation as")


def test_a_temporary_question_begins_no_thread() -> None:
    send_message("Hush", temporary=True, thread=uuid4())
    assert [Thread.objects.count(), Message.all_rows.get().thread_id] == [0, None]


def test_frames_rename_and_find_threads_and_page_through_one() -> None:
    thread = uuid4()
    for number in range(3):
        say(f"Grinder {number}", thread=thread)
        say(f"Passport {number}")
    assert isinstance(answer_of(p.ThreadRename(ref=uuid4(), thread_id=thread, name=" Mills ")), p.Ack)
    assert names() == ["Mills"]
    match, none = [answer_of(p.ThreadsFetch(ref=uuid4(), text=text)) for text in ("mill", "grinder")]
    assert isinstance(match, p.ThreadsFound)
    assert isinstance(none, p.ThreadsFound)
    assert [[row.id for row in match.threads], none.threads, match.more] == [[thread], [], False]
    page = answer_of(p.HistoryFetch(before_seq=100, limit=4, thread=thread))
    assert isinstance(page, p.HistoryPage)
    assert [page.thread, page.more, {row.thread for row in page.messages}] == [thread, True, {thread}]
    older = answer_of(p.HistoryFetch(before_seq=page.messages[0].seq, limit=4, thread=thread))
    assert isinstance(older, p.HistoryPage)
    assert [len(older.messages), older.more] == [2, False]
    main = answer_of(p.HistoryFetch(before_seq=100, limit=100, thread="main"))
    assert isinstance(main, p.HistoryPage)
    assert [len(main.messages), {row.thread for row in main.messages}] == [6, {None}]
    views: list[tuple[p.View | None, int]] = [(thread, 3), ("main", 0), (None, 3)]
    for view, count in views:
        hits = answer_of(p.HistorySearch(ref=uuid4(), text="grinder", thread=view))
        assert isinstance(hits, p.HistoryFound)
        assert len([row for row in hits.messages if row.direction == "in"]) == count
    refusal = answer_of(p.ThreadRename(ref=uuid4(), thread_id=uuid4(), name="x"))
    assert isinstance(refusal, p.Error)
    assert refusal.code == "not_found"


def test_the_list_is_bounded_and_a_search_finds_the_rest() -> None:
    owner, now = the_owner(), timezone.now()
    Thread.objects.bulk_create(
        Thread(owner=owner, name=f"thread {number}", used_at=now - timedelta(hours=number))
        for number in range(p.THREADS_MAX + 5)
    )
    frame = threads.sync_frame()
    assert [len(frame.threads), frame.more, frame.threads[0].name] == [p.THREADS_MAX, True, "thread 0"]
    assert [row.name for row in threads.find_threads(owner, "thread 104", 5)[0]] == ["thread 104"]


@pytest.mark.parametrize("name", ["", "  ", "x" * (p.THREAD_NAME_CHARACTERS + 1), "a\0b"])
def test_a_name_has_a_length(name: str) -> None:
    frame = f'{{"type":"thread.rename","ref":"{uuid4()}","thread_id":"{uuid4()}","name":"{name}"}}'
    with pytest.raises(p.Malformed):
        p.parse_client(frame.replace("\0", "\\u0000"))


def test_a_thread_is_exported_alone(owner_client: PageClient) -> None:
    say("Grinders", thread=(thread := uuid4()))
    say("Passports")

    def export(query: str) -> Any:
        return owner_client.get(f"/chat/conversation.md{query}")

    @async_to_sync
    async def read(pieces: Any) -> str:
        return b"".join([piece async for piece in pieces]).decode()

    def words(query: str) -> list[bool]:
        text = read(export(query).streaming_content)
        return ["Grinders" in text, "Passports" in text]

    assert [words(f"?thread={thread}"), words("?thread=main"), words("")] == [[True, False], [False, True], [True] * 2]
    assert export(f"?thread={thread}")["Content-Disposition"] == 'attachment; filename="penny-grinders.md"'
    assert [export(f"?thread={query}").status_code for query in (UUID(int=1), "x")] == [404, 404]
