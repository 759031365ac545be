import SubscriptionMetrics
import Testing

/// The examples of SubscriptionMetrics, on sample-reports.
@Suite("SubscriptionAnalysis")
struct SubscriptionAnalysisTests {
  private static let shared: Result<SubscriptionAnalysis, any Error> = Result {
    try SubscriptionAnalysis(reports: [Repository.sample])
  }

  private let printed = Printed()
  private let folder = Repository.sample

  private func print<Value>(_ value: Value) { printed.add("\(value)") }

  @Test func `counts a folder of reports`() throws {
    let analysis = try SubscriptionAnalysis(reports: [folder])
    let churn = try analysis.churn(month: "2026-09")
    for row in churn.rows where row.text("source") == "events" {
      print("\(row.text("churned")) of \(row.text("active_start"))")  // 29 of 309
    }
    #expect(printed.lines == ["29 of 309"])
  }

  @Test func `counts views`() throws {
    let byCountry = try SubscriptionAnalysis(reports: [folder], by: [["country"]])
    let table = try byCountry.table(.churn, by: ["country"])
    #expect(table.dimensions == ["country"])
    #expect(table.rows.contains { $0["country"] == .text("DE") })
    let whole = try Self.shared.get().tables()
    let both = try byCountry.tables()
    #expect(both.count > whole.count)
  }

  @Test func `has the last month and the problems of the files`() throws {
    let analysis = try Self.shared.get()
    print(analysis.lastMonth)  // 2026-09
    let missing = analysis.problems.filter { $0.hasPrefix("missing: ") }
    print(missing.count)  // 1
    #expect(printed.lines == ["2026-09", "1"])
  }

  @Test func `has tables`() throws {
    let analysis = try Self.shared.get()
    let proceeds = try analysis.table(.proceeds)
    print(proceeds.columns.contains("net_proceeds"))  // true
    let churn = try analysis.churn(month: "2026-08")
    print(churn.rows[0].text("month"))  // 2026-08
    #expect(printed.lines == ["true", "2026-08"])
    for name in MetricsTable.Name.allCases {
      let table = try analysis.table(name)
      #expect(table.name == name)
    }
  }

  @Test func `has all tables, also as of an earlier day`() throws {
    let analysis = try Self.shared.get()
    let names = try analysis.tables().map(\.name.rawValue)
    print(names.prefix(2).joined(separator: ", "))  // churn, renewals
    let inJune = try analysis.tables(asOf: "2026-06-30")
    print(inJune[0].csv.contains("2026-07"))  // false
    #expect(printed.lines == ["churn, renewals", "false"])
    #expect(inJune[0].csv.contains("2026-06"))
  }

  @Test func `prints a table`() throws {
    let analysis = try Self.shared.get()
    let table = try analysis.table(.churn)
    for row in table.rows where row.text("month") == "2026-09" {
      print("\(row.text("source")) \(row.text("churn_rate"))")
    }
    #expect(printed.lines.count == 3 && printed.lines.first == "events 0.093851")
  }

  @Test func `has tables with exact cells`() throws {
    let analysis = try Self.shared.get()
    let table = try analysis.table(.churn)
    print(table.name)  // churn
    print(table.dimensions)  // []
    print(table.columns.prefix(3).joined(separator: " "))  // source month active_start
    let september = table.rows.filter { $0.text("month") == "2026-09" }
    print(september.count)  // 3
    let header = table.csv.prefix { $0 != "\n" }
    print(header.hasPrefix("source,month,active_start,"))  // true
    print(MetricsTable.Name.allCases.count)  // 13
    #expect(
      printed.lines == ["churn", "[]", "source month active_start", "3", "true", "13"])
  }

  @Test func `has rows with exact cells`() throws {
    let analysis = try Self.shared.get()
    let row = try analysis.churn(month: "2026-09").rows[0]
    print(row.text("state"))  // final
    print(row["churned"] == .count(29))  // true
    print(row["churn_rate"] == .ratio(numerator: 29, denominator: 309))  // true
    print(row["color"] == nil)  // true
    print(row.text("churn_rate"))  // 0.093851
    #expect(printed.lines == ["final", "true", "true", "true", "0.093851"])
    #expect(row["churned_refund"] == .missing && row.text("churned_refund") == "")
  }

  @Test func `has amounts with their currency`() throws {
    let analysis = try Self.shared.get()
    let proceeds = try analysis.table(.proceeds).rows.last
    if case .money(let milliunits, let currency)? = proceeds?["gross_price"] {
      print("\(milliunits) thousandths of \(currency)")
    }
    #expect(printed.lines.count == 1)
    let currency = try #require(proceeds).text("currency")
    #expect(currency.count == 3)
    #expect(printed.lines.first?.hasSuffix(" of " + currency) == true)
  }

  @Test func `is nothing without input`() throws {
    do {
      _ = try SubscriptionAnalysis(reports: [])
    } catch {
      print(error.code)  // no-input
    }
    #expect(printed.lines == ["no-input"])
  }

  @Test func `refuses wrong arguments`() throws {
    let analysis = try Self.shared.get()
    let noMonth = Self.failure { try analysis.churn(month: "08/2026") }
    let failure = try #require(noMonth)
    print(failure.code)  // no-month
    print(failure)  // "08/2026" is no month such as 2026-08 [no-month]
    #expect(printed.lines == ["no-month", "\"08/2026\" is no month such as 2026-08 [no-month]"])
    let codes = [
      Self.failure { try analysis.churn(month: "2019-01") },
      Self.failure { try analysis.table(.churn, by: ["country"]) },
      Self.failure { try analysis.table(.churn, by: ["x"]) },
      Self.failure { try analysis.tables(asOf: "June") },
    ].map { $0?.code }
    #expect(codes == ["no-month", "unknown-view", "unknown-dimension", "no-day"])
  }

  private static func failure<Value>(
    _ body: () throws -> Value
  ) -> SubscriptionAnalysis.Failure? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? SubscriptionAnalysis.Failure
    }
  }
}
