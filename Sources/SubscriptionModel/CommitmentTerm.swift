package import Storage

/// The instalments of one commitment in a chain, and how the term ended: METRICS.md 10.3.
///
/// `Time` is ``Day`` in reports, ``Instant`` in receipts.
package struct CommitmentTerm<Time: Equatable & Sendable>: Equatable, Sendable {
  /// How a term ended, or may end.
  package enum Ending: Equatable, Sendable {
    /// The last instalment was paid; the term ends with that period.
    case complete
    /// A refund ended the current instalment and the term; in reports, only a full refund does.
    case refunded
    /// The customer changed product, plan or price on this day, or the app moved to another account.
    ///
    /// A change was charged at most 2 days after the end of an instalment before the last.
    case changed(Time)
    /// An instalment before the last was not continued: the term is suspended for 90 days, then
    /// defaulted.
    ///
    /// Known because of a later charge: of another product, plan or price, or more than 90 days
    /// later.
    case lost
    /// No charge has followed yet, after an instalment before the last.
    case open
  }

  /// The indices of the instalments in the history's periods.
  package var instalments: [Int]
  /// How the term ended, or may end.
  package var ending: Ending
}

extension CommitmentTerm<Day> {
  /// Finds the terms of a chain.
  ///
  /// - Parameters:
  ///   - chain: The chain.
  ///   - periods: The periods of the history.
  /// - Returns: Its terms in order.
  package static func terms(of chain: Chain, _ periods: ReusableArray<Period>) -> [CommitmentTerm] {
    var terms: [CommitmentTerm] = []
    for index in chain.periods where periods[index].belongsToTerm {
      if periods[index].instalment.beginsTerm || terms.isEmpty {
        terms.append(CommitmentTerm(instalments: [], ending: .open))
      }
      terms[terms.count - 1].instalments.append(index)
    }
    for index in terms.indices {
      guard let last = terms[index].instalments.last else { continue }
      terms[index].ending = ending(of: periods[last])
    }
    return terms
  }

  private static func ending(of last: Period) -> Ending {
    if last.ending == .refunded { return .refunded }
    if last.ending == .transferred { return .changed(last.end) }
    if last.instalment.position?.isLast == true { return .complete }
    guard let next = last.nextStart else { return .open }
    return last.fate == .continued ? .changed(next) : .lost
  }
}

extension Period {
  /// Whether the period is an instalment with a length; one bought again on the same day belongs to
  /// no term.
  package var belongsToTerm: Bool { instalment != .none && ending != .boughtAgainSameDay }
}
