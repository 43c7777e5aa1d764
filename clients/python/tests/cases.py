"""Runs ../cases.json; reads STOCKROOM_* and the address of the faulty server, FAULTS."""

import json
import os
import re
import sys
import time
from types import GeneratorType

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src"))
import stockroom  # noqa: E402

with open(os.environ["CASES"], encoding="utf-8") as file:
    cases = json.load(file)
with open(os.environ["CODES"], encoding="utf-8") as file:
    codes = json.load(file)
FAULTS = os.environ["FAULTS"]
ran = failed = 0
saved = {}


def fits(expected, actual):
    """Whether ``actual`` has everything of ``expected``; "*" stands for anything."""
    if expected == "*":
        return actual is not None
    if isinstance(expected, list):
        same = isinstance(actual, list) and len(actual) == len(expected)
        return same and all(fits(one, other) for one, other in zip(expected, actual))
    if isinstance(expected, dict):
        return isinstance(actual, dict) and all(fits(one, actual.get(name)) for name, one in expected.items())
    return expected == actual and type(expected) is type(actual)


def check(name, expected, actual):
    global ran, failed
    ran += 1
    if not fits(expected, actual):
        failed += 1
        print(f"FAILED {name}\n  expected {expected}\n  found    {actual}")


def resolve(value):
    if isinstance(value, str) and value.startswith("$"):
        found = saved
        for name in value[1:].split("."):
            found = found[int(name) if name.isdigit() else name]
        return found
    if isinstance(value, list):
        return [resolve(one) for one in value]
    if isinstance(value, dict):
        return {name: resolve(one) for name, one in value.items()}
    return value


def snake(name):
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


def run(case, settings, waits):
    settings = {snake(name): value for name, value in settings.items()}
    clock = settings.pop("clock", 0)
    access = [
        settings.pop("address", os.environ["STOCKROOM_SERVER"]),
        os.environ["STOCKROOM_APPID"],
        settings.pop("secret", os.environ["STOCKROOM_SECRET"]),
        os.environ["STOCKROOM_TOKEN"],
    ]
    try:
        client = stockroom.StockroomClient(*access, **settings, now=lambda: time.time() + clock, sleep=waits.append)
        target = client
        for name in case["call"].split("."):
            target = getattr(target, snake(name))
        options = {"idempotency_key": case["key"]} if "key" in case else {}
        result = target(*case.get("arguments", []), **options)
        if isinstance(result, GeneratorType):
            result = next(result) if case.get("first") else list(result)
        return {"result": result}
    except stockroom.StockroomError as error:
        return {
            "error": {
                "type": type(error).__name__.replace("Error", "") or "Stockroom",
                "code": error.code,
                "status": error.status,
                "requestId": error.request_id,
                "problems": [vars(problem) for problem in error.problems],
                "temporary": error.temporary,
                "retryAfter": error.retry_after,
            },
            "message": str(error),
            "fix": error.fix,
        }


def reason(case):
    hook = cases["webhooks"]
    headers = {
        "Webhook-Id": hook["id"],
        "webhook-timestamp": str(hook["now"]),
        "webhook-signature": case.get("before", "") + hook["signature"],
    }
    headers = {name: value for name, value in headers.items() if name.lower() != case.get("without")}
    secrets = [hook["secret"] if secret == "$secret" else secret for secret in case.get("secrets", ["$secret"])]
    body = case.get("body", hook["body"]).encode("utf-8")
    try:
        message = stockroom.verify_webhook(headers, body, secrets, now=hook["now"] + case.get("age", 0))
        return None if message.id == hook["id"] else message.id
    except stockroom.WebhookVerificationError as error:
        return error.reason


for one in cases["md5"]:
    check("md5", one["sign"], stockroom.sign(one["secret"], one["timestamp"]))
for one in cases["hmac"]:
    secret, method, path, timestamp, token, body, *nonce = one["arguments"]
    check("hmac", one["sign"], stockroom.sign_hmac(secret, method, path, timestamp, token, body.encode("utf-8"), *nonce))
for one in cases["webhooks"]["cases"]:
    check("webhook: " + one["name"], [one.get("reason")], [reason(one)])
for one in cases["addresses"]:
    outcome = run({"call": "digest"}, {"address": one["address"]}, [])
    check("address " + one["address"], ["InvalidRequest", True], [outcome["error"]["type"], one["says"] in outcome["message"]])
for one in cases["invalid"]:
    outcome = run(one, {"address": FAULTS, "language": one.get("language", "en")}, [])
    code = one["problems"][0]["code"]
    expected = {"type": "InvalidRequest", "status": None, "code": code, "problems": one["problems"]}
    check(f"invalid {one['arguments']}", expected, outcome.get("error"))
for index, one in enumerate(cases["replies"]):
    waits = []
    outcome = run(one, {"address": f"{FAULTS}/{index}", **one.get("settings", {})}, waits)
    check(one["name"], {"result": one.get("result"), "error": one.get("error")}, outcome)
    if "error" in one:
        check(one["name"] + ": what to do", True, bool(outcome.get("fix")))
    if "says" in one:
        check(one["name"] + ": message", True, one["says"] in outcome.get("message", "") or outcome.get("message"))
    if "waits" in one:
        near = len(waits) == len(one["waits"]) and all(a <= b <= a + 0.6 for a, b in zip(one["waits"], waits))
        check(one["name"] + ": waits", True, near or waits)
for one in codes:
    outcome = run({"call": "detail", "arguments": [1]}, {"address": f"{FAULTS}/codes/{one['code']}"}, [])
    check("code " + one["code"], one, outcome.get("error"))
    check("code " + one["code"] + ": what to do", True, outcome.get("fix") not in (None, "See the message."))
for one in cases["scenario"]:
    outcome = run(resolve(one), one.get("settings", {}), [])
    if "save" in one:
        saved[one["save"]] = outcome.get("result")
    check("scenario " + one["call"], resolve({"result": one.get("result"), "error": one.get("error")}), outcome)
check("environment", [], stockroom.StockroomClient.from_environment().stock(saved["products"][1]["id"]))
detail = stockroom.StockroomClient.from_environment().detail(saved["products"][0]["id"])
check("exact price", "59.00", str(detail["price"]))
print(f"{ran} checks, {failed} failed")
sys.exit(1 if failed else 0)
