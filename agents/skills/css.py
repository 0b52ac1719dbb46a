"""Refuse CSS selectors that find nothing on any page: ones that browsers reject, and ones that contradict themselves.

The extension takes the visible text of what `querySelectorAll` matches (browser_ext/src/extract/fields.ts).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

# Never with a text of their own that a reader sees.
_WITHOUT_TEXT = frozenset({
    "area", "base", "br", "col", "embed", "head", "hr", "iframe", "img", "input", "link", "meta", "noscript",
    "script", "source", "style", "template", "title", "track", "wbr", "audio", "video", "canvas",
})  # fmt: skip
# Nothing can stand in them; a frame holds another page.
_WITHOUT_CHILDREN = frozenset({
    "area", "base", "br", "col", "embed", "hr", "iframe", "img", "input", "link", "meta", "script", "source",
    "style", "textarea", "title", "track", "wbr",
})  # fmt: skip
_PSEUDO_CLASSES = frozenset({
    "active", "active-view-transition", "any-link", "autofill", "blank", "buffering", "checked", "current",
    "default", "defined", "disabled", "empty", "enabled", "first-child", "first-of-type", "focus", "focus-visible",
    "focus-within", "fullscreen", "future", "has-slotted", "host", "hover", "in-range", "indeterminate", "invalid",
    "last-child", "last-of-type", "link", "local-link", "modal", "muted", "only-child", "only-of-type", "open",
    "optional", "out-of-range", "past", "paused", "picture-in-picture", "placeholder-shown", "playing",
    "popover-open", "read-only", "read-write", "required", "root", "scope", "seeking", "stalled", "target",
    "target-current", "user-invalid", "user-valid", "valid", "visited", "volume-locked",
})  # fmt: skip
_FUNCTIONS = frozenset({
    "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type", "lang", "dir", "host", "host-context", "state",
    "active-view-transition-type", "current",
})  # fmt: skip
_LISTS = ("MatchesAnySelector", "SpecificityAdjustmentSelector", "RelationalSelector")
_ADVICE = {
    "contains": "CSS finds no words: name the element by its class, its id or its place",
    "has-text": "CSS finds no words: name the element by its class, its id or its place",
    "text": "CSS finds no words: name the element by its class, its id or its place",
    "text-is": "CSS finds no words: name the element by its class, its id or its place",
    "eq": "count with :nth-child(), which begins at 1",
    "first": "leave it out: without [] behind its name the first match counts",
    "last": "write :last-child or :last-of-type",
    "even": "write :nth-child(even)",
    "odd": "write :nth-child(odd)",
    "visible": "leave it out: only visible text counts anyhow",
    "hidden": "leave it out: only visible text counts",
    "parent": "write the parent itself, with :has() behind it",
    "header": "write :is(h1, h2, h3)",
    "button": "write :is(button, input)",
}


class SelectorInvalid(ValueError):
    """A selector that finds nothing on any page. The text says why, and what to write instead."""


def check_selector(css: str) -> None:
    """Raises SelectorInvalid for a selector that finds nothing on any page."""
    from cssselect2 import parser  # needed only when a document is written
    from tinycss2 import parse_component_value_list

    _refuse_other_languages(css)
    tokens = parse_component_value_list(css)
    _refuse_unclosed(css, tokens)
    try:
        selectors = list(parser.parse(tokens))
    except (parser.SelectorError, ValueError, RecursionError) as error:
        raise SelectorInvalid(_syntax_advice(css, error)) from None
    for selector in selectors:
        _refuse_unknown(selector.parsed_tree)
    reasons = [_reason(selector) for selector in selectors]
    if all(reasons):
        raise SelectorInvalid(reasons[0])


def _refuse_other_languages(css: str) -> None:
    if css.startswith(("/", "./", "(/", "xpath")) or "text()" in css or "/@" in css:
        raise SelectorInvalid("that is XPath: write CSS, such as .price b")
    if css[0] in "\"'`“" and css[-1] in "\"'`”":
        raise SelectorInvalid("leave out the quotes around it")
    if ">>>" in css or "/deep/" in css or "::shadow" in css:
        raise SelectorInvalid("no selector reaches into another component: name an element outside of it")
    if "{" in css:
        raise SelectorInvalid("write the selector alone, without rules in { }")


def _refuse_unclosed(css: str, tokens: Iterable[Any]) -> None:
    """Browsers take what is not closed; here it is a slip, which cuts the rest off."""
    for opening, closing in ("[]", "()"):
        if css.count(opening) != css.count(closing) and "\\" not in css and '"' not in css and "'" not in css:
            raise SelectorInvalid(f"a {opening if css.count(opening) > css.count(closing) else closing} has no partner")
    for token in tokens:
        if token.type == "error":
            raise SelectorInvalid("a quote or a bracket has no partner")


def _syntax_advice(css: str, error: Exception) -> str:
    token: Any = error.args[0] if error.args else None
    kind = getattr(token, "type", "")
    if kind == "hash":
        return f'no id begins with a digit in CSS: write it as an attribute, such as [id="{token.value}"]'
    if "attribute value" in str(error.args[-1]):
        return 'put the value of the attribute in quotes, such as [data-id="1"]'
    if kind in ("dimension", "number"):
        return 'no class begins with a digit in CSS: write it as an attribute, such as [class~="2col"]'
    if token is None:
        return "something is missing at its end: a comma, a combinator or a dot stands there alone"
    if "pseudo-element" in str(error.args[-1]):
        return f"“::{getattr(token, 'value', '')}” names no element: leave it out, the text comes anyhow"
    if css.lstrip().startswith((">", "+", "~")):
        return "it begins with a combinator: write what stands before it, or leave it out"
    return f"browsers cannot read it near “{str(getattr(token, 'value', css))[:20]}”"


def _refuse_unknown(tree: Any) -> None:
    """Refuse a pseudo-class that browsers do not know: they then reject the whole selector."""
    for simple in _simple_selectors(tree):
        kind, name = type(simple).__name__, str(getattr(simple, "name", ""))
        if name.startswith("-"):
            continue
        if kind == "PseudoClassSelector" and name not in _PSEUDO_CLASSES:
            raise SelectorInvalid(f"browsers know no :{name}{_advice(name)}")
        if kind == "FunctionalPseudoClassSelector":
            if name not in _FUNCTIONS:
                raise SelectorInvalid(f"browsers know no :{name}(){_advice(name)}")
            if name.startswith("nth-") and _nth(simple.arguments) is None:
                raise SelectorInvalid(f":{name}() needs a number such as 2, odd or 2n+1, counted from 1")
        if kind in ("NegationSelector", "RelationalSelector"):
            for inner in simple.selector_list:
                inner = getattr(inner, "selector", inner)
                _refuse_unknown(inner.parsed_tree)


def _advice(name: str) -> str:
    return f": {_ADVICE[name]}" if name in _ADVICE else ""


def _reason(selector: Any) -> str:
    """Return why a selector finds nothing on any page; "" if it may find something."""
    if selector.pseudo_element is not None:
        return f"“::{selector.pseudo_element}” is no element: leave it out"
    tree = selector.parsed_tree
    simple = _compounds(tree)[-1]
    name = _element(simple)
    if name in _WITHOUT_TEXT:
        return f"<{name}> has no text that is seen on the page: name the element that shows it"
    if _is_pseudo_class(simple, "empty"):
        return "what is :empty has no text"
    return _contradiction_in(tree)


def _contradiction_in(tree: Any) -> str:
    if type(tree).__name__ == "CombinedSelector":
        left, right = _compounds(tree.left)[-1], _compounds(tree)[-1]
        name = _element(left)
        if tree.combinator in (" ", ">") and name in _WITHOUT_CHILDREN:
            why = "shows another page, of its own address" if name == "iframe" else "holds no other elements"
            return f"<{name}> {why}: leave out what stands before it or behind it"
        if _is_root(right):
            return "nothing stands around or beside <html>: leave out what stands before it"
        if tree.combinator in ("+", "~") and _is_root(left):
            return "nothing stands beside <html>: write a space or > behind it"
        return _contradiction_in(tree.left) or _contradiction_of(right)
    return _contradiction_of(tree.simple_selectors)


def _contradiction_of(simple: list[Any]) -> str:
    """Return why no element can be all of these at once."""
    ids = {part.ident for part in simple if type(part).__name__ == "IDSelector"}
    if len(ids) > 1:
        return "no element has two ids: put a space between them"
    values: dict[str, set[str]] = {}
    texts = {repr(part) for part in simple}
    for part in simple:
        kind, name = type(part).__name__, str(getattr(part, "name", ""))
        if kind == "AttributeSelector":
            if part.operator == "=":
                values.setdefault(name, set()).add(part.value)
            if part.operator in ("^=", "$=", "*=", "~=") and not part.value:
                return f'[{name}{part.operator}""] matches nothing: write [{name}]'
            if part.operator == "~=" and part.value and " " in part.value:
                return f"[{name}~=…] looks for one word: write *= to find several"
        if kind == "PseudoClassSelector" and name == "visited":
            return "browsers tell no page what was :visited: write :link"
        if kind == "FunctionalPseudoClassSelector" and name.startswith("nth-"):
            a, b = _nth(part.arguments) or (1, 0)
            if a <= 0 and b < 1:
                return f":{name}() counts from 1"
        if kind == "NegationSelector" and any(_negates(inner, texts) for inner in part.selector_list):
            return "it asks for what it leaves out"
        if kind in _LISTS and not part.selector_list:
            return "the brackets behind :is, :where or :has hold no selector that browsers know"
    if any(len(texts) > 1 for texts in values.values()):
        return "no attribute has two values: write the two selectors with a comma between them"
    return ""


def _negates(selector: Any, texts: set[str]) -> bool:
    tree = selector.parsed_tree
    if type(tree).__name__ != "CompoundSelector":
        return False
    return {repr(part) for part in tree.simple_selectors} <= texts  # `*` has no parts, and is every element


def _compounds(tree: Any) -> list[list[Any]]:
    """Return the simple selectors of each compound, from left to right."""
    if type(tree).__name__ == "CombinedSelector":
        return [*_compounds(tree.left), *_compounds(tree.right)]
    return [list(tree.simple_selectors)]


def _simple_selectors(tree: Any) -> list[Any]:
    return [part for compound in _compounds(tree) for part in compound]


def _element(simple: list[Any]) -> str:
    return next((part.lower_local_name for part in simple if type(part).__name__ == "LocalNameSelector"), "")


def _is_root(simple: list[Any]) -> bool:
    return _element(simple) == "html" or _is_pseudo_class(simple, "root")


def _is_pseudo_class(simple: list[Any], name: str) -> bool:
    return any(type(part).__name__ == "PseudoClassSelector" and part.name == name for part in simple)


def _nth(arguments: list[Any]) -> tuple[int, int] | None:
    """Return a and b of `an+b`, None for anything else. A selector behind `of` is left alone."""
    from tinycss2.nth import parse_nth

    end = next((n for n, token in enumerate(arguments) if token.type == "ident" and token.lower_value == "of"), None)
    numbers: tuple[int, int] | None = parse_nth(arguments[:end])
    return numbers
