import AppStoreReports
import Files
import Pipeline
import Rendering
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

/// Looks for customers of receipts by an id or by their name.
enum ReceiptSearch {
  /// Returns the customers in order, and the ids of their subscriptions: the given ones; for `original:1000` all.
  ///
  /// - Throws: ``QuestionError`` for a line without a transaction, ``KeptCharges/LineError`` for an unreadable file.
  static func find(
    _ text: String, _ receipts: KeptReceipts, jobs: Int
  ) throws -> (customers: [Int], ids: Set<ReceiptID>) {
    // The names that lists with ids print.
    let isName = ["original:", "account:", "app-transaction:"].contains(where: text.hasPrefix)
    let asked = isName ? [] : try ids(text, receipts)
    let parts = receipts.fold(
      receipts.emptyRow, [], jobs: jobs, into: (customers: [Int](), ids: asked)
    ) { found, customers in
      if isName {
        guard !customers.history.chains.isEmpty,
          receipts.text(of: customers.history.name(), .clear, [:]) == text
        else { return }
        for period in customers.history.periods { found.ids.insert(period.event.originalID) }
      } else if !customers.history.periods.contains(where: { $0.isOf(asked) }) {
        return
      }
      found.customers.append(customers.customer)
    }
    return (parts.flatMap(\.customers).sorted(), parts.reduce(into: asked) { $0.formUnion($1.ids) })
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

/// Finds the rows of a subscriber that do not count, each with the reason.
///
/// A file is read again if it is not used, or has a row that was not used.
struct RowsLeftOut {
  /// A row that does not count.
  struct Row {
    /// The row's place in the run, as ``SubscriptionModel/ChargeRecord/order`` has it.
    let order: UInt64
    let line: Int
    /// The day of the row, else that of its file.
    let day: Day?
    let because: String
  }

  let files: [FileReport]
  let charges: KeptCharges

  /// Reads the rows that do not count, in the order of the files.
  ///
  /// - Throws: ``KeptCharges/LineError`` for a file without a problem of its own that cannot be read again.
  func rows(
    of subscriber: UInt64, except counted: Set<UInt64>
  ) throws(KeptCharges.LineError) -> [Row] {
    var found: [Row] = []
    for (index, file) in files.enumerated() where file.kind == .subscriber {
      guard charges.files[index].header != nil, !file.isUsed || file.rows.used < file.rows.read
      else { continue }
      do throws(KeptCharges.LineError) {
        for row in try charges.rows(of: subscriber, inFile: index)
        where !counted.contains(row.order) {
          found.append(
            Row(
              order: row.order, line: row.line, day: day(row) ?? file.day,
              because: reason(row, file)))
        }
      } catch {
        // The run has reported the damaged file already. Its rows are not listed.
        if file.problem == nil { throw error }
      }
    }
    return found
  }

  private func day(_ row: KeptCharges.SubscriberRow) -> Day? {
    if case .row(let record) = row.outcome { Day(number: record.day) } else { nil }
  }

  private func reason(_ row: KeptCharges.SubscriberRow, _ file: FileReport) -> String {
    guard file.isUsed else { return reason(file) }
    switch row.outcome {
    case .row: return "the row is of a day \(IgnoredReason.afterAsOf.rawValue)"
    case .ignored(.zeroQuantity): return "the row has 0 units and is no refund"
    case .ignored(let reason): return reason.rawValue
    case .rejected(let reject): return "the row is rejected: \(file.message(reject))"
    }
  }

  /// Returns why no row of a file counts.
  private func reason(_ file: FileReport) -> String {
    if let replacement = file.replacement {
      let other = files[replacement.file].file.relativePath
      return file.isDuplicate
        ? "the file has the same bytes as \(other), which counts"
        : "\(other) is a later version of the file and counts instead"
    }
    if file.isAfterAsOf { return "the file is of a day \(IgnoredReason.afterAsOf.rawValue)" }
    if let problem = file.problem { return "the file cannot be used: \(problem.message)" }
    let reasons = file.rows.ignored.keys.map(\.rawValue).sorted()
    return "the file does not count: \(reasons.joined(separator: ", "))"
  }
}
