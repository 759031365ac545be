package import Counting
import Storage
package import SubscriptionModel

/// Recurring revenue month by month from the source that speaks for it, and the rows that `headlines.csv` has of it and of
/// lifetime value: METRICS.md 11, by price.
///
/// It reads the finished tables of the whole population and computes nothing but sums over currencies that are converted
/// to one.
package struct RevenueHeadlines: Sendable {
  package typealias Row = ReportTable.NamedRow

  /// The headline source or, where that has no revenue in the month, `snapshot`.
  package let source: String
  /// The currencies with revenue in the headline month, the one with most subscriptions first; only the target of a
  /// conversion.
  package let currencies: [String]
  private let month: Month
  private let months: MonthSystem
  private let rows: [Month: [Row]]
  private let unknown: [Month: Int]
  /// The months that are over and whose numbers are of an earlier day.
  private let cutShort: Set<Month>
  private let target: String?
  private let lifetime: [Row]

  /// Reads `recurring` and, where it is there, `lifetime` of the whole population; `nil` where no source has revenue in
  /// the headline month.
  ///
  /// The basis is `price` or `proceeds`; the first of `sources` with revenue speaks, else the headline source, then
  /// `snapshot`.
  package init?(
    _ tables: [TableKind: [ReportTable]], _ headlines: HeadlineMaker, basis: String = "price",
    from sources: [String]? = nil, convertedTo target: String?
  ) {
    let rowsOfBasis = { (kind: TableKind) -> [Row] in
      let whole = tables[kind]?.first(where: \.dimensions.isEmpty)
      return whole?.namedRows.filter { $0.text("basis") == basis } ?? []
    }
    (month, months, self.target) = (headlines.month, headlines.months, target)
    let (name, months) = (months.name(month), months)
    let recurring = rowsOfBasis(.recurring)
    let known = recurring.filter {
      $0.cell(Self.column("mrr", target)) != .missing && !$0.text("currency").isEmpty
    }
    let source = (sources ?? [headlines.headlineSource?.rawValue, "snapshot"].compactMap(\.self))
      .first { source in
        known.contains { $0.text("source") == source && $0.text("month") == name }
      }
    guard let source else { return nil }
    self.source = source
    let own = known.filter { $0.text("source") == source }
    rows = Dictionary(grouping: own) { months.month(named: $0.text("month")) ?? headlines.month }
    let report = headlines.maker.sources.first { TableKind.recurring.name(of: $0.source) == source }
    cutShort = Set(
      rows.keys.filter { month in
        report.flatMap { headlines.state(.mrr, $0, in: month) } == .partial
      })
    unknown = recurring.filter {
      $0.text("source") == source && $0.text("currency").isEmpty
    }.reduce(into: [:]) { sums, row in
      guard let month = months.month(named: row.text("month")) else { return }
      sums[month, default: 0] += row["active"] ?? 0
    }
    let sizes = own.filter { $0.text("month") == name }
      .map { (code: $0.text("currency"), count: $0["active"] ?? 0) }
    currencies =
      target.map { [$0] }
      ?? sizes.sorted { ($1.count, $0.code) < ($0.count, $1.code) }.map(\.code)
    let all = rowsOfBasis(.lifetime).filter { $0.text("start_month") == "all" }
    let lifetimeSource = headlines.sourceOrder.map(\.rawValue).first { source in
      all.contains { $0.text("source") == source }
    }
    lifetime = all.filter { $0.text("source") == lifetimeSource }
  }

  private static func column(_ name: String, _ target: String?) -> String {
    target.map { "\(name)_\($0)" } ?? name
  }

  private func rows(_ currency: String, _ month: Month) -> [Row] {
    let all = rows[month] ?? []
    return target == nil ? all.filter { $0.text("currency") == currency } : all
  }

  /// Returns the sum of some columns of money in a month, such as `new` and `first_seen`, in milliunits; `nil` where a
  /// cell is not known.
  package func amount(_ columns: [String], _ currency: String, _ month: Month) -> Int128? {
    Self.sum(rows(currency, month), columns.map { Self.column($0, target) })
  }

  private static func sum(_ rows: [Row], _ columns: [String]) -> Int128? {
    let cells = rows.flatMap { row in columns.map { row.cell($0) } }
    var sum: Int128 = 0
    for cell in cells {
      guard case .money(let amount) = cell else { return nil }
      sum += amount
    }
    return cells.isEmpty ? nil : sum
  }

  /// Returns the active subscriptions of a month whose value is known.
  package func active(_ month: Month) -> Int {
    (rows[month] ?? []).reduce(0) { $0 + ($1["active"] ?? 0) }
  }

  /// Returns those in a currency.
  package func subscriptions(_ currency: String, _ month: Month) -> Int {
    rows(currency, month).reduce(0) { $0 + ($1["active"] ?? 0) }
  }

  /// Returns the active subscriptions of a month whose price is not known, so that they are in no amount.
  package func unknown(_ month: Month) -> Int { unknown[month] ?? 0 }

  /// Returns the worst state of a currency's rows in a month; `nil` without any.
  package func state(_ currency: String, _ month: Month) -> SourceReport.State? {
    let own = rows(currency, month)
    return cutShort.contains(month) && !own.isEmpty ? .partial : Self.state(own)
  }

  private static func state(_ rows: [Row]) -> SourceReport.State? {
    rows.compactMap { SourceReport.State(rawValue: $0.text("state")) }.min()
  }

  // MARK: headlines.csv

  /// The numbers that ``table`` has.
  package static let figures = ["mrr", "arpu", "net_churn_rate", "net_per_start_12"]

  /// The rows of `headlines.csv`: `mrr`, `arpu` and `net_churn_rate` for each currency, and what a start has brought in
  /// after twelve months.
  var table: [[ReportTable.Cell]] {
    let sorted = currencies.sorted { $0.precedes($1) }
    let figures: [(String, (String, Month) -> ReportTable.Cell)] = [
      ("mrr", { amount(["mrr"], $0, $1).map { .money(milliunits: $0) } ?? .missing }),
      ("arpu", arpu), ("net_churn_rate", netChurnRate),
    ]
    return figures.flatMap { figure, value in
      sorted.map { row(figure, $0, value) }
    } + lifetimeRows
  }

  private func row(
    _ figure: String, _ currency: String, _ value: (String, Month) -> ReportTable.Cell
  ) -> [ReportTable.Cell] {
    let state = state(currency, month)
    let earlier = [month - 1, month - 12].flatMap { earlier -> [ReportTable.Cell] in
      let isCompared =
        state != .partial && (self.state(currency, earlier).map { $0 != .partial } ?? false)
      // Money has no other value at the same age.
      let cell = isCompared ? value(currency, earlier) : .missing
      return [cell, cell]
    }
    return Self.start(figure, source, months.name(month), currency, value(currency, month), state)
      + earlier
  }

  private static func start(
    _ figure: String, _ source: String, _ month: String, _ currency: String,
    _ value: ReportTable.Cell, _ state: SourceReport.State?
  ) -> [ReportTable.Cell] {
    [.text(figure), .text(source), .text(month), .text(currency), value]
      + [.missing, .missing, .missing, .missing, .text(state?.rawValue ?? "")]
  }

  private func arpu(_ currency: String, _ month: Month) -> ReportTable.Cell {
    let active = subscriptions(currency, month)
    guard active > 0, let mrr = amount(["mrr"], currency, month) else { return .missing }
    return .money(milliunits: mrr.dividedHalfUp(by: Int128(active)))
  }

  private func netChurnRate(_ currency: String, _ month: Month) -> ReportTable.Cell {
    let own = rows(currency, month)
    guard target != nil else { return own.first?.cell("net_churn_rate") ?? .missing }
    let lost = ["churned", "contraction_product", "contraction_offer", "contraction_price"]
    let won = ["expansion_product", "expansion_offer", "expansion_price", "reactivated"]
    guard own.allSatisfy({ $0.cell("net_churn_rate") != .missing }),
      let open = amount(["open"], currency, month), open > 0,
      let lost = amount(lost, currency, month), let won = amount(won, currency, month)
    else { return .missing }
    return .ratio(numerator: lost - won, denominator: open)
  }

  /// What a start has brought in after twelve months, of all start months that are final at that age.
  private var lifetimeRows: [[ReportTable.Cell]] {
    let old = lifetime.filter { $0["months"] == 12 && !$0.text("currency").isEmpty }
    guard let source = old.first?.text("source") else { return [] }
    let groups = Dictionary(grouping: old) { target ?? $0.text("currency") }
    return groups.sorted { $0.key.precedes($1.key) }.compactMap { currency, rows in
      let started = rows.reduce(0) { $0 + ($1["started"] ?? 0) }
      guard started > 0, let net = Self.sum(rows, [Self.column("net", target)]) else { return nil }
      let value = ReportTable.Cell.money(milliunits: net.dividedHalfUp(by: Int128(started)))
      return Self.start(
        "net_per_start_12", source, months.name(month), currency, value, Self.state(rows))
        + [ReportTable.Cell](repeating: .missing, count: 4)
    }
  }
}
