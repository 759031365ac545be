public import Scanning
public import SubscriptionModel

/// One row of a receipt dump: a line, an element of an array, a row of a table, or a whole file.
///
/// A row holds any number of responses. Its arrays are used again for the next row.
public struct ReceiptRow: ~Copyable, Sendable {
  /// Why a row without fault gives nothing.
  public enum IgnoredReason: String, CaseIterable, Sendable {
    /// A status other than 0 (valid) and 21006 (expired): there is no data, or none to trust.
    case otherStatus = "status not 0 or 21006"
    /// An error of the App Store Server API.
    case errorBody = "error body"
    /// A known shape without transactions and renewal infos.
    case nothingInIt = "nothing in it"
    /// What Apple signs about the app itself.
    case appTransaction = "app transaction"
    /// A row of a table that is about another store.
    case otherStore = "other store"
  }

  /// What became of a row.
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
  /// The offset in the (inflated) text of the row's first byte.
  public internal(set) var byteOffset = 0
  /// What the row is; nil if it is not known.
  public internal(set) var kind: ReceiptKind?
  /// What became of the row; the arrays are empty unless it is used.
  public internal(set) var outcome = Outcome.used
  /// The responses in the row: the number of the first is that of all responses of the file before it.
  public internal(set) var responses: [ReceiptResponse] = []
  /// The transactions in the row; each names its response.
  public internal(set) var transactions: [TransactionCopy] = []
  /// The renewal infos in the row; each names its response.
  public internal(set) var renewals: [RenewalCopy] = []
  /// How many transactions and renewal infos of a used row could not be used.
  public internal(set) var unusableCount = 0

  init() {}

  /// Whether a row that is not JSON could be decoded, whatever it is.
  var isParsed: Bool {
    guard case .rejected(let reject) = outcome else { return true }
    return kind != nil || reject.code == .unknownShape
  }
}
