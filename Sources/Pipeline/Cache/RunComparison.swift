import Metrics
import Rendering
import SubscriptionModel

/// What changed in history since the last run: reports of days that were read already, and the headline
/// numbers of months that were over.
///
/// A night that only adds days changes nothing here: numbers that settle as time goes by are no news.
struct RunComparison {
  /// What two files have in common that are versions of one report.
  private struct Claim: Hashable {
    let kind: String
    let vendor: String
    let day: Day

    init(_ input: RunRecord.Input) {
      kind = input.kind
      vendor = input.vendor
      day = input.day
    }
  }

  /// One version of a report, wherever it lies; days without rows have the same bytes.
  private struct Version: Hashable {
    let claim: Claim
    let sha256: String

    init(_ input: RunRecord.Input) {
      claim = Claim(input)
      sha256 = input.sha256
    }
  }

  private struct FigureKey: Hashable {
    let label: String
    let source: String
    let month: String

    init(_ figure: RunRecord.Figure) {
      label = figure.label
      source = figure.source
      month = figure.month
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
    return (files.isEmpty ? [] : files + figureLines).map { "since the last run: " + $0 }
  }

  private var fileLines: [String] {
    let oldVersions = Set(old.inputs.map(Version.init))
    let oldClaims = Set(old.inputs.map(Claim.init))
    let newClaims = Set(new.inputs.map(Claim.init))
    var lastDays: [String: Day] = [:]
    for input in old.inputs {
      lastDays[input.kind] = max(input.day, lastDays[input.kind] ?? input.day)
    }
    var lines: [String] = []
    for input in new.inputs where !oldVersions.contains(Version(input)) {
      if oldClaims.contains(Claim(input)) {
        lines.append("restated" + words(input))
      } else if let last = lastDays[input.kind], input.day <= last {
        lines.append("new" + words(input))
      }
    }
    for input in old.inputs where !newClaims.contains(Claim(input)) {
      lines.append("gone" + words(input))
    }
    return lines
  }

  private func words(_ input: RunRecord.Input) -> String {
    ": \(input.path), \(input.kind) of \(input.day)"
  }

  private var figureLines: [String] {
    let before = Dictionary(old.figures.map { (FigureKey($0), $0.value) }) { first, _ in first }
    let now = Dictionary(new.figures.map { (FigureKey($0), $0.value) }) { first, _ in first }
    let gone = old.figures.filter { now[FigureKey($0)] == nil }
    let keys = (new.figures + gone).map(FigureKey.init).filter { $0.month <= old.lastMonth }
    let inOrder = keys.enumerated().sorted { ($0.1.month, $0.0) < ($1.1.month, $1.0) }
    return inOrder.compactMap { _, key in
      let (oldValue, newValue) = (before[key] ?? .missing, now[key] ?? .missing)
      // As they are printed: 0 of 62 and 0 of 63 are the same.
      let (oldText, newText) = (Self.text(oldValue), Self.text(newValue))
      guard oldText != newText else { return nil }
      let change = HeadlineFigures.change(from: oldValue, to: newValue)
      let difference = if case .text(let text) = change { " (\(text))" } else { "" }
      return
        "\(key.month): \(key.label), \(key.source): \(newText), was \(oldText)\(difference)"
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
