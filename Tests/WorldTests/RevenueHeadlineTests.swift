import PipelineTestSupport
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// Compares the rows of `headlines.csv` about recurring revenue with the tables beside it, as a reader would.
@Suite("Recurring revenue among the headlines")
struct RevenueHeadlineTests {
  private typealias Row = [String: String]

  private static func outcome(_ seed: UInt64, _ rates: CurrencyConversion?) throws -> RunOutcome {
    let world = try SimulatedReports(
      seed: seed, subscribers: 150, from: "2025-01-01", to: "2026-04-10")
    return try RunOutcome(try world.sandbox(), conversion: rates)
  }

  /// Returns the rows of a month by price of the source that speaks.
  private static func rows(_ outcome: RunOutcome, _ source: String, _ month: String) -> [Row] {
    outcome.rows("recurring.csv", source: source).filter {
      $0["basis"] == "price" && $0["month"] == month && $0["mrr"] != ""
    }
  }

  @Test(arguments: histories(12))
  func `are the cells of the tables, one for each currency`(seed: UInt64) throws {
    let outcome = try Self.outcome(seed, nil)
    let headlines = outcome.rows("headlines.csv")
    for (figure, column) in [
      ("mrr", "mrr"), ("arpu", "arpu"), ("net_churn_rate", "net_churn_rate"),
    ] {
      let own = headlines.filter { $0["figure"] == figure }
      let first = try #require(own.first)
      let (source, month) = (first["source"] ?? "", first["month"] ?? "")
      let now = Self.rows(outcome, source, month)
      let then = Self.rows(outcome, source, "\(try #require(Month(month)) - 1)")
      #expect(own.map { $0["currency"] } == now.map { $0["currency"] ?? "" }.sorted())
      for row in own {
        let cell = try #require(now.first { $0["currency"] == row["currency"] })
        let before = then.first { $0["currency"] == row["currency"] }
        #expect(row["value"] == cell[column] && row["state"] == cell["state"])
        let isCompared = cell["state"] != "partial" && before?["state"] != "partial"
        #expect(row["before"] == (isCompared ? before?[column] ?? "" : ""), "\(row)")
        #expect(row["before_same_age"] == row["before"])
      }
    }
    let lifetime = outcome.rows("lifetime.csv").filter {
      $0["start_month"] == "all" && $0["basis"] == "price" && $0["months"] == "12"
    }
    let own = headlines.filter { $0["figure"] == "net_per_start_12" }
    let source = try #require(own.first?["source"])
    let found = lifetime.filter { $0["source"] == source }
    #expect(own.map { $0["value"] } == found.map { $0["net_per_start"] })
    #expect(own.map { $0["currency"] } == found.map { $0["currency"] })
  }

  @Test(arguments: histories(12))
  func `are one number of all currencies where money is converted`(seed: UInt64) throws {
    var rates = CurrencyConversion(to: "USD")
    for currency in ["EUR", "GBP", "JPY", "BRL", "CAD", "AUD", "INR", "CNY", "MXN", "KRW", "CHF"] {
      rates.add(
        CurrencyConversion.Rate(numerator: 937, scale: 3), from: currency,
        on: Month(year: 2023, month: 1).firstDay)
    }
    let outcome = try Self.outcome(seed, rates)
    let own = outcome.rows("headlines.csv").filter { $0["figure"] == "mrr" }
    let row = try #require(own.first)
    #expect(own.count == 1 && row["currency"] == "USD")
    let now = Self.rows(outcome, row["source"] ?? "", row["month"] ?? "")
    let cents = { (text: String?) in
      let parts = (text ?? "").split(separator: ".")
      let decimals = parts.count > 1 ? String(parts[1]) : ""
      let padded = decimals + String(repeating: "0", count: max(0, 3 - decimals.count))
      return (Int(parts.first ?? "") ?? 0) * 1_000 + (Int(padded) ?? 0)
    }
    #expect(cents(row["value"]) == now.reduce(0) { $0 + cents($1["mrr_USD"]) })
    let active = now.reduce(0) { $0 + (Int($1["active"] ?? "") ?? 0) }
    let arpu = outcome.rows("headlines.csv").first { $0["figure"] == "arpu" }
    #expect(cents(arpu?["value"]) == (2 * cents(row["value"]) + active) / (2 * active))
  }
}
