import Simulation
import SubreportTestSupport
import Testing

@Suite("The truth of a simulated world")
struct SimulatedWorldTruthTests {
  private func folder(
    _ seed: UInt64, kinds: Set<WorldOptions.ReportKind> = [.subscriber]
  ) throws -> SimulatedFolder {
    try SimulatedFolder.shared(
      SimulatorTests.world(500, to: "2026-04-15", seed: seed, faults: false, kinds: kinds))
  }

  @Test(arguments: histories(3, from: 21))
  func `has the charges of the Subscriber rows`(seed: UInt64) throws {
    let folder = try folder(seed)
    var counted: [[String]: [Int]] = [:]
    for record in try folder.records("subscriber") {
      let price = hundredths(record["Customer Price"])
      guard record["Refund"] != "Yes", price > 0 else { continue }
      let key = [
        String(record["Event Date", default: ""].prefix(7)),
        record["Subscription Name", default: ""], record["Country", default: ""],
        record["Proceeds Currency", default: ""],
      ]
      add([1, price, hundredths(record["Developer Proceeds"])], to: &counted[key])
    }
    var told: [[String]: [Int]] = [:]
    for row in try folder.truth("charges.csv") {
      let key = ["month", "product", "country", "currency"].map { row[$0, default: ""] }
      let values = [
        Int(row["charges"] ?? "") ?? 0, hundredths(row["gross_price"]),
        hundredths(row["gross_proceeds"]),
      ]
      add(values, to: &told[key])
    }
    #expect(told == counted)
  }

  @Test(arguments: histories(3, from: 21))
  func `has the refunds of the Subscriber rows`(seed: UInt64) throws {
    let folder = try folder(seed)
    var counted: [[String]: [Int]] = [:]
    for record in try folder.records("subscriber")
    where record["Refund"] == "Yes" {
      let key = [
        String(record["Event Date", default: ""].prefix(7)),
        String(record["Purchase Date", default: ""].prefix(7)),
        record["Subscription Name", default: ""], record["Country", default: ""],
        record["Units"] == "0" ? "partial" : "full",
      ]
      let price = -hundredths(record["Customer Price"])
      add([1, price, hundredths(record["Developer Proceeds"])], to: &counted[key])
    }
    var told: [[String]: [Int]] = [:]
    for row in try folder.truth("refunds.csv") {
      let names = ["month", "sale_month", "product", "country", "extent"]
      let values = [
        Int(row["count"] ?? "") ?? 0, hundredths(row["price"]), hundredths(row["proceeds"]),
      ]
      add(values, to: &told[names.map { row[$0, default: ""] }])
    }
    #expect(told == counted)
  }

  @Test(arguments: histories(3, from: 21))
  func `has the trials of the Subscriber rows`(seed: UInt64) throws {
    let folder = try folder(seed)
    var counted: [[String]: Int] = [:]
    for record in try folder.records("subscriber") {
      guard record["Subscription Offer Type"] == "Free Trial",
        record["Subscription Offer Name"] == ""
      else { continue }
      let month = String(record["Event Date", default: ""].prefix(7))
      let place = [record["Subscription Name", default: ""], record["Country", default: ""]]
      counted[[month] + place, default: 0] += 1
    }
    var told: [[String]: Int] = [:]
    for row in try folder.truth("trials.csv") {
      let fates = ["converted", "not_converted", "pending"].map { Int(row[$0] ?? "") ?? 0 }
      #expect(fates.allSatisfy { $0 >= 0 })
      #expect(Int(row["trials"] ?? "") == fates.reduce(0, +))
      told[["month", "product", "country"].map { row[$0, default: ""] }] = fates.reduce(0, +)
    }
    #expect(told == counted)
  }

  @Test(arguments: histories(3, from: 21))
  func `has as many active as the snapshot of the day before the month`(seed: UInt64) throws {
    let folder = try folder(seed, kinds: [.subscription])
    var told: [[String]: Int] = [:]
    for row in try folder.truth("active.csv") where row["month"] == "2026-03" {
      told[["product", "country"].map { row[$0, default: ""] }] = Int(row["active"] ?? "")
    }
    let report = try folder.report(
      "subscription/Subscription_80012345_20260228_V1_3.txt.gz")
    var counted: [[String]: Int] = [:]
    for record in report.records {
      let paid = record.filter { column, _ in
        column.hasPrefix("Active Standard") || column.contains("Pay Up Front")
          || column.contains("Pay As You Go")
      }
      let count = paid.values.compactMap { Int($0) }.reduce(0, +)
      guard count > 0 else { continue }
      let place = [record["Subscription Name", default: ""], record["Country", default: ""]]
      counted[place, default: 0] += count
    }
    #expect(told == counted)
  }

  @Test(arguments: histories(3, from: 21))
  func `has the same money in Sales and in Subscriber reports, day by day`(seed: UInt64) throws {
    let folder = try folder(seed, kinds: [.sales, .subscriber])
    var subscriber: [[String]: Int] = [:]
    for record in try folder.records("subscriber") {
      let proceeds = hundredths(record["Developer Proceeds"])
      let key = [record["Event Date", default: ""], record["Proceeds Currency", default: ""]]
      subscriber[key, default: 0] += record["Refund"] == "Yes" ? -proceeds : proceeds
    }
    var sales: [[String]: Int] = [:]
    for report in try folder.reports("sales") {
      for record in report.records where record["Product Type Identifier"] == "IAY" {
        let date = record["Begin Date", default: ""].split(separator: "/")
        let key = [
          "\(date[2])-\(date[0])-\(date[1])", record["Currency of Proceeds", default: ""],
        ]
        #expect(key[0] == report.day)
        let units = Int(record["Units"] ?? "") ?? 0
        let proceeds = hundredths(record["Developer Proceeds"])
        sales[key, default: 0] += units == 0 ? -proceeds : units * proceeds
      }
    }
    #expect(sales.filter { $0.value != 0 } == subscriber.filter { $0.value != 0 })
  }

  @Test(arguments: histories(3, from: 21))
  func `has leavers, returns, starts and people active`(seed: UInt64) throws {
    let folder = try folder(seed)
    func sum(_ file: String, _ column: String) throws -> Int {
      try folder.truth(file).map { Int($0[column] ?? "") ?? 0 }.reduce(0, +)
    }
    #expect(try sum("churned.csv", "churned") > sum("churned.csv", "churned_seen"))
    #expect(try sum("churned.csv", "churned_seen") > 0)
    #expect(try sum("churned.csv", "recovered") > 0)
    #expect(try sum("starts.csv", "first_paid") > sum("starts.csv", "starts"))
    #expect(try sum("active.csv", "active") > sum("active.csv", "active_seen"))
    #expect(try folder.truth("active.csv").first?["month"] == "2026-01")
    #expect(try folder.truth("active.csv").last?["month"] == "2026-04")
  }

  private func add(_ values: [Int], to sums: inout [Int]?) {
    let old = sums ?? values.map { _ in 0 }
    sums = zip(old, values).map { $0 + $1 }
  }
}
