import Counting
import Rendering
import Storage
import SubscriptionModel

/// Why a cell does not count a period or a refund that belongs to its row.
///
/// Each case is a decision of the fold, read from the period or from another fact that the fold derived from it.
enum LeftOutRule: Equatable, Sendable {
  /// The period is free: a trial or an offer.
  case free
  /// The free period is an offer, no trial.
  case noTrial
  /// The period ends after the data, or its renewal is not due yet.
  case running
  /// No renewal was due at the end.
  case notDue
  /// The period or refund counts in another column.
  case other(Counted)
  /// The charge continues a paid period.
  case continuing
  case otherCurrency
  /// The charge is worth something in another currency than the row's, or its price is not known.
  case otherValue
  /// Lifetime value does not count it.
  case notInLifetime(NotInLifetime)
  /// Retention does not count the chain at k.
  case notAtRisk(NotAtRisk)
  /// The customer has the subscription by Family Sharing.
  case shared
  /// The charge was cancelled by a change of product, which is no refund.
  case upgrade
  /// The charge was cancelled because the customer left a family.
  case revoked
  /// Another paid period stands for the subscription on that day.
  case otherPeriod
  /// The instalment continues a term.
  case laterInstalment
  /// It is not known which instalment of its term it is.
  case placeUnknown
  /// The receipts are of an environment that does not count.
  case otherEnvironment
}

/// The periods or refunds that belong to the row of a column, counted or not.
enum Considered: Equatable {
  /// Periods that end in the month; of renewals, only those that were due count.
  case ends(ofRenewals: Bool)
  /// The same for changes, but a period that another charge continues belongs to the month of that charge.
  case endsByNextCharge
  case charges
  /// The first charge after a start, a gap, a free period or a change, in the month.
  case beginnings
  /// Free periods that begin in the month.
  case trials
  case refunds
  /// Periods that cover a day: the one before the month, or its last.
  case active(atEnd: Bool)
  case chains
  case instalments(CommitmentColumn)
  /// Subscriptions at the end of the month, in any state.
  case states
  /// The subscriptions that started, or their charges or refunds, in lifetime value.
  case lifetime(LifetimeGrid.Kind)

  /// Finds the periods or refunds that belong to the row of a column that counts some facts.
  init?(_ counted: Set<Counted>) {
    let renewals: [Fact] = [.dueRenewed, .dueRecovered, .dueLapsed, .duePending]
    switch counted.first {
    case nil, .notAtRisk, .instalment, .notInLifetime, .other, .changedProduct: return nil
    case .status: self = .states
    case .lifetime(let kind): self = .lifetime(kind)
    case .recurring(let column): self = Self.charges(of: column)
    case .commitment(let column): self = .instalments(column)
    case .atRisk, .kept, .lost: self = .chains
    case .charge: self = .charges
    case .refund: self = .refunds
    case .activeBefore: self = .active(atEnd: false)
    case .activeAtEnd: self = .active(atEnd: true)
    case .fact(.trialConverted), .fact(.trialNotConverted), .fact(.trialPending): self = .trials
    case .fact(let fact) where Self.startFacts.contains(fact): self = .beginnings
    case .fact(.switchedOut): self = .endsByNextCharge
    case .fact(let fact): self = .ends(ofRenewals: renewals.contains(fact))
    }
  }

  /// Returns the charges that belong to the row of a column of recurring revenue.
  private static func charges(of column: RecurringColumn) -> Considered {
    switch column {
    case .active, .mrr: .active(atEnd: true)
    case .open: .active(atEnd: false)
    case .churned, .enteredRetry: .ends(ofRenewals: false)
    case .switchedOut: .endsByNextCharge
    default: .beginnings
    }
  }

  /// The facts of the start of a charge.
  private static let startFacts: [Fact] = [
    .started, .firstSeen, .converted, .reactivated, .recovered, .switchedIn,
  ]

  /// Whether the periods are those that end in the month.
  var isOfEnds: Bool {
    switch self {
    case .ends, .endsByNextCharge: true
    default: false
    }
  }

  /// The facts that other columns count, so that the sentence can name that column.
  var related: Set<Counted> {
    switch self {
    case .ends, .endsByNextCharge, .charges, .active: []
    case .beginnings: Set(Self.startFacts.map(Counted.fact))
    case .trials: [.fact(.trialConverted), .fact(.trialNotConverted), .fact(.trialPending)]
    case .refunds: [.refund(isFull: true), .refund(isFull: false)]
    case .chains: [.kept, .lost, .notAtRisk]
    case .states: Set(StatusColumn.allCases.map(Counted.status))
    case .lifetime(let kind): [.notInLifetime(kind)]
    case .instalments:
      // The columns in whose words it can be said why another one leaves an instalment out.
      [
        .instalment, .commitment(.due), .commitment(.positionUnknown), .commitment(.running),
        .commitment(.termsEnded),
      ]
    }
  }
}

/// A period or a refund that a cell does not count, and the reason.
typealias LeftOut = (found: CountedPeriod, rule: LeftOutRule)

/// What decides whether a column leaves out a period.
struct ConsideredPeriod {
  /// The period as a charge.
  let item: CountedPeriod
  let period: ExplainedPeriod
  /// Whether a renewal was due at its end.
  let wasDue: Bool
  /// Whether its outcome may still change.
  let isUndecided: Bool
  /// Whether it ends after the data of the subscription.
  let isRunning: Bool
  let begin, end: Month
  /// The month of the charge that continues it, else of its end.
  let next: Month
  /// The month in which it stops making the subscription active.
  let activeUntil: Month
  let isOfReceipts: Bool
  /// Whether its amount is in the currency of the row, on the row's basis.
  let isOfCurrency: Bool
  /// Whether the customer has the subscription by Family Sharing.
  var isShared = false
  /// The month of its refund in receipts, and the rule if no column counts it; `nil` without a cancellation.
  var refund: (month: Month, rule: LeftOutRule?)?

  /// Returns the period with the rule by which a column leaves it out, given all that columns of the row count; `nil` if
  /// the column counts it, or it does not belong to the row.
  func leftOut(
    _ considered: Considered, _ counted: Set<Counted>, _ found: [CountedPeriod], _ month: Month
  ) -> LeftOut? {
    guard isConsidered(considered, month) else { return nil }
    let ofChain = found.filter { $0.chain == item.chain }
    let own = ofChain.filter { $0.period == item.period && $0.refund == nil }
    guard !own.contains(where: { counted.contains($0.counted) }) else { return nil }
    let isChainCounted = ofChain.contains { counted.contains($0.counted) }
    let other = own.first { considered.related.contains($0.counted) }
    guard let rule = rule(considered, other?.counted, isChainCounted) else { return nil }
    // The fact of another column has more words: the period before it, or its amount.
    var told = own.first { .other($0.counted) == rule } ?? item
    if case .other(let other) = rule {
      told.counted = other
    } else if considered.isOfEnds {
      told.counted = ending
    } else if considered == .refunds {
      told.counted = .refund(isFull: true)
    }
    return (told, rule)
  }

  private func isConsidered(_ considered: Considered, _ month: Month) -> Bool {
    switch considered {
    case .ends: return end == month
    case .endsByNextCharge: return next == month
    case .charges, .beginnings: return begin == month
    case .trials: return !period.isPaid && begin == month
    case .active(let atEnd):
      let after = atEnd ? month + 1 : month
      // In reports all paid periods of the day count, so only one that is free or of another currency is left out.
      return begin < after && activeUntil >= after
        && (isOfReceipts || !period.isPaid || !isOfCurrency)
    case .refunds: return refund?.month == month
    case .chains, .instalments, .states, .lifetime: return false
    }
  }

  /// Returns why the period does not count; `nil` for one of another row, or if another period of its chain counts.
  private func rule(
    _ considered: Considered, _ other: Counted?, _ isChainCounted: Bool
  ) -> LeftOutRule? {
    if isShared { return .shared }
    switch considered {
    case .active, .beginnings, .ends, .endsByNextCharge:
      if period.isPaid, !isOfCurrency { return .otherValue }
    default: break
    }
    switch considered {
    case .trials:
      // A trial of reports without a fact is in another row.
      return other.map { .other($0) } ?? (period.isTrial && !isOfReceipts ? nil : .noTrial)
    case .active:
      if period.isPaid { return .otherPeriod }
      return isOfReceipts && isChainCounted ? nil : .free
    case .refunds: return other.map { .other($0) } ?? refund?.rule
    case .chains, .instalments, .states, .lifetime: return nil
    case .charges: return period.isPaid ? .otherCurrency : .free
    case .beginnings: return period.isPaid ? other.map { .other($0) } ?? .continuing : .free
    case .ends, .endsByNextCharge:
      if !period.isPaid { return .free }
      let ofRenewals = considered == .ends(ofRenewals: true)
      // A renewal counts when its time has come, even if the charge came earlier.
      if isUndecided || ofRenewals && wasDue, isRunning { return .running }
      return ofRenewals && !wasDue ? .notDue : .other(ending)
    }
  }

  private var ending: Counted { .fact(period.isLapse ? .lapseOpenFinal : .dueRenewed) }
}

// MARK: Instalments

extension ConsideredPeriod {
  /// Returns why a column of commitments leaves out the instalment, given the columns that count it; `nil` if the column
  /// counts it, or it does not belong to the column's month.
  func rule(
    _ column: CommitmentColumn, countedBy columns: Set<CommitmentColumn>, _ month: Month
  ) -> LeftOutRule? {
    guard !columns.contains(column) else { return nil }
    let named = { (others: [CommitmentColumn]) -> LeftOutRule? in
      others.first(where: columns.contains).map { .other(.commitment($0)) }
    }
    switch column {
    case .due, .paid, .recovered, .defaulted, .pending:
      guard end == month else { return nil }
      if columns.contains(.due) { return .other(.commitment(.due)) }
      if isRunning { return .running }
      return switch item.outcome {
      case .complete, .refunded, .changed: .other(.commitment(.termsEnded))
      default: .placeUnknown
      }
    case .termsStarted:
      guard begin == month else { return nil }
      return period.position?.number == nil ? .placeUnknown : .laterInstalment
    case .running, .termsRenewed: return named([.termsEnded])
    case .suspended, .positionUnknown, .termsEnded: return named([.running])
    case .remaining: return named([.positionUnknown, .running, .termsEnded])
    }
  }
}

/// What a cell leaves out, in words.
extension Reason {
  /// Returns the sentence that says why the cell does not count the contribution.
  func sentence(_ rule: LeftOutRule) -> String {
    switch rule {
    case .free:
      "\(period?.isTrial == true ? "a free trial" : "a free offer"); only paid periods count"
    case .noTrial: "a free offer, no introductory trial"
    case .running: "it runs until \(period.map { "\($0.end.day)" } ?? ""); \(endOfData)"
    case .notDue: "no renewal was due: \(whyNotDue)"
    case .other: "\(factName): \(sentence)"
    case .continuing: "it continues a paid period"
    case .otherCurrency: whyOtherCurrency
    case .otherValue: whyOtherValue
    case .notInLifetime(let rule): sentence(rule)
    case .notAtRisk(let rule): sentence(rule)
    case .shared: "it is shared by family; only the purchase of the customer who paid counts"
    case .upgrade: "the cancellation belongs to a change of product, so it is no refund"
    case .revoked: "the customer lost the access of a family, which is no refund"
    case .laterInstalment: "\(instalmentName), which is not the first of its term"
    case .placeUnknown: placeUnknown
    case .otherEnvironment:
      "its receipts are of another environment than the run counts; there it counts as \(factName): \(sentence)"
    case .otherPeriod: "the subscription counts once, with another of its paid periods"
    }
  }

  /// That the place of an instalment in its term is not known.
  var placeUnknown: String {
    let day = period.map { "\($0.start.day)" } ?? ""
    return data.isOfReceipts
      ? "the place of the term's first instalment in the receipts is unknown: the term may have begun before them; the newest instalment is of \(day)"
      : "the position of the instalment of \(day) in its term is unknown: the term may have begun before the data, which begin on \(firstDay)"
  }

  private var whyOtherCurrency: String {
    if !data.isOfReceipts { return "its proceeds are in \(data.names.text(currency))" }
    return period?.value.price.currency == .blank
      ? "the receipts state no price of it" : "its price is in \(data.names.text(currency))"
  }

  private var whyOtherValue: String {
    let amount = period.flatMap { period in monthly.map { $0(period.value).amount } }
    guard let amount, amount.currency != .blank else { return "no price of it is known" }
    return "its amount is in \(data.names.text(amount.currency))"
  }

  private func sentence(_ rule: NotInLifetime) -> String {
    switch rule {
    case .free: sentence(LeftOutRule.free)
    case .otherCurrency: whyOtherValue
    case .late: "\(sentence), after the months of the row"
    case .notPaid: "no paid charge in the months of the row"
    }
  }

  private var whyNotDue: String {
    guard let period else { return "" }
    let end = period.end.day
    if period.isTransferred { return "\(Period.movedAway), on \(end)" }
    if period.isRefunded {
      let day = (period.cancellation ?? period.end).day
      return period.isCutByRefund
        ? "\(nameOfRefund(period)) ended it on \(day)"
        : "\(nameOfRefund(period)) was given on \(day), after its end"
    }
    if period.ending == .changedProduct { return "\(whatChanged) was bought on \(end)" }
    if period.isUpgraded { return "another product replaced it on \(end)" }
    if period.ending == .boughtAgainSameDay {
      return "it was bought again on the same day, so it has no length"
    }
    if data.isOfReceipts, period.start == period.end {
      return "it was bought again at once, so it has no length"
    }
    return "it is an instalment before the last of its term, or of an unknown place in it"
  }

  // MARK: Retention

  /// Returns the sentence that says why a chain is not at risk at k.
  private func sentence(_ rule: NotAtRisk) -> String {
    switch rule {
    case .startUnknown: startUnknown
    case .idReset: idReset
    case .lost(let k): "lost at paid period \(k): \(whatFollowed)"
    case .undecided(let k, let end): undecided(k, end)
    case .transferred(let k, let end):
      "paid period \(k) ended on \(end), less than \(ChainBuilder.retryDays) days before the app moved to another account"
    case .fewer(let count, let cutShort): fewer(count, cutShort)
    case .placeUnknown:
      "the place of an instalment in its term is unknown, and no paid period counts from there on"
    }
  }

  /// The first charge under a new subscriber id; receipts do not replace the ids of customers.
  private var idReset: String {
    let day = period.map { ", on \($0.start.day)" } ?? ""
    return
      "its first charge is the first under a new subscriber id\(day): the customer came back after 180 days or more"
  }

  private func undecided(_ k: Int, _ end: Day) -> String {
    if period?.isInstalment == true {
      return
        "paid period \(k) is a term of instalments, which counts \(ChainBuilder.instalmentRetryDays) days after its scheduled end on \(end); \(endOfData)"
    }
    return end > asOf
      ? "paid period \(k) runs until \(end); \(endOfData)"
      : "paid period \(k) ended on \(end), less than \(ChainBuilder.retryDays) days before \(endOfData)"
  }

  private func fewer(_ count: Int, _ cutShort: Int) -> String {
    let periods =
      count == 0 ? "it has no paid period" : "it has only \(counted(count, "paid period"))"
    guard cutShort > 0 else { return periods }
    return
      "\(periods) that count\(count > 1 ? "" : "s"); a change of product or billing plan cut \(cutShort) short"
  }
}
