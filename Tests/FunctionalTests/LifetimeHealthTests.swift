import SubreportTestSupport
import Testing

@Suite("health of lifetime")
struct LifetimeHealthTests {
  @Test
  func `says how many charges have another currency than the first of their subscription`() throws {
    let sandbox = try Sandbox()
    let charge = { (id: Int, month: Int, currency: String) in
      #"""
      {"transactionId":"\#(id)","originalTransactionId":"41","webOrderLineItemId":"5\#(id)","bundleId":"com.example.app",\#
      "productId":"m","subscriptionGroupIdentifier":"20","type":"Auto-Renewable Subscription","environment":"Production",\#
      "purchaseDate":"2026-0\#(month)-01T10:00:00Z","originalPurchaseDate":"2026-03-01T10:00:00Z",\#
      "expiresDate":"2026-0\#(month + 1)-01T10:00:00Z","signedDate":"2026-06-20T10:00:00Z","price":9990,\#
      "currency":"\#(currency)","inAppOwnershipType":"PURCHASED"}
      """#
    }
    let lines = [charge(41, 3, "USD"), charge(42, 4, "EUR"), charge(43, 5, "EUR")]
    try Files.write(Array(lines.joined(separator: "\n").utf8), to: sandbox.work + "/in/dump.jsonl")
    let result = try sandbox.run("report in -o out -q")
    #expect(result.status == 0, "\(result.errors)")
    let health = try sandbox.runShell("cat out/health.csv").lines
    let note =
      "charges in another currency than the first of their subscription, in no amount of lifetime: 2"
    #expect(health.contains { $0 == ",receipts,,,,,,,,\"\(note)\"" }, "\(health)")
  }
}
