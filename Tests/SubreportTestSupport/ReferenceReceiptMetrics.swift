import Counting
import Storage
package import SubscriptionModel
package import Tables

/// The obvious version of METRICS.md sections 5 and 10 for source `receipts`, to compare with: every row asks
/// its questions of every charge again.
///
/// Products must print as their ids. Two periods of a chain may overlap by a renewal that came early, and
/// no further.
package struct ReferenceReceiptMetrics {
  /// A charge, and all that a table may ask about it.
  struct Charge {
    let start: Instant
    let end: Instant
    let isPaid: Bool
    let kind: String
    let product: Symbol
    let plan: BillingPlan
    let instalment: ReferenceReceipts.Instalment?
    let fate: String
    let reason: String
    let refund: String
    let refundedAt: Instant?
    let percentage: Int64
    let refunded: Int64?
    let isEndedByRefund: Bool
    let isUpgraded: Bool
    let price: Int64?
    /// When the period ends according to Apple.
    let expires: Instant?
    let isPayAsYouGo: Bool
    let currency: Symbol
    /// The values of the view's dimensions.
    let cohort: [String]
    /// The end of the grace period after it, at most that of Apple's retry; `nil` without one.
    let grace: Instant?
    /// The name of its customer.
    let customer: String
    /// The number of its chain.
    let chain: Int
    /// The as-of of its chain.
    let asOf: Instant
    /// The charges of its chain, as indices.
    let siblings: Range<Int>

    var retrySeconds: Int { instalment == nil ? 5_184_000 : 7_776_000 }
    var isLapse: Bool { ["recovered", "reactivated", "final", "provisional"].contains(fate) }
    var isChurn: Bool { isLapse && fate != "recovered" }
    /// Whether it was replaced before it began: it is a charge, and nothing else.
    var isNothing: Bool { isUpgraded && start == end }
    var isRefunded: Bool { refund == "full" || refund == "partial" }
  }

  /// What is asked about a chain as a whole.
  struct ChainStart {
    let isKnown: Bool
    /// The cohort of `retention`.
    let cohort: [String]
  }

  let symbols: [String]
  let dimensions: [Dimension]
  let runAsOf: Instant
  let tolerance: Int
  /// Whether any customer has a renewal info.
  let hasRenewalInfo: Bool
  /// Every charge that renews and is not shared with a family, chain after chain.
  private(set) var charges: [Charge] = []
  private(set) var starts: [ChainStart] = []

  /// Prepares one view.
  ///
  /// - Parameters:
  ///   - receipts: The chains.
  ///   - dimensions: The view's dimensions.
  package init(_ receipts: ReferenceReceipts, dimensions: [Dimension]) {
    symbols = receipts.world.symbols
    self.dimensions = dimensions
    runAsOf = receipts.runAsOf
    tolerance = receipts.world.toleranceSeconds
    hasRenewalInfo = receipts.customers.contains { customer in
      !customer.infos.isEmpty
        || customer.events.contains { !receipts.ownInfos($0).isEmpty }
    }
    for chain in receipts.resolved where chain.kind == "auto-renewable" && !chain.isFamily {
      add(chain, receipts)
    }
  }

  private mutating func add(_ chain: ReferenceReceipts.Chain, _ receipts: ReferenceReceipts) {
    let first = chain.charges[0]
    let isKnown = receipts.isStartKnown(first.event)
    // METRICS.md 10.1: in `retention` the plan is that of the first paid charge.
    let firstPaid = chain.charges.first { $0.event.isPaid } ?? first
    starts.append(
      ChainStart(isKnown: isKnown, cohort: cohort(first, firstPaid.plan, chain, receipts)))
    let siblings = charges.count..<charges.count + chain.charges.count
    for (index, charge) in chain.charges.enumerated() {
      let event = charge.event
      charges.append(
        Charge(
          start: charge.start, end: charge.end ?? charge.start, isPaid: event.isPaid,
          kind: event.kind, product: event.symbol(\.product), plan: charge.plan,
          instalment: charge.instalment, fate: charge.fate, reason: charge.reason,
          refund: charge.refund, refundedAt: event.cancellation,
          percentage: Int64(event.last(\.revocationPercentage) ?? 100_000),
          refunded: event.last(\.refundedPrice),
          isEndedByRefund: receipts.isEndedByRefund(index, chain), isUpgraded: charge.isUpgraded,
          price: event.last(\.price), expires: event.expires,
          isPayAsYouGo: event.has(.payAsYouGo), currency: receipts.currency(event),
          cohort: cohort(charge, charge.plan, chain, receipts),
          grace: receipts.graceEnd(of: charge, chain), customer: chain.customer,
          chain: starts.count - 1,
          asOf: chain.asOf,
          siblings: siblings))
    }
  }

  private func cohort(
    _ charge: ReferenceReceipts.Charge, _ plan: BillingPlan, _ chain: ReferenceReceipts.Chain,
    _ receipts: ReferenceReceipts
  ) -> [String] {
    let first = chain.charges[0]
    let isKnown = receipts.isStartKnown(first.event)
    return dimensions.map { dimension in
      switch dimension {
      case .startMonth: isKnown ? "\(first.start.month)" : "before \(first.start.month)"
      case .offer: isKnown ? first.event.kind : "unknown"
      case .plan: plan.name
      case .product: receipts.text(charge.event.symbol(\.product))
      case .country: receipts.text(charge.event.symbol(\.country))
      default: preconditionFailure("\(dimension) is not compared")
      }
    }
  }

  // MARK: What the tables share

  func next(_ index: Int) -> Charge? {
    charges[(index + 1)..<charges[index].siblings.upperBound].first { !$0.isNothing }
  }

  var cohorts: Set<[String]> { Set(charges.map(\.cohort)) }

  /// The months from the first charge's to as-of's.
  var months: [Month] {
    let first = charges.map(\.start.month.number).min() ?? runAsOf.month.number
    return (first...max(first, runAsOf.month.number)).map { Month(number: $0) }
  }

  /// The months that money has rows for: refunds may come after as-of.
  var allMonths: [Month] {
    let last = charges.compactMap(\.refundedAt?.month.number).max() ?? 0
    let end = max(last, runAsOf.month.number, charges.map(\.start.month.number).max() ?? 0)
    return ((months.first?.number ?? end)...end).map { Month(number: $0) }
  }

  func lastSecond(of month: Month) -> Instant {
    Instant(seconds: UInt32(Int((month.lastDay + 1).number) * 86_400 - 1))
  }

  func state(_ month: Month, isUndecided: Bool) -> ReportTable.Cell {
    let isRunning = lastSecond(of: month) > runAsOf
    return .text(isUndecided || isRunning ? "provisional" : "final")
  }

  /// Whether a charge counts as an active subscription at an instant.
  func isActive(_ charge: Charge, _ index: Int, at instant: Instant) -> Bool {
    guard charge.isPaid, charge.start <= instant, !charge.isNothing else { return false }
    if instant < charge.end { return true }
    switch charge.fate {
    case "renewed", "upgraded":
      guard let next = next(index) else { return false }
      return instant < next.start
    case "current": return runAsOf - charge.end <= tolerance
    default: return false
    }
  }

  /// The charges that stand for their chains at an instant: of several the one begun last.
  func active(at instant: Instant) -> [Charge] {
    let all = charges.indices.filter { isActive(charges[$0], $0, at: instant) }
    return all.filter { index in
      !all.contains { $0 > index && charges[$0].chain == charges[index].chain }
    }.map { charges[$0] }
  }

  func rows(
    _ months: [Month], cells: (Month, [String]) -> [ReportTable.Cell]?
  ) -> [[ReportTable.Cell]] {
    var rows: [[ReportTable.Cell]] = []
    for cohort in cohorts {
      for month in months {
        guard let cells = cells(month, cohort) else { continue }
        rows.append((["receipts", "\(month)"] + cohort).map { .text($0) } + cells)
      }
    }
    return sortedRows(rows, keys: 2 + dimensions.count)
  }

  /// Returns the rows of a table.
  package func rows(of table: TableKind) -> [[ReportTable.Cell]] {
    guard !charges.isEmpty else { return [] }
    return switch table {
    case .churn: churn
    case .renewals: renewals
    case .lapses: lapses
    case .refunds: refunds
    case .retention: retention
    case .movement: movement
    case .proceeds: proceeds
    case .trials: trials
    case .commitments: commitments
    case .recurring: recurring
    case .lifetime: lifetime
    // Renewal infos decide it: ReceiptStatusTests.
    case .status: []
    case .definitions: definitions
    }
  }
}
