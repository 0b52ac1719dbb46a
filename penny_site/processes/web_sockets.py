"""What daphne leaves open: a frame that cannot be read ends with a close code, and nobody who stopped reading is sent
more.

Daphne writes into its transport however much waits there, so a reader that stopped costs all that was sent to it. What
the consumer counts (devices/sockets/window.py) ends that for readers that say nothing; this ends it also for those that
ask and do not read. It also reads however much comes, whether somebody takes it or not; ours lets it wait on the other
side.
"""

from typing import Any

from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol

from devices import protocol

UNTAKEN_FRAMES, LOOK_S = 16, 0.02
_TOO_LARGE = 1009  # of RFC 6455, as autobahn says it


class WebSocket(WebSocketProtocol):
    """A socket of ours. The attributes are options of autobahn's, which leaves those alone that a protocol has
    already.
    """

    # by default the connection is cut without a word, and a client would send the same again
    failByDrop = False  # noqa: N815
    closeHandshakeTimeout = 4  # noqa: N815  s; the other side may still read what waits before the close code

    is_waiting = False

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803
        super().onMessage(payload, isBinary)
        if not self.is_waiting and self.untaken_frames > UNTAKEN_FRAMES:
            self.is_waiting = True
            self.transport.pauseProducing()
            self._go_on()

    def _go_on(self) -> None:
        """Read again once the consumer has taken half of what came. One that is over takes nothing more."""
        if self.untaken_frames > UNTAKEN_FRAMES // 2 and self.state != self.STATE_CLOSED:
            self.factory.reactor.callLater(LOOK_S, self._go_on)
        else:
            self.is_waiting = False
            self.transport.resumeProducing()

    def serverSend(self, content: str | bytes, binary: bool = False) -> None:  # noqa: N802
        """Raises ConnectionResetError, which tells the consumer to stop, where it is over."""
        if self.state == self.STATE_OPEN and self.unsent_bytes > protocol.UNREAD_BYTES:
            self.serverClose(protocol.CLOSE_TOO_SLOW)
        if self.state != self.STATE_OPEN:
            raise ConnectionResetError("the other side is gone, or does not read")
        super().serverSend(content, binary)

    def serverClose(self, code: int | None = None) -> None:  # noqa: N802
        """Autobahn's own way refuses 1011, with which a server says that it failed."""
        self.sendCloseFrame(code=1000 if code is None else code)

    @property
    def untaken_frames(self) -> int:
        """How many frames came that the consumer did not take yet."""
        return int(self.application_queue.qsize())

    @property
    def unsent_bytes(self) -> int:
        """How much waits in this process for the other side to read, beyond what the system's own buffers took."""
        transport: Any = self.transport
        return int(len(transport.dataBuffer) - transport.offset + transport._tempDataLen)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        """What follows a frame that cannot be read is no frame either. It is read away: a connection that is closed
        over unread bytes is reset, and a client that still writes would meet that before it reads the close code.
        """
        if not self.failedByMe:
            super().dataReceived(data)

    def _fail_connection(self, code: int = 0, reason: str = "") -> None:
        """Close with a code of the contract, and without autobahn's words. The other side's answer would not be found
        in what follows, so the end of ours comes right after the code.
        """
        super()._fail_connection(protocol.CLOSE_TOO_LARGE if code == _TOO_LARGE else protocol.CLOSE_MALFORMED, "")
        self.transport.loseWriteConnection()

    def _protocol_violation(self, reason: str) -> bool:
        super()._protocol_violation(reason)
        return True  # what follows cannot be understood either

    def _invalid_payload(self, reason: str) -> bool:
        super()._invalid_payload(reason)
        return True


def use_our_sockets() -> None:
    """Let daphne make its sockets of our class. Call it before the server starts."""
    WebSocketFactory.protocol = WebSocket
