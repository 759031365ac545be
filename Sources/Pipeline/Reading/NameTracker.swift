import SubscriptionModel

/// Which names the last used row of a file gives to products and apps.
///
/// A row costs one array write; the names are looked up once a file.
struct NameTracker {
  private var lastRow: [UInt32] = []
  private var touched: [UInt32] = []

  /// Notes a used row; rows count from 1.
  mutating func note(terms: UInt32, row: UInt32) {
    let index = Int(terms)
    if index >= lastRow.count {
      lastRow.append(contentsOf: repeatElement(0, count: index + 1 - lastRow.count))
    }
    if lastRow[index] == 0 { touched.append(terms) }
    lastRow[index] = row
  }

  /// Returns the names in the order of the rows that gave them last, and forgets the file.
  mutating func finishFile(_ note: (inout FileNames, Int) -> Void) -> FileNames {
    var names = FileNames()
    for terms in touched.sorted(by: { lastRow[Int($0)] < lastRow[Int($1)] }) {
      note(&names, Int(terms))
      lastRow[Int(terms)] = 0
    }
    touched.removeAll(keepingCapacity: true)
    return names
  }
}

/// The names that products and apps have in a file.
struct FileNames: Sendable {
  private(set) var apps: [Symbol: Symbol] = [:]
  private var ownProducts: [Symbol: Symbol] = [:]
  /// Names of products that only other products' rows mention: what was subscribed to before.
  private var mentionedProducts: [Symbol: Symbol] = [:]

  var products: [Symbol: Symbol] { mentionedProducts.merging(ownProducts) { $1 } }

  mutating func note(_ attributes: Attributes) {
    if attributes.product != .blank { ownProducts[attributes.product] = attributes.productName }
    if attributes.app != .blank { apps[attributes.app] = attributes.appName }
  }

  mutating func note(_ terms: EventTerms) {
    note(terms.attributes)
    if terms.previousProduct != .blank {
      mentionedProducts[terms.previousProduct] = terms.previousProductName
    }
  }

  /// Takes the names of a later file where there are any.
  mutating func override(by later: FileNames) {
    ownProducts.merge(later.ownProducts) { $1 }
    mentionedProducts.merge(later.mentionedProducts) { $1 }
    apps.merge(later.apps) { $1 }
  }
}
