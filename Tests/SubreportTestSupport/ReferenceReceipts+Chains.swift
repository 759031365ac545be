import Storage
import SubscriptionModel

extension ReferenceReceipts {
  /// A charge as the rules say, rule by rule.
  struct Charge {
    var event: Event
    var start: Instant
    var end: Instant?
    var cut = ""
    var refund = ""
    var isUpgraded = false
    /// The purchases that replaced it, by (b) and (c).
    var replacedAt: [Instant] = []
    var isLast = false
    var number: Int?
    var fate = "none"
    var reason = ""
    var plan = BillingPlan.upfront
    var instalment: Instalment?

    /// Whether it was replaced before it began.
    var isNothing: Bool { isUpgraded && end == start }
    /// METRICS.md 10.2: seconds for which Apple retries billing.
    var retrySeconds: Int { instalment == nil ? 5_184_000 : 7_776_000 }
  }

  struct Chain {
    var kind: String
    var isFamily: Bool
    var group: String
    var events: [Event]
    var asOf = Instant(seconds: 0)
    var charges: [Charge] = []
    var infos: [RenewalCopy] = []
    /// The name of its customer.
    var customer = ""

    var products: Set<Symbol> { Set(events.map { $0.symbol(\.product) }) }
  }

  /// The end of the grace period after a lapse, at most 60 days later: METRICS.md 11.4.
  func graceEnd(of charge: Charge, _ chain: Chain) -> Instant? {
    guard charge.instalment == nil, charge.refund.isEmpty, let end = charge.end else { return nil }
    let id = charge.event.id(\.originalID)
    let again = chain.charges.filter {
      $0.event.id(\.originalID) == id && $0.start > charge.start
    }.map(\.start).min()
    let shared = chain.infos.filter { info in
      info.originalID == id && id.isUsable && info.madeAt >= end
        && (again.map { info.madeAt < $0 } ?? true)
    }
    let own = ownInfos(charge.event).filter { $0.madeAt >= end }
    guard let grace = (shared + own).compactMap(\.graceEnd).max(), grace > end else { return nil }
    return min(grace, end + 5_184_000)
  }

  func text(_ symbol: Symbol) -> String { world.symbols[Int(symbol)] }

  mutating func addRows(of customer: Customer) {
    var chains: [Chain] = []
    for event in customer.events {
      let kind: String
      switch event.type {
      case .free: kind = "free"
      case .nonRenewing: kind = "non-renewing"
      default:
        if event.expires != nil {
          kind = "auto-renewable"
        } else if world.durations[event.symbol(\.product)] != nil {
          kind = "non-renewing"
        } else {
          continue
        }
      }
      if kind != "free", let expires = event.expires, expires <= event.start { continue }
      let group = self.group(of: event, customer)
      let app = event.symbol(\.app)
      let product = event.symbol(\.product)
      let place = chains.firstIndex { chain in
        guard chain.kind == kind, chain.isFamily == event.isFamily else { return false }
        let first = chain.events[0]
        guard kind == "auto-renewable" else {
          return first.symbol(\.product) == product && first.symbol(\.app) == app
        }
        return chain.group == group && (!group.isEmpty || first.symbol(\.app) == app)
      }
      if let place {
        chains[place].events.append(event)
      } else {
        chains.append(Chain(kind: kind, isFamily: event.isFamily, group: group, events: [event]))
      }
    }
    let products = chains.map(\.products)
    for index in chains.indices {
      chains[index].events.sort { precedes($0, $1) }
      let groups = chains[index].events.map { group(of: $0, customer) }
      chains[index].group = groups.last { !$0.isEmpty } ?? ""
      let others = products.indices.filter { $0 != index }.reduce(into: Set<Symbol>()) {
        $0.formUnion(products[$1])
      }
      let ids = Set(chains[index].events.map { $0.id(\.originalID) }.filter(\.isUsable))
      chains[index].infos = customer.infos.filter { info in
        ids.contains(info.originalID)
          && (products[index].contains(info.product) || !others.contains(info.product))
      }
      chains[index].customer = customer.name
      resolve(&chains[index])
      add(resolved: chains[index])
      addRows(chains[index], customer.name)
    }
  }

  /// The group that an event's own sources name, else the one that those of its original id name.
  private func group(of event: Event, _ customer: Customer) -> String {
    let found = ownGroup(of: event, customer)
    let id = event.id(\.originalID)
    guard found.isEmpty, id.isUsable else { return found }
    let others = Set(
      customer.events.filter { $0.id(\.originalID) == id }.map { ownGroup(of: $0, customer) }
    ).subtracting([""])
    return others.count == 1 ? others.first ?? "" : ""
  }

  private func ownGroup(of event: Event, _ customer: Customer) -> String {
    let own = event.symbol(\.group)
    if own != .blank { return text(own) }
    if let group = world.groups[event.symbol(\.product)] { return text(group) }
    let id = event.id(\.originalID)
    if id.isUsable {
      let same = Set(
        customer.events.filter { $0.id(\.originalID) == id }.map { $0.symbol(\.group) }
      )
      .subtracting([.blank])
      if same.count == 1, let group = same.first { return text(group) }
    }
    let copies = world.responses.flatMap(\.copies).filter {
      $0.app == event.symbol(\.app) && $0.product == event.symbol(\.product)
    }
    let groups = Set(copies.map(\.group)).subtracting([.blank])
    return groups.count == 1 ? groups.first.map(text) ?? "" : ""
  }

  private func precedes(_ left: Event, _ right: Event) -> Bool {
    if left.start != right.start { return left.start < right.start }
    if left.isPaid != right.isPaid { return !left.isPaid }
    let ends = (left.expires?.seconds ?? 0, right.expires?.seconds ?? 0)
    if ends.0 != ends.1 { return ends.0 < ends.1 }
    for field in [\TransactionCopy.transactionID, \.lineItemID, \.originalID] {
      let ids = (text(left.id(field)), text(right.id(field)))
      if ids.0 != ids.1 { return isSmaller(ids.0, ids.1) }
    }
    let products = (text(left.symbol(\.product)), text(right.symbol(\.product)))
    if products.0 != products.1 { return products.0 < products.1 }
    let places = [left, right].map { event in
      event.copies.map { [$0.file, $0.row, UInt32($0.number)] }.last ?? []
    }
    return places[0].lexicographicallyPrecedes(places[1])
  }

  // MARK: Rules 7 to 10

  private func resolve(_ chain: inout Chain) {
    var asOf = chain.events.flatMap { $0.copies.map(\.madeAt) } + chain.infos.map(\.madeAt)
    let inLog = chain.events.filter { $0.has(.inNotificationLog) }.map { $0.symbol(\.app) }
    for app in Set(inLog + chain.infos.compactMap(\.notifiedApp)) {
      asOf += world.responses.flatMap(\.copies).filter {
        $0.flags.contains(.inNotificationLog) && $0.app == app
      }.map(\.madeAt)
      asOf += world.responses.flatMap(\.infos).filter { $0.notifiedApp == app }.map(\.madeAt)
    }
    chain.asOf = min(runAsOf, asOf.max() ?? runAsOf)
    for event in chain.events {
      var charge = Charge(event: event, start: event.start)
      charge.end = chain.kind == "free" ? nil : event.expires
      if charge.end == nil, chain.kind == "non-renewing",
        let term = world.durations[event.symbol(\.product)]
      {
        let last = ReferenceCalendar.end(of: term, from: charge.start.day)
        charge.end = charge.start + (last - charge.start.day) * 86_400
      }
      charge.isUpgraded = event.has(.upgraded) || looksUpgraded(event, chain)
      chain.charges.append(charge)
    }
    setReplaced(&chain)
    for index in chain.charges.indices { cut(&chain.charges[index], chain) }
    setInstalments(&chain)
    for index in chain.charges.indices { setLast(index, &chain) }
    number(&chain)
    for index in chain.charges.indices { setFate(index, &chain) }
  }

  private func cut(_ charge: inout Charge, _ chain: Chain) {
    let cancellation = charge.event.cancellation
    var stop = cancellation
    if charge.isUpgraded {
      stop = upgradeCut(charge, chain)
    } else if cancellation != nil {
      if chain.isFamily || charge.event.has(.familyRevoke) {
        charge.refund = "revoked"
      } else {
        let percentage = charge.event.last(\.revocationPercentage) ?? 100_000
        let isPartial = charge.event.has(.prorated) || percentage < 100_000
        charge.refund = isPartial ? "partial" : "full"
      }
    }
    guard let stop, charge.end.map({ stop < $0 }) ?? true else { return }
    charge.end = max(stop, charge.start)
    charge.cut = charge.isUpgraded ? "upgrade" : charge.refund == "revoked" ? "revoke" : "refund"
  }

  private func setLast(_ index: Int, _ chain: inout Chain) {
    guard let end = chain.charges[index].end else { return }
    // What was replaced before it began adds nothing to the union.
    guard !chain.charges[index].isNothing else { return }
    chain.charges[index].isLast = !chain.charges.indices.contains { other in
      guard let otherEnd = chain.charges[other].end, other != index,
        !chain.charges[other].isNothing,
        chain.charges[other].start - end <= world.toleranceSeconds
      else { return false }
      return otherEnd > end || (otherEnd == end && other > index)
    }
  }

  /// Numbers active periods: those that last any time.
  private func number(_ chain: inout Chain) {
    let lasts = chain.charges.filter(\.isLast).compactMap(\.end).sorted()
    var number = 0
    for last in lasts {
      var members = chain.charges.indices.filter { index in
        guard let end = chain.charges[index].end, !chain.charges[index].isNothing else {
          return false
        }
        return lasts.first { $0 >= end } == last
      }
      if let first = members.min() {
        members += chain.charges.indices.filter {
          chain.charges[$0].isNothing && $0 > first
            && chain.charges[$0].start - last <= world.toleranceSeconds
        }
      }
      guard members.contains(where: { chain.charges[$0].end != chain.charges[$0].start }) else {
        continue
      }
      number += 1
      for member in members { chain.charges[member].number = number }
    }
  }

  private func setFate(_ index: Int, _ chain: inout Chain) {
    let charge = chain.charges[index]
    guard let end = charge.end else { return }
    let isContinuedForever = chain.charges[(index + 1)...].contains {
      $0.end == nil && $0.start - end <= world.toleranceSeconds
    }
    if isContinuedForever { chain.charges[index].isLast = false }
    guard charge.isLast, !charge.isUpgraded, !isContinuedForever else {
      chain.charges[index].fate = charge.isUpgraded ? "upgraded" : "renewed"
      return
    }
    let id = charge.event.id(\.originalID)
    let own = chain.infos.filter { $0.originalID == id && id.isUsable }
    let ofRows = ownInfos(charge.event)
    let age = chain.asOf - end
    let next = chain.charges.filter { !$0.isNothing }.map(\.start)
      .filter { $0 - end > world.toleranceSeconds }.min()
    let saysOver = (own + ofRows).contains {
      $0.madeAt >= end && ($0.expirationIntent != 0 || isRetry($0))
    }
    if age < 0 {
      chain.charges[index].fate = "current"
      return
    } else if let next {
      chain.charges[index].fate = next - end <= charge.retrySeconds ? "recovered" : "reactivated"
    } else if charge.refund == "full" || charge.refund == "partial" {
      chain.charges[index].fate = "final"
    } else if age <= world.toleranceSeconds, charge.cut.isEmpty, !saysOver,
      !charge.event.has(.hasExpiredStatus)
    {
      chain.charges[index].fate = "current"
      return
    } else {
      chain.charges[index].fate = age >= charge.retrySeconds ? "final" : "provisional"
    }
    let again = chain.charges.filter { $0.event.id(\.originalID) == id }.map(\.start)
      .filter { $0 >= end }.min()
    let shared = Self.newest(
      own.filter { info in
        info.madeAt >= end && (again.map { info.madeAt < $0 } ?? true)
      })
    // What was bought since does not matter to a row of the period; one that gives no reason yields.
    let rows = ofRows.filter { $0.madeAt >= end }
    let info =
      Self.newer(shared, rows.filter { reason($0) != "unknown" }) ?? Self.newer(shared, rows)
    chain.charges[index].reason =
      switch charge.refund {
      case "full", "partial": "refund"
      case "revoked": "other"
      default: reason(info)
      }
  }

  static func newest(_ infos: [RenewalCopy]) -> RenewalCopy? {
    infos.max { left, right in
      if left.madeAt != right.madeAt { return left.madeAt < right.madeAt }
      let answers = [left, right].map { info in
        [
          Int(info.status), Int(info.expirationIntent),
          info.isInBillingRetry.map { $0 ? 2 : 1 } ?? 0,
          info.autoRenews.map { $0 ? 2 : 1 } ?? 0, Int(info.graceEnd?.seconds ?? 0),
        ]
      }
      return answers[0].lexicographicallyPrecedes(answers[1])
    }
  }

  private func reason(_ info: RenewalCopy?) -> String {
    guard let info else { return "unknown" }
    let words = ["", "voluntary", "billing", "price", "removed", "other"]
    if info.expirationIntent != 0 { return words[Int(info.expirationIntent)] }
    return isRetry(info) ? "billing" : "unknown"
  }

  private func isRetry(_ info: RenewalCopy?) -> Bool {
    info.map { $0.isInBillingRetry == true || $0.status == 3 || $0.status == 4 } ?? false
  }

  // MARK: Rule 11

  func state(_ chain: Chain) -> (String, reason: String) {
    let asOf = chain.asOf
    let begun = chain.charges.filter { $0.start <= asOf }
    guard let newestBegun = begun.last else {
      let first = chain.charges[0].event.id(\.originalID)
      let stated = Self.newest(
        chain.infos.filter { $0.status != 0 && $0.originalID == first && first.isUsable })
      return (stated?.status == 1 ? "active" : "unresolved", "")
    }
    let covers = { (charge: Charge) in
      charge.start <= asOf && (charge.end.map { asOf < $0 } ?? true) || charge.fate == "current"
    }
    if let position = begun.lastIndex(where: { !$0.isUpgraded }),
      ["full", "partial"].contains(begun[position].refund),
      !begun.indices.contains(where: { $0 != position && covers(begun[$0]) })
    {
      return ("refunded", "refund")
    }
    let last = begun.last(where: \.isLast)
    let reason = last.map { $0.reason.isEmpty ? "unknown" : $0.reason } ?? "unknown"
    if chain.kind == "free" { return ("active", "") }
    if chain.kind == "non-renewing" {
      if begun.contains(where: { $0.end == nil }) { return ("duration unknown", "") }
      guard let end = begun.compactMap(\.end).max(), end > asOf else { return ("lapsed", reason) }
      return (runAsOf - end > world.toleranceSeconds ? "unresolved" : "active", "")
    }
    // METRICS.md 3.10: what the period's own id says since the last purchase of that id.
    let deciding = begun.last { covers($0) && !$0.isNothing } ?? last ?? newestBegun
    let id = deciding.event.id(\.originalID)
    let since = begun.filter { $0.event.id(\.originalID) == id }.map(\.start).max()
    let info = Self.newer(
      Self.newest(
        chain.infos.filter { info in
          info.originalID == id && id.isUsable && since.map { info.madeAt >= $0 } ?? true
        }),
      ownInfos(deciding.event).filter { info in since.map { info.madeAt >= $0 } ?? true })
    let group = chain.charges.filter { $0.number != nil && $0.number == newestBegun.number }
    if let end = group.compactMap(\.end).max(),
      end > asOf || group.contains(where: { $0.fate == "current" })
    {
      if runAsOf - end > world.toleranceSeconds { return ("unresolved", "") }
      if info?.autoRenews == false { return ("active, will not renew", "") }
      // METRICS.md 10.3.
      let endsWithTerm = newestBegun.instalment != nil && info?.renewsAfterTerm == false
      return (endsWithTerm ? "active, will end with the term" : "active", "")
    }
    guard let last, let end = last.end, !last.isUpgraded else { return ("unresolved", "") }
    if last.refund == "revoked" { return ("lapsed", reason) }
    // METRICS.md 10.2: an instalment has no grace.
    let instalment = newestBegun.instalment
    if instalment == nil, let grace = info?.graceEnd, asOf < grace, grace > end {
      return ("grace", "")
    }
    if asOf - end < last.retrySeconds {
      if isRetry(info) {
        let isSuspended = instalment.map { !$0.isLast } ?? false
        return (isSuspended ? "suspended" : "billing retry", "")
      }
      let lastID = last.event.id(\.originalID)
      if !chain.infos.contains(where: { $0.originalID == lastID && $0.madeAt >= end }),
        !ownInfos(last.event).contains(where: { $0.madeAt >= end })
      {
        return ("unresolved", "")
      }
    }
    return ("lapsed", reason)
  }
}
