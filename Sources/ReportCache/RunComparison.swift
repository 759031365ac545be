import Metrics
import Pipeline
import Rendering
import SubscriptionModel

/// What changed in history since the last run: reports of days that were read already, and the headline
/// numbers of months that were over.
///
/// A night that only adds days changes nothing here: numbers that settle as time goes by are no news.
struct RunComparison {
  /// One version of a report, wherever it lies; days without rows have the same bytes.
  private struct Version: Hashable {
    let report: RunRecord.Report
    let sha256: String

    init(_ input: RunRecord.Input) {
      report = input.report
      sha256 = input.sha256
    }
  }

  private let old: RunRecord
  private let new: RunRecord

  init(_ old: RunRecord, _ new: RunRecord) {
    self.old = old
    self.new = new
  }

  /// One line a report, then one a number.
  var lines: [String] {
    let files = fileLines
    let history = files.isEmpty ? [] : files + figureLines
    return (history + findingLines).map { "since the last run: " + $0 }
  }

  /// What is wrong with the data now and was not, and what no longer is.
  private var findingLines: [String] {
    let (before, now) = (Set(old.findings), Set(new.findings))
    return new.findings.filter { !before.contains($0) }
      + old.findings.filter { !now.contains($0) }.map { "no longer " + Self.withoutAdvice($0) }
  }

  /// Leaves out what to do about a finding: `missing: subscriber 2026-01-07: download it again` without the end.
  private static func withoutAdvice(_ finding: String) -> String {
    finding.split(separator: ": ", maxSplits: 2).prefix(2).joined(separator: ": ")
  }

  private var fileLines: [String] {
    let oldVersions = Set(old.inputs.map(Version.init))
    let oldReports = Set(old.inputs.map(\.report))
    let newReports = Set(new.inputs.map(\.report))
    let lastDays = Dictionary(oldReports.map { ($0.kind, $0.day) }, uniquingKeysWith: max)
    var lines: [String] = []
    for input in new.inputs where !oldVersions.contains(Version(input)) {
      if oldReports.contains(input.report) {
        lines.append("restated" + words(input))
      } else if let last = lastDays[input.report.kind], input.report.day <= last {
        lines.append("new" + words(input))
      }
    }
    for input in old.inputs where !newReports.contains(input.report) {
      lines.append("gone" + words(input))
    }
    return lines
  }

  private func words(_ input: RunRecord.Input) -> String {
    ": \(input.path), \(input.report.kind) of \(input.report.day)"
  }

  private var figureLines: [String] {
    let before = Dictionary(old.figures.map { ($0.name, $0.value) }) { first, _ in first }
    let now = Dictionary(new.figures.map { ($0.name, $0.value) }) { first, _ in first }
    let gone = old.figures.filter { now[$0.name] == nil }
    let names = (new.figures + gone).map(\.name).filter { $0.month <= old.lastMonth }
    let inOrder = names.enumerated().sorted { ($0.1.month, $0.0) < ($1.1.month, $1.0) }
    return inOrder.compactMap { _, name in
      let (oldValue, newValue) = (before[name] ?? .missing, now[name] ?? .missing)
      // As they are printed: 0 of 62 and 0 of 63 are the same.
      let (oldText, newText) = (Self.text(oldValue), Self.text(newValue))
      guard oldText != newText else { return nil }
      let change = HeadlineFigures.change(from: oldValue, to: newValue)
      let difference = if case .text(let text) = change { " (\(text))" } else { "" }
      return
        "\(name.month): \(name.label), \(name.source): \(newText), was \(oldText)\(difference)"
    }
  }

  private static func text(_ value: ReportTable.Cell) -> String {
    switch value {
    case .count(let count): String(count)
    case .money(let milliunits): NumberStyle.money(milliunits: milliunits)
    case .ratio(let numerator, let denominator):
      NumberStyle.percentage(numerator, over: denominator)
    default: "not known"
    }
  }
}
