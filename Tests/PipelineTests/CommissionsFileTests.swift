import Pipeline
import SubscriptionModel
import Testing

@Suite("A file of commissions")
struct CommissionsFileTests {
  private static let header = "countries,valid_from,standard,reduced,source\n"

  @Test
  func `adds its rows to the shipped ones`() throws {
    let commissions = try CommissionsFile.read(
      Self.header + "AT BE,2026-05-01,73,86,\"letter, May\"\n*,2027-01-01,80,90,\n", path: "c.csv")
    let day = try #require(Day("2026-05-01"))
    #expect(commissions.pair(in: "BE", on: day)?.name == "73/86")
    #expect(commissions.pair(in: "US", on: day)?.name == "70/85")
    #expect(commissions.pair(in: "US", on: day + 365)?.name == "80/90")
  }

  @Test
  func `shows each bad line`() throws {
    let text =
      Self.header
      + "Austria,2026-05-01,73,86,\nAT,May,73,86,\nAT,2026-05-01,7300,86,\nAT,2026-05-01,73,,\n"
    let error = try #require(throws: TableError.self) {
      try CommissionsFile.read(text, path: "c.csv")
    }
    let lines = error.message.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(
      lines.first
        == "c.csv:2:1: error: column \"countries\": found \"Austria\", expected country codes such as AT BE, or * [bad-table]"
    )
    #expect(lines.last?.hasPrefix("c.csv:5:4: error: column \"reduced\"") == true)
  }

  @Test(arguments: ["", "country,rate\nAT,70\n", "countries,valid_from,standard\n"])
  func `needs its columns`(text: String) {
    #expect(throws: TableError.self) { try CommissionsFile.read(text, path: "c.csv") }
  }
}
