import Scanning

/// Parses the rows of a dump one by one, and leaves each result in ``row``.
///
/// A JSON object is parsed in one pass. Its keys show which values are transactions and renewal
/// infos; at its end, all keys found determine the kind of response. Each extension parses one
/// group of formats.
struct RowParser: ~Copyable {
  /// How many levels below an object other responses are searched for, because other tools wrap
  /// them.
  static let deepestWrapper = 2

  var row = ReceiptRow()
  var symbols: LocalSymbols
  /// The scalar that was read last.
  var text = JSONText()
  /// The first fault of the row.
  var fault: Reject?
  /// The number of faults in the row.
  var faultCount = 0
  /// Why the row's first ignored response was ignored.
  var ignoredReason: IgnoredReason?
  /// The number of responses begun in the row, finished or not.
  var begunCount: UInt32 = 0
  /// The number of responses of a recognized kind in the row.
  var knownCount = 0
  /// The place of the value being read; inside a JWS payload, the place of the JWS.
  var place = Place()
  /// The key whose value is being read, for messages; nil for the row itself.
  var key: ReceiptKey?
  /// The number of the table column being read, from 1; 0 in JSON.
  var column = 0
  /// Whether the payload of a JWS is being read.
  var isInPayload = false
  /// Whether the part being read has a signature that leads to one of the user's roots.
  var isVerified = false
  /// Decodes JWS payloads and raw receipts.
  var decoder: PayloadDecoder

  /// The file's index among all files of the run.
  private(set) var file: UInt32 = 0
  /// The number of the row's first response.
  private(set) var firstResponse: UInt32 = 0

  /// A place in the file.
  struct Place {
    var line = 1
    var byteOffset = 0
  }

  /// Returns the place of the next value.
  func place(of scanner: borrowing JSONScanner) -> Place {
    isInPayload ? place : Place(line: scanner.line, byteOffset: scanner.byteOffset)
  }

  init(_ symbols: SharedSymbols, _ options: ReceiptOptions) {
    self.symbols = LocalSymbols(symbols)
    decoder = PayloadDecoder(roots: options.roots)
    row.places = options.notesPlaces ? ItemPlaces() : nil
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
    row.firstFault = nil
    row.unreadablePrices = 0
    row.unplacedDates = 0
    row.firstUnplacedDate = nil
    row.isOfSnapshot = false
    row.places?.removeAll()
    removeAll()
    fault = nil
    faultCount = 0
    ignoredReason = nil
    begunCount = 0
    knownCount = 0
  }

  /// Ends a row; a row with a fault is rejected only if nothing in it can be used.
  mutating func endRow() {
    if !row.transactions.isEmpty || !row.renewals.isEmpty {
      row.outcome = .used
      row.unusableCount = faultCount
      row.firstFault = fault
    } else if let fault {
      row.outcome = .rejected(fault)
    } else if let ignoredReason {
      row.outcome = .ignored(ignoredReason)
    } else {
      place = Place(line: row.line, byteOffset: row.byteOffset)
      (key, column) = (nil, 0)
      note(
        .unknownShape, found: .words("JSON without receipt data"),
        expected: "a verifyReceipt answer, a notification, a page of the Server API or a receipt")
      row.outcome = fault.map { .rejected($0) } ?? .used
    }
  }

  /// Ends a row as rejected, and drops everything in it.
  mutating func rejectRow(_ reject: Reject) {
    removeAll()
    row.outcome = .rejected(reject)
  }

  /// Ends a row as rejected because it is not JSON, or has a key twice.
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

  /// Counts a fault at the current place; the first fault of a row is kept.
  ///
  /// - Parameters:
  ///   - code: The code of the fault.
  ///   - found: What was found.
  ///   - expected: What was expected.
  ///   - name: The column or key to name in the message, if it is not ``key``.
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
