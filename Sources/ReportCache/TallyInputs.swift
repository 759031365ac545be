import AppStoreReports
import Counting
import Pipeline
import Storage
package import SubscriptionModel

/// The inputs of a run's tally, so that the next run folds only the subscribers whose rows changed.
struct TallyInputs: Sendable {
  /// The reports with charges in the tally, in file order, without duplicates; only name and terms are stored.
  var entries: [ChargesEntry] = []
  var firstDay = Day(number: 0)
  var asOf = Day(number: 0)
  var missingDays: [Day] = []
  /// The apps that moved from one account to another, with the account of each of ``entries``.
  var transfers = AppTransfers.none
  var subscriberCount = 0
  /// The evidence that products are sold in instalments.
  private(set) var evidence = InstalmentEvidence()
  private var indexOfEntry: [String: Int] = [:]

  init() {}

  init(_ entries: [ChargesEntry], _ folded: FoldedChains) {
    let days = folded.completeness
    self.entries = entries
    firstDay = days.firstDay
    asOf = days.asOf
    missingDays = days.missingDays
    transfers = days.transfers.of(entries.map(\.index))
    subscriberCount = folded.subscriberCount
    evidence = folded.termsWithPlans.evidence
  }

  /// Returns the index in ``entries`` of the report with an entry of charges of that name; `nil` if the tally lacks it.
  func index(of name: String) -> Int? { indexOfEntry[name] }

  /// Returns the report with an entry of charges of that name; `nil` if the tally lacks it.
  func entry(named name: String) -> ChargesEntry? { index(of: name).map { entries[$0] } }

  /// Encodes all fields, or decodes them into an empty value.
  mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    coder.list(&entries, blank: ChargesEntry(index: 0, name: "", terms: [])) { $1.text(&$0.name) }
    codeTerms(with: &coder)
    indexOfEntry = Dictionary(entries.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { $1 })
    if indexOfEntry.count != entries.count { return coder.fail() }
    coder.day(&firstDay)
    coder.day(&asOf)
    coder.list(&missingDays, blank: asOf) { $1.day(&$0) }
    transfers.code(files: entries.count, with: &coder)
    coder.count(&subscriberCount)
    evidence.code(with: &coder)
  }

  /// Encodes or decodes the terms of all reports.
  ///
  /// The distinct terms are written once. Then follow, for each report, the indices of its terms among them: two bytes
  /// each if that is enough, otherwise four.
  private mutating func codeTerms(with coder: inout some ExtractCoder) {
    var (distinct, indexOfTerms) = numberedTerms()
    coder.list(&distinct, blank: 0) { $1.terms(&$0, of: ChargeTerms.self) }
    let isNarrow = distinct.count <= Int(UInt16.max)
    for index in entries.indices where coder.isValid {
      if isNarrow {
        Self.code(&entries[index].terms, as: UInt16.self, indexOfTerms, distinct, with: &coder)
      } else {
        Self.code(&entries[index].terms, as: UInt32.self, indexOfTerms, distinct, with: &coder)
      }
    }
  }

  /// Encodes or decodes the terms of one report.
  ///
  /// It is static, because a method would retain all lists while it changes one, and so copy them.
  private static func code<Number: FixedWidthInteger & BitwiseCopyable>(
    _ terms: inout [UInt32], as _: Number.Type, _ indexOfTerms: [UInt32], _ distinct: [UInt32],
    with coder: inout some ExtractCoder
  ) {
    var column = terms.map { Number(truncatingIfNeeded: indexOfTerms[Int($0)]) }
    coder.column(&column)
    guard coder.isReading else { return }
    guard column.allSatisfy({ $0 < distinct.count }) else { return coder.fail() }
    terms = column.map { distinct[Int($0)] }
  }

  /// Returns the distinct terms of all reports, ascending, and for each terms of the run its index among them.
  ///
  /// It uses arrays, because each report has thousands of terms and hashing them takes longer.
  private func numberedTerms() -> (distinct: [UInt32], indexOfTerms: [UInt32]) {
    let greatest = entries.lazy.compactMap { $0.terms.max() }.max()
    var isUsed = [Bool](repeating: false, count: greatest.map { Int($0) + 1 } ?? 0)
    for entry in entries {
      for number in entry.terms { isUsed[Int(number)] = true }
    }
    var distinct: [UInt32] = []
    let indexOfTerms = isUsed.indices.map { number in
      defer { if isUsed[number] { distinct.append(UInt32(number)) } }
      return UInt32(distinct.count)
    }
    return (distinct, indexOfTerms)
  }

  /// The name of the tally entry, shared by runs with the same inputs, settings and views, whatever their as-of.
  static func name(_ plan: RunPlan) -> String {
    var plan = plan
    plan.asOf = nil
    let counted = [plan.prices != nil, plan.countsMoney, plan.countsOthers]
    var words = [RunSummary.name(plan), counted.map(String.init).joined(separator: " ")]
    words += plan.billingPlans.map { "\($0.key): \($0.value)" }.sorted()
    words += plan.views.map { $0.map(\.rawValue).joined(separator: ",") }
    words += plan.retentionViews.map { "retention " + $0.map(\.rawValue).joined(separator: ",") }
    return sha256(of: Array(words.joined(separator: "\n").utf8)) + "-tally"
  }
}

extension AppTransfers {
  /// Writes all fields, or reads them into an empty value, for so many files.
  package mutating func code<Coder: ExtractCoder>(files: Int, with coder: inout Coder) {
    let blank = AppTransfer(
      app: .blank, from: 0, to: 0, on: Day(number: 0), lastDay: Day(number: 0))
    coder.list(&all, blank: blank) { transfer, coder in
      coder.symbol(&transfer.app)
      coder.integer(&transfer.from)
      coder.integer(&transfer.to)
      coder.day(&transfer.day)
      coder.day(&transfer.lastDay)
    }
    coder.list(&vendors, blank: "") { $1.text(&$0) }
    coder.list(&vendorOfFile, blank: 0) { $1.integer(&$0) }
    guard coder.isReading, !isEmpty else { return }
    let isVendor = { [count = vendors.count] (number: UInt32) in number < count }
    guard vendorOfFile.count == files, vendorOfFile.allSatisfy(isVendor),
      all.allSatisfy({ isVendor($0.from) && isVendor($0.to) })
    else { return coder.fail() }
  }
}
