import Scanning
import Storage
import SubscriptionModel

/// Parses JWS data of the App Store Server API and of notifications V2, signed or decoded.
extension RowParser {
  /// Parses the value of a key of these formats.
  mutating func readSigned(
    _ key: ReceiptKey, _ scanner: inout JSONScanner, into fields: inout ObjectFields,
    of response: inout UnfinishedResponse, depth: Int
  ) throws(JSONReadError) {
    let level = row.places?.depth ?? 0
    var element = 0
    switch key {
    case .signedPayload, .signedPayloadOfDatabase: try readEnvelope(&scanner, depth: depth + 1)
    case .notificationHistory:
      fields.marks.insert(.notifications)
      guard let array = try scanner.enterArray() else { return }
      while try scanner.nextElement(of: array) {
        goTo(&element, at: level)
        _ = try readObject(&scanner, depth: depth + 1)
      }
    case .signedTransactions:
      fields.marks.insert(.history)
      guard let array = try scanner.enterArray() else { return }
      while try scanner.nextElement(of: array) {
        goTo(&element, at: level)
        try readSignedItem(&scanner, of: &response)
      }
    case .signedTransactionInfo, .signedRenewalInfo, .signedTransactionInfoOfDatabase,
      .signedRenewalInfoOfDatabase, .transactionInfo, .renewalInfo, .transactionInfoOfDatabase,
      .renewalInfoOfDatabase:
      fields.marks.insert(.signedInfo)
      try readSignedItem(&scanner, of: &response)
    case .signedAppTransactionInfo: fields.marks.insert(.appTransaction)
    case .lastTransactions:
      fields.marks.insert(.statuses)
      guard let array = try scanner.enterArray() else { return }
      while try scanner.nextElement(of: array) {
        goTo(&element, at: level)
        try readStatusPart(&scanner, of: &response, depth: Self.deepestWrapper)
      }
    default:
      guard let array = try scanner.enterArray() else {
        if try scanner.mayHoldJSON() { return try readWrapped(&scanner, depth: depth + 1) }
        fields.marks.insert(.notificationBody)
        return try readStatusPart(&scanner, of: &response, depth: depth + 1)
      }
      while try scanner.nextElement(of: array) {
        goTo(&element, at: level)
        try readStatusGroup(&scanner, of: &response, depth: depth + 1)
      }
    }
  }

  /// Parses an object with a transaction, its renewal info, and the status of both.
  private mutating func readStatusPart(
    _ scanner: inout JSONScanner, of response: inout UnfinishedResponse, depth: Int
  ) throws(JSONReadError) {
    let firstTransaction = row.transactions.count
    let firstRenewal = row.renewals.count
    guard let part = try readPart(&scanner, of: &response, depth: depth) else { return }
    // Other tools have a transaction or a renewal info under `data`.
    if row.transactions.count == firstTransaction, row.renewals.count == firstRenewal,
      part.isTransaction || part.isRenewalInfo, !part.marks.contains(.answer)
    {
      response.fields.marks.insert(.signedInfo)
      addItem(part, .latest, to: &response)
    }
    setStatus(of: part, from: firstTransaction, firstRenewal, to: response)
  }

  /// Gives the status that an object states to its renewal infos or, without any, to its newest transaction.
  ///
  /// - Parameters:
  ///   - part: The object's fields.
  ///   - firstTransaction: The index in the row of the first transaction that may belong to the object.
  ///   - firstRenewal: The same of its renewal infos.
  ///   - response: The response of the object.
  mutating func setStatus(
    of part: ObjectFields, from firstTransaction: Int, _ firstRenewal: Int,
    to response: UnfinishedResponse
  ) {
    guard let status = part.status, 1...5 ~= status else { return }
    let temporary = response.temporaryNumber
    var hasRenewal = false
    for index in firstRenewal..<row.renewals.count where row.renewals[index].response == temporary {
      row.renewals[index].status = UInt8(status)
      hasRenewal = true
    }
    let transactions = row.transactions[firstTransaction...]
    if !hasRenewal, let copy = transactions.last(where: { $0.response == temporary }) {
      var renewal = RenewalCopy(response: temporary, madeAt: copy.madeAt)
      renewal.originalID = copy.originalID
      renewal.product = copy.product
      renewal.status = UInt8(status)
      append(renewal)
    }
  }

  /// Parses an element of an array under `data`: a subscription group, or another response.
  ///
  /// A group's transactions belong to the response of the page. Other tools store responses under
  /// `data`.
  private mutating func readStatusGroup(
    _ scanner: inout JSONScanner, of response: inout UnfinishedResponse, depth: Int
  ) throws(JSONReadError) {
    guard var object = try scanner.enterObject() else { return }
    var group = beginResponse()
    var fields = ObjectFields()
    try readMembers(&scanner, &object, into: &fields, of: &group, depth: depth)
    guard fields.marks.contains(.statuses) else { return finishObject(fields, group) }
    response.hasUnverified = response.hasUnverified || group.hasUnverified
    response.unreadablePrices += group.unreadablePrices
    response.unplacedDates += group.unplacedDates
    response.firstUnplacedDate = response.firstUnplacedDate ?? group.firstUnplacedDate
    response.fields.addResponse(of: group.fields)
    response.fields.addResponse(of: fields)
    for index in group.firstTransaction..<row.transactions.count
    where row.transactions[index].response == group.temporaryNumber {
      row.transactions[index].response = response.temporaryNumber
    }
    for index in group.firstRenewal..<row.renewals.count
    where row.renewals[index].response == group.temporaryNumber {
      row.renewals[index].response = response.temporaryNumber
    }
  }
}

// MARK: - JWS

extension RowParser {
  /// Parses a notification, signed or decoded, as a response.
  private mutating func readEnvelope(
    _ scanner: inout JSONScanner, depth: Int
  ) throws(JSONReadError) {
    if try readObject(&scanner, depth: depth) { return }
    row.kind = row.kind?.joined(with: .notificationV2) ?? .notificationV2
    guard let range = try readJWSText(&scanner) else { return }
    readJWS(text.bytes, range)
  }

  /// Parses a JWS of any kind as a response.
  mutating func readJWS(_ text: [UInt8], _ range: Range<Int>) {
    let outerKey = key
    let isOuterVerified = isVerified
    do throws(JSONReadError) {
      guard var payload = openPayload(text, range), try payload.nextValue() else { return }
      let wasInPayload = isInPayload
      isInPayload = true
      isVerified = decoder.isVerified
      defer {
        isInPayload = wasInPayload
        isVerified = isOuterVerified
      }
      _ = try readObject(&payload, depth: 0)
    } catch {
      noteDuplicate(error)
      key = outerKey
    }
  }

  /// Parses a transaction or a renewal info, signed or decoded.
  private mutating func readSignedItem(
    _ scanner: inout JSONScanner, of response: inout UnfinishedResponse
  ) throws(JSONReadError) {
    place = place(of: scanner)
    var fields = ObjectFields()
    if try readItem(&scanner, into: &fields) { return addItem(fields, to: &response) }
    guard let range = try readJWSText(&scanner), var payload = openPayload(text.bytes, range)
    else { return }
    readSignedItem(in: &payload, of: &response)
  }

  /// Parses the payload of a JWS as a transaction or a renewal info.
  private mutating func readSignedItem(
    in payload: inout JSONScanner, of response: inout UnfinishedResponse
  ) {
    let isOuterVerified = isVerified
    isVerified = decoder.isVerified
    defer { isVerified = isOuterVerified }
    do throws(JSONReadError) {
      var fields = ObjectFields()
      guard try payload.nextValue(), try readItem(&payload, into: &fields) else { return }
      addItem(fields, to: &response)
    } catch {
      noteDuplicate(error)
    }
  }

  /// Parses the value of a key that other tools have for a transaction or a renewal info, and for anything else.
  ///
  /// - Returns: Whether it is a transaction or a renewal info, which then belongs to the response around it. Other
  ///   objects, and those of in-app libraries, are responses of their own; other values are passed over.
  /// - Throws: ``JSONReadError``.
  mutating func readNamedPart(
    _ scanner: inout JSONScanner, of response: inout UnfinishedResponse, depth: Int
  ) throws(JSONReadError) -> Bool {
    let place = place(of: scanner)
    guard var object = try scanner.enterObject() else {
      return try readNamedText(&scanner, of: &response, depth: depth)
    }
    self.place = place
    var part = beginResponse()
    var fields = ObjectFields()
    do throws(JSONReadError) {
      try readMembers(&scanner, &object, into: &fields, of: &part, depth: depth + 1)
    } catch {
      drop(part)
      throw error
    }
    guard knownCount == part.knownCount, fields.isBareItem else {
      finishObject(fields, part)
      return false
    }
    self.place = place
    addItem(fields, .latest, to: &response)
    return true
  }

  /// Parses such a value that is a text: a JWS, or JSON kept as text; or an array of responses.
  private mutating func readNamedText(
    _ scanner: inout JSONScanner, of response: inout UnfinishedResponse, depth: Int
  ) throws(JSONReadError) -> Bool {
    guard let text = try readLongText(&scanner) else {
      if depth < Self.deepestWrapper { try readObjects(&scanner, depth: depth + 1) }
      return false
    }
    if var kept = Self.json(in: text.bytes) {
      var isItem = false
      readKept(&kept) { parser, scanner throws(JSONReadError) in
        isItem = try parser.readNamedPart(&scanner, of: &response, depth: depth)
      }
      return isItem
    }
    let range = trimmed(text.bytes.span, 0..<text.bytes.count)
    guard case .jws? = EncodedText(text.bytes.span, range),
      var payload = openPayload(text.bytes, range)
    else { return false }
    readSignedItem(in: &payload, of: &response)
    return true
  }

  private mutating func addItem(
    _ fields: ObjectFields, _ origin: TransactionCopy.Origin = .v2,
    to response: inout UnfinishedResponse
  ) {
    // The response around it may have no bundle id.
    if response.fields.app == .blank { response.fields.app = fields.app }
    if fields.isTransaction {
      add(transaction: fields, origin, to: &response)
    } else if fields.isRenewalInfo {
      add(renewal: fields, to: &response)
    } else {
      note(
        .unknownShape, found: .words("another object"),
        expected: "a transaction or a renewal info")
    }
  }

  /// Reads a string that must be a JWS into ``text``.
  ///
  /// - Returns: Its range; nil if there is no JWS, which is a fault unless the value is null or empty.
  private mutating func readJWSText(
    _ scanner: inout JSONScanner
  ) throws(JSONReadError) -> Range<Int>? {
    place = place(of: scanner)
    text.removeAll()
    let value = try scanner.readScalar(into: &text, limit: PayloadDecoder.longestJWS)
    if value.isTooLong {
      note(
        .recordTooLong, found: .words("a longer text"),
        expected: "a JWS of at most 64 KiB")
      return nil
    }
    if value.kind == .string, !value.range.isEmpty { return value.range }
    if value.kind != .null, value.kind != .string {
      note(
        .notAJWS, found: .words("a value that is not a string"),
        expected: PayloadDecoder.expectedJWS)
    }
    return nil
  }

  private mutating func openPayload(_ text: [UInt8], _ range: Range<Int>) -> JSONScanner? {
    do throws(PayloadDecoder.Fault) {
      return try decoder.openPayload(text.span, range)
    } catch {
      note(error.code, found: .words(error.found), expected: error.expected)
      return nil
    }
  }

  /// Counts a key that occurs twice, the only fault possible in a payload or in JSON kept as text after the check that
  /// it is JSON.
  mutating func noteDuplicate(_ error: JSONReadError) {
    guard case .text(let fault) = error else { return }
    note(
      .duplicateKey, found: .words(fault.found), expected: fault.expected, name: fault.key)
  }
}
