import Scanning
import Testing

/// What "did you mean" asks for.
@Suite("nearest words")
struct NearestTests {
  static let near: [(text: String, words: [String], expected: [String])] = [
    ("chrun", ["churn", "trials", "chains"], ["churn"]),
    ("Pro Montly", ["Pro Monthly", "Pro Yearly"], ["Pro Monthly"]),
    ("USA", ["DE", "US", "UA", "GB"], ["US"]),
    ("pro monthly", ["Pro Monthly"], ["Pro Monthly"]),
    ("sales", ["sales_refunds", "sales_gross", "payment"], ["sales_gross", "sales_refunds"]),
    ("churn_rat", ["churn_rate", "churn_rate", "low"], ["churn_rate"]),
    (
      "Larkspr", ["Larkspur Kids", "Larkspur Weekly", "Other"],
      ["Larkspur Kids", "Larkspur Weekly"]
    ),
    ("Kids", ["Larkspur Kids", "Larkspur Weekly"], ["Larkspur Kids"]),
    ("--idenity", ["--identities", "--environment"], ["--identities"]),
    // Whole words come before beginnings.
    ("lapsed", ["lapses_by_month", "lapses"], ["lapses"]),
    ("foo", ["fob and more"], []),
    ("999", ["80012345"], []),
    ("xyz", ["churn", "trials"], []),
    ("", ["churn"], []),
    ("churn", [], []),
  ]

  @Test(arguments: near)
  func `are those with the fewest mistakes`(
    _ example: (text: String, words: [String], expected: [String])
  ) {
    #expect(Nearest.words(to: example.text, among: example.words) == example.expected)
  }

  @Test func adviceAsksForTheNearest() {
    #expect(Nearest.advice("chrun", among: ["churn", "low"]) == "did you mean \"churn\"?")
  }

  @Test func adviceListsAllWhenNothingIsNear() {
    #expect(Nearest.advice("x", among: ["churn", "low", "low"]) == "use churn or low")
    #expect(
      Nearest.advice("x", among: ["DE", "GB", "US"], listedAfter: "the data have")
        == "the data have DE, GB and US")
  }

  @Test func adviceListsNoMoreThanItMay() {
    #expect(Nearest.advice("x", among: ["DE", "GB", "US"], limit: 2).isEmpty)
  }
}
