import AppStoreReports
import Storage
import SubscriptionModel

/// The last row with each of a reader's terms, over all files of a thread.
///
/// ``LastNames`` takes the names of products and apps from these rows. Noting a row is one write into an array. Names are looked up once, at the end of the run.
package struct NameTracker: Sendable {
  /// The number of the last row of a file with some terms, from 1.
  package struct LastRow: Sendable {
    package var terms: UInt32
    package var row: UInt32

    package init(terms: UInt32, row: UInt32) {
      self.terms = terms
      self.row = row
    }
  }

  /// The last row with each of the terms in the current file; 0 for none.
  private var lastRow: [UInt32] = []
  /// The terms with a row in the current file.
  private var touched: [UInt32] = []
  /// The last row with each of the terms in the files so far that count, as `file << 32 | row`; 0 for none.
  private var lastPlace: [UInt64] = []

  /// Notes the number of a used row, from 1.
  @inline(__always)
  mutating func note(terms: UInt32, row: UInt32) {
    let index = Int(terms)
    if index >= lastRow.count || lastRow[index] == 0 { touch(terms) }
    lastRow[index] = row
  }

  /// Notes that the current file has some terms.
  @inline(never)
  private mutating func touch(_ terms: UInt32) {
    let missing = Int(terms) + 1 - lastRow.count
    if missing > 0 { lastRow.append(contentsOf: repeatElement(0, count: missing)) }
    touched.append(terms)
  }

  /// The last row with each of the terms in the current file.
  var lastRows: [LastRow] { touched.map { LastRow(terms: $0, row: lastRow[Int($0)]) } }

  /// Ends a file that counts, given its index in the order of all files.
  mutating func keepFile(_ file: Int) {
    if lastPlace.count < lastRow.count {
      lastPlace.append(contentsOf: repeatElement(0, count: lastRow.count - lastPlace.count))
    }
    for terms in touched {
      let place = UInt64(file) << 32 | UInt64(lastRow[Int(terms)])
      lastPlace[Int(terms)] = max(lastPlace[Int(terms)], place)
    }
    dropFile()
  }

  /// Ends a file that does not count: its rows are dropped.
  mutating func dropFile() {
    for terms in touched { lastRow[Int(terms)] = 0 }
    touched.removeAll(keepingCapacity: true)
  }

  /// The terms with a row in the files that count, each with its last row as `file << 32 | row`.
  var usedTerms: [(place: UInt64, terms: Int)] {
    lastPlace.enumerated().compactMap { $1 == 0 ? nil : ($1, $0) }
  }
}

/// The name trackers of a thread, one for each kind of terms.
struct NameTrackers: Sendable {
  var charges = NameTracker()
  var events = NameTracker()
  var snapshots = NameTracker()
  var sales = NameTracker()

  /// Drops the rows of a file that does not count.
  mutating func dropFile() {
    charges.dropFile()
    events.dropFile()
    snapshots.dropFile()
    sales.dropFile()
  }
}

/// The names of products and apps, taken from their last rows.
struct LastNames: Sendable {
  private(set) var apps: [Symbol: Symbol] = [:]
  private(set) var products: [Symbol: Symbol] = [:]
  /// The app id of each product id, where rows have both.
  private(set) var appsOfProducts: [Symbol: Symbol] = [:]

  init(_ trackers: [NameTrackers], _ registries: Registries, _ statements: [FinanceStatement]) {
    let (charges, events) = (registries.chargeTerms, registries.eventTerms)
    let (snapshots, sales) = (registries.snapshotTerms, registries.salesTerms)
    var rows: [(place: UInt64, attributes: Attributes)] = []
    // Products mentioned only as the previous product of another product's event.
    var mentioned: [(place: UInt64, terms: EventTerms)] = []
    for tracker in trackers {
      rows += tracker.charges.usedTerms.map { ($0.place, charges[$0.terms].attributes) }
      rows += tracker.events.usedTerms.map { ($0.place, events[$0.terms].attributes) }
      rows += tracker.snapshots.usedTerms.map { ($0.place, snapshots[$0.terms].attributes) }
      rows += tracker.sales.usedTerms.map { ($0.place, sales[$0.terms].attributes) }
      mentioned += tracker.events.usedTerms.map { ($0.place, events[$0.terms]) }
    }
    for statement in statements {
      // Keep only the last row of each product: a file has thousands of rows and few products.
      var last: [Symbol: (place: UInt64, attributes: Attributes)] = [:]
      for row in statement.rows {
        var attributes = Attributes()
        attributes.product = row.product
        attributes.productName = row.productName
        let place = UInt64(statement.fileIndex) << 32 | UInt64(row.line)
        last[row.product] = (place, attributes)
      }
      rows += last.values
    }
    for (_, terms) in mentioned.sorted(by: { $0.place < $1.place })
    where terms.previousProduct != .blank {
      products[terms.previousProduct] = terms.previousProductName
    }
    for (_, attributes) in rows.sorted(by: { $0.place < $1.place }) {
      if attributes.product != .blank { products[attributes.product] = attributes.productName }
      if attributes.app != .blank { apps[attributes.app] = attributes.appName }
      if attributes.product != .blank, attributes.app != .blank {
        appsOfProducts[attributes.product] = attributes.app
      }
    }
  }
}
