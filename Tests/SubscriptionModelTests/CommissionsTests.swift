import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("Commissions")
struct CommissionsTests {
  static let cases: [(country: String, day: String, pair: String)] = [
    ("US", "2026-11-01", "70/85"), ("CN", "2026-03-14", "70/85"), ("CN", "2026-03-15", "75/88"),
    ("JP", "2025-12-17", "70/85"), ("JP", "2025-12-18", "74/85"), ("BR", "2026-06-17", "70/85"),
    ("BR", "2026-06-18", "74/85"), ("DE", "2026-09-30", "70/85"), ("DE", "2026-10-01", "74/85"),
    ("GB", "2026-10-01", "70/85"),
  ]

  @Test(arguments: cases)
  func `are those of the storefront's latest row by then`(
    country: String, day: String, pair: String
  ) throws {
    let day = try #require(Day(day))
    #expect(Commissions.shipped.pair(in: country, on: day)?.name == pair)
  }

  @Test
  func `of a file count before shipped ones of the same day, and a storefront before all`() throws {
    let first = try #require(Day("2026-03-15"))
    var commissions = Commissions.shipped
    commissions.add([
      .init(countries: ["CN"], validFrom: first, pair: .init(76, 88), source: "contract"),
      .init(countries: ["*"], validFrom: first + 60, pair: .init(72, 86), source: "contract"),
    ])
    #expect(commissions.pair(in: "CN", on: first)?.name == "76/88")
    #expect(commissions.pair(in: "CN", on: first + 60)?.name == "76/88")
    #expect(commissions.pair(in: "US", on: first + 60)?.name == "72/86")
    #expect(commissions.pairs(in: "CN", until: first).map(\.name) == ["70/85", "76/88"])
    #expect(commissions.change(in: "CN", in: first...first))
    #expect(!commissions.change(in: "CN", in: (first + 1)...(first + 59)))
  }
}
