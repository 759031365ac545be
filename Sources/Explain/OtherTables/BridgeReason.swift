import Counting
import Rendering
import Settlement
import Storage
import SubscriptionModel

/// The fact and the sentence of an amount that a line of a bridge adds up.
struct BridgeReason {
  let row: BridgeListRow
  let bridge: Bridge
  let entry: Bridge.Entry
  let names: Names

  private var contribution: BridgeContribution { row.contribution }
  /// Units without a sign.
  private var units: Int { abs(row.count) }

  // MARK: The fact

  /// The name of the fact, such as `sale`, `settled return` or `pair`.
  var factName: String {
    if isPairOfRegions { return "pair" }
    return switch contribution.reason {
    case .sold: kind
    case .settled: settledKind
    case .countsIn, .settledIn: contribution.sold.isEmpty ? settledKind : "pair"
    case .shareDifference: "pair"
    case .dayWithoutSales: settledKind
    case .mayStillSettle, .notCollected, .settledElsewhere: "unpaired \(kind)"
    case .besideDayWithoutSales, .soldElsewhere, .withoutSale: "unpaired \(settledKind)"
    case .settlementLag: "estimate"
    case .payment: "payments row"
    case .line, .bound: "line"
    case .openUnits, .unsettledElsewhere: "open units"
    case .otherSide: "units at the edge"
    case .neverSettled: "unpaired \(kind)"
    case .settlesAfter: kind
    }
  }

  /// Whether units are sold in one region and settled in another, because their country moves between their two days.
  private var isPairOfRegions: Bool {
    [.settledElsewhere, .soldElsewhere].contains(contribution.reason)
      && contribution.settled != nil && !contribution.sold.isEmpty
  }

  private var kind: String { contribution.sold.first?.sale.kind ?? "sale" }
  private var settledKind: String {
    contribution.settled?.isReturn == true ? "settled return" : "settled sale"
  }

  // MARK: The sentence

  /// The rule in one sentence with its dates.
  var sentence: String {
    switch contribution.reason {
    case .sold:
      contribution.sold.first.map { "\(sale($0.sale, units, of: units)) of proceeds a unit" } ?? ""
    case .settled: "\(settled) at \(share) a unit"
    case .countsIn(let period):
      "\(settled) in this period; \(theyCount) in \(period)\(pairs)"
    case .settledIn(let period):
      "\(settled) in \(period); \(theyCount) in this period\(pairs)"
    case .dayWithoutSales: "\(settled); that day has no SALES report"
    case .besideDayWithoutSales:
      "\(settled); no sale is paired with \(them), and a day beside it has no SALES report"
    case .mayStillSettle:
      "\(openUnits): not settled yet, and there is no FINANCE_DETAIL of \(bridge.period + 1)"
    case .notCollected: "\(openUnits): no settled unit is paired with \(them)"
    case .shareDifference: "\(settled(openCount)) at \(share) a unit\(pairs)"
    case .settledElsewhere where isPairOfRegions:
      "\(settled), in \(entry.cause)\(pairs)"
    case .soldElsewhere where isPairOfRegions:
      "\(settled)\(pairs), in \(entry.cause)"
    case .settledElsewhere:
      "\(openUnits): sales of this storefront are settled in \(entry.cause)"
    case .soldElsewhere:
      "\(settled); sales of this storefront are in \(entry.cause)"
    case .withoutSale:
      "\(settled) at \(share) a unit; no sale is paired with \(them)"
    case .settlementLag:
      "estimated, because FINANCIAL has no days: the mean of what these rows would move into or out of the period at each lag from sale to settlement (\(entry.evidence))"
    case .payment: "\(entry.line.name) in the payments CSV\(bankAmount)"
    case .openUnits(let fraction):
      "\(fraction) of the proceeds of \(counted(openCount, "unit")) that may be settled later"
    case .neverSettled: "\(openUnits): not settled yet, maybe never"
    case .unsettledElsewhere:
      "units of these storefronts that may be settled later, at the mean share of their product"
    case .otherSide:
      "units near the edge of the period whose days differ in the two reports: they may count on its other side"
    case .settlesAfter(let days):
      "\(openUnits): in another period if settled \(counted(days, "day")) later"
    case .bound(let line, let isLargest): "less \(isLargest ? "high" : "low") of \(line.name)"
    case .line(let line, let cause):
      "\(line == total ? "plus" : "less") \(line.name)\(cause.isEmpty ? "" : " (\(cause))")"
    }
  }

  /// The line from which others are subtracted, for a line that is the rest.
  private var total: Bridge.Line { entry.line == .unexplainedPayment ? .totalOwed : .financeShare }

  private var them: String { units > 1 ? "them" : "it" }
  private var theyCount: String { units > 1 ? "they count" : "it counts" }

  /// Such as `2 units sold on 2026-06-30 at 6.99 USD`, or `1 of 2 units …` if the rows have more than those meant.
  private func sale(_ sale: SaleKey, _ units: Int, of all: Int) -> String {
    let part = all > units ? "\(units) of " : ""
    let verb = sale.isCredit ? "credited" : sale.isRefund ? "refunded" : "sold"
    return
      "\(part)\(counted(max(all, units), "unit")) \(verb) on \(sale.day) at \(money(sale.proceeds))"
  }

  /// The units of SALES that the amount is about, such as `1 of 3 units sold on 2026-06-30 at 6.99 USD`.
  private var openUnits: String { soldUnits.first ?? "" }

  /// The number of units of all keys.
  private var openCount: Int { contribution.sold.reduce(0) { $0 + $1.units } }

  private var soldUnits: [String] {
    zip(contribution.sold, row.unitsOfRows).map { sale($0.sale, $0.units, of: $1) }
  }

  /// Such as `2 units sold on 2026-06-30, settled on 2026-07-01`; rows of FINANCIAL have no day.
  private var settled: String { settled(units) }

  private func settled(_ units: Int) -> String {
    // The amount of a row may be more than its units times the share.
    let what = units == 0 ? "a part of the amount of a row" : counted(units, "unit")
    return "\(what)\(day)\(settlement)"
  }

  private var day: String {
    guard let row = contribution.settled else { return "" }
    let verb = row.isReturn ? "returned" : "sold"
    return row.transactionDay.map { " \(verb) on \($0)" } ?? " \(verb)"
  }

  /// Such as `, settled on 2026-07-01`.
  private var settlement: String {
    guard let row = contribution.settled else { return "" }
    return row.settlementDay.map { ", settled on \($0)" } ?? ", settled in \(bridge.period)"
  }

  /// Such as `; paired with 2 units sold on 2026-06-30 at 6.99 USD`.
  private var pairs: String {
    let paired = openCount
    guard paired > 0 else { return units > 0 ? "; no sale is paired with \(them)" : "" }
    let isWhole = paired >= units || contribution.reason == .shareDifference
    return "; paired with \(soldUnits.joined(separator: " and "))"
      + (isWhole ? "" : "; no sale is paired with \(units - paired) of them")
  }

  /// Such as `: 15.72 EUR for 17.47 USD owed`; blank where the bank gets the currency of the settlement.
  private var bankAmount: String {
    guard let bank = entry.bankCurrency, bank != bridge.currency, let sum = entry.amount else {
      return ""
    }
    let paid = contribution.amount
    // One of several vendors' rows is a part of the amount owed.
    guard paid == sum else { return ": \(money(paid, bank))" }
    let owed = entry.owed ?? bridge.entries.first { $0.line == .totalOwed }?.amount
    let what = owed.map { "\(money($0, bridge.currency)) owed" }
    return ": \(money(paid, bank)) for \(what ?? "an amount in \(names.text(bridge.currency))")"
  }

  private var share: String { money(contribution.settled?.share ?? 0) }

  private func money(_ milliunits: Int64) -> String { money(Int128(milliunits), bridge.currency) }

  private func money(_ milliunits: Int128, _ currency: Symbol) -> String {
    "\(NumberStyle.money(milliunits: milliunits)) \(names.text(currency))"
  }
}

extension SaleKey {
  /// The units in a word.
  fileprivate var kind: String { isCredit ? "credit" : isRefund ? "refund" : "sale" }
}
