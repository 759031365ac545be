import Simulation
import SubreportTestSupport
import Testing

@Suite("Commitments of a simulated world")
struct CommitmentTests {
  @Test(arguments: histories(2, from: 61))
  func `are the same bytes for the same options`(seed: UInt64) throws {
    let options = try CommitmentWorld.options(
      seed, contingent: "0.2", kinds: Set(WorldOptions.ReportKind.usual), subscribers: 200)
    let (first, second) = (try SimulatedFolder(options), try SimulatedFolder(options))
    #expect(first.files == second.files)
    for file in first.files {
      #expect(try first.lastingContent(file) == second.lastingContent(file), "\(file)")
    }
  }

  @Test
  func `are not in a world without them`() throws {
    let plain = try SimulatedFolder.shared(SimulatorTests.world())
    let none = try SimulatedFolder(
      WorldOptions(
        subscribers: 200, firstDay: "2026-01-01", lastDay: "2026-02-28", seed: 1,
        plans: PlanOptions(commitments: Share("0.000000", of: "--commitments"))))
    #expect(plain.files == none.files)
    #expect(!none.files.contains("truth/terms.csv"))
    for file in plain.files {
      #expect(try plain.lastingContent(file) == none.lastingContent(file), "\(file)")
    }
  }

  @Test(arguments: histories(3, from: 61))
  func `begin on 2026-04-27 at the earliest, and not in the United States`(seed: UInt64) throws {
    let folder = try CommitmentWorld.folder(seed)
    let rows = try folder.records("subscriber").filter { $0["Billing Plan"] == "Monthly" }
    #expect(rows.count > 100)
    #expect(rows.allSatisfy { $0["Event Date"] ?? "" >= "2026-04-27" && $0["Country"] != "US" })
    #expect(rows.allSatisfy { $0["Standard Subscription Duration"] == "1 Year" })
    #expect(rows.contains { $0["Billing Period"] == "12th" })
    let terms = try folder.truth("terms.csv")
    #expect(terms.allSatisfy { $0["start"] ?? "" >= "2026-04-27" && $0["country"] != "US" })
  }

  @Test(arguments: ["0", "0.3", "1"])
  func `are chosen by their share of new subscribers`(share: String) throws {
    let folder = try SimulatedFolder.shared(
      CommitmentWorld.options(61, share: share, kinds: [.sales], subscribers: 6_000))
    var units = ["Monthly": 0, "Upfront": 0]
    for row in try folder.records("sales") where row["Subscription"] == "New" {
      let day = (row["Begin Date"] ?? "").split(separator: "/")
      // Two at once are bought by mistake, and both at the price of the year.
      guard row["Period"] == "1 Year", row["Order Type"] == "", row["Country Code"] != "US",
        "\(day[2])-\(day[0])-\(day[1])" >= "2026-04-27", row["Units"] == "1"
      else { continue }
      units[row["Billing Plan"] ?? "", default: 0] += 1
    }
    let (monthly, upfront) = (units["Monthly"] ?? 0, units["Upfront"] ?? 0)
    switch share {
    case "0": #expect(monthly == 0)
    case "1": #expect(upfront == 0 && monthly > 80)
    default: #expect((20...40).contains(100 * monthly / (monthly + upfront)))
    }
  }

  @Test(arguments: histories(3, from: 61))
  func `cost 1 to 1.5 times as much as the year at once`(seed: UInt64) throws {
    let rows = try CommitmentWorld.folder(seed).records("sales").filter {
      $0["Period"] == "1 Year" && $0["Order Type"] == "" && hundredths($0["Customer Price"]) > 0
    }
    var years: [String: Int] = [:]
    func key(_ row: [String: String]) -> String {
      row["SKU", default: ""] + row["Country Code", default: ""]
    }
    for row in rows where row["Billing Plan"] == "Upfront" {
      years[key(row)] = hundredths(row["Customer Price"])
    }
    var compared = 0
    for row in rows where row["Billing Plan"] == "Monthly" {
      guard let year = years[key(row)] else { continue }
      compared += 1
      #expect((year...(year * 3 / 2)).contains(12 * hundredths(row["Customer Price"])))
    }
    #expect(compared > 100)
  }

  @Test
  func `have no column unless it is asked for`() throws {
    let options = try CommitmentWorld.options(
      61, columns: false, kinds: Set(WorldOptions.ReportKind.reports), subscribers: 60)
    let folder = try SimulatedFolder(options)
    let plain = try SimulatedFolder.shared(SimulatorTests.world())
    let pairs = ["sales/S_D_80012345_20260115", "subscriber/Subscriber_80012345_20260115_V1_3"]
    for file in pairs.map({ $0 + ".txt.gz" }) {
      #expect(try folder.report(file).columns == plain.report(file).columns)
    }
  }
}
