import Counting
import Rendering
import Storage
import SubscriptionModel
import Tables

/// What other dashboards would show of the same data: METRICS.md 11.5.
extension ReportData {
  /// One of our numbers beside that of another tool.
  private struct Comparison {
    var tool: OtherTool
    var measure: OtherMeasure
    var ours: Row
    var theirs: Row
    /// The step that changes most, such as `population`; blank if none changes anything.
    var largestStep: String
    /// The steps whose facts the data lack, each with the missing fact.
    var missing: [String]

    /// The difference by the size of our number, to find those that differ most.
    var share: Double {
      guard let change = PageText.value(theirs.cell("change")) else { return 0 }
      let ours = abs(PageText.value(self.ours.cell("value")) ?? 0)
      return abs(change) / max(ours, 1e-9)
    }
  }

  private static let shown = 3
  /// A rate of fewer is shown by its counts.
  private static let few: Int128 = 30

  /// The numbers as other dashboards would show them, in a table, with the largest differences in words; `nil` without
  /// any.
  var otherDashboards: Fold? {
    let all = (content.tables[.definitions]?.first?.namedRows ?? []).filter {
      $0.text("month") == months.name(month)
    }
    let has = { (source: Source, isOfAll: Bool) in
      all.contains {
        $0.source == source.rawValue && (!isOfAll || $0.text("measure") == "active")
      }
    }
    let source =
      maker.sourceOrder.first { has($0, true) } ?? maker.sourceOrder.first { has($0, false) }
    guard let source else { return nil }
    let comparisons = comparisons(all.filter { $0.source == source.rawValue })
    guard !comparisons.isEmpty else { return nil }
    // The tool that differs most, of each number.
    let largest = Dictionary(grouping: comparisons, by: \.measure).values
      .compactMap { $0.max { $0.share < $1.share } }.filter { $0.share > 0 }
      .sorted { ($1.share, $0.measure.rawValue) < ($0.share, $1.measure.rawValue) }
    return Fold(
      summary: "Other dashboards",
      tables: [
        Fold.Table(
          caption: "\(name(month)), by \(Self.words(source))",
          headings: [
            ("number", false), ("here", true), ("tool", false), ("would show", true),
            ("largest step", false),
          ],
          rows: comparisons.map { one in
            [
              Self.name(of: one.measure), text(one.ours), one.tool.title, text(one.theirs),
              one.largestStep,
            ]
          })
      ],
      notes: largest.prefix(Self.shown).map(sentence), files: ["definitions.csv"])
  }

  /// Returns the numbers and tools of one source and month; of money in the currency with most subscriptions.
  private func comparisons(_ rows: [Row]) -> [Comparison] {
    let main = content.revenue?.currencies.first
    let currencies = rows.map { $0.text("currency") }.filter { !$0.isEmpty }
    let currency = currencies.contains { $0 == main } ? main ?? "" : currencies.first ?? ""
    return OtherMeasure.allCases.flatMap { measure in
      measure.tools.compactMap { tool -> Comparison? in
        let own = rows.filter { row in
          row.text("measure") == measure.rawValue && row.text("tool") == tool.rawValue
            && ["", currency].contains(row.text("currency"))
        }
        guard let ours = own.first, let theirs = own.last, own.count > 2 else { return nil }
        let steps = own.dropFirst().dropLast()
        let size = { (row: Row) in abs(PageText.value(row.cell("change")) ?? 0) }
        let largest = steps.max { size($0) < size($1) }
        return Comparison(
          tool: tool, measure: measure, ours: ours, theirs: theirs,
          largestStep: largest.flatMap { size($0) > 0 ? $0.text("axis") : nil } ?? "",
          missing: steps.map { $0.text("state") }.filter { $0.hasPrefix("needs ") }
            .map { String($0.dropFirst("needs ".count)) })
      }
    }
  }

  private static func name(of measure: OtherMeasure) -> String {
    switch measure {
    case .active: "active"
    case .churnRate: "churn"
    case .conversionRate: "trials that paid"
    case .mrr: "recurring revenue"
    case .refundRate: "refunds"
    case .renewalRate: "renewals"
    }
  }

  private func text(_ row: Row) -> String {
    switch row.cell("value") {
    case .money(let amount):
      "\(PageText.amount(amount, row.text("currency"))) \(row.text("currency"))"
    case .count(let count): PageText.count(count)
    case .ratio(let above, let below) where below < Self.few && row["numerator"] != nil:
      "\(above) of \(below)"
    case .ratio(let above, let below): PageText.rate(.ratio(numerator: above, denominator: below))
    default: ""
    }
  }

  /// Returns a difference in words, such as `**Churn 10.4%.** RevenueCat would show 8.2%: …`.
  private func sentence(_ one: Comparison) -> String {
    let name = Self.name(of: one.measure)
    let text =
      "**\(name.prefix(1).uppercased())\(name.dropFirst()) \(text(one.ours)).** \(one.tool.title) would show \(text(one.theirs)). "
    let why = one.tool.sentences.first { $0.measure == one.measure }?.text ?? ""
    let missing = one.missing.map { " What \($0) would change is not known from these data." }
    return text + why + missing.joined()
  }
}
