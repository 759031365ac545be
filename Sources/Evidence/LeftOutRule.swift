import Counting
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
  /// The amount is in another currency.
  case otherCurrency
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
}

/// The words about one contribution from which the sentence of a rule is made.
protocol LeftOutWords {
  /// Whether the charge is a free trial.
  var isTrial: Bool { get }
  /// Whether the period is an instalment.
  var isInstalment: Bool { get }
  /// The first day after the period.
  var endDay: String { get }
  /// The last day of the data.
  var lastDay: Day { get }
  /// Such as `the data end on 2026-09-30`.
  var endOfData: String { get }
  var factName: String { get }
  /// Why a column counts it.
  var sentence: String { get }
  /// What followed the period.
  var whatFollowed: String { get }
  /// Why no renewal was due.
  var whyNotDue: String { get }
  /// In which other currency the amount is.
  var whyOtherCurrency: String { get }
  /// That the start of the subscription is not known.
  var startUnknown: String { get }
  /// The first charge under a new subscriber id.
  var idReset: String { get }
}

extension LeftOutWords {
  /// Returns the sentence that says why the cell does not count the contribution.
  func sentence(_ rule: LeftOutRule) -> String {
    switch rule {
    case .free: "\(isTrial ? "a free trial" : "a free offer"); only paid periods count"
    case .noTrial: "a free offer, no introductory trial"
    case .running: "it runs until \(endDay); \(endOfData)"
    case .notDue: "no renewal was due: \(whyNotDue)"
    case .other: "\(factName): \(sentence)"
    case .continuing: "it continues a paid period"
    case .otherCurrency: whyOtherCurrency
    case .notAtRisk(let rule): sentence(rule)
    case .shared: "it is shared by family; only the purchase of the customer who paid counts"
    case .upgrade: "the cancellation belongs to a change of product, so it is no refund"
    case .revoked: "the customer lost the access of a family, which is no refund"
    case .otherPeriod: "the subscription counts once, with another of its paid periods"
    }
  }
}

extension Reason: LeftOutWords {
  private var own: ChargeTerms { terms[Int(contribution.terms)] }

  var isTrial: Bool { own.kind == .trial }
  var isInstalment: Bool { contribution.period.map { $0.instalment != .none } ?? false }
  var endDay: String { contribution.period?.end.description ?? "" }
  var lastDay: Day { completeness.asOf }
  var factName: String { contribution.factName }
  var whyOtherCurrency: String { "its proceeds are in \(names.text(own.proceeds.currency))" }
  var startUnknown: String { sentence(of: .firstSeen) }

  var idReset: String {
    let day = contribution.period.map { ", on \($0.start)" } ?? ""
    return
      "its first charge is the first under a new subscriber id\(day): the customer came back after 180 days or more"
  }

  var whyNotDue: String {
    guard let period = contribution.period else { return "" }
    return switch period.ending {
    case .changedProduct: "\(whatChanged) was bought on \(period.end)"
    case .boughtAgainSameDay: "it was bought again on the same day, so it has no length"
    case .refunded: "a full refund ended it on \(period.end)"
    case .fullEnd, .oldBillingDay: WhyNotDue.instalment
    }
  }
}

/// Why no renewal was due, where it is the same for all sources.
enum WhyNotDue {
  static let instalment =
    "it is an instalment before the last of its term, or of an unknown place in it"
}

/// The periods or refunds that belong to the row of a column, counted or not.
enum Considered: Equatable {
  /// Periods that end in the month; of renewals, only those that were due count.
  case ends(ofRenewals: Bool)
  /// The same for changes, but a period that another charge continues belongs to the month of that charge.
  case endsByNextCharge
  /// Charges of the month.
  case charges
  /// The first charge after a start, a gap, a free period or a change, in the month.
  case beginnings
  /// Free periods that begin in the month.
  case trials
  /// Refunds of the month.
  case refunds
  /// Periods that cover a day: the one before the month, or its last.
  case active(atEnd: Bool)
  /// Chains of the row of retention.
  case chains

  /// Finds the periods or refunds that belong to the row of a column; `nil` for a column of commitments.
  ///
  /// - Parameter counted: What the column counts.
  init?(_ counted: Set<Counted>) {
    let renewals: [Fact] = [.dueRenewed, .dueRecovered, .dueLapsed, .duePending]
    switch counted.first {
    case nil, .commitment, .notAtRisk: return nil
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
    }
  }
}
