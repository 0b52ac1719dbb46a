"""Django settings for signing in through another service (OpenID Connect), if one is set.

Penny loads one provider of django-allauth, and nothing of allauth without a service.
"""

import hashlib
from typing import Any

APPS = ["allauth.account", "allauth.socialaccount", "allauth.socialaccount.providers.openid_connect"]
MIDDLEWARE = ["allauth.account.middleware.AccountMiddleware"]
APP_LABELS = {"account", "socialaccount"}


def build_settings(url: str, client: str, secret: str, name: str) -> dict[str, Any]:
    """Return the settings for one service.

    The provider's id derives from its URL: an account linked at another service is not linked here.
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
        "OIDC_URL": url,
        "OIDC_PROVIDER": provider,
        "SOCIALACCOUNT_ADAPTER": "penny_site.sign_in.oidc_views.OwnersAccount",
        "SOCIALACCOUNT_ONLY": True,
        "ACCOUNT_EMAIL_VERIFICATION": "none",
        "SOCIALACCOUNT_PROVIDERS": {"openid_connect": {"APPS": [app], "OAUTH_PKCE_ENABLED": True}},
    }
