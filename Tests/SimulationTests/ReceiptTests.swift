import Simulation
import SubreportTestSupport
import Testing

@Suite("Simulated receipts")
struct ReceiptTests {
  private func folder(
    _ seed: UInt64, faults: Bool = true, notified: Int = 40
  ) throws -> SimulatedFolder {
    try SimulatedFolder.shared(
      WorldOptions(
        subscribers: 600, firstDay: "2026-01-01", lastDay: "2026-06-30", seed: seed,
        plantsFaults: faults, kinds: [.receipts], notified: notified))
  }

  private func answers(_ folder: SimulatedFolder, _ capture: Int) throws -> [SimulatedAnswer] {
    try folder.dump(folder.captureNames[capture]).map(SimulatedAnswer.init)
  }

  @Test
  func `are two captures, notifications, history pages, decoded data and a root certificate`()
    throws
  {
    #expect(
      try folder(1).files.filter { $0.hasPrefix("receipts/") } == [
        "receipts/api-history_001.ndjson.gz", "receipts/decoded_001.ndjson.gz",
        "receipts/notifications-v2_001.ndjson.gz", "receipts/root.cer",
        "receipts/verify-receipt_20260501_001.ndjson.gz",
        "receipts/verify-receipt_20260630_001.ndjson.gz",
      ])
  }

  @Test
  func `can do without signed data`() throws {
    let files = try folder(1, notified: 0).files.filter { $0.hasPrefix("receipts/") }
    #expect(files.count == 2)
    #expect(files.allSatisfy { $0.hasPrefix("receipts/verify-receipt_") })
  }

  @Test(arguments: [1, 37, 599])
  func `are the same however many members are remembered at once`(membersAtOnce: Int) throws {
    let world = try WorldOptions(
      subscribers: 60, firstDay: "2026-01-01", lastDay: "2026-03-31", seed: 5, kinds: [.receipts])
    let whole = try SimulatedFolder.shared(world)
    let path = try Files.makeTemporaryFolder()
    defer { removeTree(path) }
    let summary = try Simulator.write(world: world, to: path, membersAtOnce: membersAtOnce)
    #expect(summary == whole.summary)
    #expect(Files.paths(below: path) == whole.files)
    for file in whole.files {
      let bytes = try #require(Files.bytes(of: path + "/" + file))
      let lines = try lastingLines(of: bytes, file)
      #expect(try lines == whole.lastingContent(file), "\(file)")
    }
  }

  // MARK: Captures

  @Test(arguments: histories(2, from: 31))
  func `have every layout that dumps have`(seed: UInt64) throws {
    let folder = try folder(seed)
    let first = try answers(folder, 0)
    #expect(first.contains { $0.isFlat && $0.body["status"]?.integer == 21006 })
    #expect(first.contains { $0.isFlat && $0.body["status"]?.integer == 0 })
    #expect(first.contains { $0.isWrapped })
    #expect(first.contains { $0.isFamily })
    #expect(first.count { $0.isSandbox } == 3)
    #expect(first.contains { $0.body == .object(["status": .number("21002")]) })
    let transactions = first.flatMap(\.transactions)
    #expect(transactions.contains { $0["quantity"] == .number("1") })
    #expect(transactions.contains { $0["quantity"] == .string("1") })
    #expect(transactions.contains { $0["is_upgraded"] != nil })
    #expect(transactions.contains { $0["promotional_offer_id"] != nil })
    #expect(transactions.contains { $0["offer_code_ref_name"] != nil })
    #expect(
      first.contains { answer in
        answer.transactions.contains { $0["is_upgraded"] != nil }
          && answer.body["receipt"]?["in_app"]?.elements.isEmpty == false
      })
    let inApp = first.flatMap { $0.body["receipt"]?["in_app"]?.elements ?? [] }
    #expect(!inApp.isEmpty && inApp.allSatisfy { $0["is_upgraded"] == nil })
  }

  @Test(arguments: histories(2, from: 31))
  func `have nothing but the usual layout without faults`(seed: UInt64) throws {
    let folder = try folder(seed, faults: false)
    for capture in 0...1 {
      for answer in try answers(folder, capture) {
        #expect(answer.isCustomer && !answer.isFlat && !answer.isWrapped)
        #expect(answer.transactions.allSatisfy { $0["quantity"] == .string("1") })
      }
    }
    #expect(try answers(folder, 1).count == 600)
  }

  @Test
  func `say what is known of the renewal`() throws {
    let renewals = try answers(folder(31), 1).flatMap {
      $0.body["pending_renewal_info"]?.elements ?? []
    }
    let intents = Set(renewals.compactMap { $0["expiration_intent"]?.integer })
    #expect(intents == [1, 2, 3])
    #expect(renewals.contains { $0["auto_renew_status"]?.integer == 1 })
    #expect(renewals.contains { $0["is_in_billing_retry_period"]?.integer == 1 })
    #expect(renewals.contains { $0["grace_period_expires_date_ms"] != nil })
    #expect(renewals.contains { $0["price_consent_status"]?.integer == 0 })
  }

  @Test(arguments: histories(2, from: 31))
  func `have new transaction ids for some customers, and the same purchases`(seed: UInt64) throws {
    let folder = try folder(seed)
    var ids: [[String: Set<String>]] = []
    for capture in 0...1 {
      var known: [String: Set<String>] = [:]
      for answer in try answers(folder, capture) where answer.isCustomer {
        for transaction in answer.transactions {
          known[eventKey(transaction), default: []].insert(
            transaction["transaction_id"]?.text ?? "")
        }
      }
      ids.append(known)
    }
    #expect(ids[0].keys.allSatisfy { ids[1][$0] != nil }, "the second capture lacks something")
    let changed = ids[0].count { key, before in ids[1][key]?.isDisjoint(with: before) == true }
    #expect((ids[0].count / 10...ids[0].count / 3).contains(changed))
    #expect(ids[1].values.allSatisfy { $0.count == 1 })
    let all = ids.flatMap { $0.values.flatMap(\.self) }
    #expect(Set(all).count == ids[1].count + changed, "an id means two purchases")
  }

  @Test(arguments: histories(2, from: 31))
  func `renew at the moment of the expiry, some of them minutes later`(seed: UInt64) throws {
    var gaps: [Int] = []
    for answer in try answers(folder(seed), 1) where answer.isCustomer {
      let latest = answer.body["latest_receipt_info"]?.elements ?? []
      let periods = latest.compactMap { transaction -> (Int, Int)? in
        guard transaction["cancellation_date_ms"] == nil,
          let begin = transaction["purchase_date_ms"]?.integer,
          let end = transaction["expires_date_ms"]?.integer
        else { return nil }
        return (begin, end)
      }.sorted { $0.0 < $1.0 }
      gaps += zip(periods, periods.dropFirst()).map { $1.0 - $0.1 }
    }
    let next = gaps.filter { (0...50 * 60_000).contains($0) }
    #expect(next.count * 10 > gaps.count * 8)
    #expect(next.count { $0 == 0 } * 10 > next.count * 9)
    #expect(next.contains { $0 > 60_000 })
  }

  // MARK: Signed data

  @Test
  func `tell everything that happens in notifications`() throws {
    let folder = try folder(33, notified: 300)
    var names: Set<String> = []
    var identifiers: [String] = []
    for line in try folder.dump("notifications-v2") {
      let notification = try payload(line["signedPayload"])
      let type = try #require(notification["notificationType"]?.text)
      names.insert(type + (notification["subtype"]?.text.map { "/" + $0 } ?? ""))
      identifiers.append(try #require(notification["notificationUUID"]?.text))
      let date = try #require(notification["signedDate"]?.integer)
      let renewal = try payload(notification["data"]?["signedRenewalInfo"])
      #expect(renewal["signedDate"]?.integer == date)
    }
    #expect(
      names == [
        "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", "DID_CHANGE_RENEWAL_PREF/UPGRADE",
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "DID_FAIL_TO_RENEW",
        "DID_FAIL_TO_RENEW/GRACE_PERIOD", "DID_RENEW", "DID_RENEW/BILLING_RECOVERY",
        "EXPIRED/BILLING_RETRY", "EXPIRED/PRICE_INCREASE", "EXPIRED/VOLUNTARY",
        "GRACE_PERIOD_EXPIRED", "PRICE_INCREASE/PENDING", "REFUND", "SUBSCRIBED/INITIAL_BUY",
        "SUBSCRIBED/RESUBSCRIBE",
      ])
    #expect(Set(identifiers).count == identifiers.count)
  }

  @Test(arguments: histories(2, from: 31))
  func `say the same in every shape`(seed: UInt64) throws {
    let folder = try folder(seed)
    var known: [String: JSONValue] = [:]
    for answer in try answers(folder, 1) where answer.isCustomer {
      for transaction in answer.body["latest_receipt_info"]?.elements ?? [] {
        known[eventKey(transaction)] = transaction
      }
    }
    let signed = try folder.signedTransactions()
    #expect(signed.count > 300)
    for transaction in signed {
      let purchased = try #require(transaction["purchaseDate"]?.integer)
      let line = try #require(transaction["webOrderLineItemId"]?.text)
      let same = try #require(known["\(line) \(purchased / 1_000)"])
      #expect(transaction["productId"] == same["product_id"])
      #expect(transaction["expiresDate"]?.integer == same["expires_date_ms"]?.integer)
      #expect(transaction["originalTransactionId"] == same["original_transaction_id"])
      #expect((transaction["price"]?.integer == 0) == same["is_trial_period"]?.isTrue)
    }
  }

  @Test
  func `have pages of at most 20 transactions, the last of which says so`() throws {
    let pages = try folder(33).dump("api-history")
    for page in pages {
      let count = page["signedTransactions"]?.elements.count ?? 0
      #expect(page["hasMore"]?.isTrue == true ? count == 20 : (1...20).contains(count))
    }
    #expect(pages.contains { $0["hasMore"]?.isTrue == true })
    #expect(pages.count { $0["hasMore"]?.isTrue == false } == 40)
  }
}

/// What makes two transactions of verifyReceipt the same purchase.
func eventKey(_ transaction: JSONValue) -> String {
  let line = transaction["web_order_line_item_id"]?.text ?? ""
  return "\(line) \((transaction["purchase_date_ms"]?.integer ?? 0) / 1_000)"
}
