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
    var source: Source
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

  /// The page's numbers as other dashboards would show them, in a table, with the largest differences in words; `nil`
  /// without any.
  ///
  /// A number that the page has from another source, or of all currencies, has no row.
  var otherDashboards: Fold? {
    let all = definitions
    let comparisons = OtherMeasure.allCases.flatMap { measure -> [Comparison] in
      guard let shown = shown(measure) else { return [] }
      return compared(measure, shown.source, all) { row in
        row.cell("value") == shown.cell && ["", row.text("currency")].contains(shown.currency)
      }
    }
    guard !comparisons.isEmpty else { return nil }
    return Fold(
      summary: "Other dashboards",
      tables: [
        Fold.Table(
          caption: PageText.long(month, months),
          headings: [
            ("number", false), ("counted from", false), ("here", true), ("tool", false),
            ("would show", true), ("largest step", false),
          ],
          rows: comparisons.map { one in
            [
              Self.name(of: one), Self.words(one.source), text(one.ours), one.tool.title,
              text(one.theirs), one.largestStep,
            ]
          })
      ],
      notes: Self.largest(comparisons).prefix(Self.shown).map { one in
        sentence(one, " (\(PageText.long(month, months)), \(Self.words(one.source)))")
      }, files: ["definitions.csv"])
  }

  /// The largest difference of the source that speaks, for a table without a page; `nil` without any.
  var otherDashboard: String? {
    let all = definitions
    let has = { (source: Source, isOfAll: Bool) in
      all.contains {
        $0.source == source.rawValue && (!isOfAll || $0.text("measure") == "active")
      }
    }
    let source =
      maker.sourceOrder.first { has($0, true) } ?? maker.sourceOrder.first { has($0, false) }
    guard let source else { return nil }
    // Of money the currency with most subscriptions.
    let main = content.revenue?.currencies.first
    let currencies = all.filter { $0.source == source.rawValue }.map { $0.text("currency") }
      .filter { !$0.isEmpty }
    let currency = currencies.first { $0 == main } ?? currencies.first ?? ""
    let comparisons = OtherMeasure.allCases.flatMap { measure in
      compared(measure, source, all) { ["", currency].contains($0.text("currency")) }
    }
    return Self.largest(comparisons).first.map { sentence($0) }
  }

  /// The rows of the headline month.
  private var definitions: [Row] {
    (content.tables[.definitions]?.first?.namedRows ?? []).filter {
      $0.text("month") == months.name(month)
    }
  }

  /// Returns the number of the page that other tools define otherwise; `nil` where the page has none of the month.
  private func shown(
    _ measure: OtherMeasure
  ) -> (source: Source, cell: ReportTable.Cell, currency: String)? {
    let found =
      switch measure {
      case .active: value(.active)
      case .churnRate: value(.churnRate)
      case .conversionRate: value(.conversionSoFar) ?? value(.conversionRate)
      case .refundRate: value(.refundRate)
      case .renewalRate: value(.renewalRate)
      case .mrr: HeadlineValue?.none
      }
    if let found, found.month == month { return (found.source, found.value, "") }
    guard measure == .mrr, let revenue = content.revenue, let currency = revenue.currencies.first,
      let source = Source(rawValue: revenue.source),
      let amount = revenue.amount(["mrr"], currency, month)
    else { return nil }
    return (source, .money(milliunits: amount), currency)
  }

  /// Returns the tools that differ most, one of each number.
  private static func largest(_ comparisons: [Comparison]) -> [Comparison] {
    Dictionary(grouping: comparisons, by: \.measure).values
      .compactMap { $0.max { $0.share < $1.share } }.filter { $0.share > 0 }
      .sorted { ($1.share, $0.measure.rawValue) < ($0.share, $1.measure.rawValue) }
  }

  /// Returns one number beside those of all tools.
  ///
  /// `isShown` tells the row `ours` with the number from those of other sources and currencies.
  private func compared(
    _ measure: OtherMeasure, _ source: Source, _ rows: [Row], where isShown: (Row) -> Bool
  ) -> [Comparison] {
    let names = [source.rawValue] + (source == .events ? ["snapshot"] : [])
    let own = rows.filter { $0.text("measure") == measure.rawValue && names.contains($0.source) }
    return measure.tools.compactMap { tool -> Comparison? in
      let all = own.filter { $0.text("tool") == tool.rawValue }
      let ours = all.first { $0.text("axis") == OtherAxis.ours.rawValue && isShown($0) }
      guard let ours else { return nil }
      let others = all.filter { row in
        row.source == ours.source && row.text("currency") == ours.text("currency")
      }.dropFirst()
      guard let theirs = others.last, others.count > 1 else { return nil }
      let steps = others.dropLast()
      let size = { (row: Row) in abs(PageText.value(row.cell("change")) ?? 0) }
      let largest = steps.max { size($0) < size($1) }
      return Comparison(
        tool: tool, measure: measure, source: source, ours: ours, theirs: theirs,
        largestStep: largest.flatMap { size($0) > 0 ? $0.text("axis") : nil } ?? "",
        missing: steps.map { $0.text("state") }.filter { $0.hasPrefix("needs ") }
          .map { String($0.dropFirst("needs ".count)) })
    }
  }

  /// Returns the name of a number, with the currency of a rate of one currency.
  private static func name(of one: Comparison) -> String {
    let currency = one.ours.text("currency")
    let isAmount = one.ours.cell("value").milliunits != nil
    return name(of: one.measure) + (currency.isEmpty || isAmount ? "" : " in \(currency)")
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

  /// Returns a difference in words, such as `**Churn 10.4%** (…). RevenueCat would show 8.2%: …`.
  private func sentence(_ one: Comparison, _ origin: String = "") -> String {
    let text =
      "**\(Self.name(of: one).capitalizedFirst) \(text(one.ours))**\(origin). \(one.tool.title) would show \(text(one.theirs)). "
    let why = one.tool.sentences.first { $0.measure == one.measure }?.text ?? ""
    let missing = one.missing.map { " What \($0) would change is not known from these data." }
    return text + why + missing.joined()
  }
}
