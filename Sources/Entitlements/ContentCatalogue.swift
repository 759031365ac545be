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

  /// Creates an item of an app, group or product, each blank for all; `published` is the first second of a date.
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

  /// Returns whether an item is published before another one.
  fileprivate static func precedes(_ item: ContentItem, _ other: ContentItem) -> Bool {
    item.published != other.published
      ? item.published < other.published : item.id.precedes(other.id)
  }
}

/// All content that customers may read: METRICS.md section 9, `access`.
package struct ContentCatalogue: Sendable {
  /// The items by app, group and product.
  let series: [ContentSeries]
  /// The index of the series that names an app, a group and a product, or leaves some of them blank.
  private let indices: [SeriesKey: Int]

  /// Creates a catalogue.
  package init(items: [ContentItem]) {
    var indices: [SeriesKey: Int] = [:]
    var series: [ContentSeries] = []
    // Sorted by id too, so that items of one day have one order whatever the order of rows.
    for item in items.sorted(by: ContentItem.precedes) {
      let key = SeriesKey(app: item.app, group: item.group, product: item.product)
      let index = indices[key] ?? series.count
      if index == series.count {
        indices[key] = index
        series.append(ContentSeries(items: []))
      }
      series[index].items.append(item)
    }
    (self.series, self.indices) = (series, indices)
  }

  /// Returns the series that a period opens: those whose filled cells are its own.
  func series(openedBy period: AccessPeriod) -> [Int] {
    func cells(opening cell: Symbol) -> Set<Symbol> { [.blank, cell] }
    return cells(opening: period.app).flatMap { app in
      cells(opening: period.group).flatMap { group in
        cells(opening: period.product).compactMap { product in
          indices[SeriesKey(app: app, group: group, product: product)]
        }
      }
    }
  }
}

/// What the items of a series have in common.
private struct SeriesKey: Hashable {
  var app: Symbol
  var group: Symbol
  var product: Symbol
}

/// Items with the same app, group and product, sorted by publication.
struct ContentSeries: Sendable {
  fileprivate(set) var items: [ContentItem]

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
