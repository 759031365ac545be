package import Counting
package import SubscriptionModel

/// A part of a number of `definitions`: a count or an amount of a month or its end, which is added or subtracted.
package struct OtherTerm: Sendable {
  /// The column of a table of ours that has it, such as `churned`, or what another tool counts, in words.
  package let name: String
  package let counted: Set<Counted>
  package let measure: Measure
  /// What its charges are worth a month; only with ``Measure/value``.
  package let worth: OtherWorth
  /// Whether refunds count in the month of the sale.
  package var isDatedBySale = false
  package private(set) var isSubtracted = false
  /// Whether it is of the month before: the stock with which a month begins.
  package private(set) var isOfMonthBefore = false

  init(
    _ name: String, _ counted: Set<Counted>, _ measure: Measure = .count,
    worth: OtherWorth = .price, isDatedBySale: Bool = false
  ) {
    (self.name, self.counted, self.measure) = (name, counted, measure)
    (self.worth, self.isDatedBySale) = (worth, isDatedBySale)
  }

  init(_ name: String, _ facts: [Fact]) { self.init(name, Set(facts.map(Counted.fact))) }

  /// Creates a part that no table of ours has.
  init(_ fact: OtherFact, worth: OtherWorth? = nil) {
    self.init(fact.words, [.other(fact)], worth == nil ? .count : .value, worth: worth ?? .price)
  }

  var subtracted: OtherTerm {
    var term = self
    term.isSubtracted = true
    return term
  }

  var ofMonthBefore: OtherTerm {
    var term = self
    term.isOfMonthBefore = true
    return term
  }
}

/// A count, an amount or a rate as sums of terms; `below` is empty for a count or an amount.
package struct OtherFigure: Sendable {
  package var above: [OtherTerm]
  package var below: [OtherTerm] = []

  init(_ above: [OtherTerm], of below: [OtherTerm] = []) {
    (self.above, self.below) = (above, below)
  }
}

/// A fact that some data lack; `definitions` names it in `state`.
package enum OtherNeed: String, Sendable {
  case graceDates = "grace dates"
  case instants, proceeds, prices
  case firstSeen = "customers first seen in the month"

  /// The words before it in a state.
  package static let start = "needs "

  /// The state of a row whose fact the data lack, such as `needs grace dates`.
  package var state: String { Self.start + rawValue }
}

/// Our number, and the steps from it to that of another tool: METRICS.md 11.5.
package struct OtherNumber: Sendable {
  package let ours: OtherFigure
  /// Each step with all changes so far, and the fact that it needs.
  package private(set) var steps: [(axis: OtherAxis, figure: OtherFigure, need: OtherNeed?)] = []

  /// Finds the steps of one of the measure's tools; `hasPrices`: all charges and refunds have a price, in the refund
  /// rate of a currency.
  package init(_ measure: OtherMeasure, _ tool: OtherTool, hasPrices: Bool = true) {
    switch measure {
    case .active: self.init(activeOf: tool)
    case .churnRate: self.init(churnOf: tool)
    case .conversionRate: self.init(conversionOf: tool)
    case .mrr: self.init(mrrOf: tool)
    case .refundRate: self.init(refundsOf: tool, hasPrices: hasPrices)
    case .renewalRate: self.init(renewalsOf: tool)
    }
  }

  /// Returns the figure of a row, given the axes whose facts the data lack; `nil` for a row without numbers.
  package func figure(_ axis: OtherAxis, missing: Set<OtherAxis>) -> OtherFigure? {
    switch axis {
    case .ours: ours
    case .theirs: steps.last { !missing.contains($0.axis) }?.figure ?? ours
    default: missing.contains(axis) ? nil : steps.first { $0.axis == axis }?.figure
    }
  }

  private mutating func add(_ axis: OtherAxis, _ figure: OtherFigure, needs: OtherNeed? = nil) {
    steps.append((axis, figure, needs))
  }

  private init(activeOf tool: OtherTool) {
    let active = OtherTerm("active", [.recurring(.active)])
    ours = OtherFigure([active])
    switch tool {
    case .apphud: add(.population, OtherFigure([OtherTerm("standard", [.status(.standard)])]))
    case .apple:
      add(.month, OtherFigure([active, OtherTerm(.pacificPlaces)]), needs: .instants)
    case .revenuecat: add(.date, OtherFigure([active, OtherTerm(.inGrace)]), needs: .graceDates)
    default: add(.population, OtherFigure([active, OtherTerm(.furtherPlaces).subtracted]))
    }
  }

  private init(churnOf tool: OtherTool) {
    let churned = OtherTerm("churned", FactSums.churned)
    let start = OtherTerm("active_start", [.activeBefore])
    ours = OtherFigure([churned], of: [start])
    let customers = [start, OtherTerm(.furtherPlaces).subtracted.ofMonthBefore]
    let dated = [churned, OtherTerm(.graceChurned)]
    let held = [start, OtherTerm(.inGrace).ofMonthBefore]
    let lapses =
      dated + [OtherTerm("entered_retry", [.enteredRetry]), OtherTerm(.graceEnteredRetry)]
    let returns = [
      OtherTerm("recovered", [.recovered]), OtherTerm("reactivated", [.reactivated]),
      OtherTerm(.graceRecovered), OtherTerm(.graceReactivated),
    ].map(\.subtracted)
    switch tool {
    case .revenuecat, .revenuecat3:
      add(.date, OtherFigure(dated, of: held), needs: .graceDates)
      let isNet = tool == .revenuecat
      add(.recovery, OtherFigure(lapses + (isNet ? returns : []), of: held))
      guard !isNet else { return }
      let changed = OtherTerm("changes of product", [.changedProduct])
      add(.product, OtherFigure(lapses + [changed], of: held))
    default:
      let ofStart = OtherTerm(.lostCustomerOfStart)
      add(.population, OtherFigure([ofStart, OtherTerm(.lostNewCustomer)], of: customers))
      guard tool == .chartmogul else { return }
      add(.denominator, OtherFigure([ofStart], of: customers))
    }
  }

  private init(conversionOf tool: OtherTool) {
    let trials = [OtherTerm("trials", FactSums.trials)]
    ours = OtherFigure([OtherTerm("converted", [.trialConverted])], of: trials)
    guard tool == .revenuecat else {
      add(.recovery, OtherFigure([OtherTerm(.trialContinued)], of: trials))
      return
    }
    add(.population, ours, needs: .firstSeen)
    add(.recovery, OtherFigure([OtherTerm(.trialPaid)], of: trials))
    add(.refund, OtherFigure([OtherTerm(.trialPaidNotRefunded)], of: trials))
  }

  private init(mrrOf tool: OtherTool) {
    let mrr = { OtherTerm("mrr", [.recurring(.mrr)], .value, worth: $0) }
    ours = OtherFigure([mrr(.price)])
    switch tool {
    case .adapty:
      add(.basis, OtherFigure([mrr(.byAdapty)]))
      let refunded = OtherTerm(.withoutRefundedCharges, worth: .byAdapty)
      add(.refund, OtherFigure([mrr(.byAdapty), refunded]))
    case .apphud: add(.basis, OtherFigure([mrr(.proceeds)]), needs: .proceeds)
    case .revenuecat:
      add(.basis, OtherFigure([mrr(.byRevenueCat)]))
      let inGrace = OtherTerm(.inGrace, worth: .byRevenueCat)
      add(.date, OtherFigure([mrr(.byRevenueCat), inGrace]), needs: .graceDates)
    default:
      add(.refund, OtherFigure([mrr(.price), OtherTerm(.withRefundedPeriods, worth: .price)]))
    }
  }

  private init(refundsOf tool: OtherTool, hasPrices: Bool) {
    let charges = [OtherTerm("charges", [.charge])]
    let full = { (measure: Measure) in
      OtherTerm("refunds_full", [.refund(isFull: true)], measure, isDatedBySale: true)
    }
    let all: Set<Counted> = [.refund(isFull: true), .refund(isFull: false)]
    ours = OtherFigure([full(.count)], of: charges)
    guard tool == .apphud else {
      let partial = OtherTerm("refunds_partial", [.refund(isFull: false)], isDatedBySale: true)
      add(.refund, OtherFigure([full(.count), partial], of: charges))
      return
    }
    let charged = [OtherTerm("gross_price", [.charge], .price)]
    add(.basis, OtherFigure([full(.price)], of: charged), needs: .prices)
    add(
      .refund,
      hasPrices
        ? OtherFigure([OtherTerm("refunded_price", all, .price)], of: charged)
        : OtherFigure([OtherTerm("refunds", all)], of: charges))
  }

  private init(renewalsOf tool: OtherTool) {
    let due = OtherTerm("due", FactSums.due)
    let same = [OtherTerm("renewed", [.dueRenewed]), OtherTerm(.renewedByOther).subtracted]
    ours = OtherFigure([same[0]], of: [due])
    add(.product, OtherFigure(same, of: [due]))
    let pacific = [OtherTerm(.pacificRenewed), OtherTerm(.pacificRenewedByOther).subtracted]
    add(.month, OtherFigure(same + pacific, of: [due, OtherTerm(.pacificDue)]), needs: .instants)
  }
}

/// What a charge is worth a month, by our factors or by those of another tool.
package enum OtherWorth: CaseIterable, Sendable {
  case price, proceeds, byAdapty, byRevenueCat

  /// Returns the factor of the price for a number of days, as a fraction; `nil` for ours.
  private func factor(ofDays days: Int) -> (Int128, Int128)? {
    switch (self, days) {
    case (.byAdapty, _): (700, 23 * Int128(days))
    case (.byRevenueCat, 1): (30, 1)
    case (.byRevenueCat, 3): (10, 1)
    case (.byRevenueCat, 7): (4, 1)
    case (.byRevenueCat, 14): (2, 1)
    case (.byRevenueCat, _): (28, Int128(days))
    default: nil
    }
  }

  package func monthly(_ value: ChargeValue, _ usual: UsualTerms) -> MonthlyValue {
    let own = value.monthly(self == .proceeds ? \.proceeds : \.price, usual)
    guard own.term.months == 0, let factor = factor(ofDays: max(1, Int(own.term.days)))
    else { return own }
    return MonthlyValue(own.amount, of: own.term, times: factor)
  }
}

extension OtherFact {
  /// The name of the count, in a few words.
  package var words: String {
    switch self {
    case .furtherPlaces: "further subscriptions of a customer"
    case .withRefundedPeriods: "refunded, up to the end of the period"
    case .withoutRefundedCharges: "charges refunded in full"
    case .pacificPlaces, .pacificDue, .pacificRenewed, .pacificRenewedByOther:
      "moved by Pacific Time"
    case .lostCustomerOfStart: "customers lost of those at the start"
    case .lostNewCustomer: "customers won and lost in the month"
    case .renewedByOther: "renewed with another product"
    case .trialPaid: "trials paid later"
    case .trialPaidNotRefunded: "trials paid later and not refunded"
    case .trialContinued: "trials continued"
    case .fullRefund: "full refunds"
    case .inGrace: "in a grace period"
    case .graceChurned, .graceEnteredRetry, .graceRecovered, .graceReactivated:
      "moved by grace periods"
    }
  }
}
