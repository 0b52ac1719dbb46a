from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener

SIGNAL_TEST_S, QR_BYTES = 10, 1024 * 1024


class _Stay(HTTPRedirectHandler):
    """Follow no redirect: whatever listens at a port must not send Penny, and a key with her, to another address."""

    def redirect_request(self, *_: object) -> None:
        """An answer that leads elsewhere counts as a refusal (HTTPError)."""


opener = build_opener(ProxyHandler({}), _Stay)
