"""Which channel reaches which kind of device. A line of somebody else's is loaded where it is used: most owners use
none.

The settings read this too, so that nothing here needs Django.
"""

from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from devices.channels.channel import Channel
    from devices.models import Device


@dataclass(frozen=True)
class Row:
    """`module`: holds its CHANNEL. `listener`: the module whose `listen()` hears what comes in; the worker loads it,
    nothing here does. `needs`: the setting without which there is no such line. `is_chosen`: whether the owner may name
    it for what nobody asked for. `is_outlet`: whether the setup page lists its devices among the outlets; others have a
    part of their own there.
    """

    module: str
    listener: str = ""
    needs: str = ""
    is_chosen: bool = True
    is_outlet: bool = True


# By the kind of device, in the order in which they are tried for what nobody asked for.
ROWS = {
    "signal": Row(
        "devices.channels.signal.channel", listener="agents.signal.listener", needs="SIGNAL_URL", is_outlet=False
    ),
    "push": Row("devices.channels.push"),
    "apprise": Row("devices.channels.apprise"),
    "browser": Row("devices.channels.browsers", is_outlet=False),
    "web": Row("devices.channels.browsers", is_chosen=False, is_outlet=False),
    "api": Row("devices.channels.browsers", is_chosen=False, is_outlet=False),
}


@lru_cache
def _loaded(module: str) -> "Channel":
    channel: Channel = import_module(module).CHANNEL
    return channel


def channel_of(device: "Device") -> "Channel":
    return _loaded(ROWS[device.kind].module)


def chosen_kinds() -> list[str]:
    """Return what the owner may choose among for what nobody asked for."""
    return [kind for kind, row in ROWS.items() if row.is_chosen]


def outlet_kinds() -> list[str]:
    return [kind for kind, row in ROWS.items() if row.is_outlet]
