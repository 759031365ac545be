/// The rows of the Subscription reports: the counts of subscriptions at the end of each day.
///
/// The counts are updated when a subscription changes, so the cost of a day depends only on its changes.
struct SnapshotReport {
  static let columns = [
    "App Name", "App Apple ID", "Subscription Name", "Subscription Apple ID",
    "Subscription Group ID", "Standard Subscription Duration", "Subscription Offer Name",
    "Promotional Offer ID", "Customer Price", "Customer Currency", "Developer Proceeds",
    "Proceeds Currency", "Preserved Pricing", "Proceeds Reason", "Client", "Device", "State",
    "Country", "Active Standard Price Subscriptions",
    "Active Free Trial Introductory Offer Subscriptions",
    "Active Pay Up Front Introductory Offer Subscriptions",
    "Active Pay As You Go Introductory Offer Subscriptions",
    "Free Trial Promotional Offer Subscriptions", "Pay Up Front Promotional Offer Subscriptions",
    "Pay As You Go Promotional Offer Subscriptions", "Free Trial Offer Code Subscriptions",
    "Pay Up Front Offer Code Subscriptions", "Pay As You Go Offer Code Subscriptions",
    "Marketing Opt-Ins", "Billing Retry", "Grace Period", "Subscribers",
    "Free Trial Win-back Offers", "Pay Up Front Win-back Offers", "Pay As You Go Win-back Offers",
  ]

  /// The indexes of columns among those that count, from Active Standard Price Subscriptions on.
  private enum Column {
    static let standard = 0
    static let retry = 11
    static let grace = 12
    /// The column Subscribers, which is computed from the others.
    static let subscribers = 13
    static let count = 17
  }

  private enum Status: Int, CaseIterable {
    case active, retry, grace
  }

  private static let pricingCount = 3
  /// The number of states of each storefront.
  private static let stateCount = 4

  private let prices: PriceBook
  private let plans: PlanColumns
  /// The number of different developer's shares that a storefront can have.
  private let commissionCount: Int
  /// The number of memberships by all that a row describes and by status; the statuses of a row are adjacent.
  private var counts: [Int32]
  /// The index in ``counts`` of each membership, or -1 if no row counts it.
  private var cells: [Int32]
  /// Whether a row ever had a count; such rows are in ``sortedRows`` or, until the next file, ``newRows``.
  private var hasRow: [Bool]
  private var sortedRows: [Int] = []
  private var newRows: [Int] = []

  init(options: WorldOptions, prices: PriceBook) {
    self.prices = prices
    plans = PlanColumns(options.plans)
    commissionCount = options.plans.hasCommissions ? 2 : 1
    let cellCount =
      plans.variantCount * commissionCount * Catalog.products.count * Offer.all.count
      * Self.pricingCount * prices.stepCount * 2 * Catalog.storefronts.count
      * Catalog.surfaces.count * Self.stateCount * Status.allCases.count
    counts = Array(repeating: 0, count: cellCount)
    cells = Array(repeating: -1, count: options.subscribers)
    hasRow = Array(repeating: false, count: cellCount / Status.allCases.count)
  }

  /// Moves a membership from its old count to its new one.
  mutating func update(_ member: Int, _ membership: Membership) {
    let old = cells[member]
    let new = cell(membership)
    guard old != new else { return }
    if old >= 0 { counts[Int(old)] -= 1 }
    cells[member] = new
    guard new >= 0 else { return }
    counts[Int(new)] += 1
    let row = Int(new) / Status.allCases.count
    guard !hasRow[row] else { return }
    hasRow[row] = true
    newRows.append(row)
  }

  /// Returns the index in ``counts`` that a membership adds to; -1 if it is neither running nor in retry or grace.
  ///
  /// The index is a number with one digit for each property, each with its own base.
  private func cell(_ membership: Membership) -> Int32 {
    let flags = membership.flags
    let status: Status
    if flags.contains(.isRunning) {
      status = .active
    } else if flags.contains(.isInRetry) {
      status = .retry
    } else if flags.contains(.isInGrace) {
      status = .grace
    } else {
      return -1
    }
    var cell = plans.variant(of: membership.terms)
    cell = cell * commissionCount + Int(membership.terms.commission)
    cell = cell * Catalog.products.count + Int(membership.terms.product)
    cell = cell * Offer.all.count + Int(membership.terms.offer)
    cell = cell * Self.pricingCount + Int(membership.terms.pricing.rawValue)
    cell = cell * prices.stepCount + Int(membership.terms.step)
    cell = cell * 2 + (membership.terms.isAfterOneYear ? 1 : 0)
    cell = cell * Catalog.storefronts.count + Int(membership.terms.storefront)
    cell = cell * Catalog.surfaces.count + Int(membership.terms.surface)
    cell = cell * Self.stateCount + Int(membership.state)
    return Int32(cell * Status.allCases.count + status.rawValue)
  }

  /// Returns the rows of the file for the day that has ended.
  mutating func rows() -> ReportRows {
    if !newRows.isEmpty {
      sortedRows = (sortedRows + newRows).sorted()
      newRows = []
    }
    var rows = ReportRows()
    let width = Status.allCases.count
    for row in sortedRows {
      let statuses = counts[(row * width)..<((row + 1) * width)]
      guard statuses.contains(where: { $0 != 0 }) else { continue }
      append(row, counts: Array(statuses), to: &rows.text)
      rows.endRow()
    }
    return rows
  }

  private func append(_ row: Int, counts: [Int32], to text: inout ByteText) {
    var rest = row
    // Removes the last digit of the index, see `cell`.
    func take(_ limit: Int) -> Int {
      defer { rest /= limit }
      return rest % limit
    }
    let state = take(Self.stateCount)
    let surface = take(Catalog.surfaces.count)
    let storefront = take(Catalog.storefronts.count)
    let rate = take(2)
    let step = take(prices.stepCount)
    let pricing = Pricing(rawValue: UInt8(take(Self.pricingCount))) ?? .current
    let offer = take(Offer.all.count)
    var terms = ChargeTerms(
      product: UInt8(take(Catalog.products.count)), offer: UInt8(offer), pricing: pricing,
      isAfterOneYear: rate == 1, storefront: UInt8(storefront), surface: UInt8(surface),
      step: UInt8(step))
    terms.commission = UInt8(take(commissionCount))
    plans.set(variant: rest, of: &terms)
    append(terms, state: state, to: &text)
    var values = [Int](repeating: 0, count: Column.count)
    values[Self.column(of: Offer.all[offer])] += Int(counts[Status.active.rawValue])
    values[Column.retry] = Int(counts[Status.retry.rawValue])
    values[Column.grace] = Int(counts[Status.grace.rawValue])
    let people = Int(counts[Status.active.rawValue] + counts[Status.grace.rawValue])
    for (column, value) in values.enumerated() {
      text.appendTab()
      if column == Column.subscribers {
        // Family sharing adds a quarter; numbers up to 3 are not shown.
        if people > 3 { text.append(number: people + people / 4) }
      } else {
        text.append(number: value)
      }
    }
    plans.append(terms, isPaid: prices.amounts(terms).price > 0, to: &text)
  }

  private func append(_ terms: ChargeTerms, state: Int, to text: inout ByteText) {
    let product = Catalog.products[Int(terms.product)]
    let app = Catalog.apps[product.app]
    let offer = Offer.all[Int(terms.offer)]
    let storefront = Catalog.storefronts[Int(terms.storefront)]
    let surface = Catalog.surfaces[Int(terms.surface)]
    let amounts = prices.amounts(terms)
    let currency = Catalog.currencies[amounts.currency]
    text.append("\(app.name)\t\(app.appleID)\t\(product.name)\t\(product.appleID)\t")
    text.append("\(app.groupID)\t\(product.term.text)\t")
    text.append(offer.name.isEmpty ? " \t" : offer.name + "\t")
    text.append(offer.id.isEmpty ? " \t" : offer.id + "\t")
    text.append(hundredths: amounts.price)
    text.append("\t\(currency)\t")
    text.append(hundredths: amounts.proceeds)
    text.append("\t\(currency)")
    if Catalog.padsCurrency(surface: Int(terms.surface)) { text.append("      ") }
    text.append(terms.pricing == .preserved ? "\tYes\t" : "\t\t")
    text.append(terms.isAfterOneYear && amounts.price > 0 ? "Rate After One Year\t" : "\t")
    text.append(surface.client == " " ? "\t" : surface.client + "\t")
    text.append("\(surface.device)\t\(storefront.states[state])\t\(storefront.code)")
  }

  /// Returns the index of the column for active subscriptions with an offer.
  private static func column(of offer: Offer) -> Int {
    let first: Int =
      switch offer.family {
      case .standard: Column.standard
      case .introductory: 1
      case .promotional: 4
      case .offerCode: 7
      case .winBack: 14
      }
    return switch offer.payment {
    case .standard, .freeTrial: first
    case .payUpFront: first + 1
    case .payAsYouGo: first + 2
    }
  }
}
