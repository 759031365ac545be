import AppStoreReports
import Files
import Pages
import Pipeline
import Storage
import SubscriptionModel
import Tables

/// The inputs, headline numbers and findings of a run, stored for comparison with the next run.
struct RunSummary {
  /// A file of a report whose rows were used.
  struct Input: Hashable {
    var path: String
    var sha256: String
    var report: Report

    /// The version of the report, whatever its path.
    ///
    /// The bytes alone are not enough: all days without rows have the same.
    var version: Input { Input(path: "", sha256: sha256, report: report) }
  }

  /// A report's identity, which all its versions share.
  struct Report: Hashable {
    var kind: String
    var vendor: String
    var day: Day
  }

  var inputs: [Input] = []
  var figures: [HeadlineFigures.Past] = []
  var lastMonth = ""
  /// The problems found in the data.
  var findings: [String] = []
  /// How many rows of receipts were used.
  var receiptRows = 0
  /// The stable codes of the errors of files that cannot be used, by path; not stored.
  var unusable: [ExactText: String] = [:]

  /// The folders and files that could not be read, by their paths below an input; blank for the input; not stored.
  private var unread: [String] = []

  init() {}

  init(_ result: RunResult) throws(ConversionError) {
    for file in result.files {
      if let problem = file.problem { unusable[file.file.relativePath] = problem.code }
      guard file.isUsed, let day = file.day else { continue }
      inputs.append(
        Input(
          path: file.file.relativePath, sha256: file.sha256,
          report: Report(kind: file.kind.rawValue, vendor: file.vendor, day: day)))
    }
    receiptRows = result.files.filter(\.isReceiptDump).reduce(0) { $0 + $1.rows.used }
    unread = Self.unread(result)
    figures = try HeadlineFigures.ofAllMonths(result)
    lastMonth = result.lastCompleteMonth().map(result.plan.monthSystem.name) ?? ""
    // Restatements are excluded: comparing the inputs finds them.
    findings = result.findings.filter { !$0.hasPrefix("restated: ") } + result.receiptLosses
  }

  /// Returns the folders and files that could not be read, by their paths below an input.
  private static func unread(_ result: RunResult) -> [String] {
    result.inputErrors.flatMap { error in
      result.plan.inputs.compactMap { input -> String? in
        let start = input.utf8.last == UInt8(ascii: "/") ? input : input + "/"
        if error.path.hasPrefix(start) { return String(error.path.dropFirst(start.count)) }
        guard error.path.isSame(as: input) || (error.path + "/").isSame(as: input) else {
          return nil
        }
        // The members of an archive have its name before theirs.
        return error.isOfFolder ? "" : input.split(separator: "/").last.map(String.init)
      }
    }
  }

  /// Keeps the files of the last run that could not be looked at, because of their folder, with its findings and numbers:
  /// they are not gone.
  mutating func keepUnread(of last: RunSummary) {
    let found = Set<ExactText>(of: inputs.map(\.path))
    inputs += last.inputs.filter { input in
      !found.contains(input.path)
        && unread.contains {
          $0.isEmpty || input.path.isSame(as: $0)
            || input.path.utf8.starts(with: ($0 + "/").utf8)
        }
    }
    guard !unread.isEmpty else { return }
    receiptRows = max(receiptRows, last.receiptRows)
    findings += last.findings.filter { !findings.contains($0) }
    let known = Set(figures.filter { $0.value != .missing }.map(\.name))
    let kept = last.figures.filter { !known.contains($0.name) }
    let keptNames = Set(kept.map(\.name))
    figures = figures.filter { !keptNames.contains($0.name) } + kept
  }

  /// Encodes or decodes all stored fields.
  mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    let report = Report(kind: "", vendor: "", day: Day(number: 0))
    let input = Input(path: "", sha256: "", report: report)
    coder.list(&inputs, blank: input) { input, coder in
      coder.text(&input.path)
      coder.text(&input.sha256)
      coder.text(&input.report.kind)
      coder.text(&input.report.vendor)
      coder.day(&input.report.day)
    }
    let name = HeadlineFigures.PastName(label: "", source: "", month: "")
    let figure: HeadlineFigures.Past = (name, .missing)
    coder.list(&figures, blank: figure) { figure, coder in
      coder.text(&figure.name.label)
      coder.text(&figure.name.source)
      coder.text(&figure.name.month)
      figure.value.code(with: &coder)
    }
    coder.text(&lastMonth)
    coder.list(&findings, blank: "") { $1.text(&$0) }
    coder.integer(&receiptRows)
  }

  /// The name of the entry, shared by runs with the same inputs, sources, filters, kind of months and as-of.
  static func name(_ plan: RunPlan) -> String {
    let filters = plan.filters
    let asked = [
      plan.inputs, plan.sources.map(\.rawValue).sorted(), filters.apps, filters.groups,
      filters.products, filters.countries, filters.vendors,
      filters.billingPlans, filters.contingent,
      // The form of month names, because summaries compare months as text.
      [plan.monthSystem.name(Month(year: 2026, month: 1)), plan.asOf?.description ?? ""],
    ]
    let text = asked.map { $0.joined(separator: "\u{0}") }.joined(separator: "\n")
    return sha256(of: Array(text.utf8)) + "-run"
  }
}

extension ReportTable.Cell {
  /// Encodes or decodes a count, an amount or a ratio; anything else becomes `.missing`.
  fileprivate mutating func code(with coder: inout some ExtractCoder) {
    var words: [String] =
      switch self {
      case .count(let count): ["count", String(count)]
      case .money(let milliunits): ["money", String(milliunits)]
      case .ratio(let numerator, let denominator):
        ["ratio", String(numerator), String(denominator)]
      default: []
      }
    coder.list(&words, blank: "") { $1.text(&$0) }
    // Differences and products of greater numbers could overflow.
    let numbers = words.dropFirst().compactMap { Int128($0) }.filter { $0.magnitude < 1 << 60 }
    switch (words.first, numbers.count) {
    case ("count", 1): self = .count(Int(truncatingIfNeeded: numbers[0]))
    case ("money", 1): self = .money(milliunits: numbers[0])
    case ("ratio", 2) where numbers[1] != 0:
      self = .ratio(numerator: numbers[0], denominator: numbers[1])
    default: self = .missing
    }
  }
}
