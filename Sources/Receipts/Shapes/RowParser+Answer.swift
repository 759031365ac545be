import Scanning
import Storage
import SubscriptionModel

/// Parses verifyReceipt answers in all layouts, notifications V1, and objects of other tools around
/// them.
extension RowParser {
  /// Parses a value: an object, an array of objects, or a string with a raw receipt.
  mutating func readValue(_ scanner: inout JSONScanner) throws(JSONReadError) {
    if try scanner.peekKind() == .string {
      try readReceiptString(&scanner)
    } else {
      try readObjects(&scanner, depth: 0)
    }
  }

  /// Parses an object or an array of objects; any other value stays unread.
  mutating func readObjects(
    _ scanner: inout JSONScanner, depth: Int
  ) throws(JSONReadError) {
    if try readObject(&scanner, depth: depth) { return }
    if depth < Self.deepestWrapper, let array = try scanner.enterArray() {
      let level = row.places?.depth ?? 0
      var element = 0
      while try scanner.nextElement(of: array) {
        goTo(&element, at: level)
        try readWrapped(&scanner, depth: depth + 1)
      }
    }
  }

  /// Parses an object, which becomes one response if its kind is recognized.
  ///
  /// - Returns: Whether the value was an object; any other value stays unread.
  mutating func readObject(
    _ scanner: inout JSONScanner, depth: Int
  ) throws(JSONReadError) -> Bool {
    let place = place(of: scanner)
    guard var object = try scanner.enterObject() else { return false }
    self.place = place
    var response = beginResponse()
    var fields = ObjectFields()
    do throws(JSONReadError) {
      try readMembers(&scanner, &object, into: &fields, of: &response, depth: depth)
    } catch {
      drop(response)
      throw error
    }
    finishObject(fields, response)
    return true
  }

  /// Ends an object, which may itself be a transaction or a renewal info.
  ///
  /// An object around another response is neither, even if it has the keys of one. A flat notification V2 is both.
  mutating func finishObject(_ fields: ObjectFields, _ response: consuming UnfinishedResponse) {
    var fields = fields
    if knownCount > response.knownCount { fields.marks.subtract(.byItself) }
    let isSigned = fields.marks.contains(.signedInfo)
    let hasTransaction = isSigned && row.transactions.count > response.firstTransaction
    let hasRenewal = isSigned && row.renewals.count > response.firstRenewal
    if fields.isTransaction, !hasTransaction {
      add(transaction: fields, .latest, to: &response)
    }
    if fields.isRenewalInfo, !hasRenewal, !fields.isNotificationV1 {
      add(renewal: fields, to: &response)
    }
    finish(response, fields)
  }

  /// Parses the members of a response's object, or of an object inside it.
  mutating func readMembers(
    _ scanner: inout JSONScanner, _ object: inout JSONObject, into fields: inout ObjectFields,
    of response: inout UnfinishedResponse, depth: Int
  ) throws(JSONReadError) {
    let outerKey = key
    let level = row.places?.depth ?? 0
    defer { row.places?.leave(to: level) }
    let keys = ReceiptKey.all
    while let index = try scanner.nextKey(of: &object, keys.table) {
      guard index >= 0 else {
        row.places?.goTo(nil, at: level)
        if depth < Self.deepestWrapper { try readWrapped(&scanner, depth: depth + 1) }
        continue
      }
      let key = keys.cases[index]
      self.key = key
      row.places?.goTo(key, at: level)
      switch key {
      case .inApp, .inAppOfLibrary:
        fields.marks.insert(.answer)
        try readTransactions(&scanner, .inApp, of: &response)
      case .latestReceiptInfo, .latestReceiptInfoOfLibrary:
        fields.marks.insert(.answer)
        let first = row.transactions.count
        if try readTransactions(&scanner, .latest, of: &response) {
          response.latest = first..<row.transactions.count
        }
      case .latestExpiredReceiptInfo, .latestExpiredReceiptInfoOfLibrary:
        fields.marks.insert(.answer)
        let first = row.transactions.count
        try readTransactions(&scanner, .latest, of: &response)
        response.expired = first..<row.transactions.count
      case .pendingRenewalInfo, .pendingRenewalInfoOfLibrary:
        fields.marks.insert(.answer)
        try readRenewals(&scanner, of: &response)
      case .receipt: try readReceipt(&scanner, into: &fields, of: &response)
      case .unifiedReceipt, .unifiedReceiptOfLibrary:
        fields.marks.insert(.answer)
        if try readPart(&scanner, of: &response) == nil {
          _ = try readKeptList(&scanner) { parser, scanner throws(JSONReadError) in
            _ = try parser.readPart(&scanner, of: &response)
          }
        }
      case .receiptData:
        if try scanner.peekKind() == .string {
          try readReceiptString(&scanner)
        } else if depth < Self.deepestWrapper {
          try readWrapped(&scanner, depth: depth + 1)
        }
      case .transaction, .renewal:
        if try readNamedPart(&scanner, of: &response, depth: depth) {
          fields.marks.insert(.signedInfo)
        }
      case .unityPayload, .transactionReceipt:
        try readReceiptString(&scanner, isPluginKey: true, keepsJSON: key == .transactionReceipt)
      case .purchaseToken, .jws, .jwsRepresentation, .jwsRepresentationIos, .jwsRepresentationIOS:
        try readReceiptString(&scanner, keepsJSON: false)
      case .data, .lastTransactions, .notificationHistory, .signedPayload, .signedTransactions,
        .signedTransactionInfo, .signedRenewalInfo, .signedAppTransactionInfo,
        .signedPayloadOfDatabase, .signedTransactionInfoOfDatabase, .signedRenewalInfoOfDatabase,
        .transactionInfo, .renewalInfo, .transactionInfoOfDatabase, .renewalInfoOfDatabase:
        try readSigned(key, &scanner, into: &fields, of: &response, depth: depth)
      default: try readField(key, &scanner, into: &fields)
      }
      self.key = outerKey
    }
  }

  /// Parses an object that is part of a response.
  ///
  /// - Returns: Its own fields, or nil if the value is not an object; the value then stays unread.
  mutating func readPart(
    _ scanner: inout JSONScanner, of response: inout UnfinishedResponse,
    depth: Int = RowParser.deepestWrapper
  ) throws(JSONReadError) -> ObjectFields? {
    guard var object = try scanner.enterObject() else { return nil }
    var fields = ObjectFields()
    try readMembers(&scanner, &object, into: &fields, of: &response, depth: depth)
    response.fields.addResponse(of: fields)
    return fields
  }

  /// Parses `receipt`: since iOS 7 it holds `in_app`; for iOS 6 it is the transaction itself.
  private mutating func readReceipt(
    _ scanner: inout JSONScanner, into fields: inout ObjectFields,
    of response: inout UnfinishedResponse
  ) throws(JSONReadError) {
    let place = place(of: scanner)
    guard let receipt = try readPart(&scanner, of: &response) else {
      // Other tools store the raw receipt under this key, or JSON as text.
      guard let text = try readLongText(&scanner) else { return }
      guard var kept = Self.json(in: text.bytes) else { return readReceipt(text) }
      readKept(&kept) { parser, scanner throws(JSONReadError) in
        if try scanner.peekKind() == .object {
          try parser.readReceipt(&scanner, into: &fields, of: &response)
        } else {
          try parser.readObjects(&scanner, depth: 1)
        }
      }
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
