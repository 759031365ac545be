"""Runs the program's fetch against the lying server, a row of the table of answers after another.

    python3 Tests/Fetch/fetch_test.py .build/release/subreport [NAME…]

Needs openssl for a key. KILLS=100 sets how many times the program is killed.
"""

import base64
import datetime
import gzip
import http.server
import json
import os
import pty
import random
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PROGRAM = os.path.realpath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, ".build/release/subreport"))
# A day of sample-reports that is older than two weeks and younger than a year, whatever the day of the test.
DAY = "2026-09-25"


def pacific_day(age):
    """Returns the day of some age in Pacific Time, by the rule of 2007: a machine may have no zone files."""
    now = datetime.datetime.now(datetime.timezone.utc)

    def sunday(month, number, hour):
        first = datetime.datetime(now.year, month, 1, hour, tzinfo=datetime.timezone.utc)
        return first + datetime.timedelta(days=(6 - first.weekday()) % 7 + 7 * (number - 1))

    is_summer = sunday(3, 2, 10) <= now < sunday(11, 1, 9)
    return (now - datetime.timedelta(hours=7 if is_summer else 8, days=age)).date()


def make_key(folder):
    path = os.path.join(folder, "AuthKey_TEST.p8")
    pem = subprocess.run(["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout"], capture_output=True, check=True).stdout
    with open(path, "wb") as file:
        file.write(subprocess.run(["openssl", "pkcs8", "-topk8", "-nocrypt"], input=pem, capture_output=True, check=True).stdout)
    os.chmod(path, 0o600)
    text = subprocess.run(["openssl", "ec", "-noout", "-text"], input=pem, capture_output=True, check=True).stdout.decode()
    digits = "".join(text.split("pub:")[1].split("ASN1")[0].split()).replace(":", "")
    return path, digits[2:]


class Server:
    def __init__(self, public, *words):
        command = [sys.executable, os.path.join(HERE, "lying_server.py"), "--public", public, "--reports", os.path.join(ROOT, "sample-reports"), *words]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE)
        self.port = int(self.process.stdout.readline())
        self.host = "[::1]" if "::1" in words else "127.0.0.1"

    def call(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://{self.host}:{self.port}{path}", data=data)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        return json.load(opener.open(request))

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class FetchCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.base = tempfile.mkdtemp(prefix="fetch-test-")
        cls.key, cls.public = make_key(cls.base)
        cls.server = Server(cls.public)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        shutil.rmtree(cls.base)

    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=self.base)
        self.archive = os.path.join(self.folder, "archive")
        self.settings()
        self.rules()

    def settings(self, server=None, **values):
        values = {
            "archive": "archive", "vendors": ["80012345"], "issuer_id": "ISSUER", "key_id": "KEYID", "key": self.key,
            "kinds": ["sales"], "endpoint": f"http://127.0.0.1:{(server or self.server).port}", "requests_per_minute": 0, **values,
        }
        with open(os.path.join(self.folder, "subreport.toml"), "w") as file:
            file.write("[fetch]\n" + "".join(f"{k} = {json.dumps(v)}\n" for k, v in values.items() if v is not None))

    def rules(self, *rules):
        self.server.call("/rules", list(rules))

    def rule(self, status=200, match=f"reportDate]={DAY}", times=1, **more):
        return {"match": match, "status": status, "times": times, **more}

    def run_program(self, *words, environment=None):
        variables = {"PATH": os.environ["PATH"], "HOME": self.folder, "LC_ALL": "C", **(environment or {})}
        return subprocess.run([PROGRAM, *words], cwd=self.folder, env=variables, capture_output=True, text=True, timeout=300)

    def fetch(self, *words, code=0, since=DAY, until=DAY, environment=None):
        """Fetches one day; later days are left alone by a rule of the server for the test."""
        result = self.run_program("fetch", "--since", since, *words, environment=environment)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assert_no_secret(result.stderr + result.stdout)
        # What a full disk did not keep is in no index.
        if "--kind" not in words and " missing, " in result.stderr and "no space left" not in result.stderr:
            self.assert_counts(result.stderr, environment)
        return result.stderr

    def assert_counts(self, text, environment=None):
        """Compares the last line of a run with `fetch status`: what is pending and missing is the same number."""
        rows = json.loads(self.run_program("fetch", "status", "-f", "json", environment=environment).stdout)
        pending, missing = re.search(r"(\d+) pending.*, (\d+) missing, \d+ request", text).groups()
        self.assertEqual((int(pending), int(missing)), tuple(sum(row[state] for row in rows) for state in ["pending", "missing"]), text)

    def assert_no_secret(self, text):
        with open(self.key) as file:
            secret = file.read().split("\n")[1]
        self.assertNotIn(secret[:20], text)
        self.assertNotIn("Bearer", text)
        self.assertNotIn("eyJ", text)

    def index(self, query, *values):
        connection = sqlite3.connect(os.path.join(self.archive, ".subreport/index.sqlite"))
        try:
            return connection.execute(query, values).fetchall()
        finally:
            connection.close()

    def state(self, day=DAY, kind="sales"):
        rows = self.index("SELECT state FROM report WHERE kind = ? AND slot = ?", kind, day)
        return rows[0][0] if rows else None

    def requests(self, text=f"reportDate]={DAY}"):
        return [one for one in self.server.call("/log")["log"] if text in one["path"]]


class OddCase(FetchCase):
    """What tests of odd answers share."""

    def day_of(self, days):
        return (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=days)).strftime("%Y-%m-%d")

    def sample(self):
        with open(os.path.join(ROOT, f"sample-reports/sales/S_D_80012345_{DAY.replace('-', '')}.txt.gz"), "rb") as file:
            return file.read()

    def bytes(self, data, body="bytes", **more):
        return self.rule(body=body, base64=base64.b64encode(data).decode(), **more)

    def fetched(self, *rules, requests, **more):
        """Fetches the day, and returns its only file."""
        shutil.rmtree(self.archive, ignore_errors=True)
        self.rules(*rules)
        self.fetch(**more)
        self.assertEqual(self.state(), "present")
        self.assertEqual(len(self.requests()), requests)
        (file,) = self.index("SELECT file FROM report WHERE slot = ?", DAY)[0]
        return os.path.join(self.archive, file)

    def pages(self, *rules, code=7, since=None):
        self.settings(kinds=["notifications"], bundle_ids=["com.example.app"], iap_key=self.key, iap_key_id="K", iap_issuer_id="I")
        shutil.rmtree(self.archive, ignore_errors=True)
        self.rules(*rules)
        text = self.fetch(since=since or self.day_of(1), code=code)
        self.assertLess(len(self.server.call("/log")["log"]), 30)
        return text


class Answers(FetchCase):
    def test_a_report_is_kept_as_it_came(self):
        self.fetch()
        name = f"S_D_80012345_{DAY.replace('-', '')}.txt.gz"
        with open(os.path.join(ROOT, "sample-reports/sales", name), "rb") as file:
            expected = file.read()
        path = os.path.join(self.archive, "sales/2026", name)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), expected)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        self.assertEqual(os.stat(self.archive).st_mode & 0o777, 0o700)
        log = self.requests()
        self.assertEqual(log[0]["accept"], "application/a-gzip, application/json")
        self.assertIn("version]=1_1", log[0]["path"])

    def test_a_second_run_makes_no_request(self):
        self.fetch()
        self.rules()
        text = self.fetch()
        self.assertIn(" 0 requests", text)
        self.assertEqual(self.server.call("/log")["log"], [])

    def test_old_days_without_sales_are_none(self):
        self.fetch()
        self.assertEqual(self.state("2026-10-05"), "none")

    def test_404_in_other_words_is_never_none(self):
        self.rules(self.rule(404, detail="Whatever this is"))
        text = self.fetch(code=3, since="2026-09-23")
        self.assertEqual(self.state(), "pending")
        self.assertIn('"Whatever this is"', text)
        # Every run asks for it until Apple no longer has it.
        until = datetime.date.fromisoformat(DAY) + datetime.timedelta(days=365)
        with open(os.path.join(self.archive, ".subreport/days.csv")) as file:
            self.assertIn(f'sales,80012345,{DAY},pending,,no,{until},"""Whatever this is"""\n', file.read())
        # The words are shown as long as it is so, also where it is not asked again.
        again = self.fetch(code=3)
        self.assertIn(f'fetch: SALES {DAY}: Apple says: "Whatever this is"\n', again)
        self.assertIn(" 0 missing, 0 requests", again)
        self.run_program("report", "archive", "-o", "out")
        with open(os.path.join(self.folder, "out/days.csv")) as file:
            self.assertIn('Apple says ""Whatever this is""; wait until', file.read())
        self.run_program("fetch", "--now", "--since", DAY)
        self.assertNotIn("Whatever", self.fetch())

    def test_404_not_yet_is_late_for_an_old_day(self):
        self.rules(self.rule(404, detail="The report is not available yet."))
        text = self.fetch(code=3)
        self.assertEqual(self.state(), "missing")
        self.assertIn("1 missing", text)

    def test_410_is_gone(self):
        self.rules(self.rule(410, detail="The report is no longer available."))
        self.fetch()
        self.assertEqual(self.state(), "gone")

    def test_400_with_a_version_asks_once_with_it(self):
        for words in ["The version parameter you have specified is invalid. ", "Please include the version parameter. "]:
            with self.subTest(words):
                shutil.rmtree(self.archive, ignore_errors=True)
                self.rules(self.rule(400, detail=words + "The latest version for this report is 1_0."))
                self.fetch()
                self.assertEqual(self.state(), "present")
                asked = self.requests()
                self.assertIn("version]=1_0", asked[1]["path"])
                self.assertEqual(len(asked), 2)
                self.assertEqual(self.index("SELECT value FROM fact WHERE name = 'version.sales'"), [("1_0",)])

    def test_400_invalid_vendor_of_sales(self):
        self.rules(self.rule(400, "vendorNumber", 99, detail="Invalid vendor number specified."))
        text = self.fetch(code=2)
        self.assertIn("vendor 80012345 is not known to Apple (400)", text)
        self.assertEqual(len(self.requests("sales")), 1)

    def test_one_vendor_that_is_refused_does_not_stop_the_next(self):
        self.settings(vendors=["80000001", "80012345", "80012346"])
        self.rules(self.rule(400, "vendorNumber]=80000001", 99, detail="Invalid vendor number specified."),
                   self.rule(404, f"vendorNumber]=80012346&filter[frequency]=DAILY&filter[reportDate]={DAY}", 1, detail="The report is not available yet."))
        text = self.fetch(code=2)
        self.assertIn("vendor 80000001 is not known to Apple (400)", text)
        self.assertIn(" 1 missing, ", text)
        self.assertEqual(len(self.requests("80000001")), 1)
        self.assertEqual(self.index("SELECT state FROM report WHERE slot = ? ORDER BY vendor", DAY), [("present",), ("missing",)])

    def test_400_invalid_vendor_of_another_kind_is_no_data(self):
        self.settings(kinds=["sales", "subscriber"])
        self.rules(self.rule(400, "reportType]=SUBSCRIBER", 999, detail="Invalid vendor number specified."))
        self.fetch()
        with open(os.path.join(self.archive, ".subreport/days.csv")) as file:
            self.assertNotIn("subscriber", file.read())

    def test_an_accepted_day_is_silent(self):
        with open(os.path.join(self.folder, "subreport.toml"), "a") as file:
            file.write(f'[accept]\nmissing = ["sales {DAY}"]\n')
        self.rules(self.rule(400, detail="Bad filter"))
        self.assertNotIn("refused", self.fetch())
        self.assertEqual(self.state(), "refused")

    def test_400_in_other_words_is_refused(self):
        self.rules(self.rule(400, detail="Bad filter"))
        self.assertIn('"Bad filter"', self.fetch(code=2))
        self.assertEqual(self.state(), "refused")

    def test_401_is_tried_once_with_a_new_token(self):
        self.rules(self.rule(401, "sales", 1))
        self.fetch()
        self.rules(self.rule(401, "sales", 99, detail="Provide a properly configured token"))
        shutil.rmtree(self.archive)
        text = self.fetch(code=2)
        self.assertIn("key KEYID is not accepted (401)", text)
        self.assertEqual(len(self.requests("sales")), 2)

    def test_400_invalid_vendor_of_finance_is_no_file(self):
        self.settings(kinds=["sales", "financial"])
        self.rules(self.rule(400, "financeReports", 999, detail="Invalid vendor number specified."))
        self.assertNotIn("not known to Apple", self.fetch())
        self.assertEqual(self.index("SELECT count(*) FROM report WHERE kind = 'financial' AND state IN ('none', 'pending')")[0][0] > 0, True)

    def test_payments_files_are_named_in_the_run_that_gets_the_settlement(self):
        self.run_program("simulate", "-o", "paid", "--subscribers", "40", "--finance", "--from", "2026-08-01", "--to", "2026-09-30")
        self.settings(kinds=["financial"])
        path = os.path.join(self.folder, "paid/finance/single/80012345_0926_ZZ.txt.gz")
        self.rules(self.rule(match="reportDate]=2026-12", file=path))
        words = "payments of FY2026-P12 are in no API: download them by hand"
        self.assertIn(words, self.fetch(since="2026-08-01"))
        shutil.copytree(os.path.join(self.folder, "paid/finance/payments"), os.path.join(self.archive, "payments"))
        self.assertNotIn(words, self.fetch(since="2026-08-01"))

    def test_403_of_an_agreement(self):
        self.rules(self.rule(403, "sales", 99, code="FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED", detail="A required agreement"))
        self.assertIn("an agreement is missing or expired (403)", self.fetch(code=2))

    def test_403_of_a_role_leaves_the_other_service(self):
        self.settings(kinds=["sales", "financial"])
        self.rules(self.rule(403, "financeReports", 99, code="FORBIDDEN_ERROR", detail="role"))
        text = self.fetch(code=2)
        self.assertIn("key KEYID may not read finance reports (403): it needs Finance or Admin", text)
        self.assertEqual(self.state(), "present")

    def test_406_asks_for_gzip_alone(self):
        self.rules(self.rule(406, body="html"))
        self.fetch()
        self.assertEqual(self.requests()[1]["accept"], "application/a-gzip")

    def test_429_with_each_form_of_retry_after(self):
        for value in ["1", "NOW+2", "NOWMS+2", None, "Sun, 06 Nov 1994 08:49:37 GMT"]:
            with self.subTest(value):
                shutil.rmtree(self.archive, ignore_errors=True)
                headers = {} if value is None else {"Retry-After": value}
                self.rules(self.rule(429, code="RATE_LIMIT_EXCEEDED", headers=headers))
                self.fetch()
                self.assertEqual(self.state(), "present")

    def test_a_long_retry_after_ends_the_run(self):
        self.rules(self.rule(429, headers={"Retry-After": "3600"}))
        self.assertIn("Apple asks to wait for 60 min", self.fetch(code=7))

    def test_broken_bodies_are_tried_again(self):
        for body in ["html", "empty", "half", "crc", "length", "other", "stall-short", "reset"]:
            with self.subTest(body):
                shutil.rmtree(self.archive, ignore_errors=True)
                rule = self.rule(body="cut" if body == "stall-short" else body)
                self.rules(rule)
                text = self.fetch()
                self.assertEqual(self.state(), "present")
                self.assertEqual(len(self.requests()), 2)
                if body in ["half", "crc", "other", "cut"]:
                    self.assertIn("try 2 of 8", text)

    def test_500_on_the_first_request_three_times(self):
        self.rules(self.rule(500, "sales", 99, code="UNEXPECTED_ERROR"))
        self.assertIn("which never worked here", self.fetch(code=2))
        self.assertEqual(len(self.requests("sales")), 3)

    def test_500_once(self):
        self.rules(self.rule(500))
        self.fetch()
        self.assertEqual(self.state(), "present")

    def test_a_redirect_is_not_followed(self):
        self.rules(self.rule(302, headers={"Location": f"http://127.0.0.1:{self.server.port}/elsewhere"}))
        self.fetch(code=7)
        self.assertEqual(self.requests("elsewhere"), [])

    def test_a_restated_day_keeps_the_earlier_answer(self):
        self.fetch()
        self.rules(self.rule(body="restated"))
        text = self.fetch("--now", "--reask", f"{DAY}..{DAY}")
        self.assertIn("(1 restated)", text)
        folder = os.path.join(self.archive, ".subreport/replaced/sales/2026")
        self.assertEqual(len(os.listdir(folder)), 1)
        # A new index knows the earlier answer, and no later run takes it for the rest of one that was stopped.
        for words in [["--rebuild-index"], []]:
            self.fetch(*words)
            self.assertEqual(self.index("SELECT restated FROM report WHERE slot = ?", DAY), [(1,)])
            self.assertEqual(len(os.listdir(folder)), 1)
        os.remove(os.path.join(self.archive, ".subreport/index.sqlite"))
        for _ in range(2):
            self.fetch()
            self.assertEqual(len(os.listdir(folder)), 1)

    def test_another_gzip_of_the_same_text_is_not_restated(self):
        self.fetch()
        self.rules(self.rule(body="regzip"))
        self.assertNotIn("restated", self.fetch("--reask", f"{DAY}..{DAY}"))

    def test_rate_headers_in_two_parts(self):
        self.rules(self.rule(404, "sales", 1, detail="There were no sales for the date specified",
                             headers={"X-Rate-Limit": ["user-hour-lim:3600", "user-hour-rem:3500"]}))
        self.fetch()

    def test_a_kind_that_is_none_for_3_days_asks_for_its_version(self):
        folder = os.path.join(self.folder, "world/subscriber")
        os.makedirs(folder)
        sample = os.path.join(ROOT, f"sample-reports/subscriber/Subscriber_80012345_{DAY.replace('-', '')}_V1_4.txt.gz")
        for days in range(6, 12):
            shutil.copy(sample, os.path.join(folder, f"Subscriber_80012345_{pacific_day(days):%Y%m%d}_V1_4.txt.gz"))
        server = Server(self.public, "--reports", os.path.dirname(folder))
        try:
            self.settings(server, kinds=["subscriber"])
            detail = "The version parameter you have specified is invalid. The latest version for this report is 1_5."
            server.call("/rules", [self.rule(400, "version]=9_9", detail=detail)])
            self.fetch(since=str(pacific_day(11)))
            text = self.fetch("--now", since=str(pacific_day(11)))
            self.assertIn("SUBSCRIBER: none for 3 days, which never was: Apple is asked for its version", text)
            asked = [one["path"] for one in server.call("/log")["log"]]
            self.assertEqual(sum("version]=9_9" in path for path in asked), 1)
            self.assertEqual(sum("version]=1_5" in path for path in asked), 3)
            self.assertEqual({self.state(str(pacific_day(days)), "subscriber") for days in range(3, 6)}, {"pending"})
        finally:
            server.stop()

    def test_periods_are_asked_again(self):
        self.settings(kinds=["financial"])
        self.assertIn(" 13 requests", self.run_program("fetch").stderr)
        # The last day of a period, and the first of the next.
        self.assertIn(" 2 requests", self.fetch("--reask", "2026-08-01..2026-08-02"))
        self.assertEqual(self.index("SELECT count(*) FROM answer WHERE reason = 'reask'"), [(2,)])

    def test_an_archive_of_a_newer_program(self):
        self.fetch()
        path = os.path.join(self.archive, ".subreport/archive")
        with open(path, "w") as file:
            file.write("subreport archive 2\n")
        self.assertIn("archive: made by a newer subreport", self.fetch(code=2))
        with open(path) as file:
            self.assertEqual(file.read(), "subreport archive 2\n")

    def test_every_request_has_its_reason(self):
        self.rules(self.rule(500), self.rule(400, detail="The latest version for this report is 1_0. version parameter"))
        self.fetch()
        rows = self.index("SELECT reason FROM answer")
        self.assertEqual(len(rows), len(self.server.call("/log")["log"]))
        self.assertTrue(all(reason for (reason,) in rows))


class Oddities(OddCase):
    """Answers that no documentation knows: each ends in a state and an exit code, none in a crash or another file."""

    def test_headers_in_another_case_or_twice(self):
        name = f"S_D_80012345_{DAY.replace('-', '')}_V1_1.txt.gz"
        sample = self.sample()
        for header, value, found in [
            ("X-REPORTS-FILENAME", name, name), ("x-reports-filename", [name, name], None),
            ("CONTENT-disposition", f'attachment; filename="{name}"; x=1', name),
        ]:
            with self.subTest(header):
                path = self.fetched(self.bytes(sample, headers={header: value}), requests=1)
                self.assertEqual(os.path.basename(path), found or name.replace("_V1_1", ""))

    def test_names_that_would_leave_the_folder(self):
        sample = self.sample()
        own = os.path.join(self.archive, f"sales/2026/S_D_80012345_{DAY.replace('-', '')}.txt.gz")
        day = DAY.replace("-", "")
        for name in [f"../S_D_80012345_{day}.txt.gz", f"/tmp/S_D_80012345_{day}.txt.gz", f"..\\S_D_80012345_{day}.txt.gz",
                     f".S_D_80012345_{day}.txt.gz", "..", "", f"S_D_80012345_{day}{'x' * 120}.txt.gz", "a\x1b[31m.gz", "\u202e.gz",
                     f"S_D_80012345_{day}.sh", f"%2e%2e%2fS_D_80012345_{day}.txt.gz"]:
            with self.subTest(name):
                for header in [{"x-reports-filename": name}, {"Content-Disposition": f"attachment; filename={name}"}]:
                    header = {key: value.encode().decode("latin-1") for key, value in header.items()}
                    self.assertEqual(self.fetched(self.bytes(sample, headers=header), requests=1), own)
        self.assertEqual(set(os.listdir(self.folder)), {"subreport.toml", "archive"})

    def test_a_name_of_another_vendor_or_day(self):
        for name in ["S_D_80012346_20260925.txt.gz", "S_D_80012345_20260924.txt.gz"]:
            self.fetched(self.bytes(self.sample(), headers={"x-reports-filename": name}), requests=2)

    def test_chunks_and_members(self):
        text = gzip.decompress(self.sample())
        head, rest = text.split(b"\n", 1)
        for data in [gzip.compress(head + b"\n") + gzip.compress(rest), gzip.compress(text) + gzip.compress(b"")]:
            for body in ["bytes", "chunked"]:
                with open(self.fetched(self.bytes(data, body), requests=1), "rb") as file:
                    self.assertEqual(file.read(), data)

    def test_bodies_that_are_no_whole_report(self):
        sample = self.sample()
        for data, body in [(gzip.compress(b""), "bytes"), (sample + b"x", "bytes"), (sample + sample[:-4], "bytes"),
                           (sample, "chunked-cut"), (gzip.decompress(sample), "bytes"), (gzip.compress(b"\n" * 99), "bytes"),
                           (gzip.compress(bytes(5_000_000)), "bytes")]:
            with self.subTest(len=len(data), body=body):
                self.fetched(self.bytes(data, body), requests=2)

    def test_other_success_and_timeouts_are_tried_again(self):
        for status in [201, 202, 204, 206, 408, 425]:
            with self.subTest(status):
                self.fetched(self.rule(status, body="empty"), requests=2)

    def test_redirects_are_never_followed(self):
        for status in [301, 302, 303, 304, 307, 308]:
            with self.subTest(status):
                shutil.rmtree(self.archive, ignore_errors=True)
                self.rules(self.rule(status, times=9, body="empty", headers={"Location": "/v1/salesReports"}))
                self.assertIn(f"Apple redirects ({status})", self.fetch(code=7))
                self.assertEqual(len(self.requests()), 1)

    def test_dates_that_are_none(self):
        for date in [None, "", "yesterday", "Sun, 99 Foo 2026 08:49:37 GMT", "Sun, 06 Nov 99999999999999 08:49:37 GMT",
                     "Sun, 06 Nov 2026 9999999999999999:49:37 GMT", ["Sun, 06 Nov 1994 08:49:37 GMT"] * 2]:
            with self.subTest(date):
                self.fetched(self.rule(401, headers={"Date": date}), requests=2)

    def test_retry_after_that_is_none(self):
        for value in ["-5", "-9223372036854775808", "9" * 40, "0", "", "soon", "1.5", ["1", "1"], "Sun, 06 Nov 99999999999999 08:49:37 GMT"]:
            with self.subTest(value):
                self.fetched(self.rule(429, headers={"Retry-After": value}), requests=2)

    def test_rate_limits_that_are_none(self):
        for value in ["user-hour-lim:9223372036854775807;user-hour-rem:9223372036854775807", "user-hour-lim:-9;user-hour-rem:-9223372036854775808",
                      "user-hour-lim:0;user-hour-rem:0;", ";;:::,user-hour-lim:x;user-hour-rem", "user-hour-lim:3600;user-hour-lim:3600"]:
            with self.subTest(value):
                self.fetched(self.rule(500, headers={"X-Rate-Limit": value}), requests=2)

    def test_words_of_any_kind(self):
        for words in ["\x1b[31mred\x07", "a\u202eb", "x" * 20_000, "two\nlines", "\0", ""]:
            with self.subTest(words[:9]):
                shutil.rmtree(self.archive, ignore_errors=True)
                self.rules(self.rule(404, detail=words))
                text = self.fetch(code=3)
                self.assertNotRegex(text, "[\x00-\x09\x0b-\x1f\u202e]")
                self.assertLess(max(map(len, text.splitlines())), 500)
        for data in [b"[" * 60_000, b'{"a":' * 10_000, b"\xff\xfe", b"{}" * 9, b"<html>" * 1_000_000]:
            with self.subTest(data[:9]):
                shutil.rmtree(self.archive, ignore_errors=True)
                self.rules(self.bytes(data, status=404))
                self.fetch(code=3)
                self.assertEqual(self.state(), "pending")

    def test_pages_without_end(self):
        for page in [{"hasMore": True, "paginationToken": "p0"}, {"hasMore": True}, {"hasMore": True, "paginationToken": ""}]:
            with self.subTest(page):
                rule = {"match": "notifications/history", "times": 999, "body": "json", "json": {"notificationHistory": [], **page}}
                self.pages(rule)
                self.assertEqual(self.index("SELECT DISTINCT state FROM report"), [("missing",)])

    def test_pages_that_are_none(self):
        for data in [b"[" * 1_000_000, b"{}{}", b"", b"null", b'{"hasMore":false', b'{"hasMore":false}' + b" " * 5_000_000]:
            with self.subTest(data[:9]):
                self.pages({"match": "notifications/history", "times": 1, "body": "bytes", "base64": base64.b64encode(data).decode()}, code=0)
                for (file,) in self.index("SELECT file FROM report"):
                    with gzip.open(os.path.join(self.archive, file)) as lines:
                        self.assertEqual(sum(len(json.loads(line)["notificationHistory"]) for line in lines), 45)


class LiveServices(OddCase):
    """Faults of servers, of what stands before them, and of connections."""

    def answer(self, data=None, status="HTTP/1.1 200 OK", headers=(), after=b""):
        """Returns a rule for an answer, byte for byte; then the connection ends."""
        data = self.sample() if data is None else data
        lines = [status, *(headers or [f"Content-Length: {len(data)}"])]
        return self.bytes("\r\n".join(lines).encode() + b"\r\n\r\n" + data + after, "raw")

    def test_answers_of_another_shape_that_are_whole(self):
        sample = self.sample()
        length = f"Content-Length: {len(sample)}"
        half = len(sample) // 2
        chunks = b"%x;x=1\r\n%b\r\n%X\r\n%b\r\n0\r\n" % (half, sample[:half], len(sample) - half, sample[half:])
        for name, rule in {
            "HTTP/1.0 without a length": self.answer(status="HTTP/1.0 200 OK", headers=["Server: x"]),
            "without a reason": self.answer(status="HTTP/1.1 200"),
            "early hints": self.answer(status="HTTP/1.1 103 Early Hints\r\nx-reports-filename: a.gz\r\n\r\nHTTP/1.1 200 OK"),
            "continue": self.answer(status="HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK"),
            "trailers": self.answer(chunks, headers=["Transfer-Encoding: chunked"], after=b"x-reports-filename: b.gz\r\n\r\n"),
            "chunks and a length": self.answer(chunks, headers=["Content-Length: 5", "Transfer-Encoding: chunked"], after=b"\r\n"),
            "content encoding gzip": self.answer(headers=[length, "Content-Encoding: gzip"]),
            "content encoding br": self.answer(headers=[length, "Content-Encoding: br"]),
            "type JSON": self.answer(headers=[length, "Content-Type: application/json; charset=utf-8"]),
            "more bytes than its length": self.answer(after=b"HTTP/1.1 404 Not Found\r\n\r\n"),
            "headers of 90 kB": self.answer(headers=[length] + [f"X-{i}: {'x' * 80}" for i in range(1000)]),
            "no date": self.answer(headers=[length]),
        }.items():
            with self.subTest(name):
                with open(self.fetched(rule, requests=1), "rb") as file:
                    self.assertEqual(file.read(), sample)

    def test_reports_of_another_shape(self):
        text = gzip.decompress(self.sample())
        for name, data, requests in [
            ("a mark of byte order", b"\xef\xbb\xbf" + text, 1), ("line ends of Windows", text.replace(b"\n", b"\r\n"), 1),
            ("no line end", text.rstrip(b"\n"), 1), ("UTF-16", text.decode().encode("utf-16"), 2),
            ("rows of another day", text.replace(b"09/25/2026", b"09/24/2026"), 2), ("NUL", bytes(len(text)), 2),
            ("its words in gzip", b"There were no sales for the date specified.", 2), ("no header", text.split(b"\n", 1)[1], 2),
            ("another kind's name in it", b"SUBSCRIBER\n" + text, 2),
        ]:
            with self.subTest(name):
                self.fetched(self.bytes(gzip.compress(data)), requests=requests)

    def test_answers_that_are_tried_again(self):
        sample = self.sample()
        for name, rule in {
            "a length too small": self.answer(headers=[f"Content-Length: {len(sample) - 50}"]),
            "a header without a colon": self.answer(headers=[f"Content-Length: {len(sample)}", "X"]),
            "a length below 0": self.answer(headers=["Content-Length: -5"]),
            "a length that is no number": self.answer(headers=["Content-Length: x"]),
            "HTTP/1.0, cut": self.answer(sample[:-9], status="HTTP/1.0 200 OK", headers=["Server: x"]),
            "chunks of no size": self.answer(b"zz\r\n" + sample, headers=["Transfer-Encoding: chunked"]),
            "no status": self.answer(status="HTTP/1.1 OK"),
            "another protocol": self.answer(b"", status="SSH-2.0-OpenSSH_9.2"),
            "nothing": self.bytes(b"", "raw"),
            "early hints alone": self.answer(b"", status="HTTP/1.1 103 Early Hints"),
            "an error's words with 200": self.bytes(b'{"errors":[{"detail":"There were no sales for the date specified."}]}'),
            "520": self.rule(520, body="html"), "599": self.rule(599, body="empty"),
        }.items():
            with self.subTest(name):
                self.fetched(rule, requests=2)

    def test_answers_that_end_the_day(self):
        words = "There were no sales for the date specified."
        for rule, code, state, said in [
            (self.rule(409, detail="Conflict"), 2, "refused", 'refused (409): "Conflict"'),
            (self.rule(422, body="empty"), 2, "refused", 'refused (422): ""'),
            (self.rule(451, body="html"), 2, "refused", 'refused (451): ""'),
            (self.rule(400, body="html"), 2, "refused", 'refused (400): ""'),
            (self.rule(400, times=9, detail="The latest version for this report is 1_1. version parameter"), 2, "refused", "refused (400)"),
            (self.bytes(words.encode(), status=404), 3, "pending", 'Apple says: ""'),
            (self.rule(410, detail="Moved"), 3, "pending", 'Apple says: "Moved"'),
            (self.rule(404, detail=words.upper()), 0, "none", None),
            (self.rule(429, times=9, headers={"Retry-After": "1"}), 7, "missing", "Apple limits requests (429): 1 day not fetched"),
            (self.rule(307, headers={"Location": "https://example.com"}), 7, "missing", "Apple redirects (307)"),
        ]:
            with self.subTest(status=rule["status"], said=said):
                shutil.rmtree(self.archive, ignore_errors=True)
                self.rules(rule)
                text = self.fetch(code=code)
                self.assertEqual(self.state(), state)
                self.assertEqual([said in line for line in text.splitlines()].count(True) if said else 1, 1, text)

    def test_a_time_to_wait_that_has_passed(self):
        for value in ["Sun, 06 Nov 1994 08:49:37 GMT", "1000000001", "0"]:
            with self.subTest(value):
                start = time.monotonic()
                self.fetched(self.rule(503, times=2, headers={"Retry-After": value}), requests=3)
                # After 1 and 2 s, each ± 50 %, as without a time.
                self.assertGreater(time.monotonic() - start, 1.5)

    def test_503_that_asks_for_an_hour(self):
        self.rules(self.rule(503, headers={"Retry-After": "3600"}))
        self.assertIn("Apple asks to wait for 60 min: the next run goes on", self.fetch(code=7))

    def test_pages_of_another_shape(self):
        def page(more, **rest):
            return {"match": "notifications/history", "times": 1, "body": "json", "json": {"notificationHistory": [], "hasMore": more, **rest}}

        error = {"match": "notifications/history", "times": 1, "body": "json"}
        for rules, code, states in [
            # Apple's marks repeat, then the window begins again and ends.
            ([page(True, paginationToken="a"), page(True, paginationToken="b"), page(True, paginationToken="a")], 0, {"present"}),
            ([page("true", paginationToken="p20")], 0, {"present"}),
            ([{**error, "status": 400, "json": {"errorCode": "4000012", "errorMessage": "Too early"}}], 0, {"present", "gone"}),
            ([{**error, "status": 400, "json": {"errorMessage": "No number"}}], 2, {"present", "refused"}),
            ([{**error, "status": 404, "json": {"errorCode": 4040003, "errorMessage": "App not found."}}], 2, None),
            ([{**error, "status": 500, "json": {"errorCode": 5000000, "errorMessage": "x"}}], 0, {"present"}),
            ([{**error, "status": 403, "json": {}}], 2, {"present", "refused"}),
        ]:
            with self.subTest(rules=rules):
                self.pages(*rules, code=code)
                if states:
                    self.assertLessEqual({state for (state,) in self.index("SELECT state FROM report")}, states)

    def test_many_days_in_the_same_words_are_one_line(self):
        self.settings(kinds=["sales", "subscriber"])
        for status, words, code, states in [(404, "Nichts da", 3, "pending"), (400, "Bad filter", 2, "refused")]:
            with self.subTest(words):
                shutil.rmtree(self.archive, ignore_errors=True)
                self.rules(self.rule(status, "reportType]=SUBSCRIBER", 999, detail=words))
                text = self.fetch(since="2026-10-01", code=code)
                self.assertEqual(text.count(f'"{words}"'), 1, text)
                (count,) = self.index("SELECT count(*) FROM report WHERE kind = 'subscriber' AND state = ?", states)[0]
                self.assertIn(f" and {count - 1} more: ", text)

    def test_notifications_that_are_all_refused(self):
        for status, code in [(403, 2), (302, 7)]:
            text = self.pages({"match": "notifications/history", "times": 999, "status": status, "body": "json", "json": {}}, code=code, since=self.day_of(90))
            self.assertIn("20 requests in a row failed", text)
            self.assertEqual(len(text.splitlines()), 3, text)

    def test_a_key_that_is_refused_after_some_notifications(self):
        self.settings(kinds=["notifications"], bundle_ids=["com.example.app"], iap_key=self.key, iap_key_id="K", iap_issuer_id="I")
        self.rules({"match": "paginationToken=p40", "times": 99, "status": 401, "body": "empty"})
        text = self.fetch(since=self.day_of(9), code=2)
        self.assertEqual(text.count("is not accepted for com.example.app (401)"), 1)
        self.assertEqual(self.index("SELECT count(*) FROM report WHERE state = 'present'"), [(0,)])
        self.rules()
        self.fetch(since=self.day_of(9))


class Keys(FetchCase):
    def test_a_key_that_others_may_read(self):
        os.chmod(self.key, 0o644)
        try:
            self.assertIn("mode 0644 lets others read it: chmod 600", self.fetch(code=2))
        finally:
            os.chmod(self.key, 0o600)

    def test_an_access_list_of_a_key(self):
        def read(*entries):
            """Gives the key an access list: tag, permissions, user or group; the mask is in the group bits of its mode."""
            data = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
            os.setxattr(path, "system.posix_acl_access", data)

        path = os.path.join(self.folder, "listed.p8")
        shutil.copy(self.key, path)
        self.settings(key=path)
        nobody = 0xFFFFFFFF
        own, group, mask, others = (1, 6, nobody), (4, 0, nobody), (16, 4, nobody), (32, 0, nobody)
        try:
            read(own, (2, 4, os.geteuid()), group, mask, others)
        except OSError:
            self.skipTest("the file system has no access lists")
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o640)
        self.fetch()
        for entry in [(2, 4, 4242), (8, 4, 4242)]:
            read(own, *sorted([entry, group]), mask, others)
            self.assertIn("listed.p8: its access list (ACL) lets others read it: setfacl -b, then chmod 600", self.fetch(code=2))
        read(own, (2, 4, 4242), group, (16, 0, nobody), others)
        self.fetch()

    def test_a_certificate_is_no_key(self):
        path = os.path.join(self.folder, "wrong.p8")
        with open(path, "w") as file:
            file.write("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n")
        os.chmod(path, 0o600)
        self.settings(key=path)
        self.assertIn('not a P-256 private key (found "BEGIN CERTIFICATE")', self.fetch(code=2))

    def test_the_text_of_a_key_in_the_environment(self):
        self.settings(key=None)
        with open(self.key) as file:
            self.fetch(environment={"SUBREPORT_FETCH_KEY": file.read()})

    def test_a_wrong_clock(self):
        server = Server(self.public, "--offset", "-840")
        try:
            self.settings(server)
            self.assertIn("this clock is 14 min ahead of Apple's; Apple's is used for tokens", self.fetch())
        finally:
            server.stop()

    def test_a_clock_that_is_right_again_needs_no_words(self):
        server = Server(self.public, "--offset", "840")
        try:
            self.settings(server)
            self.assertIn("this clock is 14 min behind Apple's", self.fetch())
            self.settings()
            self.assertNotIn("clock", self.fetch("--now"))
            self.assertEqual(self.index("SELECT * FROM fact WHERE name = 'clock'"), [])
        finally:
            server.stop()

    def test_doctor_with_a_wrong_clock(self):
        server = Server(self.public, "--offset", "-840")
        try:
            self.settings(server)
            result = self.run_program("fetch", "doctor")
            self.assertEqual(result.stdout.splitlines()[0], "this clock is 14 min ahead of Apple's; Apple's is used for tokens")
            self.assertEqual(result.stdout.count(": works"), 3)
            self.assertEqual(result.returncode, 0)
        finally:
            server.stop()

    def test_secrets_are_nowhere(self):
        self.fetch("-v")
        with open(self.key) as file:
            secret = file.read().split("\n")[1].encode()
        for folder, _, names in os.walk(self.archive):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    data = file.read()
                self.assertNotIn(secret, data)
                self.assertNotIn(b"eyJhbGci", data)

    def test_an_endpoint_elsewhere(self):
        for host in ["https://example.com", "http://127.0.0.1.example.com", "http://localhost@example.com"]:
            self.settings(endpoint=host)
            self.assertIn("loopback", self.fetch(code=64))


class Commands(FetchCase):
    def test_dry_run_makes_none(self):
        result = self.run_program("fetch", "--dry-run", "--since", DAY)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"SALES {DAY} of 80012345 (first)", result.stdout)
        self.assertEqual(self.server.call("/log")["log"], [])

    def test_status(self):
        self.fetch()
        result = self.run_program("fetch", "status", "-f", "json")
        row = json.loads(result.stdout)[0]
        self.assertEqual((row["kind"], row["first"]), ("sales", DAY))
        self.assertGreaterEqual(row["present"], 1)

    def test_doctor(self):
        result = self.run_program("fetch", "doctor")
        self.assertIn("SALES of vendor 80012345: works", result.stdout)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_doctor_with_a_role_that_is_enough(self):
        self.rules(self.rule(403, "financeReports", 9, code="FORBIDDEN_ERROR", detail="role"))
        result = self.run_program("fetch", "doctor")
        self.assertIn("FINANCIAL of vendor 80012345: key KEYID may not read this (403)", result.stdout)
        self.assertIn('"role" (kinds needs none of it)\n', result.stdout)
        self.assertEqual(result.returncode, 0)

    def test_doctor_with_a_wrong_role(self):
        self.settings(kinds=["sales", "financial"])
        self.rules(self.rule(403, "financeReports", 9, code="FORBIDDEN_ERROR", detail="role"))
        result = self.run_program("fetch", "doctor")
        self.assertIn("FINANCIAL of vendor 80012345: key KEYID may not read this (403)", result.stdout)
        self.assertEqual(result.returncode, 2)

    def test_doctor_asks_for_the_refused_day(self):
        self.rules(self.rule(400, detail="Bad filter"))
        self.fetch(code=2)
        self.rules(self.rule(400, detail="Bad filter"))
        result = self.run_program("fetch", "doctor")
        self.assertIn(f'SALES {DAY} of vendor 80012345: refused (400); "Bad filter"\n', result.stdout)
        self.assertEqual(result.returncode, 2)
        result = self.run_program("fetch", "doctor")
        self.assertIn(f"SALES {DAY} of vendor 80012345: works\n", result.stdout)
        self.assertEqual(result.returncode, 0)

    def test_doctor_asks_for_refused_notifications(self):
        self.settings(kinds=["notifications"], bundle_ids=["com.example.app"], iap_key=self.key, iap_key_id="K", iap_issuer_id="I")
        day = datetime.datetime.now(datetime.timezone.utc).date() - datetime.timedelta(days=3)
        start = int((day - datetime.date(1970, 1, 1)).total_seconds() * 1000)
        rule = {"match": f'"startDate":{start},', "times": 1, "status": 400, "body": "json", "json": {"errorCode": 4000015, "errorMessage": "Bad date"}}
        self.rules(rule)
        self.fetch(since=str(day), code=2)
        self.rules(rule)
        result = self.run_program("fetch", "doctor")
        self.assertIn(f'notifications {day} of com.example.app: refused (400); "Bad date"\n', result.stdout)

    def test_doctor_without_a_key(self):
        self.settings(key=None, key_id=None, issuer_id=None)
        result = self.run_program("fetch", "doctor")
        self.assertIn("no key: key, key_id and issuer_id below [fetch]", result.stdout)
        self.assertEqual(result.returncode, 2)

    def test_the_settings_of_the_packages(self):
        with open(os.path.join(ROOT, "Packaging/subreport.toml")) as file:
            block = re.search(r"^# \[fetch\]\n(# .*\n)+", file.read(), re.MULTILINE).group()
        with open(os.path.join(self.folder, "subreport.toml"), "w") as file:
            file.write(block.replace("# ", "").replace("/etc/subreport", self.folder).replace("/var/lib", self.folder))
        endpoint = {"SUBREPORT_FETCH_ENDPOINT": f"http://127.0.0.1:{self.server.port}"}
        # Without the key that the job's unit waits for, then by hand, then as the unit does it, for a user who may not read it.
        result = self.run_program("fetch", "doctor", environment=endpoint)
        self.assertIn(f"fetch: key {self.folder}/key.p8: no such file", result.stderr)
        self.assertEqual(result.returncode, 2)
        shutil.copy(self.key, os.path.join(self.folder, "key.p8"))
        self.assertEqual(self.run_program("fetch", "doctor", environment=endpoint).returncode, 0)
        os.remove(os.path.join(self.folder, "key.p8"))
        endpoint["SUBREPORT_FETCH_KEY"] = self.key
        self.assertEqual(self.run_program("fetch", "doctor", environment=endpoint).returncode, 0)

    def test_init_without_a_terminal(self):
        self.assertEqual(self.run_program("init").returncode, 64)

    def init(self, endpoint, code=0):
        """Answers the questions of init on a terminal, and returns all that stands on it."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.remove(os.path.join(self.folder, "subreport.toml"))
            os.chdir(self.folder)
            os.execve(PROGRAM, [PROGRAM, "init"], {"HOME": self.folder, "SUBREPORT_FETCH_ENDPOINT": endpoint})
        key = "~/" + os.path.relpath(self.key, self.folder)
        os.write(terminal, f"\n80012345\nISSUER\nKEYID\n{key}\n\n".encode())
        text = b""
        try:
            while part := os.read(terminal, 4096):
                text += part
        except OSError:
            pass  # The terminal is closed.
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), code, text)
        return text

    def test_init_with_a_key_that_is_not_accepted(self):
        self.rules({"match": "", "status": 401, "times": 99, "detail": "revoked"})
        text = self.init(f"http://127.0.0.1:{self.server.port}", code=2)
        self.assertIn(b"key KEYID is not accepted (401)", text)
        # The settings are kept, and what to do next is said once.
        self.assertIn(b"wrote subreport.toml", text)
        self.assertEqual(text.count(b"Mend what the lines above say, then: subreport fetch doctor"), 1, text)

    def test_init_on_a_terminal(self):
        endpoint = f"http://127.0.0.1:{self.server.port}"
        text = self.init(endpoint)
        self.assertNotIn(b"Not everything works", text)
        self.assertIn(b"SALES of vendor 80012345: works", text)
        self.assertIn(f"30 17 * * * cd {self.folder} && {PROGRAM} fetch --report".encode(), text)
        with open(os.path.join(ROOT, "Packaging/systemd/subreport.timer")) as file:
            for line in ["OnCalendar=*-*-* 09:30 America/Los_Angeles", "Persistent=true", "WantedBy=timers.target"]:
                self.assertIn(line + "\n", file.read())
                self.assertIn(line.encode(), text)
                file.seek(0)
        path = os.path.join(self.folder, "subreport.toml")
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        with open(path) as file:
            written = file.read()
        self.assertIn('kinds = ["sales", "subscription"', written)
        self.assertTrue(written.startswith('inputs = ["reports"]\noutput = "out"\n'), written)
        # The nightly job, then report alone: all else stands in the settings.
        environment = {"SUBREPORT_FETCH_ENDPOINT": endpoint}
        result = self.run_program("fetch", "--report", "--since", DAY, environment=environment)
        self.assertIn(result.returncode, [0, 3], result.stderr)
        self.assertIn(self.run_program("report").returncode, [0, 3])
        self.assertTrue(os.path.exists(os.path.join(self.folder, "out/index.html")))

    def test_one_account_that_is_refused_does_not_stop_the_next(self):
        with open(os.path.join(self.folder, "subreport.toml"), "a") as file:
            file.write('[[fetch.account]]\nname = "a"\nvendors = ["80000001"]\n[[fetch.account]]\nname = "b"\n')
        for status, detail, code, words in [
            (400, "Invalid vendor number specified.", "CODE", "vendor 80000001 is not known to Apple (400)"),
            (401, "revoked", "NOT_AUTHORIZED", "key KEYID is not accepted (401)"),
            (403, "x", "FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED", "an agreement is missing or expired (403)"),
            (403, "x", "FORBIDDEN_ERROR", "key KEYID may not read sales reports (403)"),
        ]:
            with self.subTest(words):
                shutil.rmtree(self.archive, ignore_errors=True)
                self.rules(self.rule(status, "vendorNumber]=80000001", 99, detail=detail, code=code))
                text = self.fetch(code=2)
                self.assertEqual(text.count(f"fetch: a: {words}"), 1, text)
                self.assertTrue(os.path.exists(os.path.join(self.archive, "b/sales/2026")))

    def test_one_account_without_its_key_does_not_stop_the_next(self):
        with open(os.path.join(self.folder, "subreport.toml"), "a") as file:
            file.write('[[fetch.account]]\nname = "a"\nkey = "/nowhere.p8"\n[[fetch.account]]\nname = "b"\n')
        # Account a has been fetched before, and waits for a day.
        self.rules(self.rule(404, detail="The report is not available yet."))
        with open(os.path.join(self.folder, "subreport.toml")) as file:
            text = file.read()
        with open(os.path.join(self.folder, "subreport.toml"), "w") as file:
            file.write(text.replace('key = "/nowhere.p8"\n', ""))
        self.assertIn("1 missing", self.fetch(code=3))
        with open(os.path.join(self.folder, "subreport.toml"), "w") as file:
            file.write(text)
        text = self.fetch(code=2)
        self.assertIn("fetch: a: key /nowhere.p8: no such file", text)
        self.assertIn("1 missing", text)
        self.assertTrue(os.path.exists(os.path.join(self.archive, "b/sales/2026")))
        result = self.run_program("fetch", "doctor")
        self.assertIn("fetch: a: key /nowhere.p8", result.stderr)
        self.assertIn("b: SALES of vendor 80012345: works", result.stdout)

    def test_what_is_missing_is_said(self):
        self.settings(vendors=None)
        self.assertIn("fetch: no vendor number: vendors below [fetch] names it", self.fetch(code=2))
        self.settings(kinds=["notifications"], iap_key=self.key, iap_key_id="K", iap_issuer_id="I")
        self.assertIn("fetch: no bundle id: bundle_ids below [fetch] names the apps", self.fetch(code=2))
        self.assertIn("not among bundle_ids", self.fetch("--app", "com.other", code=64))

    def test_histories(self):
        self.settings(kinds=["history"], bundle_ids=["com.example.app"], iap_key=self.key, iap_key_id="K", iap_issuer_id="I")
        page = {"revision": "r", "hasMore": True, "signedTransactions": []}
        self.rules({"match": "/v2/history", "times": 99, "body": "json", "json": page},
                   {"match": "/v1/subscriptions", "times": 99, "body": "json", "json": {"data": []}})
        # Two runs within a minute; Apple repeats a page, which ends it.
        for customer in ["1001", "1002"]:
            with open(os.path.join(self.folder, "customers.txt"), "w") as file:
                file.write(customer)
            result = self.run_program("fetch", "--dry-run", "--customers", "customers.txt")
            self.assertEqual(result.stdout, "histories of 1 customer of com.example.app\n2 requests\n")
            self.assertIn(" 3 requests", self.fetch("--customers", "customers.txt"))
        self.assertEqual(len(os.listdir(os.path.join(self.archive, f"history/com.example.app/{datetime.datetime.now().year}"))), 2)

    def test_an_index_that_is_read_by_another_program(self):
        self.fetch()
        path = os.path.join(self.archive, ".subreport/index.sqlite")
        for lock in ["BEGIN", "BEGIN EXCLUSIVE"]:
            reader = sqlite3.connect(path, check_same_thread=False)
            reader.execute(lock)
            reader.execute("SELECT * FROM report").fetchall()
            timer = threading.Timer(1.5, reader.rollback)
            timer.start()
            self.fetch("--reask", f"{DAY}..{DAY}")
            timer.join()
            reader.close()

    def test_a_kind_without_data_is_asked_once_a_night(self):
        self.settings(kinds=["sales", "subscriber"])
        self.rules(self.rule(400, "reportType]=SUBSCRIBER", 999, detail="Invalid vendor number specified."))
        self.fetch(since="2026-09-01")
        result = self.run_program("fetch", "--dry-run", "--since", "2026-09-01")
        self.assertEqual(result.stdout, "0 requests\n")

    def test_a_disk_that_is_full(self):
        os.makedirs(self.archive)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160k", "tmpfs", self.archive], capture_output=True).returncode:
            self.skipTest("mounting a file system needs root")
        try:
            text = self.fetch(since="2026-08-20", code=2)
            kept = len(os.listdir(os.path.join(self.archive, "sales/2026")))
            self.assertIn(f"fetch: archive: no space left: {kept} files kept\n", text)
            self.assertEqual(text.count("no space left"), 1)
            subprocess.run(["mount", "-o", "remount,size=9m", self.archive], check=True)
            self.fetch(since="2026-08-20")
            for path in Kills.files(self).values():
                gzip.decompress(path)
            self.assertEqual(self.index("SELECT count(*) FROM report WHERE state = 'present'"), [(42,)])
        finally:
            subprocess.run(["umount", self.archive], check=True)

    def test_a_key_that_is_revoked_midway(self):
        self.fetch(since="2026-09-24")
        shutil.rmtree(self.archive)
        self.rules(self.rule(401, "reportDate]=2026-09-2", 99, detail="revoked"))
        text = self.fetch(code=2)
        self.assertIn("is not accepted (401)", text)
        self.assertEqual(self.state("2026-10-05"), "none")

    def test_two_runs_at_once(self):
        self.rules(self.rule(404, "sales", 1, body="stall", seconds=8))
        first = subprocess.Popen([PROGRAM, "fetch", "--since", DAY], cwd=self.folder, stderr=subprocess.DEVNULL)
        time.sleep(2)
        try:
            self.assertIn(f"process {first.pid}", self.fetch(code=5))
        finally:
            first.kill()
            first.wait()

    def test_report_reads_the_archive(self):
        self.settings(kinds=["sales", "subscriber", "subscription", "subscription-event"])
        with open(os.path.join(self.folder, "subreport.toml")) as file:
            text = file.read()
        with open(os.path.join(self.folder, "subreport.toml"), "w") as file:
            file.write('output = "out"\n' + text)
        self.rules(self.rule(404, "reportType]=SUBSCRIBER&filter[vendorNumber]=80012345&filter[frequency]=DAILY&filter[reportDate]=2026-09-20", 1,
                             detail="The report is not available yet."))
        result = self.run_program("fetch", "--report", "--since", "2026-09-01")
        self.assertEqual(result.returncode, 3, result.stderr)
        with open(os.path.join(self.folder, "out/days.csv")) as file:
            days = file.read()
        self.assertIn("subscriber,80012345,2026-09-20,missing,,no,Apple has not sent it", days)
        self.assertIn("sales,80012345,2026-10-05,empty,,no,Apple says none", days)
        self.assertNotIn(".subreport", result.stderr)
        check = self.run_program("check", "archive")
        self.assertNotIn("index.sqlite", check.stdout + check.stderr)

    def test_notifications(self):
        self.settings(kinds=["notifications"], bundle_ids=["com.example.app"], iap_key=self.key, iap_key_id="K", iap_issuer_id="I")
        since = (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=3)).strftime("%Y-%m-%d")
        self.fetch(since=since)
        files = []
        for folder, _, names in os.walk(os.path.join(self.archive, "notifications")):
            files += [os.path.join(folder, name) for name in names]
        self.assertIn(len(files), [2, 3])
        with gzip.open(files[0]) as file:
            pages = [json.loads(line) for line in file]
        self.assertEqual(sum(len(page["notificationHistory"]) for page in pages), 45)
        self.rules({"match": "paginationToken=p20", "times": 1, "status": 400, "body": "json", "json": {"errorCode": 4000014, "errorMessage": "x"}})
        shutil.rmtree(self.archive)
        self.fetch(since=since)

    def test_other_commands_make_no_socket(self):
        trace = shutil.which("strace")
        if not trace:
            self.skipTest("strace is not here")
        sample = os.path.join(ROOT, "sample-reports")
        for line in [
            f"report {sample} -o out --ledger ledger.jsonl --cache cache", "digest out", "verify out", "mcp out", "cache status cache",
            "history churn.churn_rate --ledger ledger.jsonl", f"check {sample}", f"churn {sample}", f"definitions {sample}", f"drivers {sample}",
            f"price-impact {sample}", f"explain churn.churn_rate {sample}", f"chains {sample} --no-anonymize", f"timeline {sample} --no-anonymize",
            f"eligibility {sample} --no-anonymize", f"inspect {sample}", "simulate -o made --subscribers 20 --finance", "reconcile made",
            "metrics", "config", "--help", "fetch --dry-run", "fetch status",
        ]:
            with self.subTest(line):
                result = subprocess.run([trace, "-f", "-e", "trace=socket,connect", PROGRAM, *line.split()], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
                self.assertIn(result.returncode, [0, 1, 3], result.stderr)
                self.assertNotIn("socket(", result.stderr)


class Network(FetchCase):
    def test_eight_at_a_time(self):
        server = Server(self.public, "--delay", "30")
        try:
            self.settings(server)
            self.fetch(since="2026-08-01")
            self.assertEqual(server.call("/log")["parallel"], 8)
        finally:
            server.stop()

    def test_an_untrusted_certificate(self):
        path = os.path.join(self.folder, "server.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", path, "-out", path + ".c", "-days", "2",
                        "-subj", "/CN=Corp Proxy", "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
        with open(path, "a") as file, open(path + ".c") as certificate:
            file.write(certificate.read())
        server = Server(self.public, "--certificate", path)
        try:
            endpoint = f"https://127.0.0.1:{server.port}"
            self.settings(endpoint=endpoint)
            result = self.run_program("fetch", "doctor")
            self.assertIn('certificate not trusted (issuer "Corp Proxy"): set ca_file or SSL_CERT_FILE', result.stdout)
            self.assertEqual(result.returncode, 7)
            self.settings(endpoint=endpoint, ca_file=path + ".c")
            self.fetch()
            shutil.rmtree(self.archive)
            self.settings(endpoint=endpoint)
            self.fetch(environment={"SSL_CERT_FILE": path + ".c"})
        finally:
            server.stop()

    def test_a_machine_of_ipv6_alone(self):
        try:
            server = Server(self.public, "--host", "::1")
        except ValueError:
            self.skipTest("there is no IPv6")
        try:
            self.settings(endpoint=f"http://[::1]:{server.port}")
            self.fetch()
            self.assertEqual(self.state(), "present")
        finally:
            server.stop()

    def test_a_proxy_that_wants_a_password(self):
        class Proxy(http.server.BaseHTTPRequestHandler):
            asked = 0

            def answer(self):
                Proxy.asked += 1
                self.send_response(407)
                self.send_header("Proxy-Authenticate", 'Basic realm="x"')
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_CONNECT = do_GET = do_POST = answer

            def log_message(self, *words):
                pass

        proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        words = "the proxy wants a user and a password (407): https_proxy=http://USER:PASSWORD@HOST:PORT"
        try:
            for scheme in ["http", "https"]:
                with self.subTest(scheme):
                    self.settings(endpoint=f"{scheme}://127.0.0.1:1")
                    environment = {f"{scheme}_proxy": f"http://127.0.0.1:{proxy.server_port}"}
                    result = self.run_program("fetch", "doctor", environment=environment)
                    self.assertIn(f"SALES of vendor 80012345: 127.0.0.1:1: {words}\n", result.stdout)
                    self.assertEqual(result.returncode, 7)
                    # Another try would ask the proxy the same again.
                    Proxy.asked = 0
                    self.assertEqual(self.fetch(code=7, environment=environment).count(words), 1)
                    self.assertEqual(Proxy.asked, 1)
        finally:
            proxy.shutdown()
            proxy.server_close()

    def test_a_proxy_of_the_environment(self):
        result = self.run_program("fetch", "doctor", environment={"http_proxy": "http://127.0.0.1:9"})
        self.assertEqual(result.returncode, 7)
        self.assertIn("; http_proxy is set: is its proxy there?)\n", result.stdout)
        result = self.run_program("fetch", "doctor", environment={"https_proxy": "http://127.0.0.1:9"})
        self.assertNotIn("proxy", result.stdout)

    def test_a_large_report_takes_little_memory(self):
        self.rules(self.rule(body=f"big:{int(os.environ.get('BIG', '100')) << 20}"))
        # The peak of a process begins with that of its parent, which is large here.
        script = "import os, sys; print(os.wait4(os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:]), 0)[1:])"
        result = subprocess.run([sys.executable, "-c", script, PROGRAM, "fetch", "--since", DAY], cwd=self.folder, capture_output=True, text=True, env={"HOME": self.folder})
        self.assertEqual(result.stdout[:3], "(0,", result.stderr)
        self.assertLess(int(re.search(r"ru_maxrss=(\d+)", result.stdout).group(1)), 64 << 10)


class Kills(FetchCase):
    def files(self):
        found = {}
        for folder, _, names in os.walk(self.archive):
            for name in names:
                path = os.path.join(folder, name)
                if "/.subreport" not in path:
                    with open(path, "rb") as file:
                        found[os.path.relpath(path, self.archive)] = file.read()
        return found

    def rows(self):
        return self.index("SELECT kind, vendor, slot, state, file, bytes_sha256, text_sha256, restated FROM report ORDER BY 1, 2, 3")

    def test_a_killed_run_ends_as_one_that_was_not(self):
        self.settings(kinds=["sales", "subscriber"])
        # With --now: otherwise the newest days are not asked for before the hour at which Apple has them.
        self.fetch("--now", since="2026-08-20")
        files, rows = self.files(), self.rows()
        generator = random.Random(7)
        for number in range(int(os.environ.get("KILLS", "20"))):
            shutil.rmtree(self.archive)
            process = subprocess.Popen([PROGRAM, "fetch", "--since", "2026-08-20"], cwd=self.folder, stderr=subprocess.DEVNULL)
            time.sleep(generator.random() * 0.6)
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.fetch("--now", since="2026-08-20")
            self.assertEqual(self.files(), files, number)
            self.assertEqual(self.rows(), rows, number)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
