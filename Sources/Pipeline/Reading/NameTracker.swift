import AppStoreReports
import SubscriptionModel

/// Which row named each of a reader's terms last, over all files of a thread.
///
/// A row costs one array write, and a file one for each of the terms it mentions: what rows call
/// products and apps is looked up once a run.
package struct NameTracker: Sendable {
  /// Which row of a file named terms last; rows count from 1.
  package struct LastRow: Sendable {
    package var terms: UInt32
    package var row: UInt32

    package init(terms: UInt32, row: UInt32) {
      self.terms = terms
      self.row = row
    }
  }

  /// The last row of each of the terms in the present file; 0 for none.
  private var lastRow: [UInt32] = []
  private var touched: [UInt32] = []
  /// The place in the run of the last row of each of the terms, in files that count; 0 for none.
  private var lastPlace: [UInt64] = []

  /// Notes a used row; rows count from 1.
  mutating func note(terms: UInt32, row: UInt32) {
    let index = Int(terms)
    if index >= lastRow.count {
      lastRow.append(contentsOf: repeatElement(0, count: index + 1 - lastRow.count))
    }
    if lastRow[index] == 0 { touched.append(terms) }
    lastRow[index] = row
  }

  /// The last row of each of the terms in the present file.
  var lastRows: [LastRow] { touched.map { LastRow(terms: $0, row: lastRow[Int($0)]) } }

  /// Ends a file that counts.
  ///
  /// - Parameter file: Its place in the order of all files.
  mutating func keepFile(_ file: Int) {
    if lastPlace.count < lastRow.count {
      lastPlace.append(contentsOf: repeatElement(0, count: lastRow.count - lastPlace.count))
    }
    for terms in touched {
      let place = UInt64(file) << 32 | UInt64(lastRow[Int(terms)])
      lastPlace[Int(terms)] = max(lastPlace[Int(terms)], place)
    }
    forgetFile()
  }

  /// Ends a file that does not count.
  mutating func forgetFile() {
    for terms in touched { lastRow[Int(terms)] = 0 }
    touched.removeAll(keepingCapacity: true)
  }

  /// The terms that a row has named, each with the place of the last.
  var named: [(place: UInt64, terms: Int)] {
    lastPlace.enumerated().compactMap { $1 == 0 ? nil : ($1, $0) }
  }
}

/// The name trackers of a thread, one for each kind of terms.
struct NameTrackers: Sendable {
  var charges = NameTracker()
  var events = NameTracker()
  var snapshots = NameTracker()
  var sales = NameTracker()

  /// Ends a file that does not count.
  mutating func forgetFile() {
    charges.forgetFile()
    events.forgetFile()
    snapshots.forgetFile()
    sales.forgetFile()
  }
}

/// The names of products and apps: those that the last rows give them.
struct LastNames: Sendable {
  private(set) var apps: [Symbol: Symbol] = [:]
  private(set) var products: [Symbol: Symbol] = [:]

  init(
    _ trackers: [NameTrackers], _ terms: RegistrySnapshot, _ statements: [FinanceStatement]
  ) {
    var rows: [(place: UInt64, attributes: Attributes)] = []
    // Products that only other products' rows mention: what was subscribed to before.
    var mentioned: [(place: UInt64, terms: EventTerms)] = []
    for tracker in trackers {
      rows += tracker.charges.named.map { ($0.place, terms.chargeTerms[$0.terms].attributes) }
      rows += tracker.events.named.map { ($0.place, terms.eventTerms[$0.terms].attributes) }
      rows += tracker.snapshots.named.map { ($0.place, terms.snapshotTerms[$0.terms]) }
      rows += tracker.sales.named.map { ($0.place, terms.salesTerms[$0.terms].attributes) }
      mentioned += tracker.events.named.map { ($0.place, terms.eventTerms[$0.terms]) }
    }
    for statement in statements {
      // The last row of each product: a file has thousands of rows and a few products.
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
    }
  }
}
