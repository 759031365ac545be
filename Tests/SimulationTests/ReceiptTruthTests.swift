import Simulation
import SubreportTestSupport
import Testing

@Suite("The truth of simulated receipts")
struct ReceiptTruthTests {
  private static let hour = 3_600_000
  private static let day = 86_400_000

  /// A purchase as the last capture tells it.
  private struct Period {
    let product: String
    let isFree: Bool
    let isUpgraded: Bool
    let begin: Int
    let expires: Int
    let canceled: Int?
  }

  private func folder(
    _ seed: UInt64, kinds: Set<WorldOptions.ReportKind> = [.receipts]
  ) throws -> SimulatedFolder {
    try SimulatedFolder.shared(
      SimulatorTests.world(500, to: "2026-05-31", seed: seed, kinds: kinds))
  }

  /// The purchases of each customer in the last capture, in order.
  private func customers(_ folder: SimulatedFolder) throws -> [[Period]] {
    let answers = try folder.dump(folder.captureNames[1]).map(SimulatedAnswer.init)
    return try answers.filter(\.isCustomer).map { answer in
      let latest = answer.body["latest_receipt_info"]?.elements ?? []
      return try latest.map { transaction in
        Period(
          product: try #require(transaction["product_id"]?.text),
          isFree: transaction["is_trial_period"]?.isTrue == true,
          isUpgraded: transaction["is_upgraded"]?.isTrue == true,
          begin: try #require(transaction["purchase_date_ms"]?.integer),
          expires: try #require(transaction["expires_date_ms"]?.integer),
          canceled: transaction["cancellation_date_ms"]?.integer)
      }.sorted { $0.begin < $1.begin }
    }
  }

  private func month(_ milliseconds: Int) -> String {
    // The day of the month is not needed: find the month whose first day is the latest one before.
    let day = milliseconds / Self.day + dayNumber("1970-01-01")
    let months = (2023...2027).flatMap { year in
      (1...12).map { "\(year)-\($0 < 10 ? "0" : "")\($0)" }
    }
    return months.last { dayNumber($0 + "-01") <= day } ?? ""
  }

  private func told(_ folder: SimulatedFolder, _ column: String) throws -> [[String]: Int] {
    var told: [[String]: Int] = [:]
    for row in try folder.truth("receipts.csv") {
      let count = Int(row[column] ?? "") ?? 0
      guard count > 0 else { continue }
      told[[row["month", default: ""], row["product", default: ""]]] = count
    }
    return told
  }

  @Test(arguments: histories(3, from: 41))
  func `has the purchases and refunds of the last capture`(seed: UInt64) throws {
    let folder = try folder(seed)
    var charges: [[String]: Int] = [:]
    var freeCharges: [[String]: Int] = [:]
    var refunds: [[String]: Int] = [:]
    for period in try customers(folder).flatMap(\.self) {
      let key = [month(period.begin), period.product]
      if period.isFree {
        freeCharges[key, default: 0] += 1
      } else {
        charges[key, default: 0] += 1
      }
      if let canceled = period.canceled, !period.isUpgraded {
        refunds[[month(canceled), period.product], default: 0] += 1
      }
    }
    #expect(try told(folder, "charges") == charges)
    #expect(try told(folder, "free_charges") == freeCharges)
    #expect(try told(folder, "refunds") == refunds)
  }

  @Test(arguments: histories(3, from: 41))
  func `has the lapses of the last capture`(seed: UInt64) throws {
    let folder = try folder(seed)
    var recovered: [[String]: Int] = [:]
    var churned: [[String]: Int] = [:]
    let lastHour = (dayNumber("2026-06-01") - dayNumber("1970-01-01")) * Self.day - Self.hour
    for periods in try customers(folder) {
      for (place, period) in periods.enumerated() where !period.isFree {
        let next = periods.dropFirst(place + 1).first?.begin
        let end = period.isUpgraded ? next ?? 0 : min(period.expires, period.canceled ?? .max)
        let gap = (next ?? .max / 2) - end
        guard gap > Self.hour, end <= lastHour else { continue }
        let key = [month(end), period.product]
        if gap <= 60 * Self.day {
          recovered[key, default: 0] += 1
        } else {
          churned[key, default: 0] += 1
        }
      }
    }
    #expect(try told(folder, "recovered") == recovered)
    let reasons = ["voluntary", "billing", "price", "refund", "unknown"]
    var sums: [[String]: Int] = [:]
    for reason in reasons {
      sums.merge(try told(folder, "churned_" + reason), uniquingKeysWith: +)
    }
    #expect(sums == churned)
  }

  @Test(arguments: histories(3, from: 41))
  func `has the totals of the last capture`(seed: UInt64) throws {
    let folder = try folder(seed)
    let customers = try customers(folder)
    var seconds = 0
    for periods in customers {
      var covered = 0
      for (place, period) in periods.enumerated() {
        let next = periods.dropFirst(place + 1).first?.begin
        let end =
          (period.isUpgraded ? next ?? 0 : min(period.expires, period.canceled ?? .max)) / 1_000
        seconds += max(0, end - max(covered, period.begin / 1_000))
        covered = max(covered, end)
      }
    }
    let totals = try #require(try folder.truth("receipt_totals.csv").first)
    #expect(totals["customers"] == "\(customers.count)")
    #expect(totals["purchases"] == "\(customers.map(\.count).reduce(0, +))")
    #expect(totals["covered_seconds"] == "\(seconds)")
  }

  @Test(arguments: histories(3, from: 41))
  func `is that of the reports: charges, refunds and the active, by month`(seed: UInt64) throws {
    let folder = try folder(seed)
    func sums(_ rows: [[String: String]], _ column: String) -> [String: Int] {
      var sums: [String: Int] = [:]
      for row in rows where row["month", default: ""] >= "2026-01" {
        sums[row["month", default: ""], default: 0] += Int(row[column] ?? "") ?? 0
      }
      return sums
    }
    let receipts = try folder.truth("receipts.csv")
    let refunds = try folder.truth("refunds.csv").filter { $0["extent"] == "full" }
    #expect(try sums(receipts, "charges") == sums(folder.truth("charges.csv"), "charges"))
    #expect(sums(receipts, "refunds") == sums(refunds, "count"))
    // In reports a charge up to 2 days late continues a period, in receipts one up to an hour late.
    var active = sums(receipts, "active")
    for (period, next) in try customers(folder).flatMap({ zip($0, $0.dropFirst()) }) {
      let end = min(period.expires, period.canceled ?? .max)
      let days = next.begin / Self.day - end / Self.day
      guard !period.isFree, !period.isUpgraded, next.begin - end > Self.hour, days <= 2 else {
        continue
      }
      let month = month(next.begin)
      if month >= "2026-01", month != self.month(end) { active[month, default: 0] += 1 }
    }
    #expect(try active == sums(folder.truth("active.csv"), "active"))
  }
}
