import Storage
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("A refund")
struct RefundTests {
  /// Ends on 2024-05-10.
  static let charge = Purchase(day("2024-04-10"))
  static let dearer = charge.with { $0.price = 12_000 }
  static let dearest = charge.with { $0.price = 15_000 }
  static let cheaper = charge.with { $0.price = 8_000 }
  static let refund = charge.refunded(on: day("2024-04-20"))

  struct Choice: Sendable, CustomTestStringConvertible {
    let name: String
    let charges: [Purchase]
    /// The place in the file of the charge that must be taken.
    let taken: Int
    let isFull: Bool

    var testDescription: String { name }
  }

  static let choices: [Choice] = [
    Choice(name: "same price first", charges: [dearer, charge, cheaper], taken: 1, isFull: true),
    Choice(
      name: "then a dearer one, in file order", charges: [cheaper, dearest, dearer], taken: 1,
      isFull: false),
    Choice(name: "then any", charges: [cheaper], taken: 0, isFull: true),
    Choice(
      name: "first of equal prices",
      charges: [charge, charge.with { $0.optInTerm = Term(days: 7) }],
      taken: 0, isFull: true),
  ]

  @Test(arguments: choices)
  func `points at a charge of its day`(choice: Choice) {
    let found = history(of: [Self.refund] + choice.charges)
    let refund = found.refunds[0]
    // The refund's terms come first; it shares those of the charge it is a copy of.
    let expected = choice.charges[choice.taken]
    let period = refund.charge.map { found.periods[$0.period] }
    let alone = history(of: [Self.refund, expected])
    #expect(period?.fullEnd == alone.periods[0].fullEnd)
    #expect(refund.isFull == choice.isFull)
    #expect(refund.charge?.chain == 0)
    let world = Self.world([Self.refund] + choice.charges)
    let taken = period.map { world.terms[Int($0.terms)].price.milliunits }
    #expect(taken == expected.price)
  }

  private static func world(_ rows: [Purchase]) -> WorldBuilder {
    var world = WorldBuilder(firstFileDay: day("2024-01-01"), asOf: day("2024-12-31"))
    world.add(rows)
    return world
  }

  static let strangers: [(String, Purchase)] = [
    ("another product", refund.with { $0.product = "plus" }),
    ("another country", refund.with { $0.country = "DE" }),
    ("another purchase date", refund.with { $0.purchaseDay = day("2024-04-11") }),
    ("no purchase date", refund.with { $0.purchaseDay = nil }),
  ]

  @Test(arguments: strangers)
  func `of a sale outside the input changes nothing`(name: String, stranger: Purchase) {
    let found = history(Self.charge, stranger)
    #expect(found.refunds.count == 1, "\(name)")
    #expect(found.refunds[0].charge == nil)
    #expect(found.refunds[0].isFull)
    #expect(found.periods[0].ending == .fullEnd)
  }

  @Test
  func `never points at a free charge`() {
    let found = history(Self.charge.asTrial(Term(days: 7)), Self.refund)
    #expect(found.refunds[0].charge == nil)
  }

  @Test
  func `of another group of the subscriber is found`() {
    let found = history(Self.charge.with { $0.group = "extra" }, Self.refund)
    #expect(found.refunds[0].charge?.period == 0)
    #expect(found.periods[0].ending == .refunded)
  }

  @Test(arguments: [0, 1])
  func `does not point at a charge that was refunded, fully or partly`(units: Int) {
    let found = history(Self.charge, Self.refund.with { $0.units = units }, Self.refund)
    #expect(found.refunds.map { $0.charge?.period } == [0, nil])
  }

  @Test
  func `of 2 units takes two charges`() {
    let found = history(
      Self.charge.with { $0.units = 3 }, Self.refund.with { $0.units = 2 })
    #expect(found.refunds.map { $0.charge?.period } == [0, 1])
    #expect(found.refunds.allSatisfy { $0.isFull })
    #expect(found.periods.map(\.ending) == [.boughtAgainSameDay, .boughtAgainSameDay, .fullEnd])
  }

  static let parts: [Purchase] = [
    refund.with { $0.units = 0 }, refund.with { $0.price = 9_999 }, refund.with { $0.price = 0 },
  ]

  @Test(arguments: parts)
  func `of a part of the price ends no period`(part: Purchase) {
    let found = history(Self.charge, part)
    #expect(found.refunds.count == 1)
    #expect(!found.refunds[0].isFull)
    #expect(found.refunds[0].charge?.period == 0)
    #expect(found.periods[0].ending == .fullEnd)
    #expect(found.periods[0].end == day("2024-05-10"))
  }

  @Test
  func `of more than the price is full`() {
    let found = history(Self.charge, Self.refund.with { $0.price = 11_000 })
    #expect(found.refunds[0].isFull)
  }
}
