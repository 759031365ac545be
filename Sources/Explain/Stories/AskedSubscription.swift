import AppStoreReports
import Files
import Pipeline
import Scanning
import Storage
import SubscriptionModel

/// The subscription of reports that a story is about.
struct AskedSubscription {
  /// The key of the subscriber: see `SubscriberKey`.
  let subscriber: UInt64
  /// The place of a row in the run, if the subscription is named by a row; `nil` for all of the subscriber.
  let row: UInt64?

  /// Finds a subscription, given the id of the subscriber, or `FILE:LINE` of one of its rows.
  ///
  /// - Throws: ``QuestionError`` if there is none, ``KeptCharges/LineError`` for a file that cannot be read again.
  init(_ text: String, in charges: KeptCharges) throws {
    // An id of another form than Apple's may have a colon, too.
    if let place = RowName(text), place.path.contains(where: { $0 == "." || $0 == "/" }) {
      let file = try place.file(among: charges.files, "Subscriber report") {
        $0.kind == .subscriber && $0.header != nil
      }
      guard let found = try charges.subscriber(ofLine: place.line, inFile: file) else {
        throw place.error("this line is no row of a subscriber; line 1 is usually the header")
      }
      (subscriber, row) = (found.key, found.order)
      return
    }
    // The message does not repeat the id: it is personal.
    guard let key = charges.registries.subscriberKey(written: text) else {
      throw QuestionError(
        "--subscription: write the subscriber id as Apple does, digits only, or FILE:LINE of a row")
    }
    (subscriber, row) = (key, nil)
  }
}

/// A row as `--subscription FILE:LINE` names it.
private struct RowName {
  private let text: String
  let path: String
  let line: Int

  /// Reads a name; `nil` for a text without a line.
  init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let line = Int(text[text.index(after: colon)...])
    else { return nil }
    (self.text, path, self.line) = (text, String(text[..<colon]), line)
  }

  func error(_ message: String) -> QuestionError {
    QuestionError("--subscription \(text): \(message)")
  }

  /// Returns the index of the file that is named; `kind` is its kind in words.
  ///
  /// - Throws: ``QuestionError`` for a name that fits no file, or several, which it lists.
  func file(
    among files: [RecognizedFile], _ kind: String, where isOfKind: (RecognizedFile) -> Bool
  ) throws(QuestionError) -> Int {
    let own = files.indices.filter { isOfKind(files[$0]) }.map { ($0, files[$0].file) }
    let found = InputNames.places(of: path, in: own)
    guard let first = found.first else {
      throw error("no \(kind) of the input is \(path); name it as explain lists it")
    }
    guard found.count == 1 else {
      let names = found.map { files[$0].file.relativePath }.joined(separator: ", ")
      throw error("\(found.count) files of the input have this name; choose one: \(names)")
    }
    return first
  }
}

/// Looks for customers of receipts by an id or by their name, on one thread.
struct ReceiptSearch: ~Copyable {
  private enum Asked {
    case ids(Set<ReceiptID>)
    /// The name that lists with ids print, such as `original:1000`.
    case customer(String)
  }

  private static let partitionCount = 256

  private var history: ReceiptHistory
  private let asked: Asked
  private let receipts: KeptReceipts
  private var found: [Int] = []
  private var ids: Set<ReceiptID> = []

  private init(_ asked: Asked, _ receipts: KeptReceipts) {
    (self.asked, self.receipts) = (asked, receipts)
    history = ReceiptHistory(receipts.customers)
  }

  /// Returns the numbers of the customers in order, and the ids of their subscriptions: the given ones, or for a name all.
  ///
  /// - Throws: ``QuestionError`` for a line without a transaction, ``KeptCharges/LineError`` for a file that cannot be
  ///   read again.
  static func find(
    _ text: String, _ receipts: KeptReceipts, jobs: Int
  ) throws -> (customers: [Int], ids: Set<ReceiptID>) {
    let isName = ["original:", "account:", "app-transaction:"].contains(where: text.hasPrefix)
    let asked = isName ? Asked.customer(text) : .ids(try ids(text, receipts))
    let parts = Workers.run(
      count: partitionCount, jobs: jobs, makeState: { ReceiptSearch(asked, receipts) },
      work: { $0.search(receipts.customers.partition($1, of: partitionCount)) },
      finish: { ($0.found, $0.ids) })
    let customers = parts.flatMap(\.0).sorted()
    if case .ids(let ids) = asked { return (customers, ids) }
    return (customers, parts.reduce(into: []) { $0.formUnion($1.1) })
  }

  private mutating func search(_ customers: Range<Int>) {
    for customer in customers {
      history.build(customer)
      switch asked {
      case .ids(let ids):
        if history.periods.contains(where: { $0.isOf(ids) }) { found.append(customer) }
      case .customer(let name):
        guard !history.chains.isEmpty, receipts.text(of: history.name(), .clear, [:]) == name
        else { continue }
        found.append(customer)
        for period in history.periods { ids.insert(period.event.originalID) }
      }
    }
  }

  /// Returns the ids that a text names, by an id or by a row.
  private static func ids(_ text: String, _ receipts: KeptReceipts) throws -> Set<ReceiptID> {
    // A place as lists print it may have the path in the row after a blank.
    guard let place = RowName(text.split(separator: " ").first.map(String.init) ?? text) else {
      let id = receipts.id(of: text)
      return id.isUsable ? [id] : []
    }
    let file = try place.file(among: receipts.files, "dump", where: \.isReceiptDump)
    guard has(place.line, receipts.files[file].file.path) else {
      throw place.error("the file has fewer lines")
    }
    let ids = try receipts.ids(ofLine: place.line, inFile: file)
    guard !ids.isEmpty else { throw place.error("this line has no transaction") }
    return ids
  }

  /// Returns whether a file has a line: a record may go over several, so that its own line does not tell.
  private static func has(_ number: Int, _ path: String) -> Bool {
    var last = 0
    do throws(ScanError) {
      var scanner = try LineScanner(path: path)
      try scanner.forEachLine { _, place in
        last = place.number
        return last < number ? .next : .stop
      }
    } catch {
      // The file is read once more for the ids, which reports the error.
      return true
    }
    return number > 0 && last >= number
  }
}

extension ReceiptPeriod {
  /// Whether the original transaction or the transaction has one of some ids.
  func isOf(_ ids: Set<ReceiptID>) -> Bool {
    ids.contains(event.originalID) || ids.contains(event.transactionID)
  }
}
