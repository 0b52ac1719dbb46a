"""Daphne's WebSockets with close codes for malformed frames, and limits for both directions.

Daphne buffers without limit for a client that stopped reading. `devices/sockets/window.py` closes the sockets of
clients that send nothing; this module also closes those of clients that send and do not read. Daphne also reads
without limit; this module pauses reading while the consumer is behind.
"""

from typing import Any

from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol

from devices import protocol

UNTAKEN_FRAMES, LOOK_S = 16, 0.02
_TOO_LARGE = 1009  # of RFC 6455, as autobahn says it


class WebSocket(WebSocketProtocol):
    """A WebSocket of Penny's. The attributes override options of autobahn."""

    # By default autobahn drops the connection without a close code, and a client would send the same frame again.
    failByDrop = False  # noqa: N815
    closeHandshakeTimeout = 4  # noqa: N815  s; the client may still read buffered frames before the close code

    is_waiting = False

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803
        super().onMessage(payload, isBinary)
        if not self.is_waiting and self.untaken_frames > UNTAKEN_FRAMES:
            self.is_waiting = True
            self.transport.pauseProducing()
            self._go_on()

    def _go_on(self) -> None:
        """Resume reading once half of the frames are consumed, or the socket is closed."""
        if self.untaken_frames > UNTAKEN_FRAMES // 2 and self.state != self.STATE_CLOSED:
            self.factory.reactor.callLater(LOOK_S, self._go_on)
        else:
            self.is_waiting = False
            self.transport.resumeProducing()

    def serverSend(self, content: str | bytes, binary: bool = False) -> None:  # noqa: N802
        """Send a frame. Raises ConnectionResetError on a closed socket: the consumer then stops."""
        if self.state == self.STATE_OPEN and self.unsent_bytes > protocol.UNREAD_BYTES:
            self.serverClose(protocol.CLOSE_TOO_SLOW)
        if self.state != self.STATE_OPEN:
            raise ConnectionResetError("the other side is gone, or does not read")
        super().serverSend(content, binary)

    def serverClose(self, code: int | None = None) -> None:  # noqa: N802
        """Send a close frame. Autobahn's own method refuses 1011, the code of a server failure."""
        self.sendCloseFrame(code=1000 if code is None else code)

    @property
    def untaken_frames(self) -> int:
        return int(self.application_queue.qsize())

    @property
    def unsent_bytes(self) -> int:
        """Return how many bytes this process buffers, without the buffers of the system."""
        transport: Any = self.transport
        return int(len(transport.dataBuffer) - transport.offset + transport._tempDataLen)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        """Discard all bytes after a malformed frame.

        Closing over unread bytes resets the connection. A client that still writes would see the reset before it reads
        the close code.
        """
        if not self.failedByMe:
            super().dataReceived(data)

    def _fail_connection(self, code: int = 0, reason: str = "") -> None:
        """Close with a code of the contract, without autobahn's reason.

        The client's close frame could not be recognised after a malformed frame, so the write side closes at once.
        """
        super()._fail_connection(protocol.CLOSE_TOO_LARGE if code == _TOO_LARGE else protocol.CLOSE_MALFORMED, "")
        self.transport.loseWriteConnection()

    def _protocol_violation(self, reason: str) -> bool:
        super()._protocol_violation(reason)
        return True  # the following bytes cannot be parsed either

    def _invalid_payload(self, reason: str) -> bool:
        super()._invalid_payload(reason)
        return True


def use_our_sockets() -> None:
    """Make daphne use `WebSocket`. Call this before the server starts."""
    WebSocketFactory.protocol = WebSocket
