/// One commitment of twelve monthly instalments: what was charged, and how it ended.
struct CommitmentRecord {
  /// One instalment that was paid.
  struct Instalment {
    let day: Int
    /// The day on which its period is over.
    let end: Int
    let proceeds: Int
  }

  /// How a term ended; the raw value is the word in `truth/terms.csv`.
  enum Ending: String {
    /// It has not ended on the last day.
    case running
    /// The last instalment's period is over.
    case complete
    /// An instalment was not paid for 90 days.
    case defaulted
    /// The current instalment was given back.
    case refunded
    /// Another product was bought in the middle of it.
    case changed
  }

  /// What continued a complete term within two days; the raw value is the word in `truth/terms.csv`.
  enum Renewal: String {
    case commitment, upfront, product
  }

  /// How many instalments a term has.
  static let length = 12

  let subscriberID: Int
  /// The terms of the first instalment.
  let terms: ChargeTerms
  /// What each instalment costs.
  let amounts: Amounts
  var instalments: [Instalment] = []
  private(set) var ending = Ending.running
  /// The day on which the term ended.
  private(set) var endDay = Int.max
  var renewal: Renewal?

  /// Whether the last of the twelve instalments was paid.
  var isPaidUp: Bool { instalments.count == Self.length }

  /// The end of the last instalment that was paid.
  var paidEnd: Int { instalments.last?.end ?? 0 }

  /// How many instalments came more than two days late.
  var recovered: Int {
    zip(instalments, instalments.dropFirst()).count { $1.day - $0.end > 2 }
  }

  /// How many instalments failed on the day they were due, as far as the last day shows.
  func missed(until lastDay: Int) -> Int {
    recovered + (isSuspended(until: lastDay) || ending == .defaulted ? 1 : 0)
  }

  /// Whether an instalment is missing when the world ends.
  ///
  /// - Parameters:
  ///   - lastDay: The last day.
  ///   - tolerance: How many days late a charge may be that still continues a period.
  /// - Returns: Whether its term goes on without it.
  func isSuspended(until lastDay: Int, tolerance: Int = 2) -> Bool {
    ending == .running && !isPaidUp && lastDay - paidEnd > tolerance
  }

  /// Returns what continued the term, by the terms of the charge that did.
  func renewal(by next: ChargeTerms) -> Renewal {
    next.product != terms.product ? .product : next.instalment > 0 ? .commitment : .upfront
  }

  /// Ends the term.
  mutating func end(_ ending: Ending, on day: Int) {
    self.ending = ending
    endDay = day
  }
}
