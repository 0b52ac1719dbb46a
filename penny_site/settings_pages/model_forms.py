"""The forms of the page Model. A key goes in and never comes out again."""

import os
from collections.abc import Callable
from typing import Any

from django import forms

from agents.llm.endpoint import KEY_VARIABLES, LOCAL_SERVERS, URLS, usual_key, without_quotes
from agents.llm.servers.auto import USUAL_MODELS, provider_of_key
from agents.model_choice.choose import Chosen, choose_others, has_key, store_choice
from agents.model_choice.models import NAME_CHARACTERS, URL_CHARACTERS, ModelChoice
from penny_site.environment import http_url, model_key

KEY_CHARACTERS = 500
STORED = "A key is stored. Leave this empty to keep it."
PROVIDERS = {
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "google": "Google",
    "xai": "xAI",
    "zai": "Z.ai",
    "openrouter": "OpenRouter",
}
_PROVIDERS_BY_URL = {url.rstrip("/"): provider for provider, url in URLS.items() if url} | {
    url: provider for _, provider, url in LOCAL_SERVERS
}


class NameField(forms.CharField):
    """The name of a model, without quotes around it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            max_length=NAME_CHARACTERS, error_messages={"required": "Write the name of the model."}, **options
        )
        self.widget.attrs |= {"class": "field", "autocomplete": "off", "spellcheck": "false", "autocapitalize": "off"}

    def to_python(self, value: Any) -> str:
        return without_quotes(super().to_python(value) or "")

    def clean(self, value: Any) -> str:
        name = str(super().clean(value))
        if not name.isprintable():
            raise forms.ValidationError("Write the name in one line.")
        return name


class KeyField(forms.CharField):
    """A key, typed unseen. The page never shows one, also not the one that was just sent."""

    def __init__(self, **options: Any) -> None:
        widget = forms.PasswordInput(render_value=False)
        super().__init__(max_length=KEY_CHARACTERS, required=False, widget=widget, **options)
        self.widget.attrs |= {"class": "field", "autocomplete": "off", "spellcheck": "false"}

    def clean(self, value: Any) -> str:
        return _valid(model_key, super().clean(value))


class AddressField(forms.CharField):
    """The address of a model server, by the rules of PENNY_MODEL_URL."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=URL_CHARACTERS, error_messages={"required": "Write an address."}, **options)
        self.widget.attrs |= {
            "class": "field",
            "inputmode": "url",
            "autocomplete": "off",
            "placeholder": "http://127.0.0.1:1234/v1",
        }

    def clean(self, value: Any) -> str:
        try:
            return _valid(http_url, without_quotes(super().clean(value)))
        except forms.ValidationError as error:
            if error.code:
                raise
            raise forms.ValidationError("Write an address such as http://127.0.0.1:1234/v1.") from None


def _valid(check: Callable[[str], str], value: str) -> str:
    try:
        return check(value)
    except ValueError as error:
        text = str(error)
        raise forms.ValidationError(f"{text[0].upper()}{text[1:]}.") from None


class HostedForm(forms.Form):
    """A model of a hosted provider, with its key."""

    prefix = "hosted"
    provider = forms.ChoiceField(
        label="Provider",
        choices=[*PROVIDERS.items()],
        widget=forms.Select(attrs={"class": "field"}),
        error_messages={"invalid_choice": "Choose one of these."},
    )
    key = KeyField(label="API key", help_text="Stored encrypted on your machine, and never shown again.")
    name = NameField(label="Model", required=False, help_text="Such as gpt-5-mini. Empty: a usual one of the provider.")

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if _has_key_for(self["provider"].value()):
            self.fields["key"].help_text = STORED

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        provider, key = values.get("provider"), values.get("key")
        if not provider or key is None:
            return values
        if why := _why_not(provider, key):
            self.add_error("key", why)
        elif not (key or _has_key_for(provider) or usual_key(provider, os.environ)):
            self.add_error("key", f"Paste your key of {PROVIDERS[provider]}.")
        return values

    def save(self) -> str:
        values = self.cleaned_data
        name = values["name"] or USUAL_MODELS[values["provider"]]
        store_choice(Chosen(values["provider"], name, key=values["key"]))
        return name


def _why_not(provider: str, key: str) -> str:
    """Return why a key may not go to a provider: its form tells whose it is. Empty if it may."""
    owner = provider_of_key(key)
    if not owner or owner == provider or provider not in PROVIDERS:
        return ""
    return f"This is a key of {PROVIDERS[owner]}. Choose that provider, or paste another key."


def _has_key_for(provider: str) -> bool:
    return has_key(ModelChoice.objects.filter(provider=provider, url=URLS.get(provider, "")).first())


class ServerForm(forms.Form):
    """A model at any address: a server of this machine, or one of your own elsewhere."""

    prefix = "server"
    url = AddressField(label="Address")
    name = NameField(label="Model")
    key = KeyField(label="API key", help_text="Only if the server wants one.")

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if has_key(ModelChoice.objects.filter(url=self["url"].value() or "").first()):
            self.fields["key"].help_text = STORED

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if why := _why_not(_provider_at(values.get("url", "")), values.get("key", "")):
            self.add_error("key", why)
        return values

    def save(self) -> str:
        values = self.cleaned_data
        provider = _provider_at(values["url"])
        url = "" if provider in KEY_VARIABLES else values["url"]
        store_choice(Chosen(provider, values["name"], url, values["key"]))
        return str(values["name"])


def _provider_at(address: str) -> str:
    return _PROVIDERS_BY_URL.get(address, "openai-compatible")


class OthersForm(forms.Form):
    """Other models at the same address, for pages, pictures and acting."""

    prefix = "others"
    reader = NameField(label="Reads pages", required=False, help_text="A small one is enough. Empty: the model itself.")
    vision = NameField(label="Looks at pictures", required=False, help_text="Empty: Penny looks at no pictures.")
    act = NameField(label="Acts on pages", required=False, help_text="In Act mode. Empty: the model itself.")

    def save(self) -> str:
        choose_others(*(self.cleaned_data[name] for name in ("reader", "vision", "act")))
        return ""


FORMS: dict[str, type[HostedForm | ServerForm | OthersForm]] = {
    form.prefix: form for form in (HostedForm, ServerForm, OthersForm)
}
