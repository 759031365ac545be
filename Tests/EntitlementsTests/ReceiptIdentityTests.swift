import Entitlements
import SubreportTestSupport
import SubscriptionModel
import Testing

/// METRICS.md 3.3: which responses are one customer's.
@Suite("Customers of receipts")
struct ReceiptIdentityTests {
  struct Pair: Sendable, CustomTestStringConvertible {
    let name: String
    let change: @Sendable (inout Bought, inout Bought) -> Void
    let isOne: Bool

    var testDescription: String { name }

    init(
      _ name: String, isOne: Bool,
      _ change: @escaping @Sendable (inout Bought, inout Bought) -> Void
    ) {
      self.name = name
      self.change = change
      self.isOne = isOne
    }
  }

  /// Two purchases of different original, transaction and line-item ids, changed.
  static let pairs: [Pair] = [
    Pair("nothing shared", isOne: false) { _, _ in },
    Pair("the original id", isOne: true) { $1.original = $0.original },
    Pair("an original id of zeros", isOne: false) { ($0.original, $1.original) = ("000", "000") },
    Pair("the appTransactionId", isOne: true) {
      ($0.appTransaction, $1.appTransaction) = ("9", "9")
    },
    Pair("line item and second", isOne: true) {
      ($0.line, $1.line) = ("L", "L")
      $1.start = $0.start
    },
    Pair("the line item in another second", isOne: false) { ($0.line, $1.line) = ("L", "L") },
    Pair("line item and second of a family", isOne: false) {
      ($0.line, $1.line) = ("L", "L")
      $1.start = $0.start
      $1.ownership = .family
    },
    Pair("the account token", isOne: true) { ($0.token, $1.token) = ("t", "t") },
    Pair("the account token, and one has an appTransactionId", isOne: false) {
      ($0.token, $1.token) = ("t", "t")
      $0.appTransaction = "9"
    },
    Pair("transaction id and second", isOne: true) {
      ($0.transaction, $1.transaction) = ("T", "T")
      $1.start = $0.start
    },
    Pair("the transaction id in another second", isOne: false) {
      ($0.transaction, $1.transaction) = ("T", "T")
    },
    Pair("transaction id and second, and one has an appTransactionId", isOne: false) {
      ($0.transaction, $1.transaction) = ("T", "T")
      $1.start = $0.start
      $1.appTransaction = "9"
    },
  ]

  @Test(arguments: pairs)
  func `are joined by what they share`(pair: Pair) {
    var first = Bought("2024-01-01", "2024-02-01")
    var second = Bought("2024-03-01", "2024-04-01").with { $0.original = "200" }
    pair.change(&first, &second)
    var world = ReceiptWorld()
    world.add("2024-05-01", [first])
    world.add("2024-05-01", [second])
    #expect(world.customers().count == (pair.isOne ? 1 : 2))
  }

  @Test
  func `are one inside a response, and joined through others`() {
    let purchases = ["100", "200", "300"].map { id in
      Bought("2024-01-01", "2024-02-01").with { $0.original = id }
    }
    var world = ReceiptWorld()
    world.add("2024-05-01", [purchases[0], purchases[1]])
    world.add("2024-05-02", [purchases[2]])
    world.add("2024-05-03", [purchases[1], purchases[2]])
    #expect(world.customers().count == 1)
  }

  @Test
  func `have an appTransactionId when any of their transactions has`() {
    var world = ReceiptWorld()
    let token = Bought("2024-01-01", "2024-02-01").with { $0.token = "t" }
    let strong = Bought("2024-01-01", "2024-02-01").with { $0.appTransaction = "9" }
    world.add("2024-05-01", [token, strong])
    world.add("2024-05-01", [token.with { $0.original = "200" }])
    #expect(world.customers().count == 2)
  }

  @Test
  func `are joined and named by the user, by tokens in every record`() {
    var world = ReceiptWorld()
    world.add("2024-05-01", [Bought("2024-01-01", "2024-02-01")])
    let other = Bought("2024-01-01", "2024-02-01").with {
      $0.original = "200"
      $0.token = "t"
      $0.appTransaction = "9"
    }
    world.add("2024-05-01", [other])
    let name = world.symbol("anna")
    world.identities.name(name, originalID: world.id("100"))
    world.identities.name(name, token: world.symbol("t"))
    #expect(world.customers().count == 1)
    #expect(world.rows(.chains).texts(["customer"]) == ["anna"])
  }

  static let names: [(@Sendable (inout Bought) -> Void, String)] = [
    ({ $0.appTransaction = "9" }, "app-transaction:9"),
    ({ $0.token = "b" }, "account:b"),
    ({ _ in }, "original:100"),
    ({ $0.original = "0" }, "transaction:77"),
    ({ ($0.original, $0.transaction) = ("", "") }, "row:0:1:1"),
  ]

  @Test(arguments: names)
  func `are called by their best id`(change: @Sendable (inout Bought) -> Void, name: String) {
    var world = ReceiptWorld()
    let bought = Bought("2024-01-01", "2024-02-01").with { $0.transaction = "77" }
    world.add("2024-05-01", [bought.with(change)])
    #expect(world.rows(.chains).texts(["customer"]) == [name])
  }

  @Test
  func `are called by the shortest, then the smallest id`() {
    var world = ReceiptWorld()
    let purchases = ["1000", "999", "998"].map { id in
      Bought("2024-01-01", "2024-02-01").with { $0.original = id }
    }
    world.add("2024-05-01", purchases)
    #expect(world.rows(.chains).texts(["customer"]) == ["original:998"])
  }
}
