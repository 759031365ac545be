import Counting
import Rendering
import SubscriptionModel

/// Instalments and terms that `commitments` counts, in words.
extension Reason {
  /// Returns the sentence that says why a column of commitments counts an instalment.
  func sentence(of column: CommitmentColumn) -> String {
    guard let period = contribution.period else { return "" }
    return switch column {
    case .running: running(period)
    case .suspended:
      "\(instalment(period)) ended on \(period.end), and the next was not paid by \(day(of: period)); Apple retries for \(period.retryDays) days"
    case .positionUnknown:
      "the position of the instalment of \(period.start) in its term is unknown: the term may have begun before the data, which begin on \(completeness.firstDay)"
    case .due, .paid, .recovered, .defaulted, .pending:
      "the next instalment was due on \(period.end), at the end of \(instalment(period)): \(payment(period))"
    case .termsStarted: "the first instalment of a term, charged on \(period.start)"
    case .termsEnded: end(period)
    case .termsRenewed:
      "the term was paid to its end on \(period.end) and continued by the charge of \(next(period))"
    case .remaining:
      "\(counted(contribution.count, "instalment")) of the term to come after \(instalment(period)), charged on \(period.start)"
    }
  }

  /// Such as `instalment 4 of 12`.
  func instalment(_ period: Period) -> String {
    guard let position = period.instalment.position, let number = position.number else {
      return "an instalment"
    }
    return "instalment \(number) of \(position.total)"
  }

  /// The day of a stock: the last of the month, or of the data, if that is earlier; the start of the period, if that is
  /// later.
  private func day(of period: Period) -> Day {
    max(period.start, min(completeness.monthSystem.lastDay(of: month), completeness.asOf))
  }

  private func next(_ period: Period) -> String { period.nextStart?.description ?? "" }

  private func running(_ period: Period) -> String {
    let day = day(of: period)
    let paid = "\(instalment(period)), paid from \(period.start) to \(period.end)"
    if day < period.end { return "the term runs on \(day): \(paid)" }
    let then = period.nextStart.map { $0 > day ? "; the next charge came on \($0)" : "" }
    return "the term has not ended on \(day): \(paid)\(then ?? "; no charge followed so far")"
  }

  /// Returns what became of the instalment that was due at the end of a period.
  private func payment(_ period: Period) -> String {
    switch contribution.outcome {
    case .paid:
      let days = max(period.gapDays ?? 0, ChainBuilder.toleranceDays)
      return
        "paid on \(next(period))\(period.nextStart == period.end ? "" : ", within \(days) days")"
    case .recovered: return "paid on \(next(period)), within \(period.retryDays) days"
    case .pending: return "no charge so far; \(endOfData)"
    default: return notPaid(period)
    }
  }

  /// Returns why an instalment counts as not paid: no charge came in time, or the one that came is of something else.
  private func notPaid(_ period: Period) -> String {
    let days = period.retryDays
    guard let next = period.nextStart else {
      return "no charge within \(days) days; \(endOfData)"
    }
    if next - period.end > days {
      return "the next charge came on \(next), more than \(days) days later"
    }
    return "the next charge, of \(next), does not continue the term"
  }

  private func end(_ period: Period) -> String {
    switch contribution.outcome {
    case .complete: "the term was paid to its end on \(period.end)"
    case .refunded: "a full refund ended \(instalment(period)) and the term on \(period.end)"
    case .changed where period.ending == .transferred: "on \(period.end) \(Period.movedAway)"
    case .changed: "\(change) on \(next(period)), after \(instalment(period))"
    default:
      "the term ended \(period.retryDays) days after \(instalment(period)), which ended on \(period.end): \(notPaid(period))"
    }
  }

  /// The purchase in place of the next instalment, such as `another product was bought`.
  private var change: String {
    guard let next = contribution.nextTerms else { return "something else was bought" }
    let (own, other) = (terms[Int(contribution.terms)], terms[Int(next)])
    if own.attributes.product != other.attributes.product { return "another product was bought" }
    return own.plan == other.plan ? "a new term began" : "another billing plan was bought"
  }
}

extension CommitmentColumn {
  /// Returns the name of what the column counts.
  ///
  /// - Parameter outcome: What followed the instalment.
  /// - Returns: The name.
  func factName(_ outcome: InstalmentOutcome?) -> String {
    switch self {
    case .running, .positionUnknown, .remaining: "term running"
    case .suspended: "term suspended"
    case .due, .paid, .recovered, .defaulted, .pending: "instalment \(outcome?.name ?? "")"
    case .termsStarted: "term start"
    case .termsEnded: "term \(outcome?.name ?? "")"
    case .termsRenewed: "term renewed"
    }
  }
}

extension Contribution {
  /// The rows that a column of commitments rests on.
  func evidence(of column: CommitmentColumn) -> [UInt64] {
    switch column {
    case .running: isPaidLate ? [rows.own, rows.next] : [rows.own]
    case .positionUnknown, .remaining, .termsStarted: [rows.own]
    // What followed the instalment, or that nothing did.
    case .suspended, .due, .paid, .recovered, .defaulted, .pending, .termsRenewed:
      [rows.own, rows.next]
    case .termsEnded:
      outcome == .complete ? [rows.own] : [rows.own, rows.refund, rows.next]
    }
  }

  /// Whether the next instalment came after the period's end, so that the term ran on in between.
  private var isPaidLate: Bool {
    guard outcome == .paid || outcome == .recovered, let period else { return false }
    return period.nextStart.map { $0 > period.end } ?? false
  }
}

extension InstalmentOutcome {
  fileprivate var name: String {
    switch self {
    case .running: "running"
    case .paid: "paid"
    case .recovered: "recovered"
    case .complete: "complete"
    case .refunded: "refunded"
    case .changed: "changed"
    case .pending: "pending"
    case .defaulted: "defaulted"
    }
  }
}
