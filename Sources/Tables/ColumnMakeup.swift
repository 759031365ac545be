package import Counting
package import SubscriptionModel

/// What the cells of a column are made of.
package enum ColumnMakeup: Equatable, Sendable {
  /// Each contribution adds a number to the cell, mostly 1.
  case counts(Set<Counted>)
  /// Each contribution adds an amount to the cell.
  case money(Set<Counted>, Measure)
  /// Each contribution has a value, and the cell is the one at a rank, such as the median (50 percent).
  case rank(Set<Counted>, percent: Int)
  /// The cell is computed from other columns.
  case parts([String])
  /// The cell is computed by a formula from these columns, of other rows too.
  case model([String])

  /// Returns what a column of a table is made of.
  ///
  /// - Parameters:
  ///   - column: The column's name.
  ///   - table: The table.
  ///   - source: The source of the row.
  /// - Returns: The makeup of the column; `nil` for a column that cannot be explained.
  package static func of(
    _ column: String, in table: TableKind, from source: Source = .subscribers
  ) -> ColumnMakeup? {
    columns(of: table, from: source).first { $0.name == column }?.makeup
  }

  /// What the column counts, and what each contribution adds; `nil` for a column that is computed from others.
  package var sum: (counted: Set<Counted>, measure: Measure)? {
    switch self {
    case .counts(let counted): (counted, .count)
    case .money(let counted, let measure): (counted, measure)
    case .rank(let counted, let percent): (counted, .rank(percent: percent))
    case .parts, .model: nil
    }
  }

  /// The columns from which the cell is computed; `nil` for a sum or a rank.
  package var parts: [String]? {
    switch self {
    case .parts(let names), .model(let names): names
    case .counts, .money, .rank: nil
    }
  }

  /// The parts that `close` and `net_proceeds` subtract; they add the others.
  package static let subtracted: Set = [
    "churned", "entered_retry", "switched_out", "refunded_proceeds",
  ]

  /// The tables that can be explained.
  package static let tables = tables(from: .subscribers)

  /// Returns the tables whose rows from a source can be explained.
  package static func tables(from source: Source) -> [TableKind] {
    TableKind.allCases.filter { !columns(of: $0, from: source).isEmpty }
  }

  /// Returns the columns of a table that can be explained, in the order of the table.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - source: The source of the rows.
  /// - Returns: Their names.
  package static func names(
    in table: TableKind, from source: Source = .subscribers
  ) -> [String] {
    let known = columns(of: table, from: source).map(\.name)
    return Definition.definition(of: table).columns.map(\.column.name).filter(known.contains)
  }

  // MARK: Tables

  typealias Column = (name: String, makeup: ColumnMakeup)

  private static func columns(of table: TableKind, from source: Source) -> [Column] {
    switch source {
    case .subscribers: columns(of: table)
    case .events: columnsOfEvents(in: table)
    // Sales have no table but this one.
    case .sales: table == .proceeds ? proceeds : []
    case .receipts: columnsOfReceipts(in: table)
    }
  }

  static func columns(of table: TableKind) -> [Column] {
    switch table {
    case .churn: churn
    case .renewals: renewals
    case .lapses: lapses
    case .movement: movement
    case .trials: trials
    case .refunds: refunds
    case .proceeds: proceeds
    case .retention: retention
    case .commitments: commitments
    }
  }

  static func counts(_ name: String, _ counted: Counted) -> Column {
    (name, ColumnMakeup.counts([counted]))
  }

  private static func charged(_ name: String, _ measure: Measure) -> Column {
    (name, ColumnMakeup.money([.charge], measure))
  }

  private static func refunded(_ name: String, _ measure: Measure) -> Column {
    (name, ColumnMakeup.money([.refund(isFull: true), .refund(isFull: false)], measure))
  }

  static func facts(_ name: String, _ facts: [Fact]) -> Column {
    (name, ColumnMakeup.counts(Set(facts.map(Counted.fact))))
  }

  static func fact(_ name: String, _ fact: Fact) -> Column { counts(name, .fact(fact)) }

  static func parts(_ name: String, _ parts: [String]) -> Column {
    (name, ColumnMakeup.parts(parts))
  }

  /// A rate and its interval, all computed from the numerator and the denominator.
  static func rate(_ name: String, _ numerator: String, _ denominator: String) -> [Column] {
    [name, "low", "high"].map { parts($0, [numerator, denominator]) }
  }

  private static let churn: [Column] = {
    let columns = [
      counts("active_start", .activeBefore), facts("churned", FactSums.churned),
      fact("churned_refund", .churnedRefund), fact("churned_unknown", .churnedUnknown),
      fact("churned_provisional", .lapseOpenProvisional),
    ]
    return columns + rate("churn_rate", "churned", "active_start")
  }()

  private static let renewals: [Column] = {
    let columns = [
      facts("due", FactSums.due), fact("renewed", .dueRenewed), fact("recovered", .dueRecovered),
      fact("lapsed", .dueLapsed), fact("pending", .duePending),
    ]
    return columns + rate("renewal_rate", "renewed", "due")
  }()

  private static let lapses: [Column] = [
    facts("lapses", FactSums.lapses), fact("recovered", .lapseRecovered),
    fact("reactivated", .lapseReactivated), fact("open_final", .lapseOpenFinal),
    fact("open_provisional", .lapseOpenProvisional),
    ("gap_days_median", .rank(withGap, percent: 50)), ("gap_days_p90", .rank(withGap, percent: 90)),
  ]

  /// The lapses that another charge followed.
  private static let withGap: Set<Counted> = [.fact(.lapseRecovered), .fact(.lapseReactivated)]

  static let retention: [Column] = [
    counts("at_risk", .atRisk), counts("lost", .lost), counts("kept", .kept),
    // The factors of the periods before have rows of their own.
    model("survival"), model("low"), model("high"),
  ]

  private static func model(_ name: String) -> Column {
    (name, ColumnMakeup.model(["at_risk", "lost"]))
  }

  private static let movement: [Column] = {
    let columns = [
      counts("open", .activeBefore), fact("started", .started), fact("first_seen", .firstSeen),
      fact("converted", .converted), fact("reactivated", .reactivated),
      fact("recovered", .recovered), fact("switched_in", .switchedIn),
      facts("churned", FactSums.churned), fact("entered_retry", .enteredRetry),
      fact("switched_out", .switchedOut),
    ]
    let names = columns.map(\.name)
    let stocks = [
      parts("close", names), counts("close_observed", .activeAtEnd),
      parts("unexplained", names + ["close_observed"]),
    ]
    return columns + stocks
  }()

  private static let trials: [Column] = {
    let columns = [
      facts("trials", FactSums.trials), fact("converted", .trialConverted),
      fact("not_converted", .trialNotConverted), fact("pending", .trialPending),
    ]
    return columns + rate("conversion_rate", "converted", "trials")
  }()

  private static let refunds: [Column] = {
    let columns = [
      counts("charges", .charge), counts("refunds_full", .refund(isFull: true)),
      counts("refunds_partial", .refund(isFull: false)),
    ]
    return columns + rate("refund_rate", "refunds_full", "charges") + amounts
  }()

  private static let amounts: [Column] = [
    charged("gross_price", .price), refunded("refunded_price", .price),
    charged("gross_proceeds", .proceeds), refunded("refunded_proceeds", .proceeds),
  ]

  private static let proceeds: [Column] = {
    let computed = [
      parts("net_proceeds", ["gross_proceeds", "refunded_proceeds"]),
      parts("effective_rate", ["gross_proceeds", "gross_price"]),
    ]
    return [counts("charges", .charge)] + amounts + computed
  }()
}
