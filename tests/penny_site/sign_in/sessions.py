"""Check the session of a client in the tests of sign-in."""

from django.test import Client


def is_signed_in(client: Client) -> bool:
    return client.get("/settings/signing-in/").status_code == 200
