/// The rows of the Sales reports: the same transactions, aggregated by all columns but Units.
struct SalesReport {
  static let columns = [
    "Provider", "Provider Country", "SKU", "Developer", "Title", "Version",
    "Product Type Identifier", "Units", "Developer Proceeds", "Begin Date", "End Date",
    "Customer Currency", "Country Code", "Currency of Proceeds", "Apple Identifier",
    "Customer Price", "Promo Code", "Parent Identifier", "Subscription", "Period", "Category",
    "CMB", "Device", "Supported Platforms", "Proceeds Reason", "Preserved Pricing", "Client",
    "Order Type",
  ]

  private let prices: PriceBook
  private let timeline: Timeline
  private let plans: PlanColumns
  private var downloads: Downloads
  /// The day's transactions by all columns but Units.
  private var tally = Tally<UInt64, Transaction>()

  init(options: WorldOptions, timeline: Timeline, prices: PriceBook) {
    self.timeline = timeline
    self.prices = prices
    plans = PlanColumns(options.plans)
    downloads = Downloads(seed: options.seed)
  }

  /// Adds a transaction of the day; free ones are not in Sales reports.
  mutating func add(_ transaction: Transaction) {
    guard transaction.amounts.price > 0 else { return }
    guard transaction.kind != .partialRefund else {
      // Units is 0 for any number of partial refunds, so each needs its own row, or its money would be lost.
      tally.append(transaction, 0)
      return
    }
    let terms = transaction.terms
    var key = UInt64(terms.product)
    key = key << 8 | UInt64(terms.offer)
    key = key << 8 | UInt64(terms.pricing.rawValue)
    key = key << 8 | UInt64(terms.step)
    key = key << 8 | UInt64(terms.storefront)
    key = key << 8 | UInt64(terms.surface)
    key = key << 1 | (terms.isAfterOneYear ? 1 : 0)
    key = key << 1 | UInt64(terms.commission)
    key = key << 4 | UInt64(plans.variant(of: terms))
    key = key << 1 | (transaction.isNew ? 1 : 0)
    key = key << 1 | (transaction.kind == .fullRefund ? 1 : 0)
    let units = transaction.kind == .fullRefund ? -transaction.copies : transaction.copies
    tally.add(transaction, units, to: key)
  }

  /// Returns and removes the rows of a day's file.
  mutating func take(_ day: Int) -> ReportRows {
    var rows = ReportRows()
    let date = CalendarDay.slashedText(timeline.base + day)
    for (sample, units) in tally.rows {
      append(sample, units: units, date: date, to: &rows)
    }
    tally.removeAll()
    appendDownloads(date: date, to: &rows)
    return rows
  }

  private func append(
    _ sample: Transaction, units: Int, date: String, to rows: inout ReportRows
  ) {
    let terms = sample.terms
    let product = Catalog.products[Int(terms.product)]
    let storefront = Catalog.storefronts[Int(terms.storefront)]
    let surface = Catalog.surfaces[Int(terms.surface)]
    let currency = Catalog.currencies[sample.amounts.currency]
    let price = sample.kind == .charge ? sample.amounts.price : -sample.amounts.price
    rows.text.append("APPLE\tUS\t\(product.sku)\t \t\(product.name)\t \tIAY\t\(units)\t")
    rows.text.append("\(hundredths: sample.amounts.proceeds)\t\(date)\t\(date)\t\(currency)\t")
    rows.text.append("\(storefront.code)\t\(currency)\t\(product.appleID)\t\(hundredths: price)\t")
    rows.text.append(" \t\(Catalog.apps[product.app].sku)\t\(sample.isNew ? "New" : "Renewal")\t")
    rows.text.append("\(product.term.text)\tNews\t\t\(surface.device)\t\(surface.platform)\t")
    rows.text.append(terms.isAfterOneYear ? "Rate After One Year\t" : " \t")
    rows.text.append(terms.pricing == .preserved ? "Yes\t" : " \t")
    rows.text.append("\(surface.client)\t\(Offer.all[Int(terms.offer)].orderType)")
    plans.append(terms, isPaid: true, to: &rows.text)
    rows.endRow()
  }

  /// Adds free downloads and purchases of editions.
  private mutating func appendDownloads(date: String, to rows: inout ReportRows) {
    let day = downloads.nextDay()
    for (storefront, app, units) in day.apps {
      let currency = Catalog.currencies[storefront.currency]
      rows.text.append(
        "APPLE\tUS\t\(app.sku)\tLARKSPUR PRESS\t\(app.name)\t4.2.1\t1F\t\(units)\t0.00\t"
          + "\(date)\t\(date)\t\(currency)\t\(storefront.code)\t \t\(app.appleID)\t0.00\t \t \t \t \t"
          + "News\t\tiPhone\tiOS\t \t \t \t ")
      plans.appendBlanks(to: &rows.text)
      rows.endRow()
    }
    guard day.editions > 0 else { return }
    let edition = Downloads.Edition.self
    let (price, proceeds) = (edition.amounts.price, edition.amounts.proceeds)
    rows.text.append(
      "APPLE\tUS\t\(edition.sku)\t \t\(edition.title)\t \tIA1\t\(day.editions)\t"
        + "\(hundredths: proceeds)\t\(date)\t\(date)\tUSD\tUS\tUSD\t\(edition.appleID)\t"
        + "\(hundredths: price)\t \t\(Catalog.apps[0].sku)\t \t \tNews\t\tiPad\tiOS\t \t \t \t ")
    plans.appendBlanks(to: &rows.text)
    rows.endRow()
  }
}

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
