import AppStoreReports
import Counting
import Files
import Pipeline
import Rendering
import Scanning
import Storage
import SubscriptionModel
package import Tables

/// The health of the data in `summary.md`: one line at the top, and a section near the end with its evidence.
package struct HealthSection: Sendable {
  let result: RunResult
  /// The days with and without a report.
  package let days: DayCoverage
  let checks: Checks
  private let comparison: SourceComparison
  let finance: FinanceReport?
  /// The facts about the data that a reader should know.
  package private(set) var problems: [Problem] = []

  /// The number of items in a list; more are in a file.
  private static let shownItems = 10
  /// How many months before the last one are compared with it: its year.
  private static let monthsCompared = 12

  init(
    _ result: RunResult, _ checks: Checks, _ comparison: SourceComparison,
    _ finance: FinanceReport?
  ) {
    self.finance = finance
    self.result = result
    self.checks = checks
    self.comparison = comparison
    days = result.days
    problems = foundProblems()
  }

  /// Returns the section.
  ///
  /// - Parameter lines: The most lines about problems.
  /// - Returns: The section in Markdown.
  func text(lines: Int) -> String {
    "## Health of the data\n\n" + problemLines(atMost: lines) + reports() + receipts()
  }

  /// Returns the problems as a list; of too many, the first of each kind and then as many as there is room for.
  private func problemLines(atMost limit: Int) -> String {
    guard !problems.isEmpty else { return allIsWell + "\n\n" }
    guard problems.count > limit else { return Self.list(problems) }
    var kinds: Set<String> = [""]
    let firsts = problems.indices.filter { kinds.insert(problems[$0].kind).inserted }
    let others = problems.indices.filter { !firsts.contains($0) }
    let shown = (firsts + others).prefix(limit - 1).sorted().map { problems[$0] }
    let more = Problem(
      "", "… and \(problems.count - shown.count) more lines: `subreport check` prints all.")
    return Self.list(shown + [more])
  }

  private static func list(_ problems: [Problem]) -> String {
    problems.map { "- \($0.line)\n" }.joined() + "\n"
  }

  /// That every day and row is as it must be, and that all sums of the program agree.
  ///
  /// With one kind of data there is nothing to compare its numbers with.
  package var allIsWell: String {
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

  private func reports() -> String {
    guard let table = reportTable else { return "" }
    let others = result.files.reduce(0) { $0 + ($1.rows.ignored[.otherProductTypes] ?? 0) }
    let why = "\(counted(others, "row")) of \(IgnoredReason.otherProductTypes.words)"
    return TableRenderer(.md).text(of: table) + "\n"
      + (others == 0 ? "" : "Left aside of `sales`: \(why).\n\n")
  }

  /// The days and rows of each kind of report; `nil` without reports.
  package var reportTable: ReportTable? {
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

  private func receipts() -> String {
    let line = receiptLine(withReasons: true)
    return line.isEmpty ? "" : line + "\n\n"
  }

  // MARK: Problems

  private func foundProblems() -> [Problem] {
    var lines = fileProblems()
    lines += days.stopLines.map { Problem("Stopped", MarkdownText.escaped($0) + ".") }
    lines += dayLines(.missing, "no file: months with it are `partial`")
    lines += dayLines(.empty, "a file without rows")
    lines += result.sharedMonths.map {
      Problem("Longer files", "\($0.text); these months are `partial`.")
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
    lines += Transfers(result).lines.map { Problem("Moved", MarkdownText.escaped($0) + ".") }
    lines += leftEdgeLine()
    lines += Instalments(result).lines(escaped: MarkdownText.escaped)
    lines += leftOutLine()
    lines += Self.shortened(comparison.problems, more: "such differences")
    lines += failedCheckLines()
    lines += (finance?.problems ?? []) + (finance?.assumedRegions ?? [])
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
        if result.isOfOtherDay($0) {
          return Problem(
            "Wrong day",
            "`\($0.file.relativePath)` is no report of \($0.period) (\(MarkdownText.escaped($0.remarks.joined(separator: "; ")))); download it again."
          )
        }
        if let misnaming = result.misnaming($0) {
          return Problem("Wrong period", "\(MarkdownText.escaped(misnaming)); download it again.")
        }
        return Problem(
          "Duplicate",
          "`\($0.file.relativePath)` has the same content as another file and is read once (\(MarkdownText.escaped($0.remarks.joined(separator: "; "))))."
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
      let shown = group.days.map(\.description).listed(atMost: Self.shownItems)
      let vendor = Self.ofVendor(group.vendor)
      return
        Problem(
          word,
          "\(counted(group.days.count, "day")) of `\(group.kind)`\(vendor) (\(meaning)): \(shown).")
    }
  }

  private func leftEdgeLine() -> [Problem] {
    guard let report = result.sources.first(where: { $0.source == .subscribers }),
      let view = result.plan.views.firstIndex(of: []),
      let edge = report.tally.views[view].edge(cohort: 0), edge > report.completeness.firstDay,
      let last = result.lastCompleteMonth(),
      report.completeness.monthSystem.firstDay(of: last - Self.monthsCompared) < edge
    else { return [] }
    let cause = leftEdgeCause(report, edge)
    return [
      Problem(
        "Left edge",
        "subscriptions from before \(report.completeness.firstDay) may be unseen until \(edge)\(cause): churn of months that begin earlier is `partial` in `subscribers`."
      )
    ]
  }

  private func leftOutLine() -> [Problem] {
    guard let days = result.sources.first(where: { $0.source == .receipts })?.completeness,
      let leftOut = days.leftOut
    else { return [] }
    return [
      Problem(
        "After as-of",
        "\(counted(leftOut.records, "record")) of receipts made after \(days.asOf) "
          + "left out, with \(counted(leftOut.chains, "subscription")) that no earlier record has; what "
          + "they say about the time before cannot be used, so every row of `receipts` is `partial`."
      )
    ]
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
    let without = others.map { "; without \(latest.count == 1 ? "it" : "them") \($0)" } ?? ""
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
