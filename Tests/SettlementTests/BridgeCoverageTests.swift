import Settlement
import SubreportTestSupport
import Testing

/// Random settlements are only worth comparing when everything happens in them.
@Suite("Random settlements")
struct BridgeCoverageTests {
  @Test
  func `fill every line in every way that it can be known`() {
    var filled: Set<String> = []
    var causes: Set<String> = []
    for seed in allSeeds(100) {
      var random = RandomFinance(seed: seed)
      for entry in random.make().reconciliation.bridges.flatMap(\.entries) {
        causes.insert(entry.cause)
        if entry.amount != 0 { filled.insert("\(entry.line.rawValue) \(entry.status.rawValue)") }
      }
    }
    let steps = [10, 11, 12, 20, 21, 22, 23, 24, 25, 29]
    for step in steps {
      // What is unexplained is known or not; units of missing days are always an estimate.
      for status in ["exact", "estimate", "unknown"]
      where (step, status) != (29, "estimate") && (step, status) != (12, "exact") {
        #expect(filled.contains("\(step) \(status)"), "line \(step) is never \(status)")
      }
    }
    let expected = [
      "settlement lag", "may be settled later", "70/85", "other",
      "no FINANCE_DETAIL of the next period", "no SALES report in the period", "BR BRL", "WW USD",
      "needs FINANCE_DETAIL", "no SALES report on some of the 30 days before",
    ]
    for cause in expected { #expect(causes.contains(cause), "nothing is \(cause)") }
  }
}
