import Scanning
import SubscriptionModel

/// Reads one row of a dump after the other, and leaves what it holds in ``row``.
///
/// A record is walked once, whatever its shape: keys tell where transactions and renewal infos are, and
/// what else was met tells at the end of each response what it was. Shapes are in extensions, one a file.
struct RecordReader: ~Copyable {
  /// How many levels below a record others are looked for.
  static let deepestWrapper = 2

  var row = ReceiptRow()
  var symbols: LocalSymbols
  /// The scalar that was read last.
  var text = JSONText()
  /// The first thing in the row that could not be used.
  var fault: Reject?
  /// How many there were.
  var faultCount = 0
  /// Why the first response that gave nothing did not.
  var ignoredReason: ReceiptRow.IgnoredReason?
  /// How many responses of the row were begun.
  var openCount: UInt32 = 0
  /// How many of them were of a known kind.
  var knownCount = 0
  /// Where the value is that is being read; inside a payload, where the signed record is.
  var place = Place()
  /// The key whose value is being read, for messages; nil for the record itself.
  var key: ReceiptKey?
  /// The number of its column in a table, from 1; 0 in JSON.
  var column = 0
  /// Whether the payload of a signed record is being read.
  var isInPayload = false
  /// Whether what is being read was signed by someone for whom a given root vouches.
  var isVerified = false
  /// Decodes what is signed or encoded.
  var decoder: RecordDecoder

  /// The file's place in the order of all files of the run.
  private(set) var file: UInt32 = 0
  /// The number of the row's first response.
  private(set) var firstResponse: UInt32 = 0

  /// Where a value is in the file.
  struct Place {
    var line = 1
    var byteOffset = 0
  }

  /// Returns where the value is that is to be read.
  func place(of scanner: borrowing JSONScanner) -> Place {
    isInPayload ? place : Place(line: scanner.line, byteOffset: scanner.byteOffset)
  }

  /// Notes where the value is that is to be read.
  mutating func setPlace(_ scanner: borrowing JSONScanner) {
    place = place(of: scanner)
  }

  init(_ symbols: SharedSymbols, _ options: ReceiptOptions) {
    self.symbols = LocalSymbols(symbols)
    decoder = RecordDecoder(roots: options.roots)
  }

  // MARK: Rows

  /// Begins a file.
  mutating func begin(file: UInt32, firstResponse: UInt32) {
    self.file = file
    self.firstResponse = firstResponse
    row.number = 0
    row.responses.removeAll(keepingCapacity: true)
  }

  /// Begins a row.
  mutating func beginRow(_ place: Place) {
    self.place = place
    (key, column) = (nil, 0)
    firstResponse += UInt32(row.responses.count)
    row.number += 1
    row.line = place.line
    row.byteOffset = place.byteOffset
    row.kind = nil
    row.unusableCount = 0
    removeAll()
    fault = nil
    faultCount = 0
    ignoredReason = nil
    openCount = 0
    knownCount = 0
  }

  /// Ends a row: a fault makes it a reject only when nothing in it can be used.
  mutating func endRow() {
    if !row.transactions.isEmpty || !row.renewals.isEmpty {
      row.outcome = .used
      row.unusableCount = faultCount
    } else if let fault {
      row.outcome = .rejected(fault)
    } else if let ignoredReason {
      row.outcome = .ignored(ignoredReason)
    } else {
      place = Place(line: row.line, byteOffset: row.byteOffset)
      (key, column) = (nil, 0)
      note(
        .unknownShape, found: .words("JSON without anything that receipts have"),
        expected: "a verifyReceipt answer, a notification, a page of the Server API or a receipt")
      row.outcome = fault.map { .rejected($0) } ?? .used
    }
  }

  /// Ends a row of which nothing may be used.
  mutating func rejectRow(_ reject: Reject) {
    removeAll()
    row.outcome = .rejected(reject)
  }

  /// Ends a row that is not JSON.
  mutating func rejectRow(_ error: JSONError) {
    let code: Reject.Code =
      switch error.code {
      case .truncated: .truncatedRecord
      case .duplicateKey: .duplicateKey
      case .syntax, .invalidUTF8, .loneSurrogate, .controlCharacter, .tooDeep: .notJSON
      }
    rejectRow(
      Reject(
        line: error.line, byteOffset: error.byteOffset, field: 0,
        column: error.key.isEmpty ? key?.rawValue ?? "" : error.key, code: code,
        found: .words(error.found), expected: error.expected))
  }

  private mutating func removeAll() {
    row.responses.removeAll(keepingCapacity: true)
    row.transactions.removeAll(keepingCapacity: true)
    row.renewals.removeAll(keepingCapacity: true)
  }

  /// Notes something at the present place that could not be used.
  ///
  /// - Parameters:
  ///   - code: What is wrong.
  ///   - found: What was found.
  ///   - expected: What would have been right.
  ///   - name: What it is the value of, where that is not ``key``.
  mutating func note(
    _ code: Reject.Code, found: Reject.Finding, expected: String, name: String? = nil
  ) {
    faultCount += 1
    if fault != nil { return }
    fault = Reject(
      line: place.line, byteOffset: place.byteOffset, field: column,
      column: name ?? key?.rawValue ?? "", code: code, found: found, expected: expected)
  }
}
