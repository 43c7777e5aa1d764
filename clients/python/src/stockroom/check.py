from __future__ import annotations

import re
import unicodedata
from typing import Any, Callable, Optional
from urllib.parse import urlsplit

from .codes import MESSAGES, PHRASES
from .errors import InvalidRequestError, Problem

MAX_INT = 2147483647
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_BROKEN = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_CURSOR = re.compile(r"[cs]_[A-Za-z0-9_-]{1,62}")

Field = Callable[[str, Any], object]


class Checks:
    """Finds values that the server would reject, and describes them in its words."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.problems: list[Problem] = []

    def add(self, at: str, code: str, *values: Any) -> None:
        template = MESSAGES[self.language][code]
        msg = re.sub(r"\{(\d)\}", lambda place: self._worded(values[int(place[1])], place[1] == "0"), template)
        self.problems.append(Problem(at, code, msg))

    def done(self) -> None:
        """Raises if there is a problem; shows the first three."""
        if not self.problems:
            return
        sentences = " ".join(f"{one.at}: {one.msg}" if one.at else one.msg for one in self.problems[:3])
        more = len(self.problems) - 3
        rest = "" if more <= 0 else f"（另有 {more} 处）" if self.language == "zh" else f" (and {more} more)"
        raise InvalidRequestError(sentences + rest, code=self.problems[0].code, problems=self.problems)

    def _worded(self, value: Any, first: bool) -> str:
        """Our own phrases are translated; the caller's text is clipped and its control characters are escaped."""
        if isinstance(value, list):
            return ", ".join(self._worded(one, False) for one in value)
        text = str(value)
        if not first and self.language == "zh" and text in PHRASES:
            return PHRASES[text]
        acts = ("Cc", "Cf", "Cs")
        shown = "".join(f"\\u{ord(c):04x}" if unicodedata.category(c) in acts else c for c in text[:80])
        return shown + "…" if len(text) > 80 else shown

    def _wrong_type(self, at: str, value: Any, expected: str) -> None:
        if isinstance(value, bool):
            kind = f"true or false ({str(value).lower()})"
        elif isinstance(value, str):
            kind = f"a string ({value})"
        elif isinstance(value, (int, float)):
            kind = f"{'a whole' if isinstance(value, int) else 'a decimal'} number ({value})"
        else:
            kind = "null" if value is None else "an array […]" if isinstance(value, (list, tuple)) else "an object {…}"
        self.add(at, "FIELD_TYPE", kind, expected)

    def number(self, at: str, value: Any, minimum: int) -> Optional[int]:
        """A whole number in JSON."""
        if not isinstance(value, int) or isinstance(value, bool):
            return self._wrong_type(at, value, "a whole number")
        if not minimum <= value <= MAX_INT:
            return self.add(at, "NUMBER_RANGE", value, minimum, MAX_INT)
        return value

    def field(self, name: str, value: Any, minimum: int, maximum: int = MAX_INT) -> None:
        """A whole number in a form."""
        number = int(value) if re.fullmatch(r"[0-9]{1,10}", str(value)) else -1
        if not minimum <= number <= maximum:
            self.add(name, "NUMBER_FORMAT", value, minimum, maximum)

    def cursor(self, value: str) -> None:
        if value not in ("", "latest") and not _CURSOR.fullmatch(value):
            self.add("after", "CURSOR_FORMAT", value)

    def key(self, value: str) -> None:
        if not re.fullmatch(r"[!-~]{1,64}", value):
            self.add("headers.Idempotency-Key", "IDEMPOTENCY_KEY_FORMAT", value, 64)

    def header(self, name: str, value: str) -> None:
        text = (value or "").strip()
        if not text:
            self.add(f"headers.{name}", "HEADER_MISSING", name)
        elif not re.fullmatch(r"[!-~]{1,256}", text):
            self.add(f"headers.{name}", "HEADER_FORMAT", name, 256)

    def text(self, at: str, value: Any, maximum: int = 64, identifier: bool = True) -> Optional[str]:
        """A color, an item number or a barcode."""
        if not isinstance(value, str):
            return self._wrong_type(at, value, "a string")
        kept = unicodedata.normalize("NFC", value).strip()
        for text, pattern in ((value, _INVISIBLE if identifier else _BROKEN), (value, _BROKEN), (kept, _CONTROL)):
            bad = pattern.search(text)
            if bad:
                return self.add(at, "TEXT_CHARACTERS", text, f"U+{ord(bad[0]):04X}", bad.start() + 1)
        if not kept and identifier:
            return self.add(at, "TEXT_EMPTY")
        if len(kept) > maximum:
            return self.add(at, "TEXT_TOO_LONG", kept, len(kept), maximum)
        return kept

    def size(self, at: str, value: Any) -> Optional[str]:
        """One size. The server also checks that it has no comma."""
        if not isinstance(value, (str, int)) or isinstance(value, bool):
            return self._wrong_type(at, value, "a string or a whole number")
        return self.text(at, str(value), 20)

    def sizes(self, at: str, value: Any) -> Optional[list[str]]:
        """The sizes of a create: one size, or each size of a range."""
        parts = re.fullmatch(r"([0-9]+)-([0-9]+)", value) if isinstance(value, str) else None
        if not parts:
            size = self.size(at, value)
            return None if size is None else [size]
        text = value
        if len(text) > 64 or any(re.match(r"0[0-9]", part) for part in parts.groups()):
            return self.add(at, "SIZE_FORMAT", text)
        first, last = int(parts[1]), int(parts[2])
        if min(first, last) < 1 or max(first, last) > 999:
            return self.add(at, "SIZE_BOUNDS", text, 1, 999)
        if first > last:
            return self.add(at, "SIZE_ORDER", text, f"{last}-{first}")
        if last - first >= 100:
            return self.add(at, "SIZE_TOO_MANY", text, last - first + 1, 100)
        return [str(size) for size in range(first, last + 1)]

    def list(self, at: str, value: Any, expected: str, maximum: Optional[int], element: Field) -> None:
        if not isinstance(value, (list, tuple)):
            return self._wrong_type(at, value, expected)
        for i, one in enumerate(value[:maximum]):
            element(f"{at}[{i}]", one)
        if not value:
            self.add(at, "LIST_EMPTY")
        if maximum is not None and len(value) > maximum:
            self.add(at, "LIST_TOO_LONG", len(value), maximum)

    def _object(self, at: str, value: Any, expected: str, known: dict[str, Field]) -> Optional[set[str]]:
        """Checks the known fields in their order. The server judges unknown ones, which may be misspelled."""
        if not isinstance(value, dict):
            return self._wrong_type(at, value, expected)
        for name, one in value.items():
            if name in known:
                known[name](f"{at}.{name}", one)
        return set(value) if set(value) <= set(known) else None

    def _require(self, at: str, names: Optional[set[str]], *required: str) -> None:
        for name in required:
            if names is not None and name not in names:
                self.add(f"{at}.{name}", "FIELD_MISSING", name)

    def create(self, groups: Any) -> None:
        entries: list[tuple[str, int, str, list[str]]] = []

        def group(at: str, value: Any) -> None:
            found: dict[str, Any] = {}
            items: list[tuple[str, list[str]]] = []

            def item(place: str, one: Any) -> None:
                sizes = self._size_item(place, one)
                if sizes:
                    items.append((place, sizes))

            names = self._object(
                at,
                value,
                "a color group {…}",
                {
                    "color": lambda place, one: found.update(color=self.text(place, one)),
                    "pid": lambda place, one: found.update(pid=self.number(place, one, 1)),
                    "param": lambda place, one: self.list(place, one, "an array of sizes", 10000, item),
                },
            )
            self._require(at, names, "color", "pid", "param")
            if found.get("color") is not None and found.get("pid") is not None:
                entries.extend((place, found["pid"], found["color"], sizes) for place, sizes in items)

        self.list("", groups, "an array of color groups", None, group)
        places: dict[tuple[int, str, str], str] = {}
        for at, pid, color, sizes in entries:
            taken = [size for size in sizes if places.setdefault((pid, color, size.lower()), at) is not at]
            if taken:
                self.add(at, "ENTRY_REPEATED", pid, color, taken[0], places[pid, color, taken[0].lower()])

    def _size_item(self, at: str, value: Any) -> Optional[list[str]]:
        before = len(self.problems)
        found: dict[str, Any] = {}
        names = self._object(
            at,
            value,
            "a size {…}",
            {
                "size": lambda place, one: found.update(size=self.sizes(place, one)),
                "stock": lambda place, one: self.number(place, one, 0),
                "barCode": lambda place, one: found.update(barCode=self.text(place, one) if one else None),
            },
        )
        self._require(at, names, "size", "stock")
        sizes: Optional[list[str]] = found.get("size")
        if found.get("barCode") is not None and sizes and len(sizes) > 1:
            self.add(f"{at}.barCode", "BARCODE_ON_RANGE", found["barCode"], len(sizes))
        return sizes if len(self.problems) == before else None

    def adjust(self, adjustments: Any) -> None:
        places: dict[tuple[Any, ...], str] = {}
        repeated: list[tuple[Any, ...]] = []

        def adjustment(at: str, value: Any) -> None:
            before = len(self.problems)
            found: dict[str, Any] = {}

            def change(place: str, one: Any) -> None:
                if self.number(place, one, -MAX_INT) == 0:
                    self.add(place, "CHANGE_ZERO")

            names = self._object(
                at,
                value,
                "an adjustment {…}",
                {
                    "pid": lambda place, one: found.update(product=self.number(place, one, 1)),
                    "artNo": lambda place, one: found.update(product=self.text(place, one)),
                    "color": lambda place, one: found.update(color=self.text(place, one)),
                    "size": lambda place, one: found.update(size=self.size(place, one)),
                    "barCode": lambda place, one: found.update(barCode=self.text(place, one)),
                    "change": change,
                    "set": lambda place, one: self.number(place, one, 0),
                    "expect": lambda place, one: self.number(place, one, 0),
                },
            )
            if names is None:
                return
            for choice in (["pid", "artNo", "barCode"], ["change", "set"]):
                sent = [name for name in choice if name in names]
                if len(sent) != 1:
                    self.add(at, "FIELD_CHOICE", choice, sent or "none of them")
            if "barCode" not in names:
                self._require(at, names, "color", "size")
            else:
                for other in ("color", "size"):
                    if other in names:
                        self.add(f"{at}.{other}", "FIELD_CHOICE", ["barCode", other], ["barCode", other])
            if len(self.problems) > before:
                return
            entry = tuple(found.get(name) for name in ("product", "color", "size", "barCode"))
            earlier = places.setdefault((*entry[:2], entry[2] and entry[2].lower(), entry[3]), at)
            if earlier is not at and entry[3] is not None:
                repeated.append((f"{at}.barCode", "BARCODE_REPEATED", entry[3], earlier))
            elif earlier is not at:
                repeated.append((at, "ENTRY_REPEATED", *entry[:3], earlier))

        self.list("", adjustments, "an array of adjustments", 300, adjustment)
        for one in repeated:
            self.add(*one)

    def publish(self, results: Any) -> None:
        places: dict[int, str] = {}
        repeated: list[tuple[Any, ...]] = []

        def result(at: str, value: Any) -> None:
            before = len(self.problems)
            found: dict[str, Any] = {}

            def word(place: str, one: Any) -> None:
                if not isinstance(one, str):
                    self._wrong_type(place, one, "a string")
                elif one not in ("published", "failed", "withdrawn"):
                    self.add(place, "RESULT_FORMAT", one)

            names = self._object(
                at,
                value,
                "a publish result {…}",
                {
                    "pid": lambda place, one: found.update(pid=self.number(place, one, 1)),
                    "result": word,
                    "url": lambda place, one: one is None or self.text(place, one, 2000, False),
                    "msg": lambda place, one: one is None or self.text(place, one, 1000, False),
                },
            )
            self._require(at, names, "pid", "result")
            if found.get("pid") is not None and len(self.problems) == before:
                earlier = places.setdefault(found["pid"], at)
                if earlier is not at:
                    repeated.append((f"{at}.pid", "PRODUCT_REPEATED", found["pid"], earlier))

        self.list("", results, "an array of publish results", 300, result)
        for one in repeated:
            self.add(*one)


_CALL = re.compile(
    r"(?i)/(stock/(product|list|creat|adjust|snapshot|digest)|product/(detail|publish)|usage|changes|webhook/\w+)$"
)


def check_address(address: str) -> str:
    """The server's address without a trailing slash; it may have a path."""
    text = address.strip().rstrip("/")

    def wrong(what: str, right: str) -> InvalidRequestError:
        return InvalidRequestError(f"{what}. Write the server's address alone, such as {right}.")

    if not text:
        raise wrong("The address of the server is empty", "https://stock.example")
    if "@" in text:
        raise wrong(
            "The address of the server has a user name in it (before the @); credentials go into"
            " appid, secret and accesstoken",
            "https://stock.example",
        )
    if not re.match(r"(?i)https?://", text):
        rest = re.sub(r"(?i)^[a-z]+:/*(?![0-9])", "", text)
        local = re.match(r"(?i)localhost|127\.|\[::1\]", rest)
        raise wrong(f'"{text}" does not begin with http:// or https://', ("http://" if local else "https://") + rest)
    call = _CALL.search(text)
    if call:
        raise wrong(f'"{text}" is the address of one call', text[: call.start()])
    if re.search("[?#]", text):
        raise wrong(f'"{text}" has more than an address in it', re.sub("[?#].*", "", text))
    try:
        parts = urlsplit(text)
        valid = bool(parts.hostname) and parts.port != 0 and not re.search(r"\s", text)
    except ValueError:
        valid = False
    if not valid:
        raise wrong(f'"{text}" is not an address', "https://stock.example")
    return text
