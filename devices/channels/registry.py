"""Which channel reaches which kind of device. A line of somebody else's is loaded where it is used: most owners use none."""

from functools import lru_cache
from importlib import import_module

from devices.channels.interface import Channel
from devices.models import Device

# In the order in which they are tried for what nobody asked for.
_MODULES = {
    Device.Kind.SIGNAL: "devices.channels.signal",
    Device.Kind.PUSH: "devices.channels.push",
    Device.Kind.APPRISE: "devices.channels.apprise",
    Device.Kind.BROWSER: "devices.channels.sockets",
    Device.Kind.WEB: "devices.channels.sockets",
    Device.Kind.API: "devices.channels.sockets",
}
KINDS = tuple(_MODULES)


@lru_cache
def _loaded(module: str) -> Channel:
    channel: Channel = import_module(module).CHANNEL
    return channel


def channel_of(device: Device) -> Channel:
    return _loaded(_MODULES[Device.Kind(device.kind)])
