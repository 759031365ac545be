/// The commitments of a world: yearly products paid in twelve monthly instalments.
struct Commitments {
  /// A running term.
  private struct Running {
    var commitment: CommitmentHistory
    /// The day of the month on which instalments paid in time end.
    var runDay: UInt8
    /// Whether the customer has turned off the renewal of the term.
    var endsWithTerm = false
  }

  /// The number of days for which the store retries to collect an instalment.
  static let retryDays = 90
  /// The indexes of the storefronts that do not sell instalments.
  private static let excluded = Set(
    Catalog.storefronts.indices.filter { ["US", "SG"].contains(Catalog.storefronts[$0].code) })

  /// The generator for everything about instalments.
  var random: SeededRandom
  private let share: Share
  private let timeline: Timeline
  /// The first day on which instalments were sold.
  private let firstDay: Int
  private var running: [Int: Running] = [:]
  private var ended: [CommitmentHistory] = []

  /// Creates the commitments of a world; nil for a world without commitments.
  init?(options: WorldOptions, timeline: Timeline) {
    guard options.plans.commitments != .none else { return nil }
    share = options.plans.commitments
    self.timeline = timeline
    random = SeededRandom(seed: options.seed, stream: 41)
    firstDay = CalendarDay.number(year: 2026, month: 4, day: 27) - timeline.base
  }

  /// Draws whether a member that starts to pay for a product pays in instalments.
  mutating func isChosen(for product: Int, storefront: UInt8, on day: Int) -> Bool {
    guard Catalog.products[product].term.months == 12, day >= firstDay,
      !Self.excluded.contains(Int(storefront))
    else { return false }
    return share.happens(&random)
  }

  /// Adds a charge, which begins, continues or ends a term.
  ///
  /// - Parameters:
  ///   - member: The number of the member.
  ///   - membership: The member after the charge.
  ///   - amounts: The amounts of the charge.
  ///   - subscriberID: The member's number in reports.
  mutating func add(
    _ member: Int, _ membership: Membership, _ amounts: Amounts, subscriberID: Int
  ) {
    let (terms, day) = (membership.terms, Int(membership.start))
    if terms.instalment <= 1, var term = running.removeValue(forKey: member) {
      term.commitment.endBefore(terms, on: day)
      ended.append(term.commitment)
    }
    guard terms.instalment > 0 else { return }
    var term =
      running[member]
      ?? Running(
        commitment: CommitmentHistory(subscriberID: subscriberID, terms: terms, amounts: amounts),
        runDay: 0)
    term.runDay = membership.runDay
    let end = Int(membership.end)
    term.commitment.instalments.append(
      CommitmentHistory.Instalment(
        day: day, end: end, proceeds: amounts.proceeds,
        latest: end + Membership.toleranceDays
          + (membership.flags.contains(.continuesLate) ? 1 : 0)))
    running[member] = term
  }

  /// Ends a member's term, if there is one; a term with twelve paid instalments is complete.
  mutating func end(_ member: Int, _ ending: CommitmentHistory.Ending, on day: Int) {
    guard var term = running.removeValue(forKey: member) else { return }
    if term.commitment.isPaidUp, ending != .refunded {
      term.commitment.end(.complete, on: term.commitment.paidEnd)
    } else {
      term.commitment.end(ending, on: day)
    }
    ended.append(term.commitment)
  }

  /// Returns the day on which a member's term ends if all remaining instalments are paid in time.
  func scheduledEnd(_ member: Int) -> Int? {
    running[member].map { term in
      let left = CommitmentHistory.length - term.commitment.instalments.count
      return timeline.end(
        ofMonths: left, from: term.commitment.paidEnd, billingDay: term.runDay)
    }
  }

  /// Returns whether the renewal of a member's term is turned off.
  func endsWithTerm(_ member: Int) -> Bool { running[member]?.endsWithTerm ?? false }

  /// Turns off the renewal of a member's term.
  mutating func turnOffRenewal(_ member: Int) { running[member]?.endsWithTerm = true }

  /// All terms as of the last day, sorted by their first day.
  var commitments: [(commitment: CommitmentHistory, scheduledEnd: Int)] {
    var commitments = ended.map { (commitment: $0, scheduledEnd: $0.endDay) }
    for (member, term) in running {
      var commitment = term.commitment
      if commitment.isPaidUp, commitment.paidEnd <= timeline.lastDay {
        commitment.end(.complete, on: commitment.paidEnd)
      }
      commitments.append((commitment: commitment, scheduledEnd: scheduledEnd(member) ?? 0))
    }
    return commitments.sorted { left, right in
      let (first, second) = (
        left.commitment.instalments[0].day, right.commitment.instalments[0].day
      )
      return (first, left.commitment.subscriberID, left.commitment.terms.product)
        < (second, right.commitment.subscriberID, right.commitment.terms.product)
    }
  }
}

extension CommitmentHistory {
  /// Ends the term because of a charge that is not one of its instalments.
  fileprivate mutating func endBefore(_ next: ChargeTerms, on day: Int) {
    guard isPaidUp else {
      end(.changed, on: day)
      return
    }
    if next.product != terms.product, day < paidEnd - 2 {
      end(.complete, on: day)
      renewal = .product
      return
    }
    end(.complete, on: paidEnd)
    if day - paidEnd <= 2 { renewal = renewal(by: next) }
  }
}
