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
  /// The instalment continues a term.
  case laterInstalment
  /// It is not known which instalment of its term it is.
  case placeUnknown
  /// The receipts are of an environment that does not count.
  case otherEnvironment

  /// The fact that names an instalment that is left out: that of the other column, else its charge.
  var toldInstalment: Counted {
    if case .other(let other) = self { other } else { .charge }
  }
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
  /// Instalments of commitments, by the column.
  case instalments(CommitmentColumn)

  /// Finds the periods or refunds that belong to the row of a column that counts some facts.
  init?(_ counted: Set<Counted>) {
    let renewals: [Fact] = [.dueRenewed, .dueRecovered, .dueLapsed, .duePending]
    switch counted.first {
    case nil, .notAtRisk, .instalment, .recurring, .lifetime, .status, .other, .changedProduct:
      return nil
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
    case .instalments:
      Set([.instalment] + InstalmentOfRow.naming.map(Counted.commitment))
    }
  }
}

/// An instalment of the row, which a column of commitments may leave out.
struct InstalmentOfRow {
  /// The columns in whose words it can be said why another one leaves an instalment out.
  static let naming: [CommitmentColumn] = [.due, .positionUnknown, .running, .termsEnded]

  /// Whether it begins, and ends, in the month of the row.
  let begins: Bool
  let ends: Bool
  /// Whether it has ended by the end of the data.
  let isOver: Bool
  /// Its number in the term, from 1; `nil` if it is not known.
  let number: Int?
  let outcome: InstalmentOutcome?
  /// The columns that count it.
  let columns: Set<CommitmentColumn>

  /// Returns why a column leaves it out; `nil` if the column counts it, or it does not belong to the column's month.
  func rule(_ column: CommitmentColumn) -> LeftOutRule? {
    guard !columns.contains(column) else { return nil }
    switch column {
    case .due, .paid, .recovered, .defaulted, .pending:
      guard ends else { return nil }
      if columns.contains(.due) { return .other(.commitment(.due)) }
      if !isOver { return .running }
      return switch outcome {
      case .complete, .refunded, .changed: .other(.commitment(.termsEnded))
      default: .placeUnknown
      }
    case .termsStarted:
      guard begins else { return nil }
      return number == nil ? .placeUnknown : .laterInstalment
    case .running, .termsRenewed: return named([.termsEnded])
    case .suspended, .positionUnknown, .termsEnded: return named([.running])
    case .remaining: return named([.positionUnknown, .running, .termsEnded])
    }
  }

  private func named(_ others: [CommitmentColumn]) -> LeftOutRule? {
    others.first(where: columns.contains).map { .other(.commitment($0)) }
  }
}
