import Storage
import SubscriptionModel

/// The numbers of receipt charges without a billing plan, by product and length of the period.
///
/// A product has one duration. So a product with periods of a month and of a year may be sold in instalments.
/// verifyReceipt records never have a plan.
struct PeriodLengths: Sendable {
  private var months: [Symbol: Int] = [:]
  private var years: [Symbol: Int] = [:]

  private static let daysOfMonth = 25...35
  private static let minimumDaysOfYear = 360
  /// The smallest number of monthly charges that counts: one or two may be errors of Apple's.
  private static let minimumMonths = 3

  /// Adds a charge.
  mutating func add(_ period: ReceiptPeriod) {
    let event = period.event
    guard period.plan == .upfront, !event.flags.contains(.hasBillingPlan), event.isPaid,
      event.kind == .standard, period.refund == nil, !period.isUpgraded,
      let expires = event.expires
    else { return }
    let days = (expires - event.purchase) / 86_400
    if days >= Self.minimumDaysOfYear {
      years[event.product, default: 0] += 1
    } else if Self.daysOfMonth.contains(days), event.purchase.day >= BillingPlan.firstSale {
      months[event.product, default: 0] += 1
    }
  }

  mutating func merge(_ other: PeriodLengths) {
    months.merge(other.months, uniquingKeysWith: +)
    years.merge(other.years, uniquingKeysWith: +)
  }

  /// Writes the counts, or reads them into empty ones.
  mutating func code(with coder: inout some ValueCoder) {
    coder.dictionary(&months, blank: (.blank, 0)) { product, count, coder in
      coder.symbol(&product)
      coder.count(&count)
    }
    coder.dictionary(&years, blank: (.blank, 0)) { product, count, coder in
      coder.symbol(&product)
      coder.count(&count)
    }
  }

  /// The products that may be sold in instalments.
  var doubtful: Set<Symbol> {
    Set(months.filter { $0.value >= Self.minimumMonths && years[$0.key] != nil }.keys)
  }
}
