from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener

SIGNAL_TEST_S, QR_BYTES = 10, 1024 * 1024


class _Stay(HTTPRedirectHandler):
    """Follow no redirect: a server must not lead Penny, and an API key, to another address."""

    def redirect_request(self, *_: object) -> None:
        """Return None, so that urllib raises HTTPError for a redirect."""


opener = build_opener(ProxyHandler({}), _Stay)
