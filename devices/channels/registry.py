"""Map kinds of devices to channels. A channel is imported on first use: most owners use few.

The settings import this module, so it needs no Django.
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
    """One kind of device.

    `module`: holds its CHANNEL. `listener`: the module whose `listen()` receives messages; the worker imports it.
    `needs`: the setting without which the kind does not exist. `is_chosen`: the owner may choose it for proactive
    messages. `is_outlet`: the page Notifications lists its devices among the outlets.
    """

    module: str
    listener: str = ""
    needs: str = ""
    is_chosen: bool = True
    is_outlet: bool = True


# By kind of device, in the order in which proactive messages try them.
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
    return [kind for kind, row in ROWS.items() if row.is_chosen]


def outlet_kinds() -> list[str]:
    return [kind for kind, row in ROWS.items() if row.is_outlet]
