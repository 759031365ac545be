import Crypto
import Fetch
import Files
import SubreportTestSupport
import SubscriptionModel
import Testing

private let versionWords: [(String, Verdict)] = [
  (
    "The version parameter you have specified is invalid. The latest version for this report is 1_3.",
    .version("1_3")
  ),
  (
    "Please include the version parameter. The LATEST version for this report is 1_0.",
    .version("1_0")
  ),
  ("The version parameter you have specified is invalid.", .version(nil)),
  ("Invalid vendor number specified.", .noVendor), ("Invalid filter", .refused),
]

@Suite struct VerdictTests {
  private func verdict(_ status: Int, _ words: String, code: String = "CODE") -> Verdict {
    Verdict(status: status, AnswerText(AppleWorld.error(code, words)))
  }

  @Test("a 400 says which version is right", arguments: versionWords)
  func versions(words: String, expected: Verdict) {
    #expect(verdict(400, words) == expected)
  }

  @Test func otherAnswers() {
    #expect(verdict(404, "Report is NOT AVAILABLE YET") == .notYet)
    #expect(verdict(404, "There were no sales for the date specified") == .nothing)
    #expect(verdict(404, "?") == .unknownWords)
    #expect(
      verdict(403, "x", code: "FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED") == .agreement)
    #expect(verdict(403, "x", code: "FORBIDDEN_ERROR") == .forbidden)
    #expect(verdict(500, "x", code: "UNEXPECTED_ERROR") == .unexpectedError)
    #expect(verdict(502, "") == .failed)
    #expect(verdict(301, "") == .redirect)
    #expect(verdict(429, "", code: "RATE_LIMIT_EXCEEDED") == .tooMany)
    #expect(Verdict(status: 404, AnswerText(Array("<html>".utf8))) == .unknownWords)
  }
}

@Suite struct ScheduleTests {
  private func instant(_ text: String) -> Instant { Instant(text) ?? Instant(seconds: 0) }

  @Test("a day is due at 05:00 Pacific of the next, in both halves of the year")
  func due() {
    let winter = instant("2026-01-16T12:59:59Z")
    #expect(Schedule.newestDue(winter).description == "2026-01-14")
    #expect(Schedule.newestDue(instant("2026-01-16T13:00:00Z")).description == "2026-01-15")
    #expect(Schedule.newestDue(instant("2026-07-16T11:59:59Z")).description == "2026-07-14")
    #expect(Schedule.newestDue(instant("2026-07-16T12:00:00Z")).description == "2026-07-15")
    // 8 March 2026: summer time begins.
    #expect(Schedule.newestDue(instant("2026-03-08T12:00:00Z")).description == "2026-03-07")
    #expect(Schedule.newestDue(instant("2026-11-01T12:30:00Z")).description == "2026-10-30")
    #expect(Schedule.newestDue(instant("2026-11-01T13:00:00Z")).description == "2026-10-31")
  }

  @Test("a fiscal period is due on the first Friday after its end")
  func finance() {
    let period = FiscalPeriod(fiscalYear: 2026, period: 3)
    #expect(Schedule.firstDue(period).weekday == 4)
    #expect(Schedule.firstDue(period) > period.lastDay)
    #expect(Schedule.firstDue(period) - period.lastDay <= 7)
  }
}

@Suite struct HeaderTests {
  @Test("headers are read from their lines")
  func headers() {
    let text = "HTTP/2 200\r\nX-Rate-Limit: user-hour-lim:3600;\r\nDate: x \r\n\r\n"
    let headers = CurlTransport.headers(Array(text.utf8))
    #expect(headers.map(\.name) == ["x-rate-limit", "date"])
    #expect(headers.map(\.value) == ["user-hour-lim:3600;", "x"])
  }

  @Test func aDateIsRead() {
    #expect(HTTPDate.seconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
    #expect(HTTPDate.seconds("yesterday") == nil)
  }
}
