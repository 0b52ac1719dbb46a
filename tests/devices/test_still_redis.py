"""A Redis that stands still: a command waits for it a moment, those after it do not, and later all is as before."""

import asyncio
import gc
import time
import warnings
from collections.abc import Iterator

import pytest
from channels.layers import get_channel_layer
from redis.exceptions import TimeoutError as Silence

from devices import events
from devices import redis as connections
from tests.waiting import until

ANSWER_S, REST_S, STILL_S = 0.5, 0.3, 3.0


@pytest.fixture(autouse=True)
def impatience(redis: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(connections, "ANSWER_S", ANSWER_S)
    monkeypatch.setattr(connections, "REST_S", REST_S)
    connections.sync_client.cache_clear()
    yield
    connections.sync_client.cache_clear()


async def test_commands_fail_in_time_and_then_at_once_until_redis_answers_again() -> None:
    layer = get_channel_layer()
    assert layer is not None
    channel = await layer.new_channel()
    await layer.group_add("still", channel)
    async with connections.async_client() as client:
        await client.execute_command("CLIENT", "PAUSE", int(STILL_S * 1000), "ALL")
        started_at = time.monotonic()
        sends = [layer.group_send("still", {"type": "device.revoked"}) for _ in range(5)]
        commands = [client.get("a"), asyncio.to_thread(connections.sync_client().get, "a"), *sends]
        failures = await asyncio.gather(*commands, return_exceptions=True)
        waited_s = time.monotonic() - started_at
        with pytest.raises(Silence):
            await layer.group_send("still", {"type": "device.revoked"})
        refused_s = time.monotonic() - started_at - waited_s
        assert await connections.wait_for("a list", 0.1) is None
        assert [type(failure) for failure in failures] == [Silence] * len(commands)
        assert (waited_s < STILL_S, refused_s < REST_S) == (True, True), (waited_s, refused_s)
        await asyncio.to_thread(until, _answers, "Redis answers again")
        await layer.group_send("still", {"type": "acting.look"})
        assert (await asyncio.wait_for(layer.receive(channel), 5))["type"] == "acting.look"
        assert await client.get("a") == "1"


def _answers() -> bool:
    try:
        connections.sync_client().set("a", "1", ex=5)
    except Silence:
        return False
    return True


async def test_what_waits_longer_than_an_answer_may_take_is_not_cut_off() -> None:
    layer = get_channel_layer()
    assert layer is not None
    channel = await layer.new_channel()
    await layer.group_add("quiet", channel)
    quiet_s = 2.0 + ANSWER_S  # longer than the layer waits for an answer
    async with connections.async_client(wait_s=quiet_s) as client:
        waits = [
            client.blpop(["nothing"], timeout=quiet_s),
            asyncio.to_thread(connections.sync_client(quiet_s).blpop, ["nothing"], quiet_s),
        ]
        assert await asyncio.gather(*waits) == [None, None]
    await layer.group_send("quiet", {"type": "acting.look"})
    assert (await asyncio.wait_for(layer.receive(channel), 5))["type"] == "acting.look"


async def test_whoever_is_cancelled_stops_waiting_at_whatever_moment() -> None:
    for moments in range(150):
        waits = asyncio.create_task(_wait_and_send())
        for _ in range(moments):
            await asyncio.sleep(0)
        waits.cancel()
        await asyncio.wait([waits])
        assert waits.cancelled(), moments


async def _wait_and_send() -> None:
    await events.asend({"type": "acting.look"})
    await connections.wait_for("nothing", 1.0)


async def test_many_wait_side_by_side() -> None:
    keys = [f"list {number}" for number in range(150)]
    waits = asyncio.gather(*(connections.wait_for(key, 20.0) for key in keys))
    for key in keys:
        await asyncio.to_thread(connections.wake, key, key)
    assert await waits == keys


async def test_a_wait_that_is_cancelled_as_it_ends_leaves_no_connection_open() -> None:
    for moments in range(60):
        connections.sync_client().rpush("ended", "a value")
        wait = asyncio.create_task(connections.wait_for("ended", 1.0))
        for _ in range(moments):
            await asyncio.sleep(0)
        wait.cancel()
        await asyncio.wait([wait])
    with warnings.catch_warnings(record=True, action="always") as unclosed:
        gc.collect()
    assert [str(warning.message) for warning in unclosed] == []
