"""The ASGI application: HTTP and WebSockets.

penny_site/doors.py checks a socket's Host before the upgrade.
"""

import gc
import os
from typing import Any

import django

gc.disable()  # until everything is imported
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "penny_site.settings")
django.setup(set_prefix=False)

from channels.auth import AuthMiddlewareStack  # noqa: E402  these need the apps to be loaded
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.urls import path  # noqa: E402

from devices.sockets.consumers import DeviceConsumer, FeedConsumer, WebConsumer  # noqa: E402
from penny_site.doors import BelowBase, HostDoor, SlowRefusals, close_socket  # noqa: E402
from penny_site.processes.bodies import BodyHandler, bound_bodies  # noqa: E402
from penny_site.processes.memory import start_giving_back  # noqa: E402
from penny_site.processes.page_threads import KeptThreads  # noqa: E402
from penny_site.processes.web_sockets import use_our_sockets  # noqa: E402

_routes: list[tuple[str, Any]] = [
    ("ws/device", DeviceConsumer.as_asgi()),
    ("ws/web", AuthMiddlewareStack(WebConsumer.as_asgi())),
    ("ws/feed", AuthMiddlewareStack(FeedConsumer.as_asgi())),
    ("<path:anything>", close_socket),
]
_sockets = URLRouter([path(route, app) for route, app in _routes])
use_our_sockets()
bound_bodies()
_http: Any = BodyHandler()
application = ProtocolTypeRouter({"http": SlowRefusals(KeptThreads(_http)), "websocket": HostDoor(BelowBase(_sockets))})

# Imported objects live as long as the process: collecting among them would block every socket.
gc.collect()
gc.freeze()
gc.enable()
start_giving_back()
