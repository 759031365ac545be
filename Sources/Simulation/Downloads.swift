/// Downloads and purchases other than subscriptions, day by day from the first day of the window.
///
/// The same seed gives every report the same numbers.
struct Downloads {
  /// Free downloads of an app in a store.
  typealias FreeApp = (storefront: Storefront, app: App, units: Int)

  /// A purchase in the US store other than a subscription.
  enum Edition {
    static let appleID = 1_460_000_901
    static let sku = Catalog.apps[0].sku + ".special"
    static let title = "Special edition"
    /// In hundredths of US dollars.
    static let amounts = Amounts(price: 299, proceeds: 209, currency: 0)
  }

  private var random: SeededRandom

  init(seed: UInt64) {
    random = SeededRandom(seed: seed, stream: 12)
  }

  /// Returns the next day's free downloads and the number of editions bought.
  mutating func nextDay() -> (apps: [FreeApp], editions: Int) {
    var apps: [FreeApp] = []
    for storefront in Catalog.storefronts {
      let units = random.below(storefront.weight + 1)
      guard units > 0 else { continue }
      let app = random.element(of: Catalog.apps)
      apps.append((storefront, app, units))
    }
    return (apps, random.chance(300) ? 1 + random.below(3) : 0)
  }
}
