import Simulation
import SubreportTestSupport
import Testing

@Suite("A simulated report looks like Apple's")
struct SimulatedQuirkTests {
  private func folder(
    _ seed: UInt64, faults: Bool = false,
    kinds: Set<WorldOptions.ReportKind> = [.subscriber]
  ) throws -> SimulatedFolder {
    try SimulatedFolder.shared(
      SimulatorTests.world(700, to: "2026-04-30", seed: seed, faults: faults, kinds: kinds))
  }

  @Test
  func `in its columns: every row has as many as the header`() throws {
    let folder = try SimulatedFolder.shared(SimulatorTests.world(200, to: "2026-01-31"))
    let expected = ["sales": 28, "subscriber": 26, "subscription": 35, "subscription-event": 29]
    for (kind, count) in expected {
      for report in try folder.reports(kind) {
        #expect(report.columns.count == count, "\(report.name)")
        #expect(Set(report.columns).count == count, "\(report.name)")
        #expect(report.rows.allSatisfy { $0.count == count }, "\(report.name)")
      }
    }
  }

  @Test(arguments: histories(2, from: 12))
  func `in its refunds: the price is negative, the proceeds are not`(seed: UInt64) throws {
    let records = try folder(seed).records("subscriber")
    let refunds = records.filter { $0["Refund"] == "Yes" }
    #expect(refunds.contains { $0["Units"] == "1" })
    #expect(refunds.contains { $0["Units"] == "0" })
    for refund in refunds {
      #expect(hundredths(refund["Customer Price"]) < 0)
      #expect(hundredths(refund["Developer Proceeds"]) > 0)
      #expect(refund["Purchase Date"]?.count == 10)
    }
    for charge in records where charge["Refund"] != "Yes" {
      #expect(hundredths(charge["Customer Price"]) >= 0)
      #expect(charge["Purchase Date"] == "")
      #expect(charge["Units"] == "1")
    }
  }

  @Test(arguments: histories(2, from: 12))
  func `in its refunds: each gives back a charge that was made, once`(seed: UInt64) throws {
    let records = try folder(seed).records("subscriber")
    var charges: [[String?]: Int] = [:]
    for charge in records where charge["Refund"] != "Yes" {
      guard hundredths(charge["Customer Price"]) > 0 else { continue }
      charges[
        [charge["Subscriber ID"], charge["Subscription Name"], charge["Event Date"]],
        default: 0] += 1
    }
    for refund in records where refund["Refund"] == "Yes" {
      guard let purchase = refund["Purchase Date"], purchase >= "2026-01-01" else { continue }
      let key = [refund["Subscriber ID"], refund["Subscription Name"], purchase]
      charges[key, default: 0] -= 1
      #expect(charges[key, default: 0] >= 0, "\(refund)")
    }
  }

  @Test(arguments: histories(2, from: 12))
  func `in its blanks, its padding and its equal rows`(seed: UInt64) throws {
    let reports = try folder(seed).reports("subscriber")
    let rows = reports.flatMap(\.rows)
    #expect(rows.contains { $0[16] == " " } && rows.contains { $0[16] == "Yes" })
    #expect(rows.contains { $0[17] == "Rate After One Year" })
    #expect(rows.contains { $0[9] == "" } && rows.contains { $0[9] == "Free Trial" })
    #expect(rows.contains { $0[15].hasSuffix("   ") } && rows.contains { $0[15] == "USD" })
    #expect(rows.contains { $0[12] == "980.00" && $0[13] == "JPY" })
    #expect(reports.contains { Set($0.rows).count < $0.rows.count })
    let distinct = reports.map { Set($0.rows).count }.reduce(0, +)
    #expect(distinct == Set(rows).count, "equal rows are in one file")
    #expect(rows.contains { $0[22] == "Yes" }, "some have come back under a new id")
  }

  @Test(arguments: histories(2, from: 12))
  func `in its days: most rows are the day's, some the next, few older`(seed: UInt64) throws {
    let reports = try folder(seed).reports("subscriber")
    var offsets: [Int: Int] = [:]
    for report in reports {
      for row in report.rows {
        offsets[dayNumber(row[0]) - dayNumber(report.day), default: 0] += 1
      }
    }
    #expect(Set(offsets.keys) == [-3, 0, 1])
    let total = offsets.values.reduce(0, +)
    #expect(offsets[0, default: 0] * 100 > total * 90)
    #expect(offsets[1, default: 0] * 100 > total * 3)
    let rows = reports.flatMap(\.rows).map { [$0[0], $0[21]] }
    #expect(rows.allSatisfy { $0[0] >= "2026-01-01" && $0[0] <= "2026-04-30" })
  }

  @Test
  func `in its renewals: bought on the 31st, the next is on 28 February and then on 31 March`()
    throws
  {
    let records = try folder(12).records("subscriber").filter {
      $0["Refund"] != "Yes" && $0["Standard Subscription Duration"] == "1 Month"
    }
    let days = Dictionary(grouping: records) { record in
      ["Subscriber ID", "Subscription Apple ID"].map { record[$0, default: ""] }
    }.values.map { Set($0.map { $0["Event Date", default: ""] }) }
    #expect(days.contains { $0.isSuperset(of: ["2026-01-31", "2026-02-28", "2026-03-31"]) })
    #expect(!days.contains { $0.isSuperset(of: ["2026-01-31", "2026-02-28", "2026-03-28"]) })
  }

  @Test(arguments: histories(2, from: 12))
  func `in its subscriber ids: 15 digits, shared by the groups of one person`(seed: UInt64) throws {
    let records = try folder(seed).records("subscriber")
    var groups: [String: Set<String>] = [:]
    for record in records {
      let id = record["Subscriber ID", default: ""]
      #expect(id.count == 15 && Int(id) != nil)
      groups[id, default: []].insert(record["Subscription Group ID", default: ""])
    }
    #expect(groups.values.contains { $0.count == 2 })
  }

  @Test(arguments: histories(2, from: 12))
  func `in its events: the names are Apple's and the quantities add up`(seed: UInt64) throws {
    let folder = try folder(seed, kinds: [.subscriber, .subscriptionEvent])
    var quantities: [String: Int] = [:]
    for report in try folder.reports("subscription-event") {
      for record in report.records {
        quantities[record["Event", default: ""], default: 0] += Int(record["Quantity"] ?? "") ?? 0
      }
    }
    let expected = [
      "Renew", "Cancel", "Subscribe", "Start Introductory Offer", "Start Offer Code", "Refund",
      "Paid Subscription from Introductory Offer", "Billing Retry from Paid Subscription",
      "Renewal from Billing Retry", "Canceled from Billing Retry", "Upgrade", "Crossgrade",
      "Reactivate", "Renewal from Grace Period",
    ]
    for name in expected {
      #expect(quantities[name, default: 0] > 0, "\(name)")
    }
    let charges = try folder.records("subscriber")
      .count { $0["Refund"] != "Yes" }
    let noCharge = ["Cancel", "Billing Retry", "Grace Period", "Refund"]
    let charged = quantities.filter { name, _ in !noCharge.contains { name.hasPrefix($0) } }
    #expect(charged.values.reduce(0, +) == charges)
  }

  @Test(arguments: histories(2, from: 12))
  func `with a missing, an empty and a restated day and an unknown event`(seed: UInt64) throws {
    let folder = try folder(seed, faults: true, kinds: [.subscriber, .subscriptionEvent])
    let clean = try self.folder(seed)
    let faults = try folder.truth("faults.csv")
    let file = Dictionary(
      uniqueKeysWithValues: faults.map { ($0["fault", default: ""], $0["file", default: ""]) })
    let missing = try #require(file["missing day"])
    let empty = try #require(file["empty day"])
    let first = try #require(file["restated day"])
    let events = try #require(file["unknown event"])
    #expect(!folder.files.contains(missing))
    #expect(clean.files.contains(missing))
    #expect(try folder.report(empty).rows.isEmpty)
    let restated = String(first.dropLast(".txt.gz".count)) + "_restated.txt.gz"
    let place = try #require(folder.files.firstIndex(of: first))
    #expect(folder.files[place + 1] == restated)
    #expect(try folder.report(first).rows.count < folder.report(restated).rows.count)
    #expect(try folder.report(restated).rows == clean.report(first).rows)
    let pauses = try folder.report(events).records.filter { $0["Event"] == "Pause" }
    #expect(pauses.map { $0["Quantity"] } == ["3"])
    let lost = try clean.report(missing).rows.count
    #expect(
      try folder.reports("subscriber").flatMap(\.rows).count + lost
        == clean.reports("subscriber").flatMap(\.rows).count)
  }
}
