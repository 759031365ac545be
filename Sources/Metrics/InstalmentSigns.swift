public import SubscriptionModel

/// A product of one year that is also paid in monthly instalments.
public struct InstalmentProduct: Equatable, Sendable {
  /// The product.
  public let product: Symbol
  /// How many subscriptions were charged for it twice, about a month apart.
  public let subscriptions: Int
  /// The first day that an instalment may have been charged on.
  public let firstDay: Day
}

/// Finds products of one year that are paid in monthly instalments: subscriptions that were charged for one of them
/// twice, 25 to 35 days apart.
///
/// An instalment has the id and the duration of the product, so a tally takes it for a whole year. Until instalments
/// are supported, rows that may hold one are `partial`.
struct InstalmentSigns: Sendable {
  /// Days between two instalments that follow each other.
  static let days = 25...35
  /// Subscriptions that show that a product is paid in instalments: one or two may be a slip of Apple's.
  static let fewestSubscriptions = 3
  /// Days that a period of receipts has when it is a year; months have fewer.
  static let fewestDaysOfYear = 360
  /// The day on which Apple announced instalments, and sold the first.
  static let firstSale = Month(year: 2026, month: 4).firstDay + 26

  /// By product the subscriptions that were charged twice, by the day of the first of the two charges.
  private var pairs: [Symbol: DayCounts] = [:]
  /// By product the charges that bought a year; of receipts only, because reports say the duration.
  private var years: [Symbol: Int] = [:]

  /// Adds a subscription that was charged twice, about a month apart.
  mutating func addPair(_ product: Symbol, on day: Day) {
    pairs[product, default: DayCounts()].add(on: day)
  }

  /// Adds a charge of receipts that bought a year.
  mutating func addYear(_ product: Symbol) { years[product, default: 0] += 1 }

  /// Adds what another part has, or takes it back.
  mutating func merge(_ other: InstalmentSigns, _ sign: MergeSign) {
    for (product, days) in other.pairs { pairs[product, default: DayCounts()].merge(days, sign) }
    for (product, count) in other.years { years[product, default: 0] += sign.factor * count }
  }

  /// Returns the products that are paid in instalments, in no order.
  func products(in source: Source) -> [InstalmentProduct] {
    pairs.compactMap { product, days in
      var subscriptions = 0
      days.forEach { subscriptions += $1 }
      guard let first = days.first, subscriptions >= Self.fewestSubscriptions,
        source != .receipts || (years[product] ?? 0) > 0
      else { return nil }
      return InstalmentProduct(
        product: product, subscriptions: subscriptions, firstDay: min(first, Self.firstSale))
    }
  }

  /// Codes the signs of reports; those of receipts are never kept.
  mutating func code<Coder: ValueCoder>(with coder: inout Coder) {
    var entries = pairs.filter { $0.value.first != nil }.map { (product: $0.key, days: $0.value) }
    coder.list(&entries, blank: (.blank, DayCounts())) { entry, coder in
      coder.symbol(&entry.product)
      entry.days.code(with: &coder)
    }
    guard coder.isReading else { return }
    pairs = Dictionary(entries.map { ($0.product, $0.days) }) { $1 }
  }
}

/// Which products the cohorts of a view have charges of, as far as they may be paid in instalments.
struct CohortProducts: Sendable {
  /// How a cohort has a product.
  struct Counts: Equatable, Sendable {
    var product: Symbol
    /// Stretches of charges that are the cohort's own.
    var stretches = 0
    /// The same of chains that began in the cohort: retention follows them there.
    var followed = 0
  }

  /// Few in each cohort, so they are searched through.
  private var counts: [[Counts]] = []

  /// Adds stretches of charges, or takes them back.
  mutating func add(
    _ product: Symbol, cohort: Int, stretches: Int = 0, followed: Int = 0, _ sign: MergeSign = .plus
  ) {
    if cohort >= counts.count {
      counts.append(contentsOf: repeatElement([], count: cohort + 1 - counts.count))
    }
    let place = counts[cohort].firstIndex { $0.product == product } ?? counts[cohort].count
    if place == counts[cohort].count { counts[cohort].append(Counts(product: product)) }
    counts[cohort][place].stretches += sign.factor * stretches
    counts[cohort][place].followed += sign.factor * followed
  }

  /// Adds what another part has, or takes it back.
  ///
  /// - Parameters:
  ///   - other: The other part.
  ///   - cohorts: For each of its cohorts the index here.
  ///   - sign: Whether it is added.
  mutating func merge(_ other: CohortProducts, cohorts: [Int], _ sign: MergeSign) {
    for (cohort, products) in other.counts.enumerated() {
      for own in products {
        add(
          own.product, cohort: cohorts[cohort], stretches: own.stretches, followed: own.followed,
          sign)
      }
    }
  }

  /// Returns how a cohort has a product; `nil` when it has no charge of it.
  func counts(_ product: Symbol, cohort: Int) -> Counts? {
    guard cohort < counts.count else { return nil }
    return counts[cohort].first { $0.product == product }
  }

  /// Whether any cohort has a charge of a product.
  func contains(_ product: Symbol) -> Bool {
    counts.contains { $0.contains { $0.product == product && $0.stretches > 0 } }
  }

  mutating func code<Coder: ValueCoder>(cohorts: Int, with coder: inout Coder) {
    coder.list(&counts, blank: []) { products, coder in
      coder.list(&products, blank: Counts(product: .blank)) { own, coder in
        coder.symbol(&own.product)
        coder.integer(&own.stretches)
        coder.integer(&own.followed)
      }
    }
    if counts.count > cohorts { coder.fail() }
  }
}

extension Tally {
  /// The products that are paid in instalments, in no order.
  var instalmentProducts: [InstalmentProduct] { instalments.products(in: source) }

  /// Whether filters admit any charge of a product.
  ///
  /// - Parameter product: The product.
  /// - Returns: Whether a view has one; also without a view.
  public func admits(_ product: Symbol) -> Bool {
    suppliedViews.isEmpty || suppliedViews.contains { views[$0].products.contains(product) }
  }
}
