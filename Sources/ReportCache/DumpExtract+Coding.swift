package import AppStoreReports
package import Pipeline
import Receipts
import Storage
package import SubscriptionModel

extension DumpExtract {
  /// Writes all fields, or reads them into this empty extract; `file` is the dump's place in the run.
  package mutating func code<Coder: ExtractCoder>(file: UInt32, with coder: inout Coder) {
    var word = kind?.rawValue ?? ""
    coder.text(&word)
    kind = ReceiptKind(rawValue: word)
    if kind == nil, !word.isEmpty { coder.fail() }
    rows.code(with: &coder)
    if coder.isReading, !rows.addUp { coder.fail() }
    coder.list(&rejects, blank: .blank) { $0.code(with: &$1) }
    let place = NotificationPlace(uuid: 0, row: DumpRow(file: file, row: 0), rowCount: 0)
    coder.list(&notifications, blank: place) { $0.code(with: &$1) }
    coder.list(&lines, blank: (0, 0)) { place, coder in
      coder.integer(&place.row)
      coder.integer(&place.line, in: 0...(1 << 55))
    }
    coder.instant(&newest)
    unusable.code(with: &coder)
    coder.count(&withoutEnvironment)
    unreadablePrices.code(with: &coder)
    unplacedDates.code(with: &coder)
    coder.list(&missingColumns, blank: "") { $1.text(&$0) }
    coder.instant(&snapshotDate)
    withoutSubscription.code(with: &coder)
  }
}

extension CountedFault {
  fileprivate mutating func code(with coder: inout some ExtractCoder) {
    coder.count(&count)
    coder.integer(&row)
    coder.count(&line)
    coder.text(&detail)
  }
}

extension NotificationPlace {
  fileprivate mutating func code(with coder: inout some ExtractCoder) {
    var (high, low) = (UInt64(uuid >> 64), UInt64(truncatingIfNeeded: uuid))
    coder.number(&high)
    coder.number(&low)
    uuid = UInt128(high) << 64 | UInt128(low)
    coder.integer(&row.row)
    coder.integer(&rowCount)
  }
}

extension ExtractCoder {
  /// Encodes or decodes an optional instant; `nil` is 0.
  package mutating func instant(_ value: inout Instant?) {
    var seconds = UInt64(value?.seconds ?? 0)
    number(&seconds)
    guard seconds <= UInt32.max else { return fail() }
    value = seconds == 0 ? nil : Instant(seconds: UInt32(seconds))
  }
}

/// Writes the responses of a dump to its extract, while the dump is read.
package struct ResponseWriter {
  private var writer: ExtractWriter
  private var last = TransactionCopy.blank(file: 0)

  package init(_ registries: Registries) { writer = ExtractWriter(registries) }

  package mutating func write(_ transactions: [TransactionCopy], _ renewals: [RenewalCopy]) {
    var (isNext, transactionCount, renewalCount) = (true, transactions.count, renewals.count)
    writer.flag(&isNext)
    writer.integer(&transactionCount)
    writer.integer(&renewalCount)
    for copy in transactions {
      var copy = copy
      copy.code(copy.parts(after: last), with: &writer)
      last = copy
    }
    for renewal in renewals {
      var renewal = renewal
      renewal.code(with: &writer)
    }
  }

  /// Ends the responses without an extract; returns the bytes of all responses.
  package mutating func end() -> [UInt8] {
    var isNext = false
    writer.flag(&isNext)
    return writer.bytes
  }

  /// Writes the rest of the extract after the responses; returns the bytes of the whole extract.
  package mutating func end(_ extract: inout DumpExtract) -> [UInt8] {
    _ = end()
    extract.code(file: 0, with: &writer)
    return writer.bytes
  }
}

/// Reads the responses of a dump from its extract.
///
/// An extract is read twice, first to validate it: responses cannot be removed from the run's
/// store.
package struct ResponseReader {
  package private(set) var transactions: [TransactionCopy] = []
  package private(set) var renewals: [RenewalCopy] = []
  private var last: TransactionCopy
  private let file: UInt32

  /// Creates a reader for one dump, given its place in the run.
  package init(file: UInt32) {
    self.file = file
    last = .blank(file: file)
  }

  /// Reads the next response into ``transactions`` and ``renewals``; returns whether there was one.
  package mutating func readNext(with reader: inout ExtractReader) -> Bool {
    var (isNext, transactionCount, renewalCount) = (false, 0, 0)
    reader.flag(&isNext)
    guard isNext else { return false }
    reader.integer(&transactionCount)
    reader.integer(&renewalCount)
    transactions.removeAll(keepingCapacity: true)
    renewals.removeAll(keepingCapacity: true)
    while transactions.count < transactionCount, reader.isValid {
      last.code(with: &reader)
      transactions.append(last)
    }
    while renewals.count < renewalCount, reader.isValid {
      var renewal = RenewalCopy(response: 0, madeAt: Instant(seconds: 0))
      renewal.file = file
      renewal.code(with: &reader)
      renewals.append(renewal)
    }
    return reader.isValid
  }
}
