import AppStoreReports
import Testing

private let separators: [(name: String, separator: String)] = [
  ("commas", ","), ("semicolons", ";"), ("vertical bars", "|"), ("spaces", " "),
]

private let answers: [(body: String, detail: String)] = [
  (
    #"{"errors":[{"status":"404","detail":"There were no sales for the date specified."}]}"#,
    "There were no sales for the date specified."
  ),
  (
    "{\n \"errors\" : [ {\n \"title\" : \"T\",\n \"detail\" : \"a \\\"b\\\" \\u00e9\\ud83d\\ude00\\nc\"\n} ] }",
    "a \"b\" é😀 c"
  ),
  (#"{"errors":[{"title":"Only a title","source":{"detail":"no"}}]}"#, "Only a title"),
  (#"{"errors":[{"detail":"first"},{"detail":"second"}]}"#, "first"),
  (#"{"errors":[{"detail":"cut o"#, "cut o"),
  (#"{"links":{"errors":[{"detail":"no"}]},"errors":[{"detail":"yes"}]}"#, "yes"),
]

@Suite("Damaged headers and error answers")
struct DamagedHeaderTests {
  @Test(arguments: separators)
  func `knows a header whose tabs became something else`(name: String, separator: String) throws {
    for (kind, columns) in [
      (ReportKind.subscriber, ReportColumns.subscriber12),
      (.subscriptionEvent, ReportColumns.event12), (.subscription, ReportColumns.snapshot12),
      (.sales, ReportColumns.sales),
    ] {
      let error = TestReport(columns.joined(separator: separator)).error
      guard case .damagedHeader(kind, let found, _) = error else {
        Issue.record("found \(String(describing: error))")
        continue
      }
      #expect(name == "spaces" || found.contains(name))
    }
  }

  @Test
  func `knows a header that another tool renamed and separated by commas`() {
    let names = ReportColumns.event13.map { $0.lowercased().split(separator: " ") }
    let line = names.map { $0.joined(separator: "_") }.joined(separator: ",")
    #expect(TestReport("id," + line).error?.kind == .subscriptionEvent)
  }

  @Test
  func `knows a header that lost a tab between two columns`() {
    let line = ReportColumns.sales.joined(separator: "\t")
      .replacing("Identifier\tUnits", with: "Identifier Units")
    let error = TestReport(line).error
    #expect(error?.code == "damaged-header")
    #expect(error?.kind == .sales)
    #expect(error?.message.contains("\"Product Type Identifier Units\"") == true)
  }

  @Test(arguments: answers)
  func `quotes Apple's words`(body: String, detail: String) {
    let error = TestReport(body).error
    #expect(error == .appleError(detail: detail))
    #expect(error?.code == "apple-error")
    #expect(error?.kind == .appleError)
    #expect(error?.message.contains(detail) == true)
  }

  @Test
  func `looks at the first 64 KiB of JSON only`() {
    let padding = String(repeating: " ", count: 70_000)
    #expect(TestReport("{" + padding + #""errors":[{"detail":"late"}]}"#).header?.kind == .unknown)
    let lines = Array(repeating: "{\"a\": 1}", count: 10_000).joined(separator: "\n")
    let (step, index) = TestReport(lines).recognized
    #expect(index < 8_000)
    guard case .recognized(let header) = step else {
      Issue.record("found \(step)")
      return
    }
    #expect(header.kind == .unknown)
  }

  @Test
  func `writes each message as one line without a full stop`() {
    let errors: [HeaderError] = [
      .empty, .missingColumns(.sales, ["Units"]), .duplicateColumns(.sales, ["Units"]),
      .damagedHeader(looksLike: .sales, found: "commas", expected: "tabs"),
    ]
    for error in errors {
      #expect(!error.message.contains("\n"))
      #expect(!error.message.hasSuffix("."))
    }
    #expect(Set(errors.map(\.code)).count == errors.count)
    #expect(
      errors[1].message == "looks like a SALES report, but has no column \"Units\"")
  }
}
