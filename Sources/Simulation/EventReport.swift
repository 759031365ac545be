/// The rows of the Subscription Event reports, aggregated by all columns but Quantity.
struct EventReport {
  static let columns = [
    "Event Date", "Event", "App Name", "App Apple ID", "Subscription Name",
    "Subscription Apple ID", "Subscription Group ID", "Standard Subscription Duration",
    "Subscription Offer Type", "Subscription Offer Duration", "Marketing Opt-In",
    "Marketing Opt-In Duration", "Preserved Pricing", "Proceeds Reason",
    "Subscription Offer Name", "Promotional Offer ID", "Consecutive Paid Periods",
    "Original Start Date", "Device", "Client", "State", "Country", "Previous Subscription Name",
    "Previous Subscription Apple ID", "Days Before Canceling", "Cancellation Reason",
    "Days Canceled", "Quantity", "Paid Service Days Recovered",
  ]

  /// All columns but Quantity, packed.
  private struct Key: Hashable {
    let what: UInt64
    let when: UInt64
  }

  private let timeline: Timeline
  private let plans: PlanColumns
  private var placement: FilePlacement
  private var files = DayRing(Tally<Key, LifeEvent>())

  init(options: WorldOptions, timeline: Timeline) {
    self.timeline = timeline
    plans = PlanColumns(options.plans)
    placement = FilePlacement(seed: options.seed, stream: 13, timeline: timeline)
  }

  /// Adds an event to the file of its day; as in Apple's reports, a few are in the file of a day before or after.
  mutating func add(_ event: LifeEvent) {
    files[placement.file(for: event.day)].add(event, 1, to: key(event))
  }

  /// Adds an event to the file of its own day.
  mutating func plant(_ event: LifeEvent, quantity: Int) {
    files[event.day].add(event, quantity, to: key(event))
  }

  /// Closes a day's file and returns its rows.
  mutating func take(_ day: Int) -> ReportRows {
    var rows = ReportRows()
    for (event, quantity) in files.take(day).rows {
      append(event, quantity: quantity, to: &rows.text)
      rows.endRow()
    }
    return rows
  }

  private func key(_ event: LifeEvent) -> Key {
    let terms = event.terms
    var what = event.name.code
    what = what << 4 | UInt64(terms.product)
    what = what << 4 | UInt64(terms.offer)
    what = what << 2 | UInt64(terms.pricing.rawValue)
    what = what << 1 | (terms.isAfterOneYear ? 1 : 0)
    what = what << 4 | UInt64(terms.storefront)
    what = what << 3 | UInt64(terms.surface)
    what = what << 2 | UInt64(event.state)
    what = what << 4 | UInt64(event.previousProduct ?? 15)
    what = what << 3 | UInt64(event.reason.rawValue)
    what = what << 12 | UInt64(event.consecutive & 0xFFF)
    what = what << 10 | UInt64((event.daysBeforeCanceling ?? 0x3FF) & 0x3FF)
    what = what << 4 | UInt64(plans.variant(of: terms))
    var when = UInt64(event.day)
    when = when << 16 | UInt64(event.originalStart)
    when = when << 14 | UInt64((event.daysCanceled ?? 0x3FFF) & 0x3FFF)
    when = when << 8 | UInt64((event.daysRecovered ?? 0xFF) & 0xFF)
    return Key(what: what, when: when)
  }

  private func append(_ event: LifeEvent, quantity: Int, to text: inout ByteText) {
    let terms = event.terms
    let product = Catalog.products[Int(terms.product)]
    let app = Catalog.apps[product.app]
    let offer = Offer.all[Int(terms.offer)]
    let surface = Catalog.surfaces[Int(terms.surface)]
    let storefront = Catalog.storefronts[Int(terms.storefront)]
    timeline.append(event.day, to: &text)
    text.append("\t\(event.name.text)\t\(app.name)\t\(app.appleID)\t")
    text.append("\(product.name)\t\(product.appleID)\t\(app.groupID)\t\(product.term.text)\t")
    text.append("\(offer.payment.rawValue)\t\(offer.termText)\t\t \t")
    text.append(terms.pricing == .preserved ? "Yes\t" : "\t")
    text.append(terms.isAfterOneYear ? "Rate After One Year\t" : "\t")
    text.append(offer.name.isEmpty ? " \t" : offer.name + "\t")
    text.append(offer.id.isEmpty ? " \t" : offer.id + "\t")
    text.append("\(event.consecutive)\t")
    timeline.append(event.originalStart, to: &text)
    text.append("\t\(surface.device)\t")
    text.append(surface.client == " " ? "\t" : surface.client + "\t")
    text.append("\(storefront.states[Int(event.state)])\t\(storefront.code)\t")
    if let previous = event.previousProduct {
      let product = Catalog.products[Int(previous)]
      text.append("\(product.name)\t\(product.appleID)\t")
    } else {
      text.append("\t \t")
    }
    text.append("\(Self.text(event.daysBeforeCanceling))\t\(event.reason.text)\t")
    text.append("\(Self.text(event.daysCanceled))\t\(quantity)\t")
    text.append(Self.text(event.daysRecovered))
    plans.append(terms, isPaid: event.consecutive > 0, to: &text)
  }

  /// Returns a number of days; a blank is one space, as Apple writes most blanks.
  private static func text(_ days: Int?) -> String { days.map { "\($0)" } ?? " " }
}
