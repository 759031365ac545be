import Storage

/// The account tokens that an app gives to many customers; they join no customers: METRICS.md 3.3.
struct SharedTokens {
  /// The tokens with three or more original ids that run in one app and group at some second.
  private(set) var shared: Set<Symbol> = []
  /// How many other tokens have two at some second.
  private(set) var doubledCount = 0

  /// A purchased subscription with a token.
  private struct Subscription: Hashable {
    var app: Symbol
    var group: Symbol
    var originalID: ReceiptID
  }

  /// Finds them.
  ///
  /// - Parameters:
  ///   - transactions: All transactions.
  ///   - statements: The statements of all responses of the run.
  ///   - settings: The settings for receipts.
  init(
    _ transactions: ChunkedList<TransactionCopy>, _ statements: ReceiptStatements,
    _ settings: ReceiptSettings
  ) {
    let tokens = Self.tokensOfSeveral(transactions)
    guard !tokens.isEmpty else { return }
    var copies: [Symbol: [TransactionCopy]] = [:]
    for position in transactions.indices where Self.counts(transactions[position]) {
      let token = transactions[position].accountToken
      if tokens.contains(token) { copies[token, default: []].append(transactions[position]) }
    }
    var finder = EventFinder()
    for (token, own) in copies {
      let most = Self.mostAtOnce(own, &finder, statements, settings)
      if most >= 3 { shared.insert(token) } else if most == 2 { doubledCount += 1 }
    }
  }

  /// Whether a copy counts: it was bought, and its response has no appTransactionId.
  private static func counts(_ copy: TransactionCopy) -> Bool {
    copy.accountToken != .blank && copy.ownership != .family && copy.originalID.isUsable
      && !copy.flags.contains(.hasAppTransaction)
  }

  /// Returns the tokens with more than one original id.
  private static func tokensOfSeveral(_ transactions: ChunkedList<TransactionCopy>) -> Set<Symbol> {
    var first: [Symbol: ReceiptID] = [:]
    var several: Set<Symbol> = []
    var last = (token: Symbol.blank, id: ReceiptID.none)
    for position in transactions.indices where counts(transactions[position]) {
      let (token, id) = (transactions[position].accountToken, transactions[position].originalID)
      // Most copies follow one of the same customer.
      if (token, id) == last { continue }
      last = (token, id)
      if let known = first[token] {
        if known != id { several.insert(token) }
      } else {
        first[token] = id
      }
    }
    return several
  }

  /// Returns the largest number of original ids that run at once in one app and group.
  private static func mostAtOnce(
    _ copies: [TransactionCopy], _ finder: inout EventFinder, _ statements: ReceiptStatements,
    _ settings: ReceiptSettings
  ) -> Int {
    var spans: [Subscription: [Range<UInt32>]] = [:]
    var events: [ReceiptEvent] = []
    for own in Dictionary(grouping: copies, by: \.originalID).values {
      finder.find(in: own, settings.symbols, events: &events)
      let groups = Set(events.map(\.group)).subtracting([.blank])
      for event in events {
        guard let expires = event.expires else { continue }
        let end = min(expires, event.cancellation ?? expires)
        guard event.purchase < end else { continue }
        var group = event.group
        if group == .blank { group = settings.groups[event.product] ?? .blank }
        if group == .blank, groups.count == 1 { group = groups.first ?? .blank }
        if group == .blank {
          let product = ReceiptStatements.AppProduct(app: event.app, product: event.product)
          group = statements.groups[product] ?? .blank
        }
        let subscription = Subscription(
          app: event.app, group: group, originalID: own[0].originalID)
        spans[subscription, default: []].append(event.purchase.seconds..<end.seconds)
      }
    }
    var steps: [Subscription: [(second: UInt32, change: Int)]] = [:]
    for (subscription, own) in spans {
      var place = subscription
      place.originalID = .none
      for span in joined(own) {
        steps[place, default: []] += [(span.lowerBound, 1), (span.upperBound, -1)]
      }
    }
    return steps.values.map(Self.largestSum).max() ?? 0
  }

  /// Returns spans of one subscription without overlaps.
  private static func joined(_ spans: [Range<UInt32>]) -> [Range<UInt32>] {
    var joined: [Range<UInt32>] = []
    for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, span.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, span.upperBound)
      } else {
        joined.append(span)
      }
    }
    return joined
  }

  private static func largestSum(_ steps: [(second: UInt32, change: Int)]) -> Int {
    // An interval that ends in a second comes before one that begins in it.
    let inOrder = steps.sorted { ($0.second, $0.change) < ($1.second, $1.change) }
    var (sum, largest) = (0, 0)
    for step in inOrder {
      sum += step.change
      largest = max(largest, sum)
    }
    return largest
  }
}
