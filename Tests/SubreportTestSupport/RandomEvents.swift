package import SubscriptionModel

/// One row of a SUBSCRIPTION_EVENT report, in the words of a test.
package struct EventRow: Sendable {
  /// The Event Date.
  package var day: Day
  /// What the event means.
  package var eventClass: EventClass
  /// Whether the name is a `Downgrade`.
  package var isDowngrade = false
  /// Whether the name is exactly `Renew`.
  package var isPlainRenewal = false
  /// Whether the event came out of billing retry or a grace period.
  package var isFromRetryOrGrace = false
  /// Why a lapse happened.
  package var reason = LapseReason.unknown
  /// The product's Apple ID.
  package var product: String
  /// The Apple ID of the product before a change; empty when the row names none.
  package var previousProduct = ""
  /// The storefront.
  package var country: String
  /// The Original Start Date.
  package var originalStart: Day?
  /// Consecutive Paid Periods.
  package var paidPeriods: Int
  /// How many events the row stands for.
  package var quantity: Int
}

/// One row of a SUBSCRIPTION report: a snapshot.
package struct SnapshotRow: Sendable {
  /// The snapshot's day.
  package var day: Day
  /// The product's Apple ID.
  package var product: String
  /// The storefront.
  package var country: String
  /// How many paid subscriptions are active.
  package var active: Int
}

/// A small random world of events and snapshots.
package struct RandomEvents: Sendable {
  /// The report date of the first file of events.
  package let firstFileDay: Day
  /// The day up to which the events are complete.
  package let asOf: Day
  /// The days without a file: none, one, or a whole month.
  package let missingDays: Set<Day>
  /// The events.
  package private(set) var rows: [EventRow] = []
  /// The days of which a snapshot was read.
  package private(set) var snapshotDays: [Day] = []
  /// The rows of the snapshots.
  package private(set) var snapshots: [SnapshotRow] = []

  /// Creates a world; the same seed makes the same world.
  package init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    firstFileDay = day("2024-02-01") + Int.random(in: -15...15, using: &random)
    asOf = firstFileDay + Int.random(in: 60...200, using: &random)
    let missing = firstFileDay + Int.random(in: 1...59, using: &random)
    let kept = [firstFileDay, asOf]
    switch Int.random(in: 0..<4, using: &random) {
    case 0: missingDays = [missing]
    case 1:
      let month = (0..<missing.month.dayCount).map { missing.month.firstDay + $0 }
      let (first, last) = (firstFileDay, asOf)
      missingDays = Set(month).subtracting(kept).filter { first < $0 && $0 < last }
    default: missingDays = []
    }
    for _ in 0..<Int.random(in: 20...120, using: &random) {
      rows.append(row(using: &random))
    }
    for number in -3...8 where Int.random(in: 0..<4, using: &random) > 0 {
      let month = day("2024-02-01").month + number
      let isLastDay = Int.random(in: 0..<4, using: &random) > 0
      addSnapshot(of: isLastDay ? month.lastDay : month.lastDay - 1, using: &random)
    }
  }

  private static let products = ["monthly", "yearly", "weekly"]
  private static let countries = ["US", "DE"]

  private func row(using random: inout SeededGenerator) -> EventRow {
    let days = asOf - firstFileDay
    let day = firstFileDay + Int.random(in: -3...days + 20, using: &random)
    let classes = EventClass.allCases + [.renewal, .renewal, .lapse, .lapse, .change]
    var row = EventRow(
      day: day, eventClass: classes.randomElement(using: &random) ?? .renewal,
      product: Self.products.randomElement(using: &random) ?? "",
      country: Self.countries.randomElement(using: &random) ?? "",
      originalStart: Bool.random(using: &random)
        ? day - Int.random(in: 0...200, using: &random) : nil,
      paidPeriods: Int.random(in: 0...4, using: &random),
      quantity: Int.random(in: 1...9, using: &random))
    switch row.eventClass {
    case .renewal: row.isPlainRenewal = Bool.random(using: &random)
    case .lapse, .retry, .grace: row.isFromRetryOrGrace = Bool.random(using: &random)
    case .change, .conversion:
      row.isDowngrade = Bool.random(using: &random)
      row.previousProduct = (Self.products + [""]).randomElement(using: &random) ?? ""
    default: break
    }
    if row.eventClass == .lapse {
      let reasons: [LapseReason] = [.voluntary, .billing, .price, .removed, .other, .unknown]
      row.reason = reasons.randomElement(using: &random) ?? .unknown
    }
    return row
  }

  private mutating func addSnapshot(of day: Day, using random: inout SeededGenerator) {
    snapshotDays.append(day)
    for product in Self.products {
      for country in Self.countries where Int.random(in: 0..<3, using: &random) > 0 {
        snapshots.append(
          SnapshotRow(
            day: day, product: product, country: country,
            active: Int.random(in: 0...60, using: &random)))
      }
    }
  }
}
