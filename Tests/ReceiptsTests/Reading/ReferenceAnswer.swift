import Receipts
import SubreportTestSupport
import SubscriptionModel
import Testing

/// Dates the obvious way: by counting days.
enum ReferenceDate {
  /// The instant as verifyReceipt writes it.
  static func gmt(_ seconds: Int) -> String {
    let text = Instant(seconds: UInt32(seconds)).description
    return text.replacing("T", with: " ").replacing("Z", with: " Etc/GMT")
  }

  /// The seconds of such a text.
  static func seconds(_ text: String) -> Int? {
    let parts = text.split(separator: " ")
    guard parts.count == 3, parts[2] == "Etc/GMT", let day = Day(String(parts[0])) else {
      return nil
    }
    let clock = parts[1].split(separator: ":").compactMap { Int($0) }
    guard clock.count == 3 else { return nil }
    return Int(day.number) * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2]
  }
}

/// Reads answers of verifyReceipt the slow and obvious way: from a tree, rule by rule.
struct ReferenceAnswer {
  private(set) var result = "used"
  private(set) var unusableCount = 0
  private(set) var response = ""
  private(set) var transactions: [String] = []
  private(set) var renewals: [String] = []

  init(_ answer: JSONTree) {
    let receipt = answer["receipt"] ?? .object([])
    let status = answer["status"]?.scalar ?? ""
    guard ["0", "21006"].contains(status) else {
      result = "status not 0 or 21006"
      return
    }
    let places: [(TransactionCopy.Origin, String, [JSONTree])] = [
      (.inApp, "in_app", receipt["in_app"]?.elements ?? []),
      (.latest, "latest_receipt_info", answer["latest_receipt_info"]?.elements ?? []),
    ]
    // Copies come in the order of the text.
    let isLatestFirst =
      Self.index(of: "latest_receipt_info", answer) < Self.index(of: "receipt", answer)
    let ordered = (isLatestFirst ? places.reversed() : places).flatMap { origin, _, list in
      list.map { (origin: origin, tree: $0) }
    }
    let usable = ordered.filter { Self.instant("purchase_date", $0.tree) != nil }
    let pending = answer["pending_renewal_info"]?.elements ?? []
    unusableCount = ordered.count - usable.count
    if usable.isEmpty, pending.isEmpty {
      result = unusableCount > 0 ? "no-purchase-date" : "nothing in it"
      unusableCount = 0
      return
    }
    guard let madeAt = Self.madeAt(receipt, usable.map(\.tree), pending, status) else {
      result = unusableCount > 0 ? "no-purchase-date" : "no-record-date"
      unusableCount = 0
      return
    }
    let said = [answer["environment"]?.scalar, receipt["receipt_type"]?.scalar]
      .compactMap { $0 }.filter { !$0.isEmpty }
    let isSandbox = said.contains { $0.contains("Sandbox") }
    let app = receipt["bundle_id"]?.scalar ?? ""
    let isIOS6 = ordered.contains { $0.tree["expires_date_formatted"] != nil }
    response =
      "verifyReceipt\(isIOS6 ? "IOS6" : "") \(madeAt) \(said.isEmpty ? "missing" : isSandbox ? "nonProduction" : "production") \(app) -"
    for (index, (origin, tree)) in usable.enumerated() {
      var flags: TransactionCopy.Flags = isSandbox ? [.nonProduction] : []
      if status == "21006" { flags.insert(.hasExpiredStatus) }
      if ["true", "1"].contains(tree["is_trial_period"]?.scalar) { flags.insert(.trial) }
      if tree["is_upgraded"]?.scalar == "true" { flags.insert(.upgraded) }
      let group = tree["subscription_group_identifier"]?.scalar ?? ""
      transactions.append(
        [
          "\(madeAt)", "0", Self.id("original_transaction_id", tree),
          Self.id("transaction_id", tree),
          Self.id("web_order_line_item_id", tree), "", app, tree["product_id"]?.scalar ?? "",
          group == "000" ? "" : group, "", "", Self.text("purchase_date", tree),
          Self.text("expires_date", tree), Self.text("cancellation_date", tree),
          Self.text("original_purchase_date", tree), "-1", "-1", "\(flags.rawValue)", "\(origin)",
          "missing", Self.ownership(tree, usable.map(\.tree)), "\(index + 1)",
        ].joined(separator: " "))
    }
    let subscriptions = pending.map { Self.subscription($0, usable.map(\.tree)) }
    let latest = usable.filter { $0.origin == .latest }.map(\.tree)
    renewals = zip(pending, subscriptions).map { tree, subscription in
      let intent = tree["expiration_intent"]?.scalar ?? ""
      let renews = ["1": "true", "true": "true", "0": "false"][
        tree["auto_renew_status"]?.scalar ?? ""]
      return [
        "\(madeAt)", subscription, "p1",
        Self.text("grace_period_expires_date", tree), ["1", "5"].contains(intent) ? intent : "0",
        renews ?? "-", "-", "0", "-",
      ].joined(separator: " ") + Self.newest(subscription, latest).text
    }
    // METRICS.md 3.10: subscriptions of the list without a renewal info.
    let ids = Set(latest.map { Self.id("original_transaction_id", $0) })
    for id in ids.subtracting(subscriptions).subtracting(["0"]).sorted() {
      let newest = Self.newest(id, latest)
      guard let expiry = newest.expiry, expiry <= Int(madeAt.seconds) else { continue }
      renewals.append("\(madeAt) \(id)  - 1 false - 0 -\(newest.text) absent")
    }
  }

  /// METRICS.md 3.10: the subscription of a renewal info.
  private static func subscription(_ tree: JSONTree, _ transactions: [JSONTree]) -> String {
    let key = "original_transaction_id"
    guard id(key, tree) == "0" else { return id(key, tree) }
    let known = transactions.filter { id(key, $0) != "0" }
    let bought = known.filter { $0["product_id"]?.scalar == "p1" }
    let newest = bought.compactMap { instant("purchase_date", $0) }.max()
    if let own = bought.first(where: { instant("purchase_date", $0) == newest }) {
      return id(key, own)
    }
    let ids = Set(known.map { id(key, $0) })
    return ids.count == 1 ? ids.first ?? "0" : "0"
  }

  /// The newest purchase of a subscription in the list, its expiry, and both as a text.
  private static func newest(
    _ subscription: String, _ latest: [JSONTree]
  ) -> (expiry: Int?, text: String) {
    let own = latest.filter {
      subscription != "0" && id("original_transaction_id", $0) == subscription
    }
    guard let newest = own.compactMap({ instant("purchase_date", $0) }).max() else {
      return (nil, "")
    }
    let expiry = own.filter { instant("purchase_date", $0) == newest }
      .compactMap { instant("expires_date", $0) }.max()
    let texts = [newest, expiry].compactMap { $0 }.map { " \(Instant(seconds: UInt32($0)))" }
    return (expiry, texts.joined())
  }

  private static func index(of key: String, _ tree: JSONTree) -> Int {
    guard case .object(let members) = tree else { return -1 }
    return members.firstIndex { $0.key == key } ?? -1
  }

  private static func id(_ key: String, _ tree: JSONTree) -> String {
    let text = tree[key]?.scalar ?? ""
    return text.allSatisfy { $0 == "0" } ? "0" : text
  }

  /// METRICS.md 3.6.
  private static func instant(_ key: String, _ tree: JSONTree) -> Int? {
    func known(_ seconds: Int?) -> Int? {
      seconds.flatMap { 1_199_145_600...4_102_444_800 ~= $0 ? $0 : nil }
    }
    func milliseconds(_ text: String) -> Int? {
      known(Int(text.prefix { $0 != "." }).map { $0 / 1000 })
    }
    let plain = tree[key]?.scalar ?? ""
    let formatted = ["expires_date"].contains(key) ? tree["\(key)_formatted"]?.scalar ?? "" : ""
    return milliseconds(tree["\(key)_ms"]?.scalar ?? "") ?? known(ReferenceDate.seconds(plain))
      ?? milliseconds(plain) ?? known(ReferenceDate.seconds(formatted))
  }

  private static func text(_ key: String, _ tree: JSONTree) -> String {
    instant(key, tree).map { Instant(seconds: UInt32($0)).description } ?? "-"
  }

  /// METRICS.md 3.7.
  private static func madeAt(
    _ receipt: JSONTree, _ transactions: [JSONTree], _ pending: [JSONTree], _ status: String
  ) -> Instant? {
    if let stated = instant("request_date", receipt) { return Instant(seconds: UInt32(stated)) }
    var dates = transactions.flatMap {
      [instant("purchase_date", $0), instant("cancellation_date", $0)].compactMap { $0 }
    }
    let expired = pending.filter { ["1", "5"].contains($0["expiration_intent"]?.scalar) }
      .map { subscription($0, transactions) }
    for subscription in Set(transactions.map { id("original_transaction_id", $0) })
    where status == "21006" || expired.contains(subscription) {
      let own = transactions.filter { id("original_transaction_id", $0) == subscription }
      let newest = own.compactMap { instant("purchase_date", $0) }.max()
      let last = own.filter { instant("purchase_date", $0) == newest }
      let ends = ["expires_date", "cancellation_date"].compactMap { key in
        last.compactMap { instant(key, $0) }.max()
      }
      let hasExpiry = last.contains { instant("expires_date", $0) != nil }
      dates += [hasExpiry ? ends.min() : nil].compactMap { $0 }
    }
    return dates.max().map { Instant(seconds: UInt32($0)) }
  }

  /// METRICS.md 3.13.
  private static func ownership(
    _ tree: JSONTree, _ all: [JSONTree]
  ) -> String {
    let words = ["PURCHASED": "purchased", "FAMILY_SHARED": "family"]
    func stated(_ tree: JSONTree) -> String? { words[tree["in_app_ownership_type"]?.scalar ?? ""] }
    func isSame(_ key: String, _ other: JSONTree) -> Bool { id(key, tree) == id(key, other) }
    if let own = stated(tree) { return own }
    let others = all.filter { stated($0) != nil }
    if id("transaction_id", tree) != "0",
      let same = others.last(where: { isSame("transaction_id", $0) })
    {
      return stated(same) ?? ""
    }
    let line = "web_order_line_item_id"
    let same = others.last { other in
      guard instant("purchase_date", tree) == instant("purchase_date", other) else { return false }
      if id(line, tree) != "0", id(line, other) != "0" { return isSame(line, other) }
      return (tree["product_id"]?.scalar ?? "") == (other["product_id"]?.scalar ?? "")
    }
    return same.flatMap(stated) ?? "missing"
  }
}

@Suite("Random answers")
struct ReceiptAnswerReferenceTests {
  @Test(arguments: seeds(40))
  func `are read as the obvious reader reads them`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let trees = (0..<25).map { _ in RandomAnswer(&random).tree }
    var texts: [String] = []
    for tree in trees { texts.append(tree.text(&random)) }
    let dump = try Dump(texts.joined(separator: "\n"))
    #expect(dump.rows.count == trees.count)
    for (row, tree) in zip(dump.rows, trees) {
      let expected = ReferenceAnswer(tree)
      #expect(row.result == expected.result)
      #expect(row.unusableCount == expected.unusableCount)
      let responses = row.responses.map { response in
        "\(response.kind) \(response.madeAt) \(response.environment) \(dump.text(response.app)) -"
      }
      #expect(responses == [expected.response].filter { !$0.isEmpty })
      let transactions = row.transactions.map { Self.withoutResponse(dump.describe($0)) }
      #expect(transactions == expected.transactions)
      #expect(row.renewals.map { Self.withoutResponse(dump.describe($0)) } == expected.renewals)
    }
  }

  private static func withoutResponse(_ text: String) -> String {
    String(text.drop { $0 != " " }.dropFirst())
  }
}
