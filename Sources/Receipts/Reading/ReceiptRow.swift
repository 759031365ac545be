package import Scanning
package import Storage
package import SubscriptionModel

/// One row of a receipt dump: a line, an element of an array, a row of a table, or a whole file.
///
/// A row holds any number of responses. Its arrays are reused for the next row.
package struct ReceiptRow: ~Copyable, Sendable {
  /// The outcome of a row: used, ignored or rejected.
  package enum Outcome: Sendable {
    /// The row holds at least one transaction or renewal info.
    case used
    case ignored(IgnoredReason)
    case rejected(Reject)
  }

  /// The number of the row in its file, from 1.
  package internal(set) var number = 0
  /// The number of the line on which the row begins, from 1.
  package internal(set) var line = 1
  /// The offset of the row's first byte in the (inflated) text.
  package internal(set) var byteOffset = 0
  /// The kind of the row; nil if it is not recognized.
  package internal(set) var kind: ReceiptKind?
  /// The outcome of the row; unless it is used, the arrays are empty.
  package internal(set) var outcome = Outcome.used
  /// The responses in the row; numbers continue from row to row.
  package internal(set) var responses: [ReceiptResponse] = []
  /// The transactions in the row; each holds the number of its response.
  package internal(set) var transactions: [TransactionCopy] = []
  /// The renewal infos in the row; each holds the number of its response.
  package internal(set) var renewals: [RenewalCopy] = []
  /// The number of faulty transactions and renewal infos that were left out of a used row.
  package internal(set) var unusableCount = 0
  /// The first of these faults; nil without one.
  package internal(set) var firstFault: Reject?
  /// Whether the row is of a snapshot, so that its responses were made when the file was:
  /// ``ReceiptReader/snapshotDate``.
  package internal(set) var isOfSnapshot = false
  /// The number of transactions with a price that is no whole number, 0 or more; they count without a price.
  package internal(set) var unreadablePrices = 0
  /// The number of transactions with a date that is none, without a zone or outside 2008 to 2099; it is missing.
  package internal(set) var unplacedDates = 0
  /// The first of them, in words.
  package internal(set) var firstUnplacedDate: String?

  /// The places of its transactions and renewal infos; nil unless the options ask for them.
  package internal(set) var places: ItemPlaces?

  /// Whether a row that is not JSON could be decoded, even if it was then rejected.
  var isParsed: Bool {
    guard case .rejected(let reject) = outcome else { return true }
    return kind != nil || reject.code == .unknownShape || reject.code == .notVerified
  }
}

/// One answer or notification from Apple; all its transactions have one customer (METRICS.md 3.2).
package struct ReceiptResponse: Sendable {
  /// The App Store environment of a response.
  package enum Environment: Sendable {
    case production
    /// Sandbox, Xcode or local testing.
    case nonProduction
    /// Not stated: counts as production, and is reported in health.
    case missing
  }

  /// The kind of response.
  package let kind: ReceiptKind
  /// When Apple made the response: its as-of (METRICS.md 3.7).
  package let madeAt: Instant
  /// The environment, combined from all parts that state one (METRICS.md 3.1).
  package let environment: Environment
  /// The app's bundle id; blank if the response does not state it.
  package let app: Symbol
  /// The UUID of a notification V2, the same in every delivery; nil for other kinds.
  package let notificationUUID: UInt128?
  /// Whether every part has a signature that leads to one of the user's roots; `false` without
  /// verification.
  package let isVerified: Bool
}
