import Receipts
import Scanning
import Storage
import SubreportTestSupport
import SubscriptionModel

/// A receipt dump as a reader sees it: all rows of a file, copied.
struct Dump {
  /// One row.
  struct Row {
    let number: Int
    let line: Int
    let byteOffset: Int
    let kind: ReceiptKind?
    let outcome: ReceiptRow.Outcome
    let responses: [ReceiptResponse]
    let transactions: [TransactionCopy]
    let renewals: [RenewalCopy]
    let unusableCount: Int
    let unreadablePrices: Int
    let unplacedDates: Int

    /// `used`, the reason for ignoring, or the code of the reject.
    var result: String {
      switch outcome {
      case .used: "used"
      case .ignored(let reason): reason.rawValue
      case .rejected(let reject): reject.code.rawValue
      }
    }

    var reject: Reject? {
      if case .rejected(let reject) = outcome { return reject }
      return nil
    }
  }

  let symbols = SharedSymbols()
  private(set) var kind: ReceiptKind?
  private(set) var rows: [Row] = []
  private(set) var restarts = 0
  private(set) var storedByteCount = 0
  private(set) var snapshotDate: Instant?
  private(set) var missingColumns: [String] = []

  /// Reads a text.
  init(_ text: String, _ options: ReceiptOptions = ReceiptOptions()) throws {
    try self.init(Array(text.utf8), options)
  }

  /// Reads bytes as a file.
  init(_ bytes: [UInt8], _ options: ReceiptOptions = ReceiptOptions()) throws {
    let file = TemporaryFile(bytes)
    try self.init(path: file.path, options)
  }

  /// Reads a file.
  init(path: String, _ options: ReceiptOptions = ReceiptOptions()) throws {
    var reader = ReceiptReader(symbols: symbols, options: options)
    var rows: [Row] = []
    var restarts = 0
    var byteCount = 0
    kind = try reader.read(
      path: path, file: 7, firstResponse: 100, onStoredBytes: { byteCount += $0.count },
      restart: {
        rows.removeAll()
        restarts += 1
      }
    ) { row in
      rows.append(
        Row(
          number: row.number, line: row.line, byteOffset: row.byteOffset, kind: row.kind,
          outcome: row.outcome, responses: row.responses, transactions: row.transactions,
          renewals: row.renewals, unusableCount: row.unusableCount,
          unreadablePrices: row.unreadablePrices, unplacedDates: row.unplacedDates))
    }
    self.rows = rows
    self.restarts = restarts
    storedByteCount = byteCount
    snapshotDate = reader.snapshotDate
    missingColumns = reader.missingColumns
  }

  var results: [String] { rows.map(\.result) }
  var responses: [ReceiptResponse] { rows.flatMap(\.responses) }
  var transactions: [TransactionCopy] { rows.flatMap(\.transactions) }
  var renewals: [RenewalCopy] { rows.flatMap(\.renewals) }

  func text(_ symbol: Symbol) -> String { symbols.text(of: symbol) }

  func text(_ id: ReceiptID) -> String { id.symbol.map { text($0) } ?? "\(id.value)" }

  /// All that was read, apart from where it was: the same for the same records in another file.
  var content: [String] {
    rows.map { row in
      let responses = row.responses.map { response in
        "\(response.kind) \(response.madeAt) \(response.environment) \(text(response.app))"
          + " \(response.notificationUUID.map { String($0, radix: 16) } ?? "-")"
      }
      return
        ([row.result, "\(row.unusableCount)", "\(row.kind?.rawValue ?? "-")"] + responses
        + row.transactions.map { describe($0) } + row.renewals.map { describe($0) })
        .joined(separator: "\n")
    }
  }

  func describe(_ copy: TransactionCopy) -> String {
    let ids = [copy.appTransactionID, copy.originalID, copy.transactionID, copy.lineItemID]
    let texts = [
      copy.accountToken, copy.app, copy.product, copy.group, copy.currency, copy.country,
    ]
    let instants = [copy.purchase, copy.expires, copy.cancellation, copy.originalPurchase]
    return
      (["\(copy.response)", "\(copy.madeAt)"] + ids.map { text($0) } + texts.map { text($0) }
      + instants.map { $0?.description ?? "-" } + [
        "\(copy.price ?? -1)", "\(copy.revocationPercentage ?? -1)", "\(copy.flags.rawValue)",
        "\(copy.origin)", "\(copy.type)", "\(copy.ownership)", "\(copy.number)",
      ]).joined(separator: " ")
  }

  func describe(_ renewal: RenewalCopy) -> String {
    [
      "\(renewal.response)", "\(renewal.madeAt)", text(renewal.originalID), text(renewal.product),
      renewal.graceEnd?.description ?? "-", "\(renewal.expirationIntent)",
      renewal.autoRenews.map { "\($0)" } ?? "-", renewal.isInBillingRetry.map { "\($0)" } ?? "-",
      "\(renewal.status)", renewal.winBackOffers.map { text($0) } ?? "-",
      renewal.newestPurchase.map { "\($0)" }, renewal.newestExpiry.map { "\($0)" },
      renewal.isAbsent ? "absent" : nil,
    ].compactMap { $0 }.joined(separator: " ")
  }
}

/// Returns bytes in base64, as receipts are, or in the alphabet of a JWS and without padding.
func base64(_ bytes: [UInt8], isJWS: Bool = false) -> String {
  let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
  let alphabet = letters + (isJWS ? ["-", "_"] : ["+", "/"])
  var text = ""
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let value = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
    for place in 0...group.count { text.append(alphabet[value >> (18 - 6 * place) & 63]) }
    if !isJWS { text += String(repeating: "=", count: 3 - group.count) }
  }
  return text
}

/// Returns a JWS that nobody signed.
func jws(_ payload: String) -> String {
  [#"{"alg":"ES256"}"#, payload, "signature"].map { base64(Array($0.utf8), isJWS: true) }
    .joined(separator: ".")
}

/// The bytes of a file.
func contents(_ path: String) throws -> [UInt8] {
  var stream = try ByteStream(path: path)
  var bytes: [UInt8] = []
  try stream.read(into: &bytes, atMost: 1 << 24)
  return bytes
}
