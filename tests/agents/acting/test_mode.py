"""Sockets say whether Penny can act, at their start and when it changes."""

from devices import protocol as p
from tests.client import Client
from tests.penny import Penny


def test_a_socket_learns_at_once_what_keeps_penny_from_acting(penny: Penny, actor: Client) -> None:
    actor.expect(p.ActingChanged, obstacle=None)
    address = f"/permissions/browsers/{actor.pairing.device_id}/tool/"
    penny.post(address, tool="act_on_page", on="no")
    actor.expect(p.ActingChanged, obstacle="switched_off")
    count = len(actor.frames_of(p.ActingChanged, obstacle=None))
    penny.post(address, tool="act_on_page", on="yes")
    actor.expect(p.ActingChanged, count=count + 1, obstacle=None)


def test_another_surface_learns_that_the_browser_went_away(penny: Penny, actor: Client) -> None:
    with Client(penny.pair("Laptop"), tools={}) as other:
        other.expect(p.ActingChanged, obstacle=None)
        actor.close()
        other.expect(p.ActingChanged, obstacle="no_browser")
