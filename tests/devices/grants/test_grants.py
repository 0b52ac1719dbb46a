"""Grants and the asks that lead to them."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from devices.grants import asks
from devices.grants.grants import decide, forget_run, mark_used, revoke_grant, set_grant, spend
from devices.models import Ask, Grant
from devices.web.hosts import HostInvalid, normalise_host

pytestmark = pytest.mark.django_db


def is_allowed(host: str, capability: str = "read") -> bool:
    return decide(f"https://{host}/", capability).is_allowed


def test_nothing_is_granted_by_default() -> None:
    decision = decide("https://example.com/", "read")
    assert (decision.is_allowed, decision.is_blocked, decision.grant) == (False, False, None)


def test_a_grant_covers_subdomains_and_only_its_capability() -> None:
    set_grant("example.com", "read", "allowed")
    assert is_allowed("example.com")
    assert is_allowed("a.b.example.com")
    assert not is_allowed("example.com", "act")
    assert not is_allowed("example.org")


def test_a_blocked_site_is_blocked_for_acting_too() -> None:
    set_grant("example.com", "act", "allowed")
    set_grant("example.com", "read", "blocked")
    assert decide("https://shop.example.com/", "act").is_blocked
    set_grant("shop.example.com", "act", "allowed")
    assert is_allowed("shop.example.com", "act")


def test_acting_alone_can_be_blocked() -> None:
    set_grant("example.com", "read", "allowed")
    set_grant("example.com", "act", "blocked")
    assert is_allowed("example.com")
    assert decide("https://example.com/", "act").is_blocked


def test_the_most_specific_grant_wins_in_both_directions() -> None:
    set_grant("example.com", "read", "allowed")
    set_grant("private.example.com", "read", "blocked")
    set_grant("public.private.example.com", "read", "allowed")
    assert is_allowed("www.example.com")
    assert decide("https://x.private.example.com/", "read").is_blocked
    assert is_allowed("public.private.example.com")


def test_blocked_beats_allowed_at_the_same_level() -> None:
    run = uuid4()
    set_grant("example.com", "read", "blocked")
    set_grant("example.com", "read", "allowed", "run", run_id=run)
    assert decide("https://example.com/", "read", run).is_blocked


def test_a_grant_for_a_run_is_no_other_runs() -> None:
    mine, other = uuid4(), uuid4()
    set_grant("example.com", "read", "allowed", "run", run_id=mine)
    assert decide("https://example.com/", "read", mine).is_allowed
    assert not decide("https://example.com/", "read", other).is_allowed
    forget_run(mine)
    assert not decide("https://example.com/", "read", mine).is_allowed


def test_a_grant_for_once_is_spent_by_one_call() -> None:
    run = uuid4()
    set_grant("example.com", "read", "allowed", "once", run_id=run)
    assert decide("https://example.com/", "read", run).is_allowed
    spend(run)
    assert not decide("https://example.com/", "read", run).is_allowed


def test_an_hour_is_over_after_an_hour() -> None:
    grant = set_grant("example.com", "read", "allowed", "hour")
    assert grant.expires_at is not None
    assert timedelta(minutes=59) < grant.expires_at - timezone.now() <= timedelta(hours=1)
    Grant.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert not is_allowed("example.com")


def test_the_last_use_is_kept_to_the_minute_and_told_to_the_devices_as_often(
    django_capture_on_commit_callbacks: Any,
) -> None:
    grant = set_grant("example.com", "read", "allowed")
    assert grant.info().used_at is None
    with django_capture_on_commit_callbacks() as callbacks:
        mark_used(grant)
        mark_used(grant)
    grant.refresh_from_db()
    assert (len(callbacks), grant.info().used_at) == (1, grant.used_at)
    Grant.objects.update(used_at=timezone.now() - timedelta(minutes=2))
    with django_capture_on_commit_callbacks() as callbacks:
        mark_used(grant)
    assert len(callbacks) == 1


@pytest.mark.parametrize("scope", ["once", "run"])
def test_once_and_run_are_given_only_by_answering_a_run(scope: str) -> None:
    with pytest.raises(HostInvalid):
        set_grant("example.com", "read", "allowed", scope)


def test_a_grant_names_a_host_whatever_was_typed() -> None:
    assert set_grant(" HTTPS://Www.Example.com:8443/path ", "read", "allowed").host == "www.example.com"


def test_setting_again_replaces_and_revoking_forgets() -> None:
    set_grant("example.com", "read", "allowed")
    set_grant("example.com", "read", "blocked")
    assert Grant.objects.count() == 1
    assert revoke_grant("example.com", "read")
    assert not revoke_grant("example.com", "read")
    assert decide("https://example.com/", "read").grant is None


def test_a_grant_that_may_not_be_given_any_more_can_be_forgotten() -> None:
    Grant.objects.create(host="github.io")
    assert revoke_grant("github.io", "read")
    assert not Grant.objects.exists()


@pytest.mark.parametrize("host", ["github.io", "com", "127.0.0.1:8787"])
def test_what_may_not_be_granted_is_stored_neither_by_hand_nor_by_answer(host: str) -> None:
    with pytest.raises(HostInvalid):
        set_grant(host, "read", "allowed")
    assert not Grant.objects.exists()


# Asks
# ---------------------------------------------------------------------------------------------------------------------


def ask_for_host(host: str = "www.example.com", *, is_background: bool = False, seconds: int | None = None) -> Ask:
    return asks.ask_grant(uuid4(), host, "read", "To read a page there.", is_background=is_background, seconds=seconds)


def test_calls_of_one_run_share_a_question() -> None:
    first = ask_for_host()
    assert asks.ask_grant(first.run_id, first.host, "read", "Again", is_background=False) == first
    assert Ask.objects.count() == 1


def test_allowing_stores_a_grant_for_the_host_that_was_asked_for() -> None:
    asks.answer_ask(ask_for_host().id, "allow", scope="always", session="clean")
    grant = Grant.objects.get()
    assert (grant.host, grant.state, grant.scope, grant.session) == ("www.example.com", "allowed", "always", "clean")


def test_an_answer_may_widen_the_host_but_not_leave_it_or_reach_a_public_suffix() -> None:
    asks.answer_ask(ask_for_host().id, "allow", scope="always", host="example.com")
    assert Grant.objects.get().host == "example.com"
    for host in ("other.com", "com", "ample.com"):
        with pytest.raises(HostInvalid):
            asks.answer_ask(ask_for_host("b.example.com").id, "allow", scope="always", host=host)
    assert Grant.objects.count() == 1


def test_a_refused_widening_leaves_the_question_open() -> None:
    question = ask_for_host()
    with pytest.raises(HostInvalid):
        asks.answer_ask(question.id, "allow", scope="always", host="other.com")
    question.refresh_from_db()
    assert question.state == Ask.State.OPEN


def test_not_now_stores_nothing() -> None:
    asks.answer_ask(ask_for_host().id, "dismiss")
    assert not Grant.objects.exists()


def test_blocking_lasts() -> None:
    asks.answer_ask(ask_for_host().id, "block")
    assert decide("https://www.example.com/", "read").is_blocked


def test_the_first_answer_wins() -> None:
    question = ask_for_host()
    asks.answer_ask(question.id, "block")
    with pytest.raises(asks.AskOver):
        asks.answer_ask(question.id, "allow", scope="always")
    assert Grant.objects.get().state == "blocked"


def test_an_answer_that_comes_too_late_is_none() -> None:
    question = ask_for_host()
    Ask.objects.update(expires_at=timezone.now())
    with pytest.raises(asks.AskOver):
        asks.answer_ask(question.id, "allow")
    assert not Grant.objects.exists()


def test_a_question_of_background_work_is_shown_for_as_long_as_it_is_open() -> None:
    question = ask_for_host(is_background=True)
    assert timezone.now() + timedelta(hours=23) < question.prompt_until == question.expires_at
    assert [frame.expires_at for frame in asks.shown_now()] == [question.expires_at]


def test_what_is_held_is_not_shown() -> None:
    question = ask_for_host(is_background=True)
    Ask.objects.update(held_until=timezone.now())
    assert asks.shown_now() == []
    turn = ask_for_host()
    assert [frame.request_id for frame in asks.shown_now()] == [turn.prompt] != [question.prompt]


def test_runs_that_ask_for_one_host_share_one_prompt_and_its_answer() -> None:
    first, second, background = ask_for_host(), ask_for_host(), ask_for_host(is_background=True)
    assert len({first.id, second.id, background.id}) == 3
    assert [frame.request_id for frame in asks.shown_now()] == [first.prompt]
    asks.answer_ask(second.prompt, "allow", scope="once")
    assert set(Ask.objects.values_list("state", flat=True)) == {"allowed"}
    for question in (first, second, background):
        assert decide("https://www.example.com/", "read", question.run_id).is_allowed
    assert set(Grant.objects.values_list("run_id", "session")) == {
        (first.run_id, "owner"), (second.run_id, "owner"), (background.run_id, "clean")
    }  # fmt: skip


def test_an_answer_that_lasts_is_stored_once_for_all_runs() -> None:
    question = ask_for_host()
    ask_for_host()
    asks.answer_ask(question.prompt, "allow", scope="always")
    assert [(grant.host, grant.run_id) for grant in Grant.objects.all()] == [("www.example.com", None)]


def test_other_hosts_and_other_capabilities_are_other_prompts() -> None:
    one, other = ask_for_host(), ask_for_host("other.example.com")
    act = asks.ask_grant(uuid4(), one.host, "act", "To act there.", is_background=False)
    assert len({one.prompt, other.prompt, act.prompt}) == 3
    asks.answer_ask(one.prompt, "allow", scope="always")
    assert set(Ask.objects.open().values_list("pk", flat=True)) == {other.pk, act.pk}


def test_a_prompt_stays_while_another_run_waits_for_it() -> None:
    first, second = ask_for_host(), ask_for_host()
    asks.withdraw_run(first.run_id)
    assert [frame.request_id for frame in asks.shown_now()] == [first.prompt]
    asks.answer_ask(first.prompt, "allow", scope="always")
    second.refresh_from_db()
    assert second.state == Ask.State.ALLOWED
    first.refresh_from_db()
    assert first.state == Ask.State.EXPIRED


def test_a_later_run_has_its_whole_time_on_the_prompt_that_it_shares() -> None:
    first = ask_for_host()
    Ask.objects.update(
        prompt_until=timezone.now() + timedelta(seconds=2), expires_at=timezone.now() + timedelta(seconds=2)
    )
    second = ask_for_host(seconds=600)
    assert second.prompt == first.prompt
    assert [frame.expires_at for frame in asks.shown_now()] == [second.prompt_until] == [second.expires_at]
    assert second.prompt_until > timezone.now() + timedelta(seconds=500)
    asks.expire(first)
    assert [frame.request_id for frame in asks.shown_now()] == [first.prompt]  # another run still asks
    asks.answer_ask(first.prompt, "allow", scope="always")
    second.refresh_from_db()
    assert second.state == Ask.State.ALLOWED


def test_a_prompt_that_is_over_is_followed_by_one_of_its_own() -> None:
    first = ask_for_host(is_background=True)
    Ask.objects.update(prompt_until=timezone.now() - timedelta(seconds=1))
    third = ask_for_host()
    assert third.prompt == third.id
    assert [frame.request_id for frame in asks.shown_now()] == [third.id]
    asks.answer_ask(third.id, "allow", scope="always")
    first.refresh_from_db()
    assert first.state == Ask.State.ALLOWED


def test_not_now_and_silence_store_nothing_for_any_run() -> None:
    first, second = ask_for_host(), ask_for_host()
    asks.answer_ask(first.prompt, "dismiss")
    second.refresh_from_db()
    assert second.state == Ask.State.DISMISSED
    silent = ask_for_host()
    asks.expire(silent)
    assert silent.state == Ask.State.EXPIRED
    assert not Grant.objects.exists()


@pytest.mark.parametrize("host", ["EXAMPLE.com.", "https://example.com/", "www.example.com"])
def test_a_wider_host_may_be_spelled_in_any_way(host: str) -> None:
    asks.answer_ask(ask_for_host().id, "allow", scope="always", host=host)
    assert decide("https://www.example.com/", "read").is_allowed


@pytest.mark.parametrize(
    "host",
    ["com", "example.com@www.example.com", "a.www.example.com", "www.example.com.evil.example", "127.0.0.1:8787"],
)
def test_an_answer_reaches_no_further_than_a_site(host: str) -> None:
    with pytest.raises(HostInvalid):
        asks.answer_ask(ask_for_host().id, "allow", scope="always", host=host)
    assert not Grant.objects.exists()


def test_a_public_suffix_is_no_way_to_widen() -> None:
    with pytest.raises(HostInvalid):
        asks.answer_ask(ask_for_host("someone.github.io").id, "allow", scope="always", host="github.io")
    assert not Grant.objects.exists()


@pytest.mark.parametrize("text", ["", " ", "http://", "ftp://x.example", "exa mple.com", "[::1", "a..b"])
def test_what_is_no_host_is_refused(text: str) -> None:
    with pytest.raises(HostInvalid):
        normalise_host(text)
