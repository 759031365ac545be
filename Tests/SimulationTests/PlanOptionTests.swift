import Simulation
import SubreportTestSupport
import Testing

@Suite("Contingent prices, commissions and records of plans in a simulated world")
struct PlanOptionTests {
  @Test(arguments: ["", "-0.1", "1.01", "2", "40%", "0.1234567", "half"])
  func `are refused if a share is none`(text: String) {
    let error = SimulationError.impossibleShare(option: "--contingent", found: text)
    #expect(throws: error) { try Share(text, of: "--contingent") }
    #expect(error.description == "--contingent \(text): use a share from 0 to 1 such as 0.4")
  }

  private func folder(
    contingent: String = "0", commissions: Bool = false,
    kinds: Set<WorldOptions.ReportKind> = Set(WorldOptions.ReportKind.reports)
  ) throws -> SimulatedFolder {
    try SimulatedFolder.shared(
      WorldOptions(
        subscribers: 800, firstDay: "2026-01-01", lastDay: "2026-07-31", seed: 71,
        plantsFaults: false, kinds: kinds,
        plans: PlanOptions(
          contingent: Share(contingent, of: "--contingent"), hasCommissions: commissions)))
  }

  @Test
  func `make reports of version 1_4, in which an app is named`() throws {
    let folder = try folder(contingent: "0.25")
    #expect(folder.files.contains("subscriber/Subscriber_80012345_20260315_V1_4.txt.gz"))
    for kind in WorldOptions.ReportKind.reports {
      let reports = try folder.reports(kind.rawValue)
      #expect(reports.allSatisfy { $0.columns.last == "Contingent App Name" })
      #expect(reports.allSatisfy { $0.rows.allSatisfy { $0.last == " " || $0.last != "" } })
    }
    let rows = try folder.records("subscriber")
    let (all, some) = (
      Set(rows.compactMap { $0["Subscriber ID"] }),
      Set(rows.filter { $0["Contingent App Name"] != "" }.compactMap { $0["Subscriber ID"] })
    )
    #expect((15...30).contains(100 * some.count / all.count))
  }

  @Test
  func `are lower prices than others pay`() throws {
    let folder = try folder(contingent: "0.25")
    var prices: [String: [Bool: Set<Int>]] = [:]
    var charges = 0
    for row in try folder.records("subscriber")
    where row["Refund"] != "Yes" && row["Subscription Offer Type"] == "" {
      let isContingent = row["Contingent App Name"] != ""
      let key = row["Subscription Name", default: ""] + row["Country", default: ""]
      prices[key, default: [:]][isContingent, default: []].insert(
        hundredths(row["Customer Price"]))
      if isContingent { charges += 1 }
    }
    for price in prices.values {
      guard let lower = price[true], let usual = price[false] else { continue }
      #expect(lower.isDisjoint(with: usual))
      #expect((lower.max() ?? 0) < (usual.max() ?? 0))
    }
    let told = try folder.truth("contingent.csv").reduce(0) { $0 + (Int($1["charges"] ?? "") ?? 0) }
    #expect(charges == told && charges > 100)
  }

  @Test
  func `change the developer's share from the day of the storefront on`() throws {
    let usual = try folder(kinds: [.subscriber])
    let changed = try folder(commissions: true, kinds: [.subscriber])
    let pairs = zip(try usual.records("subscriber"), try changed.records("subscriber"))
    var shares: [String: Set<String>] = [:]
    for (old, new) in pairs {
      #expect(
        old.filter { $0.key != "Developer Proceeds" }
          == new.filter { $0.key != "Developer Proceeds" })
      let (before, after) = (
        hundredths(old["Developer Proceeds"]), hundredths(new["Developer Proceeds"])
      )
      guard before != after, new["Refund"] != "Yes" else { continue }
      shares[new["Country", default: ""], default: []].insert(new["Event Date", default: ""])
      #expect(abs(after * 70 - before * 74) <= 100 * 72, "\(old)")
      #expect(old["Proceeds Reason"] == "")
    }
    #expect(shares.keys.sorted() == ["BR", "JP"])
    #expect(shares["BR"]?.min() ?? "" >= "2026-06-18")
    #expect(shares["JP"]?.min() ?? "" < "2026-02")
  }

  // MARK: Receipts

  @Test
  func `are in signed records, instalment after instalment`() throws {
    let folder = try CommitmentWorld.receipts()
    var terms: [String: [Int: JSONValue]] = [:]
    var plans: Set<String> = []
    for transaction in try folder.dump("decoded") where transaction["transactionId"] != nil {
      plans.insert(transaction["billingPlanType"]?.text ?? "")
      guard let info = transaction["commitmentInfo"] else { continue }
      #expect(transaction["billingPlanType"]?.text == "MONTHLY")
      let number = info["billingPeriodNumber"]?.integer ?? 0
      #expect((1...12).contains(number))
      #expect(info["totalBillingPeriods"]?.integer == 12)
      #expect(info["commitmentPrice"]?.integer == 12 * (transaction["price"]?.integer ?? 0))
      let (expires, end) = (
        transaction["expiresDate"]?.integer ?? 0, info["commitmentExpiresDate"]?.integer ?? 0
      )
      let months = Double(end - expires) / 86_400_000 / 30.4375
      #expect(abs(months - Double(12 - number)) < 0.2)
      terms[transaction["originalTransactionId"]?.text ?? "", default: [:]][number] = transaction
    }
    #expect(plans == ["MONTHLY", "BILLED_UPFRONT"])
    #expect(terms.count > 3)
  }

  @Test
  func `say in renewals that a commitment ends with its term`() throws {
    let folder = try CommitmentWorld.receipts()
    var turnedOff = 0
    for line in try folder.dump("notifications-v2") {
      let notification = try payload(line["signedPayload"])
      let renewal = try payload(notification["data"]?["signedRenewalInfo"])
      guard let info = renewal["commitmentInfo"] else { continue }
      #expect([0, 1].contains(info["commitmentAutoRenewStatus"]?.integer))
      guard notification["notificationType"]?.text == "DID_CHANGE_RENEWAL_STATUS" else { continue }
      turnedOff += 1
      #expect(info["commitmentAutoRenewStatus"]?.integer == 0)
      #expect(renewal["autoRenewStatus"]?.integer == 1)
    }
    #expect(turnedOff > 0)
  }
}
