import AppStoreReports
import Counting
import Files
import Pipeline
import Rendering
import Scanning
import Storage
import SubscriptionModel
import Tables

/// The data behind a page: their days, rows and problems, in the words of the page.
package struct HealthSection: Sendable {
  let result: RunResult
  let days: DayCoverage
  let checks: Checks
  private let comparison: SourceComparison
  let finance: FinanceReport?
  /// The facts about the data that a reader should know.
  private(set) var problems: [Problem] = []

  /// The number of items in a list; more are in a file.
  private static let shownItems = 10
  /// How many months before the last one are compared with it: its year.
  private static let monthsCompared = 12

  init(
    _ result: RunResult, _ checks: Checks, _ comparison: SourceComparison,
    _ finance: FinanceReport?
  ) {
    (self.result, self.checks, days) = (result, checks, result.days)
    (self.comparison, self.finance) = (comparison, finance)
    problems = foundProblems()
  }

  /// That every day and row is as it must be, and that all sums of the program agree.
  ///
  /// With one kind of data there is nothing to compare its numbers with.
  var allIsWell: String {
    // Receipts cannot lack days.
    let pending = days.count(.pending)
    let subject =
      days.entries.isEmpty
      ? "Every"
      : pending == 0
        ? "All days are there, every" : "No day is missing (\(pending) may still come), every"
    let open = checks.all.count { $0.state == .missing }
    let could = open == 0 ? "" : " that could be made"
    let rest = open == 0 ? "" : " (\(open) could not, see `checks.csv`)"
    let isAlone = result.sources.count == 1 && finance == nil
    let alone = isAlone ? "; with one source there is nothing to compare them with" : ""
    let waiting = finance?.waiting.map { " " + $0 } ?? ""
    return "\(subject) row is accounted for, and all sums\(could) agree\(rest)\(alone).\(waiting)"
  }

  /// The days and rows of each kind of report; `nil` without reports.
  var reportTable: ReportTable? {
    let kinds = Set(days.entries.map(\.kind)).sorted()
    guard !kinds.isEmpty else { return nil }
    let isCovered = days.count(.covered) > 0
    let covered = ReportTable.Column("covered days", .count)
    return ReportTable(
      name: "days", dimensions: [],
      columns: [.init("report", .text), .init("days with rows", .count)]
        + (isCovered ? [covered] : []) + [
          .init("empty days", .count), .init("missing days", .count), .init("rows read", .count),
          .init("used", .count), .init("rejected", .count), .init("left aside", .count),
        ],
      rows: kinds.map { kind in
        let rows = result.files.filter { $0.kind.rawValue == kind }.map(\.rows)
        let inOthers = isCovered ? [ReportTable.Cell.count(days.count(.covered, kind: kind))] : []
        return [.text(kind), .count(days.count(.present, kind: kind))] + inOthers + [
          .count(days.count(.empty, kind: kind)), .count(days.count(.missing, kind: kind)),
          .count(rows.map(\.read).reduce(0, +)), .count(rows.map(\.used).reduce(0, +)),
          .count(rows.map(\.rejected).reduce(0, +)), .count(rows.map(\.ignoredTotal).reduce(0, +)),
        ]
      })
  }

  // MARK: Problems

  private func foundProblems() -> [Problem] {
    var lines = fileProblems()
    lines += days.stops.map { Problem("Stopped", ReportData.lastReport($0)) }
    lines += dayLines(.missing, "no file, so their months are incomplete")
    lines += dayLines(.empty, "a file without rows")
    lines += result.sharedMonths.map {
      Problem("Longer files", "\($0.text); these months are incomplete.")
    }
    lines += restatementLines() + duplicateLines()
    lines += Self.shortened(
      result.files.filter { $0.isIgnored(.twoDates) }.map {
        Problem(
          "Two dates",
          "`\($0.file.relativePath)`: the report's day must be the only date in the name, or stand right behind the vendor number; it is in no number."
        )
      }, more: "such files, see `health.csv`")
    lines += Self.shortened(
      result.files.filter { $0.rows.ignored[.noDate] != nil }.map {
        Problem(
          "No date",
          "`\($0.file.relativePath)`: a Subscription report says its day only in its name, so it is in no number."
        )
      }, more: "such files, see `health.csv`")
    if result.rejectedRows > 0 {
      lines.append(
        Problem(
          "Rejected",
          "\(counted(result.rejectedRows, "row")) \(result.rejectedRows == 1 ? "is" : "are") in no number; `rejects.csv` says why."
        )
      )
    }
    lines += unknownEventLines()
    lines += result.leftAside.map { Problem("Left aside", "\(MarkdownText.escaped($0.text)).") }
    lines += Transfers(result).pageLines.map { Problem("Moved", MarkdownText.escaped($0) + ".") }
    lines += [leftEdge].compactMap(\.self)
    lines += Instalments(result).lines(escaped: MarkdownText.escaped)
    lines += [leftOut].compactMap(\.self)
    lines += Self.shortened(comparison.problems, more: "such differences")
    lines += failedCheckLines()
    lines += (finance?.problems ?? []) + [finance?.assumedRegions].compactMap(\.self)
    return lines
  }

  /// Returns the problems of whole files: not used, not read, saved by a spreadsheet.
  private func fileProblems() -> [Problem] {
    var lines = Self.shortened(
      result.files.filter { $0.problem != nil }.map {
        Problem(
          "Not used",
          "`\($0.file.relativePath)`: \(MarkdownText.escaped($0.problem?.message ?? "")).")
      }, more: "files that could not be used, see `health.csv`")
    lines += result.inputErrors.map {
      Problem("Not read", "`\($0.relativePath)`: \(MarkdownText.escaped($0.message)).")
    }
    lines += result.unusedDumps.map {
      Problem("No receipt used", "`\($0.file.relativePath)` \($0.reason).")
    }
    lines += result.files.compactMap { file in
      guard file.problem == nil, let problem = file.problemOfRows else { return nil }
      return Problem(
        file.columnsProblem == nil ? "Saved by a spreadsheet" : "Not used",
        "`\(file.file.relativePath)`: \(MarkdownText.escaped(problem.message)).")
    }
    return lines
  }

  private func restatementLines() -> [Problem] {
    Self.shortened(
      result.restatements.map { restatement in
        let (new, old) = (restatement.new, restatement.old)
        let change = restatement.newRows - restatement.oldRows
        // The folder is named once if both are in it.
        let folder = new.lastIndex(of: "/").map { new[...$0] } ?? ""
        let oldName = old.hasPrefix(folder) ? old.dropFirst(folder.count) : old[...]
        return Problem(
          "Restated",
          "`\(new)` replaces `\(oldName)`: \(counted(restatement.oldRows, "row")) became \(NumberStyle.grouped(restatement.newRows)) (\(change < 0 ? "" : "+")\(change)), \(restatement.reason.rawValue)."
        )
      }, more: "restatements, see `health.csv`")
  }

  private func duplicateLines() -> [Problem] {
    Self.shortened(
      result.files.filter { $0.isDuplicate && !result.isOtherVendorsEmptyDay($0) }.map {
        let remarks = MarkdownText.escaped($0.remarks.joined(separator: "; "))
        if result.isOfOtherDay($0) {
          return Problem(
            "Wrong day",
            "`\($0.file.relativePath)` is no report of \($0.period) (\(remarks)); download it again."
          )
        }
        if let misnaming = result.misnaming($0) {
          return Problem("Wrong period", "\(MarkdownText.escaped(misnaming)); download it again.")
        }
        return Problem(
          "Duplicate",
          "`\($0.file.relativePath)` has the same content as another file and is read once (\(remarks))."
        )
      }, more: "duplicates, see `health.csv`")
  }

  private func failedCheckLines() -> [Problem] {
    Self.shortened(
      checks.all.filter { !$0.holds }.map {
        Problem(
          "Check failed",
          "\($0.name), \(MarkdownText.escaped($0.scope)): found \(Self.text($0.found)), expected \(Self.text($0.expected))."
        )
      }, more: "failed checks, see `checks.csv`")
  }

  private static func text(_ cell: ReportTable.Cell) -> String {
    switch cell {
    case .count(let count): NumberStyle.grouped(count)
    case .money(let milliunits): NumberStyle.amount(milliunits: milliunits, currency: "")
    default: "nothing"
    }
  }

  private func dayLines(_ state: DayCoverage.State, _ meaning: String) -> [Problem] {
    let word = state == .missing ? "Missing" : "Empty"
    return days.groups(in: state).map { group in
      let shown = ReportData.text(group.days, year: true, atMost: Self.shownItems)
      let vendor = Self.ofVendor(group.vendor)
      let kind = ReportData.name(ofKind: group.kind)
      return
        Problem(
          word,
          "\(counted(group.days.count, "day")) of \(kind) reports\(vendor) (\(group.fetched?.note ?? meaning)): \(shown)."
        )
    }
  }

  private var leftEdge: Problem? {
    guard let report = result.sources.first(where: { $0.source == .subscribers }),
      let view = result.plan.views.firstIndex(of: []),
      let edge = report.tally.views[view].edge(cohort: 0), edge > report.completeness.firstDay,
      let last = result.lastCompleteMonth(),
      report.completeness.monthSystem.firstDay(of: last - Self.monthsCompared) < edge
    else { return nil }
    return Problem(
      "Not all seen yet",
      "subscriptions from before \(PageText.shortDay(report.completeness.firstDay)) may not have been charged until \(PageText.shortDay(edge))\(leftEdgeCause(report, edge)): in Subscriber reports churn of months that begin earlier is not that of all."
    )
  }

  private var leftOut: Problem? {
    guard let days = result.sources.first(where: { $0.source == .receipts })?.completeness,
      let leftOut = days.leftOut
    else { return nil }
    return Problem(
      "After the last day",
      "\(counted(leftOut.records, "record")) of receipts made after \(PageText.shortDay(days.asOf)) left out, with \(counted(leftOut.chains, "subscription")) that no earlier record has; what they say about the time before cannot be used, so every number from receipts is incomplete."
    )
  }

  /// Returns the products with the latest left edge and the edge without them, or only the term that causes it.
  private func leftEdgeCause(_ report: SourceReport, _ edge: Day) -> String {
    guard let view = result.plan.views.firstIndex(of: [.product]) else {
      let terms = (1...12).map { Term(months: $0) }
      let term = terms.first { report.completeness.firstDay.adding($0) == edge }
      return term.map { " (those of \($0.name))" } ?? ""
    }
    let products = report.tally.views[view]
    let edges = products.index.cohorts.enumerated().compactMap { cohort, values in
      products.edge(cohort: cohort).map { (name: values[0].text(result.names), edge: $0) }
    }
    let latest = edges.filter { $0.edge == edge }.map { MarkdownText.escaped($0.name) }
      .inByteOrder()
    guard !latest.isEmpty else { return "" }
    let others = edges.filter { $0.edge < edge }.map(\.edge).max()
    let without =
      others.map { "; without \(latest.count == 1 ? "it" : "them") \(PageText.shortDay($0))" } ?? ""
    return " (because of \(latest.listed(atMost: Self.shownItems))\(without))"
  }

  private func unknownEventLines() -> [Problem] {
    let quantities = result.sources.first { $0.source == .events }?.tally.unknownEvents ?? [:]
    return quantities.map { (result.names.text($0), $1) }.sorted { $0.0.precedes($1.0) }.map {
      name, quantity in
      Problem(
        "Unknown event",
        "\(MarkdownText.escaped(name)), \(counted(quantity, "time")); it is in no number.")
    }
  }

  private static func shortened(_ lines: [Problem], more: String) -> [Problem] {
    guard lines.count > shownItems else { return lines }
    return lines.prefix(shownItems) + [
      Problem("", "… and \(lines.count - shownItems) more \(more).")
    ]
  }
}

/// Sentences about the data that pages share.
extension HealthSection {
  /// Returns such as ` of vendor 80012345`, in Markdown; blank for the only vendor.
  static func ofVendor(_ vendor: String) -> String {
    vendor.isEmpty ? "" : " of vendor \(MarkdownText.escaped(vendor))"
  }

  // MARK: Receipts

  /// The rows of receipts in Markdown; blank without receipts.
  var receiptLine: String {
    guard let note = result.receiptNote else { return "" }
    let rows = result.files.filter(\.isReceiptDump).map(\.rows)
    let sum = { (count: (RowCounts) -> Int) in rows.map(count).reduce(0, +) }
    let text = { (count: (RowCounts) -> Int) in NumberStyle.grouped(sum(count)) }
    return """
      Receipts: \(counted(sum(\.read), "row")) in \(counted(rows.count, "dump")), \(text(\.used)) used, \
      \(text(\.rejected)) rejected, \(text(\.ignoredTotal)) left aside; \
      \(ReceiptRemarks.words(note)).
      """
  }
}

/// Something to know about the data: a line of `summary.md`, in Markdown.
package struct Problem: Sendable {
  /// The kind, such as `Missing`; blank for a line that counts more of the kind before it.
  let kind: String
  let text: String

  init(_ kind: String, _ text: String) { (self.kind, self.text) = (kind, text) }

  /// The kind in bold, which needs no colon after a question mark, and the sentence.
  package var line: String {
    kind.isEmpty ? text : "**\(kind)\(kind.hasSuffix("?") ? "" : ":")** \(text)"
  }
}

/// Months of a source whose files do not begin and end with them: weeks of two months.
struct SharedMonths {
  /// The number of months that the sentence names; more are counted.
  private static let named = 6

  let source: Source
  /// The months as tables write them, in order.
  let months: [String]

  /// The reason with the months, as a sentence without its period.
  var text: String {
    "a file of \(source.rawValue) counts in the month in which it begins, and some cover days of two months: \(months.listed(atMost: Self.named))"
  }
}

extension RunResult {
  /// The sources with such months; only `sales` has files of more than a day.
  var sharedMonths: [SharedMonths] {
    sources.compactMap { report in
      let months = report.completeness.sharedMonths
      guard !months.isEmpty else { return nil }
      return SharedMonths(source: report.source, months: months.sorted().map(report.name))
    }
  }
}
