"""Addresses that sign out, unsubscribe or delete are told from those that can be read."""

import pytest

from devices.web.acting_addresses import acts

ACTING = [
    "/logout", "/log-out", "/Log_Out", "/users/sign_out", "/account/SignOut.aspx", "/userLogout", "/logout.php?next=/",
    "/logout;jsessionid=1", "/sign/out", "/auth/logout/everywhere", "/%6cogout", "/%256cogout", "/customer_logout",
    "/index.php?action=logout", "/?logout", "/?logout=1", "/index.php?option=com_users&task=user.logout",
    "/ucp.php?mode=logout", "/index.php?r=site/logout", "/konto/abmelden", "/d%C3%A9connexion", "/cerrar-sesion",
    "/%D0%B2%D1%8B%D1%85%D0%BE%D0%B4", "/ログアウト", "/wyloguj", "/cdn-cgi/access/logout", "/api/v1/session/destroy",
    "/unsubscribe", "/unsubscribe/abc123", "/email/unsubscribe.html?u=7", "/u/unsubscribe-me", "/opt-out?id=1",
    "/newsletter/abbestellen/x", "/mail?unsubscribe=token", "/d%C3%A9sabonnement", "/отписаться", "/退订",
    "/delete/7", "/items/7/delete", "/deleteItem?id=7", "/remove-from-cart/3", "/account/close-account",
    "/w/index.php?title=Coffee&action=delete", "/?do=delete_post&id=3", "/posts?delete=7", "/konto/l%C3%B6schen",
    "/supprimer/4", "/order/cancel-order", "/sessions/revoke", "/docs/7?action=delete", "/blog/delete?id=7",
]  # fmt: skip
READ = [
    "/", "/coffee", "/how-to-delete-a-facebook-account", "/blog/unsubscribe-from-everything-at-once-in-2026",
    "/en-US/docs/Web/JavaScript/Reference/Operators/delete", "/wiki/Delete", "/search?q=delete", "/search?q=log+out",
    "/2026/why-we-should-delete-more-code", "/logouts-explained", "/deletion", "/products/removers", "/signals/outer",
    "/outlook", "/how-to-logout", "/removable-disks", "/blogs/logo", "/?page=2", "/?view=list&sort=price",
    "/item/4711?ref=home", "/articles/delete", "/?unsubscribe=0", "/coffee;delete", "/salary",
]  # fmt: skip


@pytest.mark.parametrize("path", ACTING)
def test_what_acts_when_it_is_opened_is_recognised(path: str) -> None:
    assert acts(f"https://shop.example{path}")


@pytest.mark.parametrize("path", READ)
def test_what_is_to_be_read_is_not_taken_for_an_act(path: str) -> None:
    assert not acts(f"https://shop.example{path}")
