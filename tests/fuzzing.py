"""Make frames of a broken or hostile client from the contract's schema, after a seed."""

import json
import random
import string
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from devices import protocol

Schema = dict[str, Any]
ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    2**53,
    10**30,
    1e308,
    "",
    " ",
    "x" * 70,
    "\u202e",
    "😀" * 9,
    "\x00",
    "\ud800",
    [],
    {},
    [[]],
    {"type": "ping"},
]
LITERALS = [
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
    "1" * 500,
    '"\\ud800"',
    '"\\u0000"',
    "[" * 60 + "]" * 60,
    "[" * 500 + "]" * 500,
]
MASK = b"\x01\x02\x03\x04"


@dataclass(frozen=True)
class FuzzFrame:
    """Data on the wire: a text, its fragments, a binary message, or bytes below the WebSocket."""

    kind: str
    data: Any

    @property
    def is_frame(self) -> bool:
        """Whether the contract allows it, so that Penny has to answer."""
        if self.kind not in ("text", "fragments"):
            return False
        try:
            protocol.parse_client(self.data if self.kind == "text" else "".join(self.data))
        except (protocol.Malformed, UnicodeEncodeError):
            return False
        return True


class Fuzzer:
    """Makes frames of all kinds, the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        root = protocol.schema()
        self.parts: dict[str, Schema] = root["$defs"]
        self.types = [name["$ref"].rpartition("/")[2] for name in self.parts["ClientFrame"]["oneOf"]]

    def frames(self, count: int) -> Iterator[FuzzFrame]:
        for _ in range(count):
            yield self.frame()

    def frame(self) -> FuzzFrame:
        makers = {
            self._valid: 45, self._changed_value: 20, self._literal: 8, self._damaged: 8, self._fragments: 10,
            self._noise: 4, self._extreme: 5,
        }  # fmt: skip
        return self.random.choices(list(makers), list(makers.values()))[0]()

    def _valid(self) -> FuzzFrame:
        return FuzzFrame("text", json.dumps(self._instance({"$ref": f"#/$defs/{self.random.choice(self.types)}"})))

    def _changed_value(self) -> FuzzFrame:
        """Replace, delete or add a value anywhere in a valid frame."""
        frame = json.loads(self._valid().data)
        holder = self.random.choice(list(_holders(frame)))
        name = self.random.choice([*holder, "extra"])
        if name != "type" and self.random.random() < 0.2:
            holder.pop(name, None)
        else:
            holder[name] = self.random.choice(ODD)
        return FuzzFrame("text", json.dumps(frame))

    def _literal(self) -> FuzzFrame:
        """Replace a value with JSON that Python would not write."""
        frame = json.loads(self._valid().data)
        holder = self.random.choice(list(_holders(frame)))
        holder[self.random.choice([*holder, "extra"])] = "@"
        return FuzzFrame("text", json.dumps(frame).replace('"@"', self.random.choice(LITERALS)))

    def _damaged(self) -> FuzzFrame:
        text = self._valid().data
        at = self.random.randrange(len(text))
        cut = (
            text[:at]
            + self.random.choice(["", self.random.choice(string.printable), "é\u2028"])
            + text[at + self.random.randrange(9) :]
        )
        return FuzzFrame("text", cut)

    def _fragments(self) -> FuzzFrame:
        text = self.random.choice((self._valid, self._changed_value))().data
        at = self.random.randrange(1, len(text))
        return FuzzFrame("fragments", [text[:at], text[at:]])

    def _noise(self) -> FuzzFrame:
        size = self.random.choice([0, 1, 7, 300, 5_000])
        return FuzzFrame("binary", self.random.randbytes(size))

    def _extreme(self) -> FuzzFrame:
        """Make a large frame, or one that breaks the rules of WebSockets."""
        makers: list[Callable[[], FuzzFrame]] = [
            lambda: FuzzFrame(
                "text", json.dumps({"type": "chat.send", "text": "x" * self.random.choice([32_001, 520_000, 600_000])})
            ),
            lambda: FuzzFrame("text", "[" * self.random.choice([300, 100_000])),
            lambda: FuzzFrame("text", "é" * 1_100_000),
            lambda: FuzzFrame("bytes", _raw(0x81, b"\xff\xfe{")),  # text that is not UTF-8
            lambda: FuzzFrame(
                "bytes", _raw(0x80 | self.random.choice([3, 7, 0xB, 0xF]), b"x")
            ),  # opcodes that do not exist
            lambda: FuzzFrame("bytes", _raw(0xC1, b'{"type":"ping"}')),  # a reserved bit
            lambda: FuzzFrame("bytes", _raw(0x80, b"the rest of nothing")),
            lambda: FuzzFrame("bytes", b"\x81\x05hello"),  # without a mask
            lambda: FuzzFrame("bytes", b"\x81\xff" + struct.pack("!Q", 2**62) + MASK),  # announces four exabytes
        ]
        return self.random.choice(makers)()

    def _instance(self, schema: Schema) -> Any:
        """Return a value that the schema allows, within its limits."""
        if "$ref" in schema:
            return self._instance(self.parts[schema["$ref"].rpartition("/")[2]])
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self.random.choice(schema["enum"])
        for name in ("anyOf", "oneOf"):
            if name in schema:
                return self._instance(self.random.choice(schema[name]))
        return self._of_type(schema)

    def _of_type(self, schema: Schema) -> Any:
        match schema.get("type"):
            case "object":
                return self._object(schema)
            case "array":
                return [
                    self._instance(schema.get("items", {}))
                    for _ in range(self.random.randrange(min(4, schema.get("maxItems", 4) + 1)))
                ]
            case "integer" | "number":
                return self.random.randint(schema.get("minimum", 0), min(schema.get("maximum", 9), 10**6))
            case "boolean":
                return self.random.random() < 0.5
            case "null":
                return None
            case "string":
                return self._text(schema)
        return self.random.choice([1, "x", None, [], {"a": [1.5, "é"]}])

    def _object(self, schema: Schema) -> dict[str, Any]:
        required = schema.get("required", [])
        fields = {
            name: self._instance(part)
            for name, part in schema.get("properties", {}).items()
            if name in required or self.random.random() < 0.5
        }
        if fields.get("type") == "tool.result" and ("result" in fields) == ("error" in fields):
            fields = {name: value for name, value in fields.items() if name != "result"}
            fields["error"] = {"code": "load_failed", "message": "It did not load."}
        return fields

    def _text(self, schema: Schema) -> str:
        match schema.get("format"):
            case "uuid":
                return str(UUID(int=self.random.getrandbits(128), version=4))
            case "date-time":
                return "2026-01-01T10:00:00Z"
        least, most = schema.get("minLength", 0), min(schema.get("maxLength", 40), 200)
        letters = "abcdefghij" if "pattern" in schema else "abc é☕\u202e<>&\"'\\\n.:/"
        text = "".join(
            self.random.choice(letters) for _ in range(self.random.randint(max(least, 1), max(most, least, 1)))
        )
        return text if text.strip() else "x"


def _holders(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects in a JSON value, itself first."""
    if isinstance(value, dict):
        yield value
        for part in value.values():
            yield from _holders(part)
    elif isinstance(value, list):
        for part in value:
            yield from _holders(part)


def _raw(first: int, payload: bytes) -> bytes:
    return bytes([first, 0x80 | len(payload)]) + MASK + bytes(byte ^ MASK[at % 4] for at, byte in enumerate(payload))
