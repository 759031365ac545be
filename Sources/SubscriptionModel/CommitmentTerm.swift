/// The instalments of one commitment in a chain, and how it ended: METRICS.md 10.3.
///
/// Reports know days, receipts instants.
public struct CommitmentTerm<Time: Equatable & Sendable>: Equatable, Sendable {
  /// How a term ended, or may end.
  public enum Ending: Equatable, Sendable {
    /// Its last instalment was paid; the term ends when that one does.
    case complete
    /// The current instalment was given back in full, on the day its period ends.
    case refunded
    /// Another product, another plan or another price was charged within 2 days of an instalment before the last, on
    /// this day.
    case changed(Time)
    /// Nothing continued an instalment before the last, and something else was charged later, or an instalment more than
    /// 90 days later: it is suspended for 90 days, and defaulted then.
    case lost
    /// Nothing followed an instalment before the last so far.
    case open
  }

  /// The periods of its instalments, as indices into the history's.
  public var instalments: [Int]
  /// How it ended.
  public var ending: Ending

  /// Creates a term.
  ///
  /// - Parameters:
  ///   - instalments: The periods of its instalments.
  ///   - ending: How it ended.
  public init(instalments: [Int], ending: Ending) {
    self.instalments = instalments
    self.ending = ending
  }
}

extension CommitmentTerm<Day> {
  /// Finds the terms of a chain.
  ///
  /// - Parameters:
  ///   - chain: The chain.
  ///   - periods: The periods of the history.
  /// - Returns: Its terms in order.
  public static func terms(of chain: Chain, _ periods: Refillable<Period>) -> [CommitmentTerm<Day>]
  {
    var terms: [CommitmentTerm<Day>] = []
    for index in chain.periods where periods[index].hasPlaceInTerm {
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
    if last.instalment.position?.isLast == true { return .complete }
    guard let next = last.nextStart else { return .open }
    return next - last.end <= ChainBuilder.toleranceDays ? .changed(next) : .lost
  }
}

extension Period {
  /// Whether it is an instalment's and has a length: one that was bought again on the same day has no place in a term.
  public var hasPlaceInTerm: Bool { instalment != .none && ending != .boughtAgainSameDay }
}
