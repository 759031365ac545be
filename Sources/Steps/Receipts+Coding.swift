import Counting
import Pipeline
import ReportCache
import Storage
import SubscriptionModel

extension LaterReceipts {
  /// Encodes or decodes the number of responses and their original ids.
  mutating func code(with coder: inout some ExtractCoder) {
    coder.count(&responses)
    coder.ids(&originalIDs)
  }
}

extension ExtractCoder {
  /// Encodes ids in their order, or decodes them.
  mutating func ids(_ ids: inout Set<ReceiptID>) {
    var sorted = ids.sorted { $0.value < $1.value }
    list(&sorted, blank: ReceiptID(value: 0)) { $0.code(with: &$1) }
    ids = Set(sorted)
  }
}

extension ReceiptCounts {
  /// Encodes the counts, or decodes them into empty ones of the same run.
  mutating func code(with coder: inout some ExtractCoder) {
    tally.code(with: &coder)
    for number in ReceiptSummary.numbers { coder.count(&summary[keyPath: number]) }
    var values = Array(attributes)
    if !coder.isReading { values = coder.inOrder(values) { $0.code(with: &$1) } }
    coder.list(&values, blank: Attributes()) { $0.code(with: &$1) }
    attributes = Set(values)
  }
}

extension ReceiptStatements {
  /// Encodes or decodes all fields.
  mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    // In the order of symbols, so that a step that runs twice writes the same bytes.
    var groups = groups.map { (key: $0.key, group: $0.value) }
    groups.sort { ($0.key.app, $0.key.product) < ($1.key.app, $1.key.product) }
    let noKey = AppProduct(app: .blank, product: .blank)
    coder.list(&groups, blank: (key: noKey, group: .blank)) { entry, coder in
      coder.symbol(&entry.key.app)
      coder.symbol(&entry.key.product)
      coder.symbol(&entry.group)
    }
    var notified = newestNotifications.map { (app: $0.key, time: Instant?($0.value)) }
    notified.sort { $0.app < $1.app }
    coder.list(&notified, blank: (app: .blank, time: nil)) { entry, coder in
      coder.symbol(&entry.app)
      coder.instant(&entry.time)
    }
    var products = commitmentProducts.sorted()
    coder.list(&products, blank: .blank) { $1.symbol(&$0) }
    coder.instant(&newestResponse)
    snapshots.code(with: &coder)
    guard coder.isReading else { return }
    self.groups = Dictionary(groups.map { ($0.key, $0.group) }) { $1 }
    newestNotifications = notified.reduce(into: [:]) { $0[$1.app] = $1.time }
    commitmentProducts = Set(products)
  }
}

extension Snapshots {
  /// Encodes the snapshots in the order of their files, or decodes them.
  fileprivate mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    var all = deliveries.sorted { $0.key < $1.key }.map {
      (file: $0.key, feed: $0.value.feed, madeAt: Instant?($0.value.madeAt))
    }
    coder.list(&all, blank: (file: 0, feed: 0, madeAt: nil)) { entry, coder in
      coder.integer(&entry.file)
      coder.number(&entry.feed)
      coder.instant(&entry.madeAt)
    }
    guard coder.isReading else { return }
    self = Snapshots()
    for entry in all {
      guard let madeAt = entry.madeAt else { return coder.fail() }
      add(file: entry.file, Delivery(feed: entry.feed, madeAt: madeAt))
    }
  }
}
