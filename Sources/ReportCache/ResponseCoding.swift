import AppStoreReports
import Pipeline
import SubscriptionModel

/// Writes the responses of a dump to its extract, while the dump is read.
struct ResponseWriter {
  private var writer: ExtractWriter
  private var last = TransactionCopy.blank(file: 0)

  init(_ registries: Registries) { writer = ExtractWriter(registries) }

  /// Writes the next response.
  mutating func write(_ transactions: [TransactionCopy], _ renewals: [RenewalCopy]) {
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

  /// Writes the rest of the extract after the responses.
  ///
  /// - Returns: The bytes of the whole extract.
  mutating func end(_ extract: inout DumpExtract) -> [UInt8] {
    var isNext = false
    writer.flag(&isNext)
    extract.code(file: 0, with: &writer)
    return writer.bytes
  }
}

/// Reads the responses of a dump from its extract.
struct ResponseReader {
  private(set) var transactions: [TransactionCopy] = []
  private(set) var renewals: [RenewalCopy] = []
  private var last: TransactionCopy

  /// Creates a reader for one dump.
  ///
  /// - Parameter file: The dump's place in the order of all files of the run.
  init(file: UInt32) { last = .blank(file: file) }

  /// Reads the next response into ``transactions`` and ``renewals``.
  ///
  /// - Returns: Whether there was one.
  mutating func readNext(with reader: inout ExtractReader) -> Bool {
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
      renewal.code(with: &reader)
      renewals.append(renewal)
    }
    return reader.isValid
  }
}
