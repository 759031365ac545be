package import Storage

/// The statements of responses about all customers, not only about their own.
///
/// Statements of parts of the responses merge in any order.
package struct ReceiptStatements: Equatable, Sendable {
  /// An app and a product, which determine a subscription group: METRICS.md 3.4.
  package struct AppProduct: Hashable, Sendable {
    package var app: Symbol
    package var product: Symbol

    package init(app: Symbol, product: Symbol) {
      self.app = app
      self.product = product
    }
  }

  /// The group of each product; blank if copies state several.
  package var groups: [AppProduct: Symbol] = [:]
  /// The time of each app's newest notification.
  package var newestNotifications: [Symbol: Instant] = [:]
  /// The products with an instalment in at least one transaction.
  package var commitmentProducts: Set<Symbol> = []
  /// The as-of of the newest response, apart from later deliveries of its feed; `nil` without responses.
  package var newestResponse: Instant?
  /// The snapshots that are used.
  package var snapshots = Snapshots()

  /// The largest as-of; `nil` without responses.
  package var newest: Instant? {
    newestResponse.map { max($0, snapshots.newest ?? $0) }
  }

  package init() {}

  /// Adds the statements of one response.
  package mutating func add(_ copies: [TransactionCopy], _ infos: [RenewalCopy]) {
    for copy in copies { add(copy) }
    for info in infos {
      newestResponse = max(newestResponse ?? info.madeAt, info.madeAt)
      if let app = info.notifiedApp { addNotification(of: app, info.madeAt) }
    }
  }

  private mutating func addNotification(of app: Symbol, _ madeAt: Instant) {
    let newest = newestNotifications[app]
    if newest.map({ $0 < madeAt }) ?? true { newestNotifications[app] = madeAt }
  }

  private mutating func add(_ copy: TransactionCopy) {
    newestResponse = max(newestResponse ?? copy.madeAt, copy.madeAt)
    if copy.flags.contains(.commitment) { commitmentProducts.insert(copy.product) }
    if copy.flags.contains(.inNotificationLog) { addNotification(of: copy.app, copy.madeAt) }
    if copy.group != .blank {
      add(copy.group, of: AppProduct(app: copy.app, product: copy.product))
    }
  }

  /// Adds the group of a product; blank after a second, different group.
  private mutating func add(_ group: Symbol, of key: AppProduct) {
    guard let known = groups[key] else {
      groups[key] = group
      return
    }
    if known != group, known != .blank { groups[key] = .blank }
  }

  /// Adds the statements of other responses.
  package mutating func merge(_ other: ReceiptStatements) {
    for (key, group) in other.groups { add(group, of: key) }
    newestNotifications.merge(other.newestNotifications, uniquingKeysWith: max)
    commitmentProducts.formUnion(other.commitmentProducts)
    newestResponse = [newestResponse, other.newestResponse].compactMap { $0 }.max()
    snapshots.merge(other.snapshots)
  }
}
