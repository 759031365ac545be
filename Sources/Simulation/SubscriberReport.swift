/// The rows of the Subscriber reports, one for each transaction.
///
/// Every row of a large world passes through ``add(_:)``, so it only appends bytes, mostly prepared ones.
struct SubscriberReport {
  static let columns = [
    "Event Date", "App Name", "App Apple ID", "Subscription Name", "Subscription Apple ID",
    "Subscription Group ID", "Standard Subscription Duration", "Subscription Offer Name",
    "Promotional Offer ID", "Subscription Offer Type", "Subscription Offer Duration",
    "Marketing Opt-In Duration", "Customer Price", "Customer Currency", "Developer Proceeds",
    "Proceeds Currency", "Preserved Pricing", "Proceeds Reason", "Client", "Device", "Country",
    "Subscriber ID", "Subscriber ID Reset", "Refund", "Purchase Date", "Units",
  ]

  private let layout: SubscriberLayout
  private var placement: FilePlacement
  private var files = DayRing(ReportRows())

  init(options: WorldOptions, timeline: Timeline) {
    layout = SubscriberLayout(options: options, timeline: timeline)
    placement = FilePlacement(seed: options.seed, stream: 11, timeline: timeline)
  }

  /// Adds a transaction to the file it belongs in.
  mutating func add(_ transaction: Transaction) {
    let file = placement.file(for: transaction.day)
    for _ in 0..<transaction.copies {
      layout.append(transaction, to: &files[file])
    }
  }

  /// Closes a day's file and returns its rows.
  mutating func take(_ day: Int) -> ReportRows {
    files.take(day)
  }
}

/// Writes rows; the parts that many rows share are prepared.
///
/// It is separate from the open files, so that appending to a file never copies it.
private final class SubscriberLayout {
  private let timeline: Timeline
  private let plans: PlanColumns
  /// The columns App Name to Marketing Opt-In Duration, by product and offer.
  private let subscriptions: [[UInt8]]
  /// The columns Client and Device, by surface.
  private let surfaces: [[UInt8]]
  private let currencies: [[UInt8]]
  private let storefronts: [[UInt8]]

  init(options: WorldOptions, timeline: Timeline) {
    self.timeline = timeline
    plans = PlanColumns(options.plans)
    subscriptions = Catalog.products.flatMap { product in
      Offer.all.map { offer in
        let app = Catalog.apps[product.app]
        let fields = [
          app.name, "\(app.appleID)", product.name, "\(product.appleID)", "\(app.groupID)",
          product.term.text, offer.name, offer.id, offer.payment.rawValue, offer.termText, "",
        ]
        return Array((fields.joined(separator: "\t") + "\t").utf8)
      }
    }
    surfaces = Catalog.surfaces.map { Array("\($0.client)\t\($0.device)\t".utf8) }
    currencies = Catalog.currencies.map { Array($0.utf8) }
    storefronts = Catalog.storefronts.map { Array("\($0.code)\t".utf8) }
  }

  func append(_ transaction: Transaction, to rows: inout ReportRows) {
    let terms = transaction.terms
    let isRefund = transaction.kind != .charge
    let currency = currencies[transaction.amounts.currency]
    timeline.append(transaction.day, to: &rows.text)
    rows.text.appendTab()
    rows.text.append(subscriptions[Int(terms.product) * Offer.all.count + Int(terms.offer)])
    let price = transaction.amounts.price
    rows.text.append(hundredths: isRefund ? -price : price)
    rows.text.appendTab()
    rows.text.append(currency)
    rows.text.appendTab()
    rows.text.append(hundredths: transaction.amounts.proceeds)
    rows.text.appendTab()
    rows.text.append(currency)
    if Catalog.padsCurrency(surface: Int(terms.surface)) { rows.text.append("      ") }
    rows.text.append(terms.pricing == .preserved ? "\tYes\t" : "\t \t")
    rows.text.append(terms.isAfterOneYear && price > 0 ? "Rate After One Year\t" : " \t")
    rows.text.append(surfaces[Int(terms.surface)])
    rows.text.append(storefronts[Int(terms.storefront)])
    rows.text.append(number: transaction.subscriberID)
    rows.text.append(transaction.isFirstOfNewID ? "\tYes\t" : "\t\t")
    if isRefund {
      rows.text.append("Yes\t")
      timeline.append(transaction.purchaseDay, to: &rows.text)
      rows.text.append(transaction.kind == .partialRefund ? "\t0" : "\t1")
    } else {
      rows.text.append("\t\t1")
    }
    plans.append(terms, isPaid: price > 0, to: &rows.text)
    rows.endRow()
  }
}
