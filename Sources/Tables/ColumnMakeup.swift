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

  /// Returns what a column is made of in rows from a source; `nil` for one that cannot be explained.
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

  /// Returns the names of the columns that can be explained, in the order of the table.
  package static func names(
    in table: TableKind, from source: Source = .subscribers
  ) -> [String] {
    let known = columns(of: table, from: source).map(\.name)
    return Definition.definition(of: table).columns.map(\.column.name).filter(known.contains)
  }

  // MARK: Tables

  private typealias Column = (name: String, makeup: ColumnMakeup)

  private static func columns(of table: TableKind, from source: Source) -> [Column] {
    columns[source]?[table] ?? []
  }

  private static let columns: [Source: [TableKind: [Column]]] = [
    .subscribers: ofChains(churned: [fact("churned_refund", .churnedRefund)]),
    // Receipts have the reasons of churn, and no proceeds.
    .receipts: ofChains(churned: reasons + [fact("churned_refund", .churnedRefund)])
      .mapValues { $0.filter { !needsProceeds($0.makeup) } },
    .events: [
      .churn: churn(reasons), .renewals: renewals(recovered: .recovered),
      .movement: movement(churned: [.dueLapsed]), .retention: retention,
      .trials: facts(["converted": .trialConverted, "not_converted": .trialNotConverted]),
    ],
    .sales: [.proceeds: proceeds],
  ]

  private static func ofChains(churned: [Column]) -> [TableKind: [Column]] {
    [
      .churn: churn(churned), .renewals: renewals(recovered: .dueRecovered), .lapses: lapses,
      .movement: movement(churned: FactSums.churned), .trials: trials, .refunds: refunds,
      .proceeds: proceeds, .retention: retention, .commitments: commitments,
    ]
  }

  private static func needsProceeds(_ makeup: ColumnMakeup) -> Bool {
    switch makeup {
    case .money(_, let measure): measure == .proceeds
    case .parts(let parts): parts.contains { $0.hasSuffix("_proceeds") }
    case .counts, .rank, .model: false
    }
  }

  private static func churn(_ ends: [Column]) -> [Column] {
    [counts("active_start", .activeBefore), sum("churned", FactSums.churned)] + ends
      + facts(["churned_unknown": .churnedUnknown, "churned_provisional": .lapseOpenProvisional])
      + rate("churn_rate", "churned", "active_start")
  }

  /// The reasons of churn, which only some sources have.
  private static let reasons = facts([
    "churned_voluntary": .churnedVoluntary, "churned_billing": .churnedBilling,
    "churned_price": .churnedPrice, "churned_removed": .churnedRemoved,
    "churned_other": .churnedOther,
  ])

  private static func renewals(recovered: Fact) -> [Column] {
    let parts: [Column] = facts([
      "renewed": .dueRenewed, "recovered": recovered, "lapsed": .dueLapsed, "pending": .duePending,
    ])
    return [sum("due", FactSums.due)] + parts + rate("renewal_rate", "renewed", "due")
  }

  private static let lapses: [Column] = {
    let withGap: Set<Counted> = [.fact(.lapseRecovered), .fact(.lapseReactivated)]
    let fates = facts([
      "recovered": .lapseRecovered, "reactivated": .lapseReactivated,
      "open_final": .lapseOpenFinal, "open_provisional": .lapseOpenProvisional,
    ])
    let gaps: [Column] = [
      ("gap_days_median", .rank(withGap, percent: 50)),
      ("gap_days_p90", .rank(withGap, percent: 90)),
    ]
    return [sum("lapses", FactSums.lapses)] + fates + gaps
  }()

  private static let retention: [Column] =
    [counts("at_risk", .atRisk), counts("lost", .lost), counts("kept", .kept)]
    // The factors of the periods before have rows of their own.
    + ["survival", "low", "high"].map { ($0, .model(["at_risk", "lost"])) }

  private static func movement(churned: [Fact]) -> [Column] {
    let gained = facts([
      "started": .started, "first_seen": .firstSeen, "converted": .converted,
      "reactivated": .reactivated, "recovered": .recovered, "switched_in": .switchedIn,
    ])
    let lost = facts(["entered_retry": .enteredRetry, "switched_out": .switchedOut])
    let columns = [counts("open", .activeBefore)] + gained + [sum("churned", churned)] + lost
    let names = columns.map(\.name)
    return columns + [
      ("close", .parts(names)), counts("close_observed", .activeAtEnd),
      ("unexplained", .parts(names + ["close_observed"])),
    ]
  }

  private static let trials: [Column] = {
    let outcomes = facts([
      "converted": .trialConverted, "not_converted": .trialNotConverted, "pending": .trialPending,
    ])
    return [sum("trials", FactSums.trials)] + outcomes
      + rate("conversion_rate", "converted", "trials")
  }()

  private static let refunds: [Column] = {
    let columns = [
      counts("charges", .charge), counts("refunds_full", .refund(isFull: true)),
      counts("refunds_partial", .refund(isFull: false)),
    ]
    return columns + rate("refund_rate", "refunds_full", "charges") + amounts
  }()

  private static let amounts: [Column] = {
    let refund: Set<Counted> = [.refund(isFull: true), .refund(isFull: false)]
    return [
      ("gross_price", .money([.charge], .price)), ("refunded_price", .money(refund, .price)),
      ("gross_proceeds", .money([.charge], .proceeds)),
      ("refunded_proceeds", .money(refund, .proceeds)),
    ]
  }()

  private static let proceeds: [Column] =
    [counts("charges", .charge)] + amounts + [
      ("net_proceeds", .parts(["gross_proceeds", "refunded_proceeds"])),
      ("effective_rate", .parts(["gross_proceeds", "gross_price"])),
    ]

  private static let commitments: [Column] = {
    let counted: KeyValuePairs<String, CommitmentColumn> = [
      "running": .running, "suspended": .suspended, "position_unknown": .positionUnknown,
      "due": .due, "paid": .paid, "recovered": .recovered, "defaulted": .defaulted,
      "pending": .pending, "terms_started": .termsStarted, "terms_ended": .termsEnded,
      "terms_renewed": .termsRenewed, "remaining": .remaining,
    ]
    let money: [Column] = [
      ("remaining_price", .money([.commitment(.remaining)], .price)),
      ("remaining_proceeds", .money([.commitment(.remaining)], .proceeds)),
    ]
    return counted.map { counts($0, .commitment($1)) } + rate("paid_rate", "paid", "due") + money
  }()

  // MARK: Columns

  private static func counts(_ name: String, _ counted: Counted) -> Column {
    (name, .counts([counted]))
  }

  private static func sum(_ name: String, _ facts: [Fact]) -> Column {
    (name, .counts(Set(facts.map(Counted.fact))))
  }

  private static func fact(_ name: String, _ fact: Fact) -> Column { counts(name, .fact(fact)) }

  private static func facts(_ facts: KeyValuePairs<String, Fact>) -> [Column] {
    facts.map { fact($0, $1) }
  }

  /// A rate and its interval, all computed from the numerator and the denominator.
  private static func rate(
    _ name: String, _ numerator: String, _ denominator: String
  ) -> [Column] {
    [name, "low", "high"].map { ($0, .parts([numerator, denominator])) }
  }
}
