import Scanning
import Storage
import SubscriptionModel

/// Begins and ends responses, and adds their transactions and renewal infos to the row.
extension RowParser {
  /// Begins a response.
  mutating func beginResponse() -> UnfinishedResponse {
    defer { begunCount += 1 }
    return UnfinishedResponse(
      temporaryNumber: UInt32.max - begunCount, firstTransaction: row.transactions.count,
      firstRenewal: row.renewals.count, faultCount: faultCount, knownCount: knownCount)
  }

  /// Adds a transaction to a response, or notes the fault that it has no purchase date.
  mutating func add(
    transaction fields: ObjectFields, _ origin: TransactionCopy.Origin,
    to response: inout UnfinishedResponse
  ) {
    response.fields.addEnvironment(of: fields)
    response.hasUnverified = response.hasUnverified || !isVerified
    response.fields.marks.formUnion(fields.marks.intersection(.ios6))
    if let fault = fields.faultOfTransaction { return note(fault) }
    if fields.marks.contains(.unreadablePrice) { response.unreadablePrices += 1 }
    if let date = fields.unplacedDate {
      response.unplacedDates += 1
      response.firstUnplacedDate = response.firstUnplacedDate ?? date
    }
    let copy = fields.transaction(
      response: response.temporaryNumber, origin: origin, file: file,
      row: UInt32(clamping: row.number), number: UInt16(clamping: row.transactions.count + 1))
    if let copy {
      row.places?.noteTransaction(copy.number, line: place.line, ofRow: row.line)
      row.transactions.append(copy)
    } else {
      note(fields.faultOfPurchase)
    }
  }

  /// Adds a renewal info to a response.
  mutating func add(renewal fields: ObjectFields, to response: inout UnfinishedResponse) {
    response.fields.addEnvironment(of: fields)
    response.hasUnverified = response.hasUnverified || !isVerified
    if let fault = fields.faultOfID { return note(fault) }
    append(fields.renewal(response: response.temporaryNumber))
  }

  /// Counts the fault of a value.
  mutating func note(_ fault: ObjectFields.Fault) {
    note(fault.code, found: .words(fault.found), expected: fault.expected, name: fault.key.rawValue)
  }

  /// Adds a renewal info to the row, and numbers it.
  mutating func append(_ renewal: RenewalCopy) {
    var renewal = renewal
    renewal.number = UInt16(clamping: row.renewals.count + 1)
    row.places?.noteRenewal(renewal.number, line: place.line, ofRow: row.line)
    row.renewals.append(renewal)
  }

  /// Goes to the next element of an array whose path has a depth, for ``ItemPlaces``.
  @inline(__always)
  mutating func goTo(_ element: inout Int, at level: Int) {
    row.places?.goTo(element: element, at: level)
    element += 1
  }

  /// Ends a response: drops it, or numbers it and copies its common fields to its transactions.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - top: The fields of its outermost object.
  ///   - kind: The kind; nil to determine it from the fields.
  mutating func finish(
    _ response: consuming UnfinishedResponse, _ top: ObjectFields, of kind: ReceiptKind? = nil
  ) {
    response.fields.addResponse(of: top)
    guard let kind = kind ?? response.kind(of: top) else { return drop(response) }
    row.kind = row.kind?.joined(with: kind) ?? kind
    knownCount += 1
    if let reason = response.ignoredReason(kind) {
      // Faults inside an ignored response do not count.
      faultCount = response.faultCount
      if faultCount == 0 { fault = nil }
      drop(response)
      ignoredReason = ignoredReason ?? reason
      return
    }
    if kind == .notificationV1 { fillCancellation(of: top, response) }
    addRenewal(of: top, kind, to: &response)
    // The status of a flat notification, or of an element of `lastTransactions` by itself.
    if kind == .notificationV2 || kind == .apiTransaction && top.originalID.isUsable {
      setStatus(of: top, from: response.firstTransaction, response.firstRenewal, to: response)
    }
    findSubscriptions(response)
    let madeAt = madeAt(response, top)
    guard let madeAt else {
      let temporary = response.temporaryNumber
      if row.renewals[response.firstRenewal...].contains(where: { $0.response == temporary }) {
        note(
          .noRecordDate, found: .words("renewal info without a date"),
          expected: "a response with its own date, such as request_date_ms or signedDate")
      } else if faultCount == response.faultCount {
        ignoredReason = ignoredReason ?? .nothingInIt
      }
      return drop(response)
    }
    addFailedRenewal(of: top, kind, to: response)
    addAbsentRenewals(to: response, madeAt)
    number(response, kind, madeAt)
  }

  /// Removes a response's transactions and renewal infos from the row.
  mutating func drop(_ response: UnfinishedResponse) {
    let temporary = response.temporaryNumber
    if row.transactions.count > response.firstTransaction {
      row.transactions.removeAll { $0.response == temporary }
    }
    if row.renewals.count > response.firstRenewal {
      row.renewals.removeAll { $0.response == temporary }
    }
  }

  /// Adds a finished response to the row under the next number.
  private mutating func number(
    _ response: UnfinishedResponse, _ kind: ReceiptKind, _ madeAt: Instant
  ) {
    let fields = response.fields
    let finished = ReceiptResponse(
      kind: kind, madeAt: madeAt,
      environment: !fields.hasEnvironment
        ? .missing : fields.isNonProduction ? .nonProduction : .production,
      app: fields.app, notificationUUID: kind == .notificationV2 ? fields.notificationUUID : nil,
      isVerified: !response.hasUnverified)
    let number = firstResponse + UInt32(row.responses.count)
    row.responses.append(finished)
    row.unreadablePrices += response.unreadablePrices
    row.unplacedDates += response.unplacedDates
    row.firstUnplacedDate = row.firstUnplacedDate ?? response.firstUnplacedDate
    let flags = response.flags(kind)
    for index in response.firstTransaction..<row.transactions.count
    where row.transactions[index].response == response.temporaryNumber {
      row.transactions[index].complete(number, finished, flags)
    }
    for index in response.firstRenewal..<row.renewals.count
    where row.renewals[index].response == response.temporaryNumber {
      row.renewals[index].response = number
      row.renewals[index].file = file
      row.renewals[index].row = UInt32(clamping: row.number)
      if flags.contains(.inNotificationLog) { row.renewals[index].notifiedApp = finished.app }
      // A notification is one record: its renewal info is as old as it.
      if row.renewals[index].madeAt == ObjectFields.notYet || kind == .notificationV2 {
        row.renewals[index].madeAt = madeAt
      }
      // The subtype of the notification counts where the renewal info has no priceIncreaseStatus.
      if kind == .notificationV2, fields.asksForConsent,
        row.renewals[index].acceptsPriceIncrease == nil
      {
        row.renewals[index].acceptsPriceIncrease = false
      }
    }
    shareOwnerships(from: response.firstTransaction, number)
  }

  private mutating func shareOwnerships(from first: Int, _ response: UInt32) {
    let own = row.transactions[first...].lazy.filter { $0.response == response }
    guard own.contains(where: { $0.ownership == .missing }),
      own.contains(where: { $0.ownership != .missing })
    else { return }
    var copies = Array(own)
    copies.shareOwnerships()
    var place = 0
    for index in first..<row.transactions.count where row.transactions[index].response == response {
      row.transactions[index].ownership = copies[place].ownership
      place += 1
    }
  }
}

extension TransactionCopy {
  /// Fills in the fields that the finished response has for all its parts.
  fileprivate mutating func complete(
    _ number: UInt32, _ response: ReceiptResponse, _ flags: Flags
  ) {
    self.response = number
    // A notification is one record: its transaction is as old as it.
    if madeAt == ObjectFields.notYet || response.kind == .notificationV2 {
      madeAt = response.madeAt
    }
    if app == .blank { app = response.app }
    self.flags.formUnion(flags)
  }
}

extension UnfinishedResponse {
  /// Returns why a response of this kind or status is ignored, whatever it holds; nil if it is not.
  fileprivate func ignoredReason(_ kind: ReceiptKind) -> IgnoredReason? {
    switch kind {
    case .verifyReceipt, .verifyReceiptIOS6, .notificationV1:
      fields.status.map { $0 == 0 || $0 == 21_006 } == false ? .otherStatus : nil
    case .apiError: .errorBody
    case .appTransaction: .appTransaction
    default: nil
    }
  }

  /// Returns the flags that apply to all transactions of the response.
  fileprivate func flags(_ kind: ReceiptKind) -> TransactionCopy.Flags {
    var flags: TransactionCopy.Flags = []
    if fields.isNonProduction { flags.insert(.nonProduction) }
    if fields.isLocal { flags.insert(.local) }
    if kind == .notificationV1 || kind == .notificationV2 { flags.insert(.inNotificationLog) }
    if kind == .notificationV2, fields.isUpgradeNotification { flags.insert(.upgradeNotification) }
    if fields.status == 21_006 { flags.insert(.hasExpiredStatus) }
    return flags
  }
}
