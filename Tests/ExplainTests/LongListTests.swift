import Explain
import Pipeline
import PipelineTestSupport
import ReportCache
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("A long list of contributions")
struct LongListTests {
  /// Explains a cell twice: with all rows as texts, and with rows that are made one after another.
  private func explanations(
    _ cell: String, _ sandbox: ReportSandbox, order: ContributionOrder, limit: Int?
  ) throws -> (short: Explanation, long: Explanation) {
    let question = try Question(cell, where: [])
    let result = carryOut([sandbox.path], views: [[]], jobs: 2) { plan in
      plan.sources = [.subscribers]
      plan.keepsCharges = true
    }
    let month = try #require(Month("2026-03"))
    let made = { (mostKept: Int) in
      try Explanation(
        question, month: month, result, Listing(order: order, limit: limit), mostKept: mostKept)
    }
    return try (made(.max), made(-1))
  }

  @Test(arguments: [ContributionOrder.subscription, .evidence], [nil, 3])
  func `has the rows of a list that is kept as texts`(order: ContributionOrder, limit: Int?) throws
  {
    let reports = try SimulatedReports(seed: 5, subscribers: 150, to: "2026-05-20")
    let sandbox = try reports.sandbox()
    for cell in ["churn", "movement", "renewals.due", "trials"] {
      let (short, long) = try explanations(cell, sandbox, order: order, limit: limit)
      #expect(short.longTable == nil && long.longTable != nil && short.holds && long.holds)
      #expect(short.table == long.table && short.lines == long.lines, "\(cell)")
      let table = try #require(long.longTable)
      for place in 0..<table.count {
        #expect(table.part(place..<(place + 1)).rows == [short.table.rows[place]])
      }
    }
  }

  /// Where the elements of a long list go.
  enum Place: CaseIterable, Sendable {
    case memory, file
    /// The file is full after some thousands.
    case fullFile
  }

  @Test(arguments: seeds(20), [nil, 0, 5, 3_000])
  func `has the first elements in order, merged from several threads`(
    seed: UInt64, limit: Int?
  ) {
    for place in Place.allCases {
      var random = SeededGenerator(seed: seed)
      var (list, all): (FirstElements<Int>, [Int]) = (Self.list(limit, place), [])
      for count in [0, 1, 255, 256, 257, 9_000, 20_000] {
        var other = Self.list(limit, place)
        for _ in 0..<count {
          // Some are equal, and many have the same key.
          let number = Int.random(in: 0...50_000, using: &random)
          other.add(number)
          all.append(number)
        }
        list.merge(other)
      }
      let expected = Array(all.sorted().prefix(limit ?? .max))
      #expect(list.inOrder == expected)
      #expect(list.ordered.count == expected.count && Array(list.ordered) == expected)
      #expect(list.ordered.inAnyOrder.sorted() == expected)
    }
  }

  private static func list(_ limit: Int?, _ place: Place) -> FirstElements<Int> {
    FirstElements(
      limit: limit, key: { UInt64($0 / 10) },
      store: {
        guard let file = ElementStore<Int>.file(), place != .memory else { return nil }
        guard place == .fullFile else { return file }
        return ElementStore(
          append: { elements in file.append(elements).flatMap { $0 < 5_000 ? $0 : nil } },
          elements: file.elements, element: file.element)
      }
    ) { $0 < $1 }
  }
}

/// Lines of rows in files with and without blank lines, as Subscriber reports may have them.
@Suite("The line of a row")
struct RowLineTests {
  private static let name = "Subscriber_80012345_20260122_V1_3.txt"

  /// A subscription whose first row is in the second line of a file, or after blank lines.
  private static func reports(_ blank: String) -> [String: [UInt8]] {
    let row = { (day: String, id: String) in ["Event Date": day, "Subscriber ID": id] }
    let text = ReportText.subscriber.with(row("2026-01-20", "1"), row("2026-01-22", "2")).text
    let lines = text.split(separator: "\n").map(String.init)
    return [
      name: Array("\(lines[0])\n\(blank)\(lines[1])\n\(blank)\(lines[2])\n".utf8),
      "Subscriber_80012345_20260215_V1_3.txt": ReportText.subscriber.bytes,
      "Subscriber_80012345_20260430_V1_3.txt": ReportText.subscriber.bytes,
    ]
  }

  private static let cases = [("", ["2", "3"]), ("\n", ["3", "5"]), (" \n\n", ["4", "7"])]

  @Test(arguments: cases)
  func `is known without and with a cache`(blank: String, lines: [String]) throws {
    let (sandbox, folder) = (try ReportSandbox(Self.reports(blank)), try ReportSandbox())
    let expected = lines.map { "\(Self.name):\($0)" }
    for isCached in [false, true, true] {
      let cache =
        try isCached ? ExtractCache(path: folder.path + "/cache", version: "1.2.3") : nil
      let found = try explanation("churn.churned", sandbox, month: "2026-02") {
        $0.earlierRuns = cache
      }
      let rows = found.table.rows.indices.map { found.table.texts(["rows"], row: $0)[0] }
      #expect(rows == expected && found.holds)
    }
  }

  @Test(arguments: cases.map(\.0))
  func `is not said of a file that has changed since it was read`(blank: String) throws {
    let sandbox = try ReportSandbox(Self.reports(blank))
    #expect(throws: KeptCharges.LineError.self) {
      try explanation(
        "churn.churned", sandbox, month: "2026-02",
        afterRun: { try sandbox.write(Self.name, ReportText.subscriber.text) })
    }
  }

  @Test
  func `and its contributions are the same when the table is that of the last tally`() throws {
    let all = try SimulatedReports(seed: 5, subscribers: 200, to: "2026-05-20").reports
    let newest = all.keys.filter { $0.contains("20260519") || $0.contains("20260520") }
    let (sandbox, folder) = (
      try ReportSandbox(all.filter { !newest.contains($0.key) }), try ReportSandbox()
    )
    for night in 0..<3 {
      if night == 1 { for name in newest { try sandbox.write(name, all[name] ?? []) } }
      for cell in ["churn", "renewals.due"] {
        let cache = try ExtractCache(path: folder.path + "/cache", version: "1.2.3")
        let plain = try explanation(cell, sandbox, month: "2026-03")
        let cached = try explanation(cell, sandbox, month: "2026-03") { $0.earlierRuns = cache }
        #expect(cached.holds && cached.table == plain.table && cached.sums == plain.sums)
        #expect(cache.takeNotes() == [])
      }
    }
  }
}
