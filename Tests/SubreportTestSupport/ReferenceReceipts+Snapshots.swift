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
        let same = rows.filter {
          deliveries[$0.file]?.feed == feed.first?.feed && $0.transactionID == copy.transactionID
            && $0.purchase == copy.purchase
        }
        let last = same.compactMap { deliveries[$0.file]?.madeAt }.max()
        let isUnpriced = same.contains {
          deliveries[$0.file]?.madeAt == last && $0.flags.contains(.prorated) && $0.price == nil
        }
        if isUnpriced {
          (response.copies[index].price, response.copies[index].currency) = (nil, .blank)
        }
        response.infos = []
      }
      return response
    }
  }

  /// Returns when the snapshot of a copy was made; `nil` for any other copy.
  func delivered(_ copy: TransactionCopy) -> Instant? {
    copy.flags.contains(.ofSnapshot) ? world.snapshots.deliveries[copy.file]?.madeAt : nil
  }

  /// Returns the tokens that join nobody.
  func sharedTokens() -> Set<Symbol> {
    let weak = world.responses.filter { response in
      !response.copies.contains { $0.appTransactionID.isUsable }
    }
    let copies = weak.flatMap { Self.withOwnerships($0).copies }.filter { copy in
      copy.accountToken != .blank && copy.ownership != .family && copy.originalID.isUsable
    }
    return Set(copies.map(\.accountToken)).filter { token in
      let own = copies.filter { $0.accountToken == token }
      let runs = Dictionary(grouping: own, by: \.originalID).values.flatMap { self.runs($0) }
      return runs.contains { run in
        let others = runs.filter { other in
          other.place == run.place && other.start <= run.start && run.start < other.end
        }
        return Set(others.map(\.id)).count >= 3
      }
    }
  }

  /// When a subscription with a token runs.
  private struct Run {
    var place: [String]
    var id: ReceiptID
    var start: Instant
    var end: Instant
  }

  private func runs(_ copies: [TransactionCopy]) -> [Run] {
    let events = self.events(copies)
    let groups = Set(events.map { $0.symbol(\.group) }).subtracting([.blank])
    return events.compactMap { event -> Run? in
      guard let expires = event.expires else { return nil }
      let app = event.symbol(\.app)
      let product = event.symbol(\.product)
      let others = Set(
        world.responses.flatMap(\.copies).filter { $0.app == app && $0.product == product }
          .map(\.group)
      ).subtracting([.blank])
      var group = event.symbol(\.group)
      if group == .blank { group = world.groups[product] ?? .blank }
      if group == .blank, groups.count == 1 { group = groups.first ?? .blank }
      if group == .blank, others.count == 1 { group = others.first ?? .blank }
      return Run(
        place: [text(app), text(group)], id: copies[0].originalID, start: event.start,
        end: min(expires, event.cancellation ?? expires))
    }
  }

  /// Returns the infos of the rows of an event, the newest last.
  func ownInfos(_ event: Event) -> [RenewalCopy] {
    event.copies.filter { $0.flags.contains(.ofSnapshot) }.flatMap { copy in
      infosOfRows.filter { $0.file == copy.file && $0.row == copy.row }.map { info in
        var info = info
        if let expires = event.expires, expires <= info.madeAt {
          info.expirationIntent =
            info.isInBillingRetry == true ? 2 : info.autoRenews == false ? 1 : 0
        }
        return info
      }
    }
  }

  /// Returns the newer of an info of an original id and the last of a period's own ones.
  static func newer(_ shared: RenewalCopy?, _ own: [RenewalCopy]) -> RenewalCopy? {
    guard let shared, let last = own.last else { return own.last ?? shared }
    return last.madeAt > shared.madeAt ? last : shared
  }
}
