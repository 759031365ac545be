/// One commitment of twelve monthly instalments: its charges, and how it ended.
struct CommitmentHistory {
  /// One paid instalment.
  struct Instalment {
    let day: Int
    /// The day after its period.
    let end: Int
    let proceeds: Int
    /// The last day on which the next instalment is in time.
    let latest: Int
  }

  /// How a term ended; the raw value is the word in `truth/terms.csv`.
  enum Ending: String {
    /// The term runs past the last day.
    case running
    /// All twelve instalments were paid, and the last one's period is over.
    case complete
    /// An instalment was not paid within 90 days.
    case defaulted
    case refunded
    /// Another product was bought before the twelfth instalment.
    case changed
  }

  /// What followed a complete term within two days; the raw value is the word in `truth/terms.csv`.
  enum Renewal: String {
    case commitment, upfront, product
  }

  /// The number of instalments in a term.
  static let length = 12

  let subscriberID: Int
  /// The terms of the first instalment.
  let terms: ChargeTerms
  /// The price and proceeds of an instalment.
  let amounts: Amounts
  var instalments: [Instalment] = []
  private(set) var ending = Ending.running
  private(set) var endDay = Int.max
  var renewal: Renewal?

  /// Whether all twelve instalments were paid.
  var isPaidUp: Bool { instalments.count == Self.length }

  var paidEnd: Int { instalments.last?.end ?? 0 }

  /// The number of instalments that were paid more than two days late.
  var recovered: Int {
    zip(instalments, instalments.dropFirst()).count { $1.day > $0.latest }
  }

  /// Returns the number of instalments that failed on the day they were due, seen from the last day.
  func missed(until lastDay: Int) -> Int {
    recovered + (isSuspended(until: lastDay) || ending == .defaulted ? 1 : 0)
  }

  /// Returns whether the term runs without its due instalment on the last day.
  ///
  /// `tolerance` is the number of days that a charge may be late and still continue a period.
  func isSuspended(until lastDay: Int, tolerance: Int = 2) -> Bool {
    ending == .running && !isPaidUp && lastDay - paidEnd > tolerance
  }

  /// Returns how the term was renewed, given the terms of the next charge.
  func renewal(by next: ChargeTerms) -> Renewal {
    next.product != terms.product ? .product : next.instalment > 0 ? .commitment : .upfront
  }

  mutating func end(_ ending: Ending, on day: Int) {
    self.ending = ending
    endDay = day
  }
}

/// Commitments built from a customer's transactions, where a period ends when the next one begins.
extension CommitmentHistory {
  static func commitments(
    of history: CustomerHistory, timeline: Timeline, prices: PriceBook
  ) -> [CommitmentHistory] {
    var commitments: [CommitmentHistory] = []
    for (place, purchase) in history.purchases.enumerated() where purchase.terms.instalment > 0 {
      if purchase.terms.instalment == 1 {
        commitments.append(
          CommitmentHistory(
            subscriberID: history.customer, terms: purchase.terms,
            amounts: prices.amounts(purchase.terms)))
      }
      guard var commitment = commitments.popLast() else { continue }
      commitment.instalments.append(
        Instalment(
          day: timeline.day(of: purchase.purchased), end: timeline.day(of: purchase.expires),
          proceeds: 0, latest: timeline.day(of: purchase.expires) + Membership.toleranceDays))
      let next = history.purchases.dropFirst(place + 1).first
      if next.map({ $0.terms.instalment <= 1 }) ?? true {
        commitment.end(with: purchase, next: next, timeline)
      }
      commitments.append(commitment)
    }
    return commitments
  }

  /// Ends the term after its last instalment, unless it still runs on the last day of the world.
  private mutating func end(with last: Purchase, next: Purchase?, _ timeline: Timeline) {
    let end = timeline.day(of: last.end)
    let isContinued = last.isContinued(by: next)
    if let refunded = last.refunded, refunded < last.expires {
      self.end(.refunded, on: end)
    } else if isPaidUp {
      guard end <= timeline.lastDay else { return }
      self.end(.complete, on: end)
      guard let next, isContinued else { return }
      renewal = renewal(by: next.terms)
    } else if let next, isContinued {
      self.end(.changed, on: timeline.day(of: next.purchased))
    } else if end + Commitments.retryDays <= timeline.lastDay {
      self.end(.defaulted, on: end + Commitments.retryDays)
    }
  }
}
