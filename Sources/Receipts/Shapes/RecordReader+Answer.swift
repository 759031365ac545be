import Scanning
import SubscriptionModel

/// Reads verifyReceipt answers in all layouts, notifications V1, and their wrappers.
extension RecordReader {
  /// Reads a value as a record or as an array of records; a string may be a receipt.
  mutating func readValue(_ scanner: inout JSONScanner) throws(JSONReadError) {
    if try scanner.peekKind() == .string {
      try readReceiptString(&scanner)
    } else {
      try readRecords(&scanner, depth: 0)
    }
  }

  /// Reads a value as a record or as an array of records; any other value stays unread.
  private mutating func readRecords(
    _ scanner: inout JSONScanner, depth: Int
  ) throws(JSONReadError) {
    if try readRecord(&scanner, depth: depth) { return }
    if depth < Self.deepestWrapper, let array = try scanner.enterArray() {
      while try scanner.nextElement(of: array) { try readRecords(&scanner, depth: depth + 1) }
    }
  }

  /// Reads an object as a record, which becomes a response of its own if its kind is recognized.
  ///
  /// - Returns: Whether the value was an object; any other value stays unread.
  mutating func readRecord(
    _ scanner: inout JSONScanner, depth: Int
  ) throws(JSONReadError) -> Bool {
    let place = place(of: scanner)
    guard var object = try scanner.enterObject() else { return false }
    self.place = place
    var response = openResponse()
    var fields = RecordFields()
    do throws(JSONReadError) {
      try readMembers(&scanner, &object, into: &fields, of: &response, depth: depth)
    } catch {
      drop(response)
      throw error
    }
    finishRecord(fields, response)
    return true
  }

  /// Ends a record, which may itself be a transaction or a renewal info.
  ///
  /// An object around another record is neither, even if its fields have such names.
  mutating func finishRecord(_ fields: RecordFields, _ response: consuming OpenResponse) {
    var fields = fields
    if knownCount > response.knownCount { fields.marks.subtract(.byItself) }
    if fields.isTransaction {
      add(transaction: fields, .latest, to: &response)
    } else if fields.isRenewalInfo, !fields.marks.contains(.notificationV1) {
      add(renewal: fields, to: &response)
    }
    finish(response, fields)
  }

  /// Reads the members of a record or of a part of one.
  mutating func readMembers(
    _ scanner: inout JSONScanner, _ object: inout JSONObject, into fields: inout RecordFields,
    of response: inout OpenResponse, depth: Int
  ) throws(JSONReadError) {
    let outerKey = key
    while let member = try scanner.nextMember(of: &object, ReceiptKey.all) {
      guard case .known(let key) = member else {
        if depth < Self.deepestWrapper { try readRecords(&scanner, depth: depth + 1) }
        continue
      }
      self.key = key
      switch key {
      case .inApp:
        fields.marks.insert(.answer)
        try readTransactions(&scanner, .inApp, of: &response)
      case .latestReceiptInfo, .latestExpiredReceiptInfo:
        fields.marks.insert(.answer)
        try readTransactions(&scanner, .latest, of: &response)
      case .pendingRenewalInfo:
        fields.marks.insert(.answer)
        try readRenewals(&scanner, of: &response)
      case .receipt: try readReceipt(&scanner, into: &fields, of: &response)
      case .unifiedReceipt:
        fields.marks.insert(.answer)
        _ = try readPart(&scanner, of: &response)
      case .unityPayload, .transactionReceipt:
        try readReceiptString(&scanner, isClients: true)
      case .data, .lastTransactions, .notificationHistory, .signedPayload, .signedTransactions,
        .signedTransactionInfo, .signedRenewalInfo, .signedAppTransactionInfo:
        try readSigned(key, &scanner, into: &fields, of: &response, depth: depth)
      default: try readField(key, &scanner, into: &fields)
      }
      self.key = outerKey
    }
  }

  /// Reads an object that is part of a response.
  ///
  /// - Returns: Its own fields, or nil if the value is not an object; the value then stays unread.
  mutating func readPart(
    _ scanner: inout JSONScanner, of response: inout OpenResponse,
    depth: Int = RecordReader.deepestWrapper
  ) throws(JSONReadError) -> RecordFields? {
    guard var object = try scanner.enterObject() else { return nil }
    var fields = RecordFields()
    try readMembers(&scanner, &object, into: &fields, of: &response, depth: depth)
    response.fields.addResponse(of: fields)
    return fields
  }

  /// Reads `receipt`: since iOS 7 it holds `in_app`; for iOS 6 it is the transaction itself.
  private mutating func readReceipt(
    _ scanner: inout JSONScanner, into fields: inout RecordFields,
    of response: inout OpenResponse
  ) throws(JSONReadError) {
    let place = place(of: scanner)
    guard let receipt = try readPart(&scanner, of: &response) else {
      // Wrappers of other tools keep the raw receipt under this name.
      try readReceiptString(&scanner)
      return
    }
    fields.marks.insert(.answer)
    if receipt.isTransaction || receipt.product != .blank {
      self.place = place
      response.fields.marks.insert(.ios6)
      add(transaction: receipt, .inApp, to: &response)
    }
  }
}
