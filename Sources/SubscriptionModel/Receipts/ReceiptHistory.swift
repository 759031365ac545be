import Storage

/// Builds the chains of one customer from transactions and renewal infos: METRICS.md section 3.
///
/// The arrays are reused for the next customer. `ReferenceReceipts` in the tests is the slow,
/// obvious version that must agree with it.
package struct ReceiptHistory: ~Copyable {
  /// The customer's chains, in any order.
  package internal(set) var chains: [ReceiptChain] = []
  /// The charges of all chains, chain after chain.
  package internal(set) var periods: [ReceiptPeriod] = []
  /// The counts for `health.csv` of all customers built so far.
  package internal(set) var summary = ReceiptSummary()
  /// The run's as-of.
  package let asOf: Instant
  /// Seconds by which a renewal may be late.
  package var toleranceSeconds: Int { settings.toleranceSeconds }

  let customers: ReceiptCustomers
  let settings: ReceiptSettings
  var infos = RenewalInfos()
  private var customer = 0
  var copies: [TransactionCopy] = []
  private var events: [ReceiptEvent] = []
  private var finder = EventFinder()
  private var keyedEvents: [KeyedEvent] = []

  /// The values that events of one chain have in common: METRICS.md 3.4, 3.13 and 3.14.
  private struct ChainKey: Equatable, Comparable {
    var kind: UInt8
    var app = Symbol.blank
    var group = Symbol.blank
    var product = Symbol.blank
    var ownership: UInt8

    init(_ event: ReceiptEvent, _ kind: ReceiptChain.Kind) {
      ownership = event.ownership.rawValue
      switch kind {
      case .autoRenewable:
        self.kind = 0
        group = event.group
        if group == .blank { app = event.app }
      case .nonRenewing, .free:
        self.kind = kind == .free ? 2 : 1
        (app, product) = (event.app, event.product)
      }
    }

    static func < (left: ChainKey, right: ChainKey) -> Bool {
      (left.kind, left.group, left.app, left.product, left.ownership)
        < (right.kind, right.group, right.app, right.product, right.ownership)
    }
  }

  /// An event with the key of its chain.
  private struct KeyedEvent {
    var event: Int
    var kind: ReceiptChain.Kind
    var key: ChainKey
  }

  /// Creates a builder.
  ///
  /// - Parameter customers: The customers of the run.
  package init(_ customers: ReceiptCustomers) {
    self.customers = customers
    settings = customers.settings
    asOf = customers.asOf ?? Instant(seconds: 0)
  }

  /// Builds the chains of one customer, which replace the previous ones.
  ///
  /// - Parameter customer: The customer's number.
  package mutating func build(_ customer: Int) {
    self.customer = customer
    chains.removeAll(keepingCapacity: true)
    periods.removeAll(keepingCapacity: true)
    customers.loadTransactions(of: customer, into: &copies)
    customers.loadRenewals(of: customer, into: &infos.all)
    takeRowsOfSnapshots()
    dropLoneRefunds()
    infos.sort(settings.symbols)
    finder.find(in: copies, settings.symbols, events: &events)
    fillGroups()
    sortEvents()
    appendChains()
    assignRowsOfSnapshots()
    infos.indexProducts(chains, periods)
    for chain in chains.indices { resolve(chain) }
    addToSummary()
  }

  /// Returns the customer's name; call it only if the customer has a chain.
  ///
  /// - Returns: The name.
  package func name() -> CustomerName {
    CustomerName(identity: customers.identity(of: customer), copies, infos.all, settings.symbols)
  }

  /// Returns the copies of each period, in the order of METRICS.md 3.5.
  func copiesOfPeriods() -> [[TransactionCopy]] {
    var copiesOfEvents: [[TransactionCopy]] = []
    finder.forEachEvent(of: copies) { copiesOfEvents.append($0) }
    return keyedEvents.map { copiesOfEvents[$0.event] }
  }

  /// Drops refunds whose purchase is not in the input, and counts them.
  private mutating func dropLoneRefunds() {
    guard copies.contains(where: { $0.flags.contains(.refundOnly) }) else { return }
    let bought = Set(
      copies.lazy.filter { !$0.flags.contains(.refundOnly) }.map(\.transactionID))
    let count = copies.count
    copies.removeAll { $0.flags.contains(.refundOnly) && !bought.contains($0.transactionID) }
    summary.loneRefunds += count - copies.count
  }

  // MARK: Groups

  /// Fills in missing groups: METRICS.md 3.4.
  private mutating func fillGroups() {
    guard events.contains(where: { $0.group == .blank }) else { return }
    let groupOfOriginal = groupsOfOriginals()
    for index in events.indices where events[index].group == .blank {
      let event = events[index]
      if let group = settings.groups[event.product] {
        events[index].group = group
      } else if let group = groupOfOriginal[event.originalID], group != .blank {
        events[index].group = group
      } else {
        events[index].group = customers.group(app: event.app, product: event.product)
      }
    }
    // The group of one product of an original id is also that of its other products.
    guard events.contains(where: { $0.group == .blank }) else { return }
    let foundGroups = groupsOfOriginals()
    for index in events.indices where events[index].group == .blank {
      events[index].group = foundGroups[events[index].originalID] ?? .blank
    }
  }

  /// Returns the group of each usable original id; blank if its events have several.
  private func groupsOfOriginals() -> [ReceiptID: Symbol] {
    events.reduce(into: [:]) { groups, event in
      guard event.group != .blank, event.originalID.isUsable else { return }
      let known = groups[event.originalID] ?? event.group
      groups[event.originalID] = known == event.group ? known : .blank
    }
  }

  // MARK: Chains

  /// Returns the kind of chain for an event; `nil` if it is not a subscription: METRICS.md 3.14.
  private func kind(of event: ReceiptEvent) -> ReceiptChain.Kind? {
    switch event.type {
    case .free: return .free
    case .nonRenewing: return .nonRenewing
    case .missing, .autoRenewable, .other:
      if event.expires != nil { return .autoRenewable }
      return settings.durations[event.product] == nil ? nil : .nonRenewing
    }
  }

  /// Sorts events by chain and time, and counts events that have no period.
  private mutating func sortEvents() {
    keyedEvents.removeAll(keepingCapacity: true)
    for (index, event) in events.enumerated() {
      if event.isInConflict { summary.conflicts += 1 }
      guard let kind = kind(of: event) else {
        summary.withoutExpiry += 1
        continue
      }
      if kind != .free, let expires = event.expires, expires <= event.purchase {
        summary.withoutLength += 1
        continue
      }
      keyedEvents.append(KeyedEvent(event: index, kind: kind, key: ChainKey(event, kind)))
    }
    keyedEvents.sort { [events, settings] left, right in
      left.key == right.key
        ? events[left.event].precedes(events[right.event], settings.symbols)
        : left.key < right.key
    }
  }

  private mutating func appendChains() {
    var key: ChainKey?
    for keyed in keyedEvents {
      let event = events[keyed.event]
      if keyed.key != key {
        key = keyed.key
        chains.append(
          ReceiptChain(
            kind: keyed.kind, app: .blank, group: event.group, ownership: event.ownership,
            periods: periods.count..<periods.count, asOf: event.madeAt,
            isStartKnown: Self.isStartKnown(event)))
      }
      var period = ReceiptPeriod(event: event)
      period.plan = plan(of: event)
      periods.append(period)
      let last = chains.count - 1
      chains[last].periods = chains[last].periods.lowerBound..<periods.count
      if event.app != .blank { chains[last].app = event.app }
      if event.group != .blank { chains[last].group = event.group }
      if !event.flags.isDisjoint(with: [.trial, .intro]) {
        chains[last].usedIntroductoryOffer = true
      }
    }
  }

  /// Returns whether a first event is the first of its subscription: METRICS.md 3.12.
  private static func isStartKnown(_ first: ReceiptEvent) -> Bool {
    if first.flags.contains(.nonProduction) { return true }
    if first.kind == .trial || first.kind == .intro { return true }
    guard let original = first.originalPurchase else {
      return first.transactionID.isUsable && first.transactionID == first.originalID
    }
    return first.purchase - original <= 86_400
  }

  private mutating func resolve(_ chain: Int) {
    chains[chain].asOf = asOf(of: chains[chain])
    setEnds(of: chains[chain])
    setPositions(of: chains[chain])
    setFates(of: chain)
    setState(of: chain)
  }

  /// Returns the time up to which a chain's data are complete: METRICS.md 3.7.
  private func asOf(of chain: ReceiptChain) -> Instant {
    var newest = chain.asOf
    for period in periods[chain.periods] {
      newest = max(newest, period.event.madeAt)
      if period.event.flags.contains(.inNotificationLog) {
        newest = max(newest, customers.statements.newestNotifications[period.event.app] ?? newest)
      }
      if let info = infos.newest(of: period, in: chain) { newest = max(newest, info.madeAt) }
    }
    // A chain may be in the log only by its renewal infos.
    if infos.all.contains(where: { $0.notifiedApp != nil }) {
      for app in infosOfIDs(of: chain).compactMap(\.notifiedApp) {
        newest = max(newest, customers.statements.newestNotifications[app] ?? newest)
      }
    }
    return min(newest, asOf)
  }

  private mutating func addPricesToSummary(of chain: ReceiptChain) {
    for period in periods[chain.periods] where period.event.isPaid {
      if period.event.price == nil {
        summary.unpricedCharges += 1
      } else {
        summary.pricedCharges += 1
      }
    }
  }

  private mutating func addToSummary() {
    for period in periods where period.isInstalment {
      if isPlanInferred(of: period.event) { summary.inferredPlans += 1 }
      if period.position?.number == nil { summary.unknownPositions += 1 }
    }
    for chain in chains {
      if chain.kind == .autoRenewable, chain.group == .blank { summary.chainsWithoutGroup += 1 }
      if chain.ownership == .family { summary.familyChains += 1 }
      if chain.isInRates { addPricesToSummary(of: chain) }
      guard chain.kind == .nonRenewing else { continue }
      summary.overlaps += periods[chain.periods].count { ($0.gapBefore ?? 0) < 0 }
    }
  }
}
