"""Tokens of programs: they admit calls until they are revoked, and are shown once."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from constance import config
from django.test import Client as Browser
from django.test import RequestFactory
from django.utils import timezone

from agents.api import completions
from agents.api.openapi import description
from devices.access.api_tokens import new_token
from devices.access.revoke import UNDO_FOR, revoke
from devices.models import Device, Message
from devices.models.sign_in import ApiToken

PAGE = "/permissions/programs/"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("redis")
class TestTokens:
    def authenticate(self, token: str = "") -> completions.Refused | Device:
        try:
            return completions.admit(RequestFactory().get("/v1/models", headers={"Authorization": f"Bearer {token}"}))
        except completions.Refused as refused:
            return refused

    def status(self, token: str = "") -> int:
        outcome = self.authenticate(token)
        return outcome.status if isinstance(outcome, completions.Refused) else 200

    def test_there_is_no_api_before_there_is_a_token(self, client: Browser) -> None:
        assert self.status() == 404
        assert client.get("/api/docs").status_code == 404
        assert client.get("/v1/models").status_code == 404

    def test_a_token_opens_it_and_revoking_closes_it(self) -> None:
        row, token = new_token("Editor")
        assert self.status(token) == 200
        assert [self.status(wrong) for wrong in ("", "x", token[:-1], row.digest)] == [401] * 4
        revoke(row.device)
        assert self.status(token) == 404

    def test_one_that_was_revoked_does_not_stay_open_because_another_is_good(self) -> None:
        (row, token), _ = new_token("Editor"), new_token("Phone")
        revoke(row.device)
        assert self.status(token) == 401

    def test_a_token_is_stored_nowhere(self) -> None:
        row, token = new_token("Editor")
        assert token not in str(ApiToken.objects.values()) + str(Device.objects.values())
        assert row.device.tool_use is False

    def test_each_program_makes_so_many_calls_in_a_minute(self) -> None:
        config.API_CALLS_MINUTE = 3
        (_, token), (_, other) = new_token("Editor"), new_token("Phone")
        assert [self.status(token) for _ in range(5)] == [200, 200, 200, 429, 429]
        assert self.status(other) == 200

    def test_a_session_of_the_owners_opens_nothing(self, owner_client: Browser) -> None:
        new_token("Editor")
        assert (
            owner_client.post("/v1/chat/completions", {"messages": []}, content_type="application/json").status_code
            == 401
        )
        assert not Message.objects.exists()

    def test_what_a_program_may_call_stands_on_the_page_of_programs(self, owner_client: Browser) -> None:
        html = owner_client.get("/permissions/programs/").content.decode()
        assert "POST /v1/chat/completions" in html
        assert "<code>messages</code>" in html
        assert "curl http" in html
        assert "<td>The token is not good.</td>" in html

    def test_the_old_address_leads_people_there_and_gives_programs_openapi(self, owner_client: Browser) -> None:
        for_people = {"Accept": "text/html"}
        response = owner_client.get("/api/docs", headers=for_people)
        assert response.headers["Location"] == "/permissions/programs/#calls"
        assert owner_client.get("/api/docs?form=json", headers=for_people).json() == description()
        assert description()["paths"].keys() == {
            "/v1/chat/completions",
            "/v1/pictures/{name}.webp",
            "/v1/models",
            "/v1/models/{name}",
        }

    def test_the_page_shows_a_token_once_and_revokes_it(self, owner_client: Browser) -> None:
        assert "No program may talk to Penny" in owner_client.get("/permissions/programs/").content.decode()
        assert (
            owner_client.post("/permissions/programs/", {"label": "Editor"}).headers["Location"]
            == "/permissions/programs/"
        )
        owner_client.head("/permissions/programs/")
        response = owner_client.get("/permissions/programs/")
        match = re.search(r'data-copy="(penny-[\w-]+)"', response.content.decode())
        assert match is not None
        assert response.headers["Cache-Control"] == "no-store"
        assert match[1] not in owner_client.get("/permissions/programs/").content.decode()
        assert (ApiToken.objects.count(), match[1] in str(dict(owner_client.session))) == (1, False)
        assert self.status(match[1]) == 200
        owner_client.post(f"/permissions/programs/{ApiToken.objects.get().pk}/revoke/")
        assert self.status(match[1]) == 404

    def test_revoking_is_undone_within_the_hour_and_the_token_is_the_same(self, owner_client: Browser) -> None:
        (row, token), _ = new_token("Editor"), new_token("Phone")
        html = owner_client.post(f"{PAGE}{row.pk}/revoke/", follow=True).content.decode()
        undo_at = f"{PAGE}{row.pk}/restore/"
        assert f'action="{undo_at}"' in html
        assert self.status(token) == 401
        digest_before = row.digest
        html = owner_client.post(undo_at, follow=True).content.decode()
        assert "“Editor” may talk to Penny again, with the same token." in html
        row.refresh_from_db()
        assert (self.status(token), row.digest, ApiToken.objects.count()) == (200, digest_before, 2)

    def test_a_token_stays_bad_after_the_hour_and_without_that_bound_it_comes_back(
        self, owner_client: Browser, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        row, token = new_token("Editor")
        long_ago = timezone.now() - UNDO_FOR - timedelta(seconds=1)
        Device.objects.filter(pk=row.device_id).update(revoked_at=long_ago)
        html = owner_client.post(f"{PAGE}{row.pk}/restore/", follow=True).content.decode()
        assert "cannot come back by itself" in html
        assert self.status(token) == 404
        monkeypatch.setattr("devices.access.revoke.UNDO_FOR", timedelta(days=1))
        owner_client.post(f"{PAGE}{row.pk}/restore/")
        assert self.status(token) == 200

    def test_a_token_that_waits_since_a_restore_is_not_let_in_by_an_undo(self, owner_client: Browser) -> None:
        row, token = new_token("Editor")
        Device.objects.filter(pk=row.device_id).update(revoked_at=timezone.now(), waits=True)
        owner_client.post(f"{PAGE}{row.pk}/restore/")
        assert self.status(token) == 404

    @pytest.mark.parametrize("what", ["revoke", "restore"])
    def test_no_other_site_and_no_program_presses_a_button(self, owner_client: Browser, what: str) -> None:
        row, token = new_token("Editor")
        if what == "restore":
            revoke(row.device)
        before, address = self.status(token), f"{PAGE}{row.pk}/{what}/"
        assert owner_client.post(address, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
        by_token = Browser().post(address, headers={"Authorization": f"Bearer {token}"})
        assert by_token.headers["Location"].startswith("/sign-in/")
        assert owner_client.get(address).status_code in (302, 405)
        assert self.status(token) == before

    def test_programs_of_one_name_are_named_apart(self, owner_client: Browser) -> None:
        for at in (datetime(2026, 1, 2, 8, tzinfo=UTC), datetime(2026, 1, 3, 8, tzinfo=UTC)):
            row, _ = new_token("Editor")
            ApiToken.objects.filter(pk=row.pk).update(created_at=at)
        html = owner_client.get(PAGE).content.decode()
        names = re.findall(r'action="/permissions/programs/\d+/revoke/".*?<button[^>]*>(.*?)</button>', html, re.DOTALL)
        assert len(set(names)) == 2
