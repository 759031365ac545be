public import Scanning
public import SubscriptionModel

/// One row of a receipt dump: a line, an element of an array, a row of a table, or a whole file.
///
/// A row holds any number of responses. Its arrays are reused for the next row.
public struct ReceiptRow: ~Copyable, Sendable {
  /// Why a row without a fault holds nothing to use.
  public enum IgnoredReason: String, CaseIterable, Sendable {
    /// A status other than 0 (valid) and 21006 (expired): no data, or data that cannot be trusted.
    case otherStatus = "status not 0 or 21006"
    /// An error of the App Store Server API.
    case errorBody = "error body"
    /// A recognized shape without transactions and renewal infos.
    case nothingInIt = "nothing in it"
    /// Apple's signed statement about the app itself.
    case appTransaction = "app transaction"
    /// A row of a table about another store.
    case otherStore = "other store"
  }

  /// Whether a row was used, ignored or rejected.
  public enum Outcome: Sendable {
    /// It holds at least one transaction or renewal info.
    case used
    case ignored(IgnoredReason)
    case rejected(Reject)
  }

  /// The number of the row in its file, from 1.
  public internal(set) var number = 0
  /// The number of the line on which the row begins, from 1.
  public internal(set) var line = 1
  /// The offset of the row's first byte in the (inflated) text.
  public internal(set) var byteOffset = 0
  /// The kind of the row; nil if it is not recognized.
  public internal(set) var kind: ReceiptKind?
  /// The outcome of the row; the arrays are empty unless it was used.
  public internal(set) var outcome = Outcome.used
  /// The responses in the row, numbered on from those of the file's earlier rows.
  public internal(set) var responses: [ReceiptResponse] = []
  /// The transactions in the row; each holds the number of its response.
  public internal(set) var transactions: [TransactionCopy] = []
  /// The renewal infos in the row; each holds the number of its response.
  public internal(set) var renewals: [RenewalCopy] = []
  /// The number of faulty transactions and renewal infos in a used row.
  public internal(set) var unusableCount = 0

  init() {}

  /// Whether a row that is not JSON could be decoded, whatever its kind.
  var isParsed: Bool {
    guard case .rejected(let reject) = outcome else { return true }
    return kind != nil || reject.code == .unknownShape
  }
}
