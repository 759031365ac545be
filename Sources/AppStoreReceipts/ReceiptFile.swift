import Receipts
import Scanning
import SubscriptionModel

/// A dump of App Store receipts in any shape, gzip or plain text.
///
/// The shapes are recognized by their content, and a file may mix them: answers of verifyReceipt,
/// server notifications V1 and V2, pages of the App Store Server API, JWS and decoded transactions,
/// raw receipts in base64 or DER, exports of RevenueCat and Adapty, and other tables by `columns`.
///
/// Days and instants are texts in UTC such as `2026-08-31T12:00:00Z`, which sort by time.
///
/// ```swift
/// for receipt in try ReceiptFile(path) {
///   for transaction in receipt.transactions {
///     print("\(transaction.product) \(transaction.purchasedAt)")
///   }
/// }
/// // plus.month 2026-08-01T00:00:00Z
/// // plus.month 2026-08-15T00:00:00Z
/// ```
public struct ReceiptFile: Sequence, Sendable {
  private let contents: ReceiptContents
  private let texts: [String]

  /// Reads a dump to its end.
  ///
  /// The end decides whether a file is one JSON value or lines, so the whole dump is kept: some 200
  /// bytes for each transaction, and its ids if they are not numbers.
  ///
  /// ```swift
  /// let dump = try ReceiptFile(path)
  /// let verified = try ReceiptFile(signedPath, roots: [appleRoot])
  /// ```
  ///
  /// - Parameters:
  ///   - path: The path of the file; gzip is recognized by content, not by name.
  ///   - roots: The root certificates in DER that signatures must lead to, such as Apple Root CA -
  ///     G3; without any, no signature is checked. A row with another signature is a reject.
  ///   - columns: The headers of a table that is no export of RevenueCat or Adapty, by the names of
  ///     `[receipts.columns]` in docs/settings.md, such as `["purchase_date": "purchased_at"]`.
  /// - Throws: ``Failure`` if the file cannot be read to its end, is damaged or holds no receipt,
  ///   or if a certificate or the name of a column is wrong.
  public init(
    _ path: String, roots: [[UInt8]] = [], columns: [String: String] = [:]
  ) throws(Failure) {
    let options = try ReceiptOptions(roots: roots, columns: columns)
    let symbols = SharedSymbols()
    var reader = ReceiptReader(symbols: symbols, options: options)
    var contents = ReceiptContents()
    var kind: ReceiptKind?
    do throws(ScanError) {
      if try ReceiptReader.recognizes(path: path, columns: options.columns) {
        kind = try reader.read(
          path: path, file: 0, firstResponse: 0, restart: { contents = ReceiptContents() }
        ) { contents.add($0) }
      }
    } catch {
      throw Failure(path, code: error.code, error.message)
    }
    guard kind != nil else {
      throw Failure(
        path, code: "unrecognized-file", "found no receipt, expected a dump of receipts")
    }
    self.contents = contents
    texts = symbols.texts
  }

  /// The rows that cannot be used, in the order of the file.
  ///
  /// ```swift
  /// print(dump.rejects.count)  // 1
  /// ```
  public var rejects: [Reject] { contents.rejects }

  /// The number of rows left out for each reason, such as a request that Apple did not answer.
  ///
  /// The reasons are those of the notes in `health.csv`.
  ///
  /// ```swift
  /// print(dump.ignored)  // ["status not 0 or 21006": 1]
  /// ```
  public var ignored: [String: Int] { contents.ignored }

  /// The number of transactions without a usable date that were left out of rows with other, good
  /// ones.
  ///
  /// ```swift
  /// print(dump.unusableCount)  // 0
  /// ```
  public var unusableCount: Int { contents.unusableCount }

  /// Returns an iterator over the receipts, in the order of the file.
  ///
  /// ```swift
  /// let receipts = dump.makeIterator()
  /// print(receipts.next()?.kind ?? "none")  // transaction
  /// ```
  ///
  /// - Returns: The iterator.
  public func makeIterator() -> AnyIterator<Receipt> {
    let receipts = contents.entries.lazy.map { [contents, texts] entry in
      Receipt(entry.response, contents.transactions[entry.transactions], texts)
    }
    return AnyIterator(receipts.makeIterator())
  }
}

extension ReceiptFile {
  /// Why a file cannot be read as a dump of receipts.
  ///
  /// ```swift
  /// do {
  ///   _ = try ReceiptFile("missing.ndjson")
  /// } catch {
  ///   print(error.code)  // cannot-open
  /// }
  /// ```
  public struct Failure: Error, Equatable, CustomStringConvertible {
    /// The stable name of the error, such as `cannot-open`, `gzip-truncated` or
    /// `unrecognized-file`.
    ///
    /// ```swift
    /// print(failure.code)  // cannot-open
    /// ```
    public let code: String

    /// The message in one line, with the path.
    ///
    /// ```swift
    /// print(failure)
    /// // missing.ndjson: error: cannot open the file: no such file or directory [cannot-open]
    /// ```
    public let description: String

    init(_ path: String, code: String, _ message: String) {
      self.code = code
      description = "\(path): error: \(message) [\(code)]"
    }
  }
}

extension ReceiptFile {
  /// A row that cannot be used.
  ///
  /// Texts that may be ids, tokens or mail addresses are hidden: only their length is shown.
  ///
  /// ```swift
  /// for reject in dump.rejects { print("\(path): \(reject)") }
  /// ```
  public struct Reject: Hashable, Sendable, CustomStringConvertible {
    /// The number of the line in the (inflated) text, from 1.
    ///
    /// ```swift
    /// print(dump.rejects[0].line)  // 4
    /// ```
    public let line: Int

    /// The stable name of the fault.
    ///
    /// ```swift
    /// print(dump.rejects[0].code)  // not-json
    /// ```
    public let code: String

    /// The message in one line: what was found and what was expected, without the path.
    ///
    /// ```swift
    /// print(dump.rejects[0].description.hasPrefix("line 4: found "))  // true
    /// ```
    public let description: String

    init(_ reject: Scanning.Reject) {
      line = reject.line
      code = reject.code.rawValue
      description = "line \(reject.line): \(reject.message(hiding: .tokens))"
    }
  }
}

/// The rows of a dump: its responses with their transactions, and the rows that are not used.
struct ReceiptContents: Sendable {
  /// A response, and the place of its transactions in ``transactions``.
  struct Entry: Sendable {
    let response: ReceiptResponse
    let transactions: Range<Int>
  }

  private(set) var entries: [Entry] = []
  private(set) var transactions: [TransactionCopy] = []
  private(set) var rejects: [ReceiptFile.Reject] = []
  private(set) var ignored: [String: Int] = [:]
  private(set) var unusableCount = 0

  /// Adds a row.
  ///
  /// - Parameter row: The next row of the file; the first response of the file has the number 0.
  mutating func add(_ row: borrowing ReceiptRow) {
    switch row.outcome {
    case .rejected(let reject): rejects.append(ReceiptFile.Reject(reject))
    case .ignored(let reason): ignored[reason.rawValue, default: 0] += 1
    case .used: use(row)
    }
  }

  private mutating func use(_ row: borrowing ReceiptRow) {
    unusableCount += row.unusableCount
    let copies = Dictionary(grouping: row.transactions, by: \.response)
    for response in row.responses {
      let start = transactions.count
      for copy in copies[UInt32(entries.count)] ?? [] { add(copy) }
      entries.append(Entry(response: response, transactions: start..<transactions.count))
    }
  }

  /// Adds a transaction; a refund that is a row of its own revokes the purchase before it.
  private mutating func add(_ copy: TransactionCopy) {
    guard copy.flags.contains(.refundOnly) else { return transactions.append(copy) }
    let purchase = transactions.lastIndex { $0.transactionID == copy.transactionID }
    guard let purchase else { return unusableCount += 1 }
    transactions[purchase].cancellation = copy.cancellation
  }
}

extension ReceiptOptions {
  /// Creates options from the arguments of ``ReceiptFile/init(_:roots:columns:)``.
  init(roots: [[UInt8]], columns: [String: String]) throws(ReceiptFile.Failure) {
    self.init()
    if !roots.isEmpty { self.roots = try RootCertificates(roots) }
    var headers: [ReceiptColumns.Field: String] = [:]
    for (name, header) in columns.sorted(by: { $0.key < $1.key }) {
      guard let field = ReceiptColumns.Field(rawValue: name) else {
        let advice = Nearest.advice(name, among: ReceiptColumns.Field.allCases.map(\.rawValue))
        throw ReceiptFile.Failure(
          "columns", code: "unknown-column", "no column \"\(name)\"; \(advice)")
      }
      headers[field] = header
    }
    if !headers.isEmpty { self.columns = ReceiptColumns(headers) }
  }
}

extension RootCertificates {
  fileprivate init(_ files: [[UInt8]]) throws(ReceiptFile.Failure) {
    self.init()
    for (index, file) in files.enumerated() {
      do throws(Fault) {
        try add(file)
      } catch {
        throw ReceiptFile.Failure("roots[\(index)]", code: "bad-certificate", error.message)
      }
    }
  }
}
