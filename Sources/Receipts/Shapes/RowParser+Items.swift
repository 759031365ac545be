import Scanning
import Storage
import SubscriptionModel

/// Parses transactions and renewal infos, which are objects of scalars.
extension RowParser {
  /// Parses an array of transactions, or a single one as in iOS 6 answers.
  ///
  /// - Returns: Whether it is an array, also one that is kept as text.
  @discardableResult
  mutating func readTransactions(
    _ scanner: inout JSONScanner, _ origin: TransactionCopy.Origin,
    of response: inout UnfinishedResponse
  ) throws(JSONReadError) -> Bool {
    guard let array = try scanner.enterArray() else {
      var isArray = false
      if try scanner.peekKind() == .object {
        response.fields.marks.insert(.ios6)
        try readTransaction(&scanner, origin, of: &response)
      } else {
        _ = try readKeptList(&scanner) { parser, scanner throws(JSONReadError) in
          isArray = try parser.readTransactions(&scanner, origin, of: &response)
        }
      }
      return isArray
    }
    let level = row.places?.depth ?? 0
    var element = 0
    while try scanner.nextElement(of: array) {
      goTo(&element, at: level)
      try readTransaction(&scanner, origin, of: &response)
    }
    return true
  }

  private mutating func readTransaction(
    _ scanner: inout JSONScanner, _ origin: TransactionCopy.Origin,
    of response: inout UnfinishedResponse
  ) throws(JSONReadError) {
    place = place(of: scanner)
    var fields = ObjectFields()
    if try readItem(&scanner, into: &fields) {
      return add(transaction: fields, origin, to: &response)
    }
    let isText = try readKeptList(&scanner) { parser, scanner throws(JSONReadError) in
      if try parser.readItem(&scanner, into: &fields) {
        parser.add(transaction: fields, origin, to: &response)
      }
    }
    if !isText {
      note(.unknownShape, found: .words("a value that is not an object"), expected: "a transaction")
    }
  }

  mutating func readRenewals(
    _ scanner: inout JSONScanner, of response: inout UnfinishedResponse
  ) throws(JSONReadError) {
    guard let array = try scanner.enterArray() else {
      var fields = ObjectFields()
      if try readItem(&scanner, into: &fields) {
        add(renewal: fields, to: &response)
      } else {
        _ = try readKeptList(&scanner) { parser, scanner throws(JSONReadError) in
          try parser.readRenewals(&scanner, of: &response)
        }
      }
      return
    }
    let level = row.places?.depth ?? 0
    var element = 0
    while try scanner.nextElement(of: array) {
      goTo(&element, at: level)
      place = place(of: scanner)
      var fields = ObjectFields()
      if try readItem(&scanner, into: &fields) {
        add(renewal: fields, to: &response)
        continue
      }
      let isText = try readKeptList(&scanner) { parser, scanner throws(JSONReadError) in
        if try parser.readItem(&scanner, into: &fields) {
          parser.add(renewal: fields, to: &response)
        }
      }
      if !isText {
        note(
          .unknownShape, found: .words("a value that is not an object"), expected: "a renewal info")
      }
    }
  }

  /// Parses an object of scalars, in the loop that reads most bytes of a dump.
  ///
  /// - Returns: Whether the value was an object; any other value stays unread.
  mutating func readItem(
    _ scanner: inout JSONScanner, into fields: inout ObjectFields
  ) throws(JSONReadError) -> Bool {
    guard var object = try scanner.enterObject() else { return false }
    let keys = ReceiptKey.all
    while let index = try scanner.nextKey(of: &object, keys.table) {
      if index < 0 { continue }
      let key = keys.cases[index]
      do throws(JSONReadError) {
        try readField(key, &scanner, into: &fields)
      } catch {
        self.key = key
        throw error
      }
    }
    return true
  }

  /// Parses the value of a key, and adds it to the fields of its object.
  @inline(__always)
  mutating func readField(
    _ key: ReceiptKey, _ scanner: inout JSONScanner, into fields: inout ObjectFields
  ) throws(JSONReadError) {
    text.removeAll()
    let value = try scanner.readScalar(into: &text)
    if value.kind == .array, key == .winBackOffers {
      fields.winBackOffers = try readWinBackOffers(&scanner)
    } else if value.kind == .object, key == .commitmentInfo {
      _ = try readItem(&scanner, into: &fields)
    } else {
      fields.add(key, value, text, &symbols)
    }
  }

  /// Parses an array of offer names, and returns the symbol of the names joined by semicolons.
  private mutating func readWinBackOffers(
    _ scanner: inout JSONScanner
  ) throws(JSONReadError) -> Symbol? {
    guard let array = try scanner.enterArray() else { return nil }
    var names: [String] = []
    while try scanner.nextElement(of: array) {
      text.removeAll()
      let name = try scanner.readScalar(into: &text)
      if name.kind == .string {
        names.append(String(decoding: text.bytes[name.range], as: UTF8.self))
      }
    }
    return symbols.symbol(names.joined(separator: ";"))
  }
}
