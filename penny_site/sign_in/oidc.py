"""Signing in through another service (OpenID Connect), where the owner set one: what is added to the settings then.

Of django-allauth its one provider is loaded, and nothing of it where no service is set.
"""

import hashlib
from typing import Any

APPS = ["allauth.account", "allauth.socialaccount", "allauth.socialaccount.providers.openid_connect"]
MIDDLEWARE = ["allauth.account.middleware.AccountMiddleware"]
TABLES_OF = {"account", "socialaccount"}


def settings_of(url: str, client: str, secret: str, name: str) -> dict[str, Any]:
    """Return the settings for one service. Its id is made of its address: who was linked at another service is linked
    nowhere here.
    """
    provider = "p" + hashlib.sha256(url.encode()).hexdigest()[:16]
    app = {
        "provider_id": provider,
        "name": name,
        "client_id": client,
        "secret": secret,
        "settings": {"server_url": url},
    }
    return {
        "OIDC_NAME": name,
        "OIDC_PROVIDER": provider,
        "SOCIALACCOUNT_ADAPTER": "penny_site.sign_in.oidc_views.OwnersAccount",
        "SOCIALACCOUNT_ONLY": True,
        "ACCOUNT_EMAIL_VERIFICATION": "none",
        "SOCIALACCOUNT_PROVIDERS": {"openid_connect": {"APPS": [app], "OAUTH_PKCE_ENABLED": True}},
    }
