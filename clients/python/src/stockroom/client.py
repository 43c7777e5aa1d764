from __future__ import annotations

import base64
import decimal
import gzip
import hashlib
import http.client
import json
import os
import random
import re
import socket
import time
import unicodedata
import urllib.error
import urllib.request
import uuid
import zlib
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence, Union
from urllib.parse import urlencode, urlsplit

from .check import Checks, check_address
from .errors import (
    NoAnswerError,
    Problem,
    RateLimitedError,
    RejectedError,
    StockroomError,
    UnavailableError,
    UnexpectedAnswerError,
    failure,
)
from .signing import sign, sign_hmac

VERSION = "0.1.0"
FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
FILE = "application/octet-stream"
MAX_GROUPS = 300
MAX_ENTRIES = 10_000

Json = dict[str, Any]


@dataclass(frozen=True)
class _Call:
    path: str
    type: str
    body: bytes
    repeatable: bool
    key: Optional[str] = None
    wait: int = 0


@dataclass(frozen=True)
class _Answer:
    status: int
    headers: Mapping[str, str]
    fields: Json

    @property
    def code(self) -> Optional[str]:
        if self.fields.get("success") is True:
            return None
        errors = self.fields.get("errors")
        return errors[0]["code"] if errors else self.headers.get("X-Error-Code")

    def problems(self) -> list[Problem]:
        return [
            Problem(one["at"], one["code"], one["msg"], one.get("current")) for one in self.fields.get("errors") or []
        ]

    def origin(self) -> Json:
        wait = self.headers.get("Retry-After") or ""
        return {
            "code": self.code,
            "status": self.status,
            "request_id": self.headers.get("X-Request-Id"),
            "retry_after": int(wait) if re.fullmatch("[0-9]{1,9}", wait) else None,
        }

    def failure(self) -> StockroomError:
        words = self.fields.get("msg") or "The server rejected the request without a reason."
        return failure(words, **self.origin(), problems=self.problems())

    def success(self) -> Json:
        if self.fields.get("success") is not True:
            raise self.failure()
        return self.fields


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A signed request must not go to another server."""

    def redirect_request(self, *unused: Any) -> None:
        return None


class StockroomClient:
    """Calls a Stockroom server for one merchant."""

    def __init__(
        self,
        address: str,
        appid: str,
        secret: str,
        accesstoken: str,
        *,
        signature: str = "md5",
        language: str = "en",
        timeout: float = 30,
        retries: int = 4,
        max_wait: float = 60,
        opener: Optional[urllib.request.OpenerDirector] = None,
        now: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """
        ``signature``: ``md5`` or ``hmac-sha256``. ``language`` of all messages: ``en`` or ``zh``. ``timeout``: seconds
        without an answer. ``retries``: attempts after the first, not counting those after a 429. ``max_wait``:
        seconds that one call may wait for rate limits (429), and the longest wait between two attempts.
        """
        self._address = check_address(address)
        self._appid, self._secret, self._token = appid, secret, accesstoken
        self._signature, self._language, self._timeout = signature, language, timeout
        self._retries, self._max_wait, self._now, self._sleep = retries, max_wait, now, sleep
        self._open = (opener or urllib.request.build_opener(_NoRedirects())).open
        self._ahead = 0.0
        checks = self._checks()
        checks.header("appid", appid)
        checks.header("accesstoken", accesstoken)
        if not secret:
            checks.add("secret", "TEXT_EMPTY")
        checks.done()
        self.imports = Imports(self)
        self.webhooks = Webhooks(self)

    @classmethod
    def from_environment(cls, **settings: Any) -> StockroomClient:
        """Reads STOCKROOM_SERVER, STOCKROOM_APPID, STOCKROOM_SECRET and STOCKROOM_TOKEN."""
        values = []
        for name in ("STOCKROOM_SERVER", "STOCKROOM_APPID", "STOCKROOM_SECRET", "STOCKROOM_TOKEN"):
            if not os.environ.get(name):
                raise StockroomError(f"The environment variable {name} is not set.", fix=f"Set {name}.")
            values.append(os.environ[name])
        return cls(*values, **settings)

    def products(self, stock: Optional[bool] = None) -> Iterator[Json]:
        """All products in id order, or those with (True) or without (False) stock."""
        return _pages(lambda page: self.product_page(page, stock), "data")

    def product_page(self, page: int, stock: Optional[bool] = None) -> Json:
        self._check(lambda checks: checks.field("page", page, 1))
        flag = None if stock is None else str(stock).lower()
        return _pick(self._read("/Stock/Product", page=page, stock=flag), "totalPages", "data")

    def stock(self, pid: int) -> list[Json]:
        """The entries of a product; empty if it has no stock yet."""
        self._check(lambda checks: checks.field("productid", pid, 1))
        answer = self._ask(_form("/Stock/List", productid=pid))
        return [] if answer.code == "STOCK_NOT_ADDED" else answer.success()["data"]

    def create_stock(self, groups: Sequence[Json], *, idempotency_key: Optional[str] = None) -> int:
        """Creates entries or sets their quantities, in requests of at most 300 groups, within the rate limit.

        The server writes each request completely or not at all. Returns the number of groups.
        """
        self._check(lambda checks: checks.create(groups), idempotency_key)
        key = idempotency_key or str(uuid.uuid4())
        for index, batch in enumerate(_batches(groups)):
            self._ask(_json("/Stock/Creat", batch, key if index == 0 else f"{key}.{index}")).success()
        return len(groups)

    def adjust(self, adjustments: Sequence[Json], *, idempotency_key: Optional[str] = None) -> Json:
        """Changes quantities of existing entries, all or none. A RejectedError lists what is not possible."""
        self._check(lambda checks: checks.adjust(adjustments), idempotency_key)
        return self._all_or_none("/Stock/Adjust", adjustments, idempotency_key, "entries")

    def remove_stock(self, removals: Sequence[Json], *, idempotency_key: Optional[str] = None) -> Json:
        """Removes entries, colors or sizes, all or none: ``{"pid": 1, "color": "red"}``, also with ``size``."""
        self._check(lambda checks: None, idempotency_key)
        return self._all_or_none("/Stock/Remove", removals, idempotency_key, "entries")

    def stock_batch(self, pids: Sequence[int]) -> list[Json]:
        """The entries of up to 300 products, in the order of their ids; a missing product has a ``code`` instead."""
        return self._read("/Stock/Batch", productid=list(pids))["products"]

    def find_products(self, query: Optional[Json] = None) -> Iterator[Json]:
        """Products by ``artNo`` and ``barCode`` (lists), ``words`` and ``changedAfter`` (a cursor), page by page.

        Keep the cursor of the first page: with ``changedAfter`` it finds later what has changed since.
        """
        after: Optional[str] = None
        while after != "":
            page = _pick(self._read("/Product/Find", **{**(query or {}), "after": after}), "cursor", "next", "products")
            after = page["next"]
            yield page

    def save_products(self, products: Sequence[Json], *, idempotency_key: Optional[str] = None) -> Json:
        """Creates products and changes fields of existing ones, at most 100, all or none."""
        self._check(lambda checks: None, idempotency_key)
        return self._all_or_none("/Product/Save", products, idempotency_key, "products")

    def add_picture(
        self, content: Union[bytes, str], spot: Optional[Json] = None, *, idempotency_key: Optional[str] = None
    ) -> Json:
        """Stores a JPEG, PNG, WebP or GIF, and adds it to a product. The client must sign with HMAC.

        ``spot``: a product by ``pid`` or ``artNo``, and its ``color`` or ``position``; without, it is only stored.
        """
        self._check(lambda checks: None, idempotency_key)
        query = _body(**(spot or {})).decode("ascii")
        path = f"/Product/Picture?{query}" if query else "/Product/Picture"
        body = content.encode("utf-8") if isinstance(content, str) else content
        fields = self._ask(_Call(path, FILE, body, True, idempotency_key or str(uuid.uuid4()))).success()
        return {name: fields[name] for name in ("number", "address", "sha256", "width", "height")}

    def archive_products(self, products: Sequence[Json], *, idempotency_key: Optional[str] = None) -> Json:
        """Archives products, each ``{"pid": 1}`` or ``{"artNo": "A1"}``; at most 100, all or none."""
        self._check(lambda checks: None, idempotency_key)
        return self._all_or_none("/Product/Archive", products, idempotency_key, "products")

    def restore_products(self, products: Sequence[Json], *, idempotency_key: Optional[str] = None) -> Json:
        """Brings archived products back with their stock; at most 100, all or none."""
        self._check(lambda checks: None, idempotency_key)
        return self._all_or_none("/Product/Restore", products, idempotency_key, "products")

    def _all_or_none(self, path: str, content: Sequence[Json], key: Optional[str], name: str) -> Json:
        """A RejectedError lists everything that is not possible."""
        answer = self._ask(_json(path, content, key or str(uuid.uuid4())))
        if not answer.fields["success"] and answer.problems():
            raise RejectedError(answer.fields["msg"], **answer.origin(), problems=answer.problems())
        return _pick(answer.success(), "number", name)

    def detail(self, pid: int) -> Json:
        """The data for listing a product; the price is a Decimal. Each detail counts against the limits."""
        self._check(lambda checks: checks.field("pid", pid, 1))
        return self._ask(_form("/Product/Detail", repeatable=False, pid=pid)).success()["data"]

    def publish(self, results: Sequence[Json], *, idempotency_key: Optional[str] = None) -> Json:
        """Reports publish results; a product that does not exist is rejected alone."""
        self._check(lambda checks: checks.publish(results), idempotency_key)
        answer = self._ask(_json("/Product/Publish", results, idempotency_key or str(uuid.uuid4())))
        fields = answer.fields if "accepted" in answer.fields else answer.success()
        return {"accepted": fields["accepted"], "errors": fields.get("errors") or []}

    def usage(self, page: int = 1) -> Json:
        """Every limit, and one page of the fetched products that are not published yet."""
        self._check(lambda checks: checks.field("page", page, 1))
        return self._read("/Usage", page=page)["data"]

    def unpublished(self) -> Iterator[Json]:
        return _pages(lambda page: self.usage(page)["unpublished"], "data")

    def changes(self, after: str = "", limit: int = 200, wait: int = 0) -> Json:
        """The changes after a cursor; ``wait`` holds the answer back for up to 25 seconds."""

        def check(checks: Checks) -> None:
            checks.cursor(after)
            checks.field("limit", limit, 1, 1000)
            checks.field("wait", wait, 0, 25)

        self._check(check)
        call = _Call("/Changes", FORM, _body(after=after, limit=limit, wait=wait), True, wait=wait)
        return _pick(self._ask(call).success(), "cursor", "more", "changes")

    def latest_cursor(self) -> str:
        return self.changes("latest", 1)["cursor"]

    def follow(self, after: str) -> Iterator[Json]:
        """Follows the changes after a cursor without end, also through failures. Save the cursor of each page."""
        failures = 0
        while True:
            try:
                page = self.changes(after, 1000, 25)
            except StockroomError as failed:
                if not failed.temporary:
                    raise
                self._sleep(failed.retry_after or _backoff(failures))
                failures += 1
                continue
            failures, after = 0, page["cursor"]
            if page["changes"]:
                yield page

    def snapshot(self, limit: int = 500) -> Iterator[Json]:
        """The whole stock, page by page. Continue with ``follow`` from the cursor of the first page."""
        self._check(lambda checks: checks.field("limit", limit, 1, 500))
        after: Optional[str] = None
        while after != "":
            page = _pick(self._read("/Stock/Snapshot", after=after, limit=limit), "cursor", "next", "products")
            after = page["next"]
            yield page

    def digest(self) -> Json:
        """Digests of the stock, to compare a copy with it."""
        return _pick(self._read("/Stock/Digest"), "cursor", "products", "entries", "digest", "blocks")

    def _checks(self) -> Checks:
        return Checks(self._language)

    def _check(self, content: Callable[[Checks], None], key: Optional[str] = None) -> None:
        checks = self._checks()
        content(checks)
        if key is not None:
            checks.key(key)
        checks.done()

    def _read(self, path: str, **fields: Any) -> Json:
        return self._ask(_form(path, **fields)).success()

    def _ask(self, call: _Call) -> _Answer:
        """Sends a call until it is answered, and repeats it only where that is safe. Signs each attempt anew."""
        used = limited = 0
        patience, corrected = self._max_wait, False
        while True:
            try:
                answer = self._send(call)
                if answer.status == 200:
                    return answer
                date = answer.headers.get("Date")
                if answer.code == "TIMESTAMP_WINDOW" and not corrected and date:
                    corrected = True
                    self._ahead = parsedate_to_datetime(date).timestamp() - self._now()
                    continue
                failed = answer.failure()
            except StockroomError as unusable:
                failed = unusable
            rate = isinstance(failed, RateLimitedError)
            lost = isinstance(failed, (NoAnswerError, UnexpectedAnswerError)) and failed.temporary
            unsent = isinstance(failed, NoAnswerError) and failed.unsent
            safe = rate or unsent or isinstance(failed, UnavailableError) or (lost and call.repeatable)
            wait = failed.retry_after if failed.retry_after is not None else _backoff(limited if rate else used)
            if not safe or wait > self._max_wait or (wait > patience if rate else used >= self._retries):
                raise failed
            spread = wait + random.random() * (0.1 if rate else 0.5)
            if rate:
                limited, patience = limited + 1, patience - spread
            else:
                used += 1
            self._sleep(spread)

    def _send(self, call: _Call) -> _Answer:
        url = self._address + call.path
        timestamp = str(int(self._now() + self._ahead))
        headers = {
            "Content-Type": call.type,
            "Accept": JSON,
            "Accept-Encoding": "gzip",
            "Accept-Language": self._language,
            "User-Agent": f"stockroom-python/{VERSION}",
            "appid": self._appid,
            "timestamp": timestamp,
            "accesstoken": self._token,
        }
        if call.key is not None:
            headers["Idempotency-Key"] = call.key
        if call.type == FILE:
            digest = base64.b64encode(hashlib.sha256(call.body).digest()).decode("ascii")
            headers["Content-Digest"] = f"sha-256=:{digest}:"
        if self._signature == "hmac-sha256":
            nonce = str(uuid.uuid4())
            path = urlsplit(url)._replace(scheme="", netloc="").geturl()
            headers["sign"] = sign_hmac(
                self._secret, "POST", path, timestamp, self._token, call.body, nonce, call.key or ""
            )
            headers.update({"sign-method": self._signature, "sign-nonce": nonce})
        else:
            headers["sign"] = sign(self._secret, timestamp)
        request = urllib.request.Request(url, data=call.body, headers=headers, method="POST")
        seconds = self._timeout + call.wait
        try:
            response = self._open(request, timeout=seconds)
        except urllib.error.HTTPError as refused:
            response = refused
        except (OSError, http.client.HTTPException) as failed:
            raise _no_answer(url, seconds, failed) from failed
        with response:
            whole = True
            try:
                body = response.read()
                if response.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
            except http.client.IncompleteRead as cut:
                whole, body = False, cut.partial
            except (http.client.HTTPException, ConnectionError, EOFError, zlib.error):
                whole, body = False, b""
            except OSError as failed:
                raise _no_answer(url, seconds, failed) from failed
            return _parse(url, response.status, response.headers, body, whole)


class Imports:
    """The calls that import files: each import is a job."""

    def __init__(self, client: StockroomClient) -> None:
        self._client = client

    def start(
        self,
        content: Union[bytes, str],
        mode: str = "set",
        apply: bool = False,
        name: str = "",
        *,
        idempotency_key: Optional[str] = None,
    ) -> str:
        """Sends a CSV, XLSX or JSON Lines file and starts a job. ``mode``: ``set``, ``add`` or ``replace``.

        ``apply``: whether to apply the plan if no row has errors. Returns the job.
        """
        self._client._check(lambda checks: None, idempotency_key)
        query = _body(mode=mode, apply=str(apply).lower(), name=name).decode("ascii")
        body = content.encode("utf-8") if isinstance(content, str) else content
        call = _Call(f"/Stock/Import?{query}", FILE, body, True, idempotency_key or str(uuid.uuid4()))
        return self._client._ask(call).success()["job"]

    def status(self, job: str, page: int = 1) -> Json:
        """What a job has done so far, with a page of its errors."""
        return self._client._read("/Stock/Import/Status", job=job, page=page)

    def errors(self, job: str) -> Iterator[Json]:
        return _pages(lambda page: self.status(job, page), "errors")

    def apply(self, job: str) -> None:
        self._change("Apply", job)

    def cancel(self, job: str) -> None:
        self._change("Cancel", job)

    def undo(self, job: str) -> str:
        """Starts a job that restores what an applied job changed; returns the new job."""
        return self._change("Undo", job)["job"]

    def _change(self, action: str, job: str) -> Json:
        return self._client._ask(_form(f"/Stock/Import/{action}", repeatable=False, job=job)).success()


class Webhooks:
    """The calls that manage webhooks."""

    def __init__(self, client: StockroomClient) -> None:
        self._client = client

    def create(self, url: str, kinds: Sequence[str] = ("stock", "product")) -> Json:
        """Creates a webhook. Store the secret: it is shown only once."""
        call = _json("/Webhook/Create", {"url": url, "kinds": list(kinds)}, None)
        return _pick(self._client._ask(call).success(), "id", "secret")

    def update(self, id: str, change: Json) -> None:
        """Changes ``url`` or ``kinds``; the webhook keeps its secret and its position."""
        self._client._ask(_json("/Webhook/Update", {"id": id, **change}, str(uuid.uuid4()))).success()

    def list(self) -> list[Json]:
        return self._client._read("/Webhook/List")["webhooks"]

    def deliveries(self, id: str) -> Iterator[Json]:
        return _pages(lambda page: self._client._read("/Webhook/Deliveries", id=id, page=page), "deliveries")

    def rotate(self, id: str) -> Json:
        """Gives a webhook a new secret; for a day, deliveries are signed with both."""
        return {"id": id, "secret": self._change("Rotate", id=id)["secret"]}

    def replay(self, id: str, after: str) -> None:
        self._change("Replay", id=id, after=after)

    def test(self, id: str) -> None:
        self._change("Test", id=id)

    def enable(self, id: str) -> None:
        self._change("Enable", id=id)

    def disable(self, id: str) -> None:
        self._change("Disable", id=id)

    def delete(self, id: str) -> None:
        self._change("Delete", id=id)

    def _change(self, action: str, **fields: Any) -> Json:
        return self._client._ask(_form(f"/Webhook/{action}", repeatable=False, **fields)).success()


def _body(**fields: Any) -> bytes:
    sent = {name: value for name, value in fields.items() if value not in (None, "")}
    return urlencode(sent, doseq=True).encode("ascii")


def _form(path: str, repeatable: bool = True, **fields: Any) -> _Call:
    return _Call(path, FORM, _body(**fields), repeatable)


def _json(path: str, content: Any, key: Optional[str]) -> _Call:
    return _Call(path, JSON, json.dumps(content, ensure_ascii=False).encode("utf-8"), key is not None, key)


def _pick(fields: Json, *names: str) -> Json:
    return {name: fields[name] for name in names}


def _backoff(attempt: int) -> float:
    return random.random() * 0.5 * 2 ** min(attempt, 5)


def _pages(fetch: Callable[[int], Json], name: str) -> Iterator[Json]:
    page = total = 1
    while page <= total:
        content = fetch(page)
        total = content["totalPages"]
        yield from content[name]
        page += 1


def _batches(groups: Sequence[Json]) -> Iterator[list[Json]]:
    """Splits groups into requests that the server accepts."""
    batch: list[Json] = []
    entries = 0
    for group in groups:
        ranges = [re.fullmatch(r"(\d+)-(\d+)", str(item["size"])) for item in group["param"]]
        count = sum(int(ends[2]) - int(ends[1]) + 1 if ends else 1 for ends in ranges)
        if batch and (entries + count > MAX_ENTRIES or len(batch) == MAX_GROUPS):
            yield batch
            batch, entries = [], 0
        batch.append(group)
        entries += count
    yield batch


def _parse(url: str, status: int, headers: Mapping[str, str], body: bytes, whole: bool) -> _Answer:
    """Reads an answer, or says what it is instead."""
    lost = not whole or not body
    what = "it is truncated" if not whole else "it is empty" if not body else "it is not JSON"
    if not lost:
        try:
            fields = json.loads(body, parse_float=decimal.Decimal)  # prices stay exact
            if isinstance(fields, dict) and isinstance(fields.get("success"), bool):
                return _Answer(status, headers, fields)
            what = "it has no field success"
        except ValueError:
            pass
    text = body[:800].decode("utf-8", "replace")[:200]
    shown = "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Cs") else c for c in text).strip()
    kind = headers.get("Content-Type")
    words = (
        f"The answer of {url} is not one of Stockroom's: {what}. It has the status {status}, "
        + (f"the content type {kind}" if kind else "no content type")
        + (f" and begins with: {shown}." if shown else " and no content.")
    )
    origin = {**_Answer(status, headers, {}).origin(), "code": None}
    if status in (429, 503):
        raise failure(words, **origin)
    raise UnexpectedAnswerError(
        words,
        **origin,
        temporary=status in (502, 504) or (lost and not 300 <= status < 500),
        fix="Check the address: a proxy or another server answered, or the connection was cut.",
    )


def _no_answer(url: str, seconds: float, failed: Exception) -> NoAnswerError:
    reason = failed.reason if isinstance(failed, urllib.error.URLError) else failed
    if isinstance(reason, socket.gaierror):
        return _unreachable(url, f"the host {urlsplit(url).hostname} is unknown")
    if isinstance(reason, ConnectionRefusedError):
        return _unreachable(url, "the connection was refused")
    if isinstance(reason, (socket.timeout, TimeoutError)):
        return NoAnswerError(f"{url} did not respond within {seconds} seconds.", False)
    return NoAnswerError(f"The connection to {url} failed before a response arrived: {reason}.", False)


def _unreachable(url: str, reason: str) -> NoAnswerError:
    return NoAnswerError(f"{url} cannot be reached: {reason}. Check the URL and whether the server is running.", True)
