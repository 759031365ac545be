import Explain
import Pipeline
import PipelineTestSupport
import PriceImpact
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("An explanation of a price increase in receipts")
struct ReceiptImpactTests {
  @Test(arguments: histories(3))
  func `adds up to every number of every view, and names lines that exist`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: 40 + seed, subscribers: 400, to: "2026-09-30", kinds: [.receipts], notified: 300,
      prices: [
        PlantedPrice(increase: "Plus Monthly,US,2026-06-01,7.99,0.2"),
        PlantedPrice(increase: "Plus Monthly,DE,2026-06-01,7.99,0.1"),
      ])
    let sandbox = try world.sandbox()
    let result = carryOut([sandbox.path], views: [[]], jobs: seed % 2 == 0 ? 1 : 3) { plan in
      plan.sources = [.receipts]
      plan.keepsReceipts = true
      plan.prices = PricePlan()
    }
    let lineCounts = world.reports.mapValues { $0.count(where: { $0 == UInt8(ascii: "\n") }) + 1 }
    for view in ImpactView.allCases {
      let table = result.priceTableMaker.impactTable(view: view)
      #expect(!table.rows.isEmpty)
      for row in table.rows.indices {
        let keys = ["product", "country", "currency", "plan", "effective", "effective_existing"]
        let conditions = (keys + view.dimensions).map {
          "\($0)=\(table.texts([$0], row: row)[0])"
        }
        // The dumps are read again.
        let found = try withExtendedLifetime(sandbox) {
          try Explanation(
            Question(
              "price_impact", about: .priceImpact, where: conditions, from: [.receipts]), result)
        }
        #expect(found.holds, "\(conditions): \(found.failures)")
        let cells = table.row(row)
        for sum in found.sums { #expect("\(sum.sum)" == cells[sum.column]?.text, "\(sum.column)") }
        let names = Set(found.sums.map(\.column))
        #expect(names.isSuperset(of: ["exposed", "notified", "consent_asked", "baseline_due"]))
        #expect(names.isDisjoint(with: ["proceeds_actual", "old_proceeds"]))
        expectRows(of: found.table, lineCounts)
      }
    }
  }

  /// Expects that each listed renewal has a reason, and names lines that its files have.
  private func expectRows(of table: ReportTable, _ lineCounts: [String: Int]) {
    for row in table.rows.indices {
      let texts = table.texts(["subscription", "rows", "because"], row: row)
      #expect(!texts[2].isEmpty && !texts[1].isEmpty)
      for place in [texts[0]] + texts[1].split(separator: "; ").map(String.init) {
        let file = place.split(separator: " ").first?.split(separator: ":") ?? []
        let count = file.first.flatMap { lineCounts[String($0)] } ?? 0
        let line = file.last.flatMap { Int($0) } ?? 0
        #expect(file.count == 2 && line >= 1 && line <= count, "\(place)")
      }
    }
  }

  /// Four customers pay 9.99 USD from March on.
  ///
  /// Three are charged 12.99 from June on, the fourth is not charged again. On 2 May the first two were asked for consent; the first agreed by 20 May.
  private static var dump: [UInt8] {
    let milliseconds = { (text: String) in "\(Int(instant(text).seconds) * 1_000)" }
    var lines: [String] = []
    for (place, day) in ["05", "08", "11", "14"].enumerated() {
      let id = "\(place + 1)003"
      let transactions = (place == 3 ? 3..<6 : 3..<8).map { month in
        """
        {"transactionId": "\(place + 1)00\(month)", "originalTransactionId": "\(id)", \
        "productId": "com.example.month", "subscriptionGroupIdentifier": "2045", \
        "purchaseDate": \(milliseconds("2026-0\(month)-\(day)")), \
        "expiresDate": \(milliseconds("2026-0\(month + 1)-\(day)")), \
        "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED", \
        "storefront": "USA", "currency": "USD", "price": \(month < 6 ? 9990 : 12990), \
        "signedDate": \(milliseconds("2026-07-31"))}
        """
      }
      lines.append(
        """
        {"revision": "1", "bundleId": "com.example.app", "environment": "Production", \
        "hasMore": false, "signedTransactions": [\(transactions.joined(separator: ", "))]}
        """)
    }
    for (id, status, day) in [
      ("1003", 0, "2026-05-02"), ("1003", 1, "2026-05-20"), ("2003", 0, "2026-05-02"),
    ] {
      lines.append(
        """
        {"originalTransactionId": "\(id)", "productId": "com.example.month", \
        "autoRenewProductId": "com.example.month", "autoRenewStatus": 1, \
        "environment": "Production", "priceIncreaseStatus": \(status), \
        "signedDate": \(milliseconds(day))}
        """)
    }
    return Array(lines.map { $0 + "\n" }.joined().utf8)
  }

  @Test
  func `names the renewal, what the customer did, and the records of consent`() throws {
    let sandbox = try ReportSandbox(["dump.ndjson": Self.dump])
    let result = carryOut([sandbox.path], views: [[]], jobs: 2) { plan in
      plan.sources = [.receipts]
      plan.keepsReceipts = true
      plan.prices = PricePlan()
    }
    let table = { (column: String) -> ReportTable in
      try withExtendedLifetime(sandbox) { () -> ReportTable in
        let found = try Explanation(
          Question(
            "price_impact.\(column)", about: .priceImpact, where: [], from: [.receipts]), result)
        #expect(found.holds, "\(found.failures)")
        return found.table
      }
    }
    let renewed = try table("renewed_new_price")
    #expect(renewed.rows.count == 3)
    #expect(
      renewed.texts(["value", "period_start", "period_end", "fact", "because"]) == [
        "1", "2026-05-05T00:00:00Z", "2026-06-05T00:00:00Z", "renewed new price",
        "9.99 USD until 2026-06-05; the new price of 12.99 USD holds from 2026-06-05; charged 12.99 USD on 2026-06-05",
      ])
    let pending = try table("pending").texts(["because"])[0]
    #expect(pending.contains("no charge so far, less than 60 days before the data"), "\(pending)")
    let given = try table("consent_given").texts(["because", "rows"])
    #expect(
      given[0].hasSuffix(
        "; the record of 2026-05-02 asks for consent; that of 2026-05-20, the latest, says agreed or not needed"
      ), "\(given)")
    let places = given[1].split(separator: "; ").map { $0.split(separator: " ")[0] }
    #expect(Set(places) == ["dump.ndjson:1", "dump.ndjson:5", "dump.ndjson:6"])
    let open = try table("consent_pending").texts(["because"])[0]
    #expect(
      open.hasSuffix("; the record of 2026-05-02 asks for consent, and no later one answers"))
    #expect(try table("consent_asked").rows.count == 2)
    #expect(try table("notified").rows.count == 2)
  }

  @Test
  func `is asked of the source that has the column`() throws {
    let source = { (cell: String, sources: [Source]) in
      try Question(cell, about: .priceImpact, where: [], from: sources).source
    }
    #expect(try source("price_impact.reached", [.subscribers, .receipts]) == .subscribers)
    #expect(try source("price_impact.consent_asked", [.subscribers, .receipts]) == .receipts)
    #expect(throws: QuestionError.self) { try source("price_impact.consent_asked", [.subscribers]) }
    #expect(throws: QuestionError.self) { try source("price_impact.net_effect", [.receipts]) }
  }
}

@Suite("Chosen columns of an explanation")
struct ChosenColumnsTests {
  @Test(arguments: ["control", "control*", "control…", "control..."])
  func `may be all that begin with a text`(text: String) throws {
    let question = try Question(
      "price_impact", about: .priceImpact, columns: [text], where: [])
    #expect(
      question.chosen == [
        "control_before_due", "control_before_rate", "control_after_due", "control_after_rate",
      ])
  }

  @Test
  func `are each named once, in the order of the table`() throws {
    let one = try Question("churn", columns: ["churned"], where: [])
    #expect(one.column == "churned" && one.chosen == ["churned"])
    let many = try Question("churn", columns: ["churned*", "active_start"], where: [])
    #expect(many.column == nil && many.chosen?.first == "active_start")
    #expect(many.chosen?.contains("churned_refund") == true)
    #expect(many.chosen?.contains("churn_rate") == false)
  }

  @Test
  func `are refused where none begins so, and where the table has a column already`() {
    let message = { (cell: String, columns: [String]) -> String? in
      do throws(QuestionError) {
        _ = try Question(cell, columns: columns, where: [])
        return nil
      } catch {
        return error.message
      }
    }
    #expect(
      message("churn", ["chrned"])?.hasPrefix(
        "--column chrned: no column of churn that can be explained has this name or begins with it; "
      ) == true)
    #expect(message("churn", ["*"]) != nil)
    #expect(
      message("churn.churned", ["low"])
        == "--column low: churn.churned names a column too; write churn, and each column with --column"
    )
  }

  @Test
  func `add up like all columns of the row`() throws {
    let sandbox = try ReportSandbox(["dump.ndjson": ReceiptAnswer.dump(ReceiptAnswer.three)])
    let run = try ReceiptRun(sandbox)
    let question = try Question(
      "churn", columns: ["churned", "churn_rate"], where: [], from: [.receipts])
    let month = try #require(Month("2026-02"))
    let found = try withExtendedLifetime(sandbox) {
      try Explanation(question, month: month, run.result)
    }
    #expect(found.holds && found.sums.map(\.column) == ["churned", "active_start"])
    #expect(found.lines.first?.hasPrefix("churn_rate = ") == true, "\(found.lines)")
  }
}
