import Pages
import Pipeline
import Rendering
import Storage
import Tables

/// Lists what changed in past data since the last run: reports of days already read, and headline numbers of
/// complete months.
///
/// A run that only adds days lists nothing, although provisional numbers become final.
struct RunComparison {
  private let old: RunSummary
  private let new: RunSummary

  init(_ old: RunSummary, _ new: RunSummary) {
    self.old = old
    self.new = new
  }

  /// One line for each report, then one for each finding, then one for each number: causes before what follows from them.
  ///
  /// Numbers are compared only if a report changed: otherwise they differ because days were added.
  var lines: [String] {
    let files = fileLines
    let numbers = files.isEmpty ? [] : figureLines
    return (files + findingLines + numbers).map { "since the last run: " + $0 }
  }

  /// Findings about the data that are new, and those that are gone.
  private var findingLines: [String] {
    let (before, now) = (Set(old.findings.map(Self.subject)), Set(new.findings.map(Self.subject)))
    return new.findings.filter { !before.contains(Self.subject($0)) }
      + old.findings.map(Self.subject).filter { !now.contains($0) }.map(Self.gone)
  }

  /// Returns what a finding is about: how far other reports go on changes every night.
  private static func subject(_ finding: String) -> String {
    // There may be a finding for each of 100,000 files, and searching all of them took a third of the time.
    guard DayCoverage.stopBeginnings.contains(where: finding.hasPrefix) else { return finding }
    let parts = finding.split(separator: "; ", maxSplits: 1).map(String.init)
    return parts.count == 2 && parts[0].contains(DayCoverage.stopWords) ? parts[0] : finding
  }

  private static func gone(_ subject: String) -> String {
    let isStop = subject.contains(DayCoverage.stopWords) && !subject.contains(": ")
    return isStop
      ? subject.replacing(DayCoverage.stopWords, with: " no longer" + DayCoverage.stopWords)
      : "no longer " + withoutAdvice(subject)
  }

  /// Removes the advice: `missing: subscriber 2026-01-07: download it again` keeps all but its last part.
  private static func withoutAdvice(_ finding: String) -> String {
    finding.split(separator: ": ", maxSplits: 2).prefix(2).joined(separator: ": ")
  }

  private var fileLines: [String] {
    let oldVersions = Set(old.inputs.map(\.version))
    let oldReports = Set(old.inputs.map(\.report))
    let newReports = Set(new.inputs.map(\.report))
    let lastDays = Dictionary(oldReports.map { ($0.kind, $0.day) }, uniquingKeysWith: max)
    // Its report is in the data, and so it is not gone or restated.
    let unusable = old.inputs.filter { new.unusable[$0.path] != nil }
    let unusableReports = Set(unusable.map(\.report))
    var lines: [String] = []
    for input in new.inputs where !oldVersions.contains(input.version) {
      if unusableReports.contains(input.report) {
        lines.append("used in its place" + description(of: input))
      } else if oldReports.contains(input.report) {
        lines.append("restated" + description(of: input))
      } else if let last = lastDays[input.report.kind], input.report.day <= last {
        lines.append("new" + description(of: input))
      }
    }
    lines =
      unusable.map {
        "cannot be used" + description(of: $0) + " [\(new.unusable[$0.path] ?? "")]"
      } + lines
    for input in old.inputs
    where !newReports.contains(input.report) && new.unusable[input.path] == nil {
      lines.append("gone" + description(of: input))
    }
    if new.receiptRows < old.receiptRows {
      lines.append(
        "gone: \(NumberStyle.grouped(old.receiptRows - new.receiptRows)) of \(NumberStyle.grouped(old.receiptRows)) rows of receipts"
      )
    }
    return lines
  }

  private func description(of input: RunSummary.Input) -> String {
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
      // Compare as printed: 0 of 62 and 0 of 63 print the same.
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
    case .count(let count): NumberStyle.grouped(count)
    case .money(let milliunits): NumberStyle.amount(milliunits: milliunits, currency: "")
    case .ratio(let numerator, let denominator):
      NumberStyle.percentage(numerator, over: denominator)
    default: "not known"
    }
  }
}
