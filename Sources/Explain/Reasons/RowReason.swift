import Counting
import Pipeline
import Rendering
import Storage
import SubscriptionModel

/// The fact and the sentence of a row that adds to a cell.
struct RowReason {
  let contribution: RowContribution
  let terms: RowFold.Terms
  let names: Names
  /// The days of a report of more than a day, such as `2026-01`; `nil` for a report of one day.
  let days: String?

  /// The name of the fact, or that the cell leaves the row out.
  var factName: String { contribution.leftOut == nil ? ownName : "left out" }

  /// Why the cell counts the row, or why it leaves it out.
  var because: String {
    contribution.leftOut.map { rule in
      let why = self.why(rule)
      return why.isEmpty ? "\(ownName): \(sentence)" : "\(why): \(sentence)"
    } ?? sentence
  }

  /// Returns why a cell leaves the row out; blank if its own name says it.
  private func why(_ rule: RowLeftOutRule) -> String {
    switch rule {
    case .other: ""
    case .free: "its period is free, and only paid ones count"
    case .repeated: "the subscription was in retry or grace, and counted on the day it entered it"
    case .refund: "events of refunds count in no table"
    case .unknownEvent: "an event with an unknown name counts in no table"
    case .otherPeriod(let k?): "it shows what followed paid period \(k)"
    case .otherPeriod(nil): "\(ownName), which shows no outcome of a paid period"
    case .otherCurrency: "its proceeds are in \(currencyOfProceeds)"
    case .noneActive: "no paid subscription is active"
    case .withoutPrice: "only units with a price count"
    }
  }

  private var currencyOfProceeds: String {
    guard case .units(let key, _) = contribution.row.content else { return "" }
    return names.text(terms.sales[Int(key.terms)].proceeds.currency)
  }

  /// The name of the fact: the class of the event, `active`, `charge`, `refund` or `refund partial`.
  private var ownName: String {
    switch (contribution.row.content, contribution.counted) {
    // The cases have the names of METRICS.md.
    case (.events(let key, _), _): "\(terms.events[Int(key.terms)].eventClass)"
    case (.active, _): "active"
    case (.units, .refund(let isFull)): isFull ? "refund" : "refund partial"
    case (.units, _): "charge"
    }
  }

  private var sentence: String {
    switch contribution.row.content {
    case .events(let key, let quantity): events(key, quantity)
    case .active(let count, _):
      "\(counted(count, "paid subscription")) active at the end of \(contribution.day?.description ?? "")"
    case .units(let key, let count): units(key, count)
    }
  }

  private func events(_ key: EventRowKey, _ quantity: Int) -> String {
    let own = terms.events[Int(key.terms)]
    let from =
      own.previousProduct == .blank ? "" : ", changed from \(names.product(own.previousProduct))"
    return
      "\(counted(quantity, "event")) \(names.text(own.name)) of \(key.day) with \(counted(Int(key.paidPeriods), "paid period"))\(from)"
  }

  private func units(_ key: SalesRowKey, _ count: Int) -> String {
    let own = terms.sales[Int(key.terms)]
    let price =
      "\(NumberStyle.money(milliunits: Int128(own.price.milliunits))) \(names.text(own.price.currency))"
    let time = days.map { "in \($0)" } ?? "on \(key.day)"
    switch contribution.counted {
    case .refund(isFull: true): return "\(counted(count, "unit")) of \(price) given back \(time)"
    case .refund(isFull: false): return "a part of the price, \(price), given back \(time)"
    default: return "\(counted(count, "unit")) of \(price) sold \(time)"
    }
  }
}
