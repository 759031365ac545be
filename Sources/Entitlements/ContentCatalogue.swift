package import Storage
package import SubscriptionModel

/// One item of content, a row of the `--content` file.
package struct ContentItem: Sendable {
  /// The item's id, as printed.
  package var id: String
  /// When it was published.
  package var published: Instant
  /// The app it belongs to; blank for every app.
  package var app: Symbol
  /// The subscription group; blank for every group.
  package var group: Symbol
  /// The product; blank for every product.
  package var product: Symbol

  /// Creates an item.
  ///
  /// - Parameters:
  ///   - id: The item's id.
  ///   - published: When it was published; for a date, its first second.
  ///   - app: The app; blank for every app.
  ///   - group: The group; blank for every group.
  ///   - product: The product; blank for every product.
  package init(
    id: String, published: Instant, app: Symbol = .blank, group: Symbol = .blank,
    product: Symbol = .blank
  ) {
    self.id = id
    self.published = published
    self.app = app
    self.group = group
    self.product = product
  }
}

/// All content that customers may read: METRICS.md section 9, `access`.
package struct ContentCatalogue: Sendable {
  /// The items by app, group and product.
  let series: [ContentSeries]

  /// Creates a catalogue.
  ///
  /// - Parameter items: All items, in any order.
  package init(items: [ContentItem]) {
    let bySeries = Dictionary(grouping: items) { [$0.app, $0.group, $0.product] }
    series = bySeries.map { cells, items in
      ContentSeries(
        app: cells[0], group: cells[1], product: cells[2],
        items: items.sorted { $0.published < $1.published })
    }
  }
}

/// Items with the same app, group and product, sorted by publication.
struct ContentSeries: Sendable {
  let app: Symbol
  let group: Symbol
  let product: Symbol
  let items: [ContentItem]

  /// Returns whether a period gives access: whether it has the app, group and product that the series names.
  func isUnlocked(by period: AccessPeriod) -> Bool {
    (app == .blank || app == period.app) && (group == .blank || group == period.group)
      && (product == .blank || product == period.product)
  }

  /// Returns the number of items published before an instant: also the index of the first later item.
  func count(before instant: Instant) -> Int {
    var low = 0
    var high = items.count
    while low < high {
      let middle = (low + high) / 2
      if items[middle].published < instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
