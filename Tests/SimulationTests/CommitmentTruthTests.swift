import Simulation
import SubreportTestSupport
import Testing

@Suite("The truth of commitments")
struct CommitmentTruthTests {
  @Test(arguments: histories(3, from: 61))
  func `has each term of the rows, with its instalments`(seed: UInt64) throws {
    let folder = try CommitmentWorld.folder(seed)
    let seen = SeenTerm.terms(try folder.records("subscriber"))
    #expect(seen.count > 30)
    let told = try folder.truth("terms.csv")
    func key(_ values: String?...) -> String { values.map { $0 ?? "" }.joined(separator: "|") }
    #expect(
      seen.map { key($0.subscriber, $0.product, $0.start, $0.price, "\($0.days.count)") }.sorted()
        == told.map {
          key($0["subscriber"], $0["product"], $0["start"], $0["price"], $0["instalments"])
        }.sorted())
  }

  @Test(arguments: histories(3, from: 61))
  func `has terms of every end`(seed: UInt64) throws {
    let terms = try CommitmentWorld.folder(seed).truth("terms.csv")
    for term in terms {
      let instalments = Int(term["instalments"] ?? "") ?? 0
      let (missed, recovered) = (Int(term["missed"] ?? "") ?? 0, Int(term["recovered"] ?? "") ?? 0)
      #expect((1...12).contains(instalments))
      switch term["ended"] {
      case "complete": #expect(instalments == 12 && missed == recovered)
      case "defaulted": #expect(instalments < 12 && missed == recovered + 1)
      case "running":
        #expect(term["end"] ?? "" > "2027-12-20" || missed > recovered)
      default: #expect(missed == recovered)
      }
      #expect(term["renewal"] == "" || term["ended"] == "complete")
    }
  }

  @Test
  func `has terms that end in every way, in some world`() throws {
    let terms = try (61...64).flatMap { try CommitmentWorld.folder($0).truth("terms.csv") }
    let endings = Set(terms.compactMap { $0["ended"] })
    #expect(endings == ["complete", "defaulted", "refunded", "changed", "running"])
    #expect(Set(terms.compactMap { $0["renewal"] }).isSuperset(of: ["", "commitment", "upfront"]))
    #expect(terms.contains { $0["recovered"] != "0" })
  }

  @Test(arguments: histories(3, from: 61))
  func `has months that add up to the terms`(seed: UInt64) throws {
    let folder = try CommitmentWorld.folder(seed)
    let (terms, months) = (
      try folder.truth("terms.csv"), try folder.truth("commitments.csv")
    )
    func sum(_ column: String) -> Int { months.reduce(0) { $0 + (Int($1[column] ?? "") ?? 0) } }
    #expect(sum("due") == sum("paid") + sum("recovered") + sum("defaulted") + sum("pending"))
    #expect(sum("terms_started") == terms.count)
    #expect(sum("terms_ended") == terms.count { $0["ended"] != "running" })
    #expect(sum("terms_renewed") == terms.count { $0["renewal"] != "" })
    #expect(sum("defaulted") == terms.count { $0["ended"] == "defaulted" })
    #expect(sum("recovered") == terms.reduce(0) { $0 + (Int($1["recovered"] ?? "") ?? 0) })
    var running: [String: Int] = [:]
    for row in months {
      func count(_ column: String) -> Int { Int(row[column] ?? "") ?? 0 }
      let now = running[row["currency"] ?? "", default: 0]
      running[row["currency"] ?? ""] = now + count("terms_started") - count("terms_ended")
      #expect(running[row["currency"] ?? ""] == count("running"))
      #expect(count("suspended") <= count("running"))
    }
    let last = months.filter { $0["month"] == "2027-12" }.reduce(0) {
      $0 + (Int($1["running"] ?? "") ?? 0)
    }
    #expect(last == terms.count { $0["ended"] == "running" })
  }
}
