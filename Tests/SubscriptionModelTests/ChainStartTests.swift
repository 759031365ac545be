import Storage
import SubreportTestSupport
import SubscriptionModel
import Testing

/// The first file is of 2024-01-01.
@Suite("A chain's start")
struct ChainStartTests {
  static let firstFile = day("2024-01-01")

  @Test(arguments: [-9, 0, 9])
  func `is known for a trial and for pay up front, even before the first file`(days: Int) {
    let row = Purchase(Self.firstFile + days)
    let upFront = row.with {
      $0.kind = .intro
      $0.mode = .payUpFront
      $0.offerTerm = Term(months: 3)
    }
    #expect(history(row.asTrial(Term(days: 7))).chains[0].start == .known)
    #expect(history(upFront).chains[0].start == .known)
  }

  struct Edge: Sendable, CustomTestStringConvertible {
    let name: String
    let row: Purchase
    /// The last day on which the start is not known.
    let lastUnknown: String

    var testDescription: String { name }
  }

  static let edges: [Edge] = [
    Edge(
      name: "pay as you go: the offer's duration",
      row: Purchase(firstFile).with {
        $0.kind = .intro
        $0.mode = .payAsYouGo
        $0.offerTerm = Term(months: 3)
      }, lastUnknown: "2024-04-01"),
    Edge(
      name: "standard week: 7 + 60 days",
      row: Purchase(firstFile, product: "weekly", term: Term(days: 7)), lastUnknown: "2024-03-08"),
    Edge(
      name: "standard month: 1 month + 60 days", row: Purchase(firstFile), lastUnknown: "2024-04-01"
    ),
    Edge(
      name: "standard year: 1 year + 60 days",
      row: Purchase(firstFile, product: "yearly", term: Term(months: 12)),
      lastUnknown: "2025-03-02"),
    Edge(
      name: "free offer: the standard duration + 60 days, not the offer's",
      row: Purchase(firstFile).asTrial(Term(days: 7)).with { $0.kind = .offer },
      lastUnknown: "2024-04-01"),
    Edge(
      name: "paid offer: the standard duration + 60 days",
      row: Purchase(firstFile).with {
        $0.kind = .offer
        $0.mode = .payUpFront
        $0.offerTerm = Term(months: 6)
      }, lastUnknown: "2024-04-01"),
  ]

  @Test(arguments: edges)
  func `is known from the day after its edge`(edge: Edge) {
    let last = day(edge.lastUnknown)
    #expect(history(edge.row.with { $0.day = last }).chains[0].start == .before)
    #expect(history(edge.row.with { $0.day = last + 1 }).chains[0].start == .known)
  }

  @Test
  func `is judged by the first charge alone`() {
    let later = Purchase(day("2024-08-01"))
    #expect(history(later, Purchase(day("2024-02-01"))).chains[0].start == .before)
    #expect(history(later, later.with { $0.isIDReset = true }).chains[0].start == .known)
  }

  @Test
  func `is an id reset before anything else`() {
    let early = Purchase(day("2024-02-01")).with { $0.isIDReset = true }
    let late = Purchase(day("2024-08-01")).with { $0.isIDReset = true }
    #expect(history(early).chains[0].start == .idReset)
    #expect(history(late).chains[0].start == .idReset)
    #expect(history(late.asTrial(Term(days: 7))).chains[0].start == .idReset)
  }
}
