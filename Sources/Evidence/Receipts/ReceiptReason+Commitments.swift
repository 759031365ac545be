import Counting
import Rendering
import SubscriptionModel

/// Instalments and terms of receipts that `commitments` counts, in words.
extension ReceiptReason {
  /// Returns the sentence that says why a column of commitments counts an instalment.
  func sentence(of column: CommitmentColumn) -> String {
    switch column {
    case .running: running
    case .suspended: suspended
    case .positionUnknown:
      "the place of the term's first instalment in the receipts is unknown: the term may have begun before them; the newest instalment is of \(period.start.day)"
    case .due, .paid, .recovered, .defaulted, .pending:
      "the next instalment was due on \(period.end.day), at the end of \(instalmentName): \(payment)"
    case .termsStarted: "the first instalment of a term, charged on \(period.start.day)"
    case .termsEnded: end
    case .termsRenewed: "the term was paid to its end on \(period.end.day) and \(continuation)"
    case .remaining:
      "\(counted(contribution.found.count, "instalment")) of the term to come after \(instalmentName), charged on \(period.start.day)"
    }
  }

  /// Such as `instalment 4 of 12`.
  var instalmentName: String {
    guard let position = period.position, let number = position.number else {
      return "an instalment"
    }
    return "instalment \(number) of \(position.total)"
  }

  /// The day of a stock: the last of the month, or of the data, if that is earlier.
  private var dayOfStock: Day {
    max(period.start.day, min(months.lastDay(of: month), lastDayOfData))
  }

  private var running: String {
    let (day, end) = (dayOfStock, period.end.day)
    let paid = "\(instalmentName), paid from \(period.start.day) to \(end)"
    if day < end { return "the term runs on \(day): \(paid)" }
    let then = next.map { $0.start.day > day ? "; the next charge came on \($0.start.day)" : "" }
    return
      "the term has not ended on \(day): \(paid)\(then ?? "; no charge followed so far; \(endOfData)")"
  }

  private var suspended: String {
    let isSeen = next != nil || contribution.asOf.day >= dayOfStock
    let notPaid =
      isSeen ? "the next was not paid by \(dayOfStock)" : "no payment of the next is known"
    return
      "\(instalmentName) ended on \(period.end.day), and \(notPaid); Apple retries for \(period.retryDays) days\(isSeen ? "" : "; \(endOfData)")"
  }

  /// What became of the instalment that was due at the end of the period.
  private var payment: String {
    switch contribution.found.outcome {
    case .paid:
      guard let next else { return "paid" }
      let paid = "paid on \(next.start.day)"
      if next.start < period.end { return "paid already on \(next.start.day)" }
      return next.start == period.end ? paid : "\(paid), at most \(tolerance) later"
    case .recovered:
      return "paid on \(next.map { "\($0.start.day), " } ?? "")within \(period.retryDays) days"
    case .pending: return "no charge so far; \(endOfData)"
    default: return notPaid
    }
  }

  /// Why the instalment counts as not paid: no charge came in time, or the one that came is of something else.
  private var notPaid: String {
    let days = period.retryDays
    guard let next else { return "no charge within \(days) days; \(endOfData)" }
    if next.start.day - period.end.day > days {
      return "the next charge came on \(next.start.day), more than \(days) days later"
    }
    return "the next charge, of \(next.start.day), does not continue the term"
  }

  private var end: String {
    let end = period.end.day
    switch contribution.found.outcome {
    case .complete: return "the term was paid to its end on \(end)"
    case .refunded:
      let what = period.refund == .full ? "a full refund" : "a refund of a part of the price"
      return "\(what) ended \(instalmentName) and the term on \(end)"
    case .changed:
      return "\(change) on \(next.map { $0.start.day } ?? end), after \(instalmentName)"
    default:
      return
        "the term ended \(period.retryDays) days after \(instalmentName), which ended on \(end): \(notPaid)"
    }
  }

  /// The charge in place of the next instalment.
  private var change: String {
    guard let next, next.product == period.product else { return "another product was bought" }
    return next.plan == period.plan ? "a new term began" : "another billing plan was bought"
  }

  private var continuation: String {
    guard let next else {
      return period.isUpgraded ? "replaced by another product" : "continued by another period"
    }
    return "continued by the charge of \(next.start.day)"
  }
}
