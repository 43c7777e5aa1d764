#!/usr/bin/env python3
"""Reads and creates stock at a steady rate, and prints the p99 of each.

Usage: latency.py BASE APPID SECRET TOKEN FIRST-PRODUCT PRODUCTS SECONDS [PAUSE-FILE]

With 0 seconds it runs until SIGTERM. It makes no calls while the pause file exists. Prints lines of: name, p99 in milliseconds, calls, failures.
"""
import hashlib
import http.client
import os
import signal
import sys
import time
import urllib.parse

base, appid, secret, token, first, products, seconds = sys.argv[1:8]
pause_file = sys.argv[8] if len(sys.argv) > 8 else ""
first, products, seconds = int(first), int(products), float(seconds)
PAUSE = 0.01
server = urllib.parse.urlsplit(base)
stopped = False


def stop(*_):
    global stopped
    stopped = True


signal.signal(signal.SIGTERM, stop)
connection = http.client.HTTPConnection(server.hostname, server.port, timeout=30)


def call(path, kind, body, key=None):
    timestamp = str(int(time.time()))
    sign = hashlib.md5((secret + timestamp).encode()).hexdigest().upper()
    headers = {"appid": appid, "sign": sign, "timestamp": timestamp, "accesstoken": token, "Content-Type": kind}
    if key:
        # several creates a second, which a timestamp alone could not tell apart
        headers["Idempotency-Key"] = key
    begun = time.monotonic()
    connection.request("POST", path, body, headers)
    response = connection.getresponse()
    content = response.read()
    taken = (time.monotonic() - begun) * 1000
    succeeded = response.status == 200 and b'"success":true' in content.replace(b" ", b"")
    if not succeeded:
        print("latency.py: %s: %d %s" % (path, response.status, content[:300].decode()), file=sys.stderr)
    return taken, succeeded


def p99(times):
    times = sorted(times)
    return times[min(len(times) - 1, int(len(times) * 0.99))] if times else 0


results = {"reads": [], "creates": []}
failed = {"reads": 0, "creates": 0}
end = time.monotonic() + seconds if seconds > 0 else float("inf")
number = 0
while not stopped and time.monotonic() < end:
    if os.path.exists(pause_file):
        time.sleep(PAUSE)
        continue
    number += 1
    product = first + number % products
    if number % 2:
        name, answer = "reads", call("/Stock/List", "application/x-www-form-urlencoded", "productid=%d" % product)
    else:
        body = '[{"color":"red","pid":%d,"param":[{"size":"36","stock":%d}]}]' % (product, number % 1000)
        name, answer = "creates", call("/Stock/Creat", "application/json", body, "%f" % time.time())
    results[name].append(answer[0])
    failed[name] += 0 if answer[1] else 1
    time.sleep(PAUSE)
for name, times in results.items():
    print(name, "%.2f" % p99(times), len(times), failed[name])
if sum(failed.values()) * 100 > number:
    sys.exit("latency.py: more than 1 % of the calls failed")
