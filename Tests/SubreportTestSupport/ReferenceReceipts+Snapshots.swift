import Storage
import SubscriptionModel

/// METRICS.md 3.3 and 3.7: tokens that are shared, and the rows of snapshots.
extension ReferenceReceipts {
  /// Returns the responses with the as-of of their feeds, without the flags of rows that were delivered again.
  static func dated(_ world: ReceiptWorld) -> [ReceiptWorld.Response] {
    let deliveries = world.snapshots.deliveries
    let rows = world.responses.flatMap(\.copies).filter { $0.flags.contains(.ofSnapshot) }
    return world.responses.map { response in
      var response = response
      for index in response.copies.indices {
        let copy = response.copies[index]
        guard copy.flags.contains(.ofSnapshot), let own = deliveries[copy.file] else { continue }
        let feed = deliveries.values.filter { $0.feed == own.feed }
        response.copies[index].madeAt = feed.map(\.madeAt).max() ?? own.madeAt
        for info in response.infos.indices {
          response.infos[info].madeAt = response.copies[index].madeAt
        }
        let isReplaced = rows.contains { row in
          guard let other = deliveries[row.file], other.feed == own.feed else { return false }
          return copy.transactionID.isUsable && row.transactionID == copy.transactionID
            && row.purchase == copy.purchase && other.madeAt > own.madeAt
        }
        guard isReplaced else { continue }
        response.copies[index].flags.formIntersection([.ofSnapshot, .nonProduction])
        response.copies[index].refundedPrice = nil
        response.infos = []
      }
      return response
    }
  }

  /// Returns the tokens that join nobody.
  static func sharedTokens(_ world: ReceiptWorld) -> Set<Symbol> {
    let copies = world.responses.filter { response in
      !response.copies.contains { $0.appTransactionID.isUsable }
    }.flatMap { withOwnerships($0).copies }.filter {
      $0.accountToken != .blank && $0.ownership != .family && $0.originalID.isUsable
    }
    return Set(copies.map(\.accountToken)).filter { token in
      let own = copies.filter { $0.accountToken == token }
      let spans = Dictionary(grouping: own, by: \.originalID).values.flatMap {
        spans($0, world)
      }
      return spans.contains { span in
        let running = spans.filter { other in
          other.place == span.place && other.start <= span.start && span.start < other.end
        }
        return Set(running.map(\.id)).count >= 3
      }
    }
  }

  /// When a subscription runs.
  private struct Span {
    var place: [String]
    var id: ReceiptID
    var start: Instant
    var end: Instant
  }

  private static func spans(_ copies: [TransactionCopy], _ world: ReceiptWorld) -> [Span] {
    let events = events(copies, world)
    let groups = Set(events.map { $0.symbol(\.group) }).subtracting([.blank])
    return events.compactMap { event in
      guard let expires = event.expires else { return nil }
      let (app, product) = (event.symbol(\.app), event.symbol(\.product))
      let others = Set(
        world.responses.flatMap(\.copies).filter { $0.app == app && $0.product == product }
          .map(\.group)
      ).subtracting([.blank])
      var group = event.symbol(\.group)
      if group == .blank { group = world.groups[product] ?? .blank }
      if group == .blank, groups.count == 1 { group = groups.first ?? .blank }
      if group == .blank, others.count == 1 { group = others.first ?? .blank }
      return Span(
        place: [world.symbols[Int(app)], world.symbols[Int(group)]], id: copies[0].originalID,
        start: event.start, end: min(expires, event.cancellation ?? expires))
    }
  }

  /// Returns the infos of the rows of a charge, the newest last.
  func ownInfos(_ event: Event) -> [RenewalCopy] {
    event.copies.filter { $0.flags.contains(.ofSnapshot) }.flatMap { copy in
      infosOfRows.filter { $0.file == copy.file && $0.row == copy.row }.map { info in
        var info = info
        if let expires = event.expires, expires <= info.madeAt {
          let isOff = info.autoRenews == false
          info.expirationIntent = info.isInBillingRetry == true ? 2 : isOff ? 1 : 0
        }
        return info
      }
    }
  }
}
