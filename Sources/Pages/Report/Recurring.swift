import Counting
import Rendering
import Storage
import SubscriptionModel
import Tables

/// Recurring revenue on the page: METRICS.md 11.2, by price.
extension ReportData {
  /// The recurring revenue of one currency, month by month.
  struct Revenue: Sendable {
    let currency: String
    /// The rows of the currency by month; with a conversion those of all currencies.
    let rows: [Month: [Row]]
    /// The end of column names, such as `_EUR`; blank without a conversion.
    let suffix: String

    /// Returns a sum of money in a month; `nil` where it is not known.
    func amount(_ column: String, _ month: Month) -> Int128? {
      guard let rows = rows[month], !rows.isEmpty else { return nil }
      let amounts = rows.map { row -> Int128? in
        if case .money(let amount) = row.cell(column + suffix) { amount } else { nil }
      }
      return amounts.contains(nil) ? nil : amounts.compactMap(\.self).reduce(0, +)
    }

    /// Returns the worst state of a month's rows.
    func state(_ month: Month) -> SourceReport.State? {
      rows[month]?.compactMap { SourceReport.State(rawValue: $0.text("state")) }.min()
    }
  }

  /// The recurring revenue of the headline source or, where that has none, of snapshots; `nil` without any.
  var revenue: Revenue? {
    guard let table = content.tables[.recurring]?.first(where: \.dimensions.isEmpty) else {
      return nil
    }
    let all = table.namedRows.filter { $0.text("basis") == "price" }
    let sources = [source?.rawValue, "snapshot"].compactMap(\.self)
    for name in sources {
      let own = all.filter { $0.source == name && !$0.currency.isEmpty }
      let now = own.filter { $0.text("month") == months.name(month) }
      guard !now.isEmpty else { continue }
      let sizes = now.reduce(into: [String: Int]()) {
        $0[$1.currency, default: 0] += $1["active"] ?? 0
      }
      let main = sizes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
      let target = content.target
      let shown = target == nil ? own.filter { $0.currency == main } : own
      let byMonth = Dictionary(grouping: shown) { months.month(named: $0.text("month")) ?? month }
      let revenue = Revenue(
        currency: target ?? main, rows: byMonth, suffix: target.map { "_\($0)" } ?? "")
      if revenue.amount("mrr", month) != nil { return revenue }
    }
    return nil
  }

  /// The tile of recurring revenue; `nil` where `recurring` has no value in the month.
  var recurringTile: Tile? {
    guard let revenue, let now = revenue.amount("mrr", month) else { return nil }
    let currency = revenue.currency
    var tile = Tile(label: "Recurring revenue", number: PageText.amount(now, currency))
    tile.after = currency
    tile.line = (0..<13).reversed().map { back in
      revenue.amount("mrr", month - back).map { Double($0) / 1_000 }
    }
    let isPartial = revenue.state(month) == .partial
    tile.tag = isPartial ? "incomplete" : ""
    tile.standing = isPartial ? .incomplete : .settled
    let then = revenue.amount("mrr", month - 1)
    if let then, !isPartial, revenue.state(month - 1) != .partial,
      let share = PageText.change(now, since: then)
    {
      let tone = Tone(Double(now - then), isGoodUp: true)
      tile.verdict =
        tone == .flat ? ("no change", .flat) : ("\(now > then ? "▲" : "▼") \(share)", tone)
    }
    if month - 1 >= firstMonth {
      tile.lines.append(
        "\(name(month - 1)) \(then.map { PageText.amount($0, currency) } ?? "no data")")
    }
    if month - 12 >= firstMonth, let year = revenue.amount("mrr", month - 12) {
      let isKnown = revenue.state(month - 12) != .partial
      let share = PageText.change(now, since: year).map { " \(now > year ? "▲" : "▼") \($0)" }
      tile.lines.append(
        "\(PageText.short(month - 12, months)) \(isKnown ? PageText.amount(year, currency) + (now == year ? "" : share ?? "") : "incomplete")"
      )
    }
    let others = currencies.count - 1
    if content.target == nil, others > 0 {
      tile.lines.append(
        .link(PageText.counted(others, "more currency", "more currencies"), "#money"))
    }
    return tile
  }

  /// The movements of recurring revenue, month by month; `nil` without any.
  var revenueTable: Fold.Table? {
    guard let revenue else { return nil }
    let groups: [(String, [String])] = [
      ("start", ["open"]), ("new", ["new", "first_seen"]),
      ("came back", ["reactivated", "recovered"]),
      ("more", ["expansion_product", "expansion_offer", "expansion_price"]),
      ("less", ["contraction_product", "contraction_offer", "contraction_price"]),
      ("left", ["churned", "entered_retry"]), ("end", ["mrr"]),
    ]
    let rows = lastMonths(13, from: firstMonth).reversed().compactMap { month -> [String]? in
      guard revenue.rows[month] != nil else { return nil }
      return [PageText.long(month, months)]
        + groups.map { _, columns in
          let amounts = columns.map { revenue.amount($0, month) }
          return amounts.contains(nil)
            ? "" : PageText.amount(amounts.compactMap(\.self).reduce(0, +), revenue.currency)
        }
    }
    return Fold.Table(
      caption: "Recurring revenue by month, \(revenue.currency)",
      headings: [("month", false)] + groups.map { ($0.0, true) }, rows: rows)
  }

  /// The states of subscriptions at the end of each month; `nil` without any.
  var statusTable: Fold.Table? {
    guard let table = content.tables[.status]?.first(where: \.dimensions.isEmpty) else {
      return nil
    }
    let names = ["snapshot", source?.rawValue].compactMap(\.self)
    let all = table.namedRows
    guard let own = names.first(where: { name in all.contains { $0.source == name } }) else {
      return nil
    }
    let columns = [
      ("paid", "paid"), ("free_trials", "in a trial"), ("free_offers", "in a free offer"),
      ("grace", "in grace"), ("billing_retry", "payment failing"), ("suspended", "suspended"),
    ]
    let rows = lastMonths(13, from: firstMonth).reversed().compactMap { month -> [String]? in
      let row = all.first { $0.source == own && $0.text("month") == months.name(month) }
      return row.map { row in
        [PageText.long(month, months)] + columns.map { row[$0.0].map(PageText.count) ?? "" }
      }
    }
    guard !rows.isEmpty else { return nil }
    return Fold.Table(
      caption: "Subscriptions by state at the month’s end (\(own))",
      headings: [("month", false)] + columns.map { ($0.1, true) }, rows: rows)
  }
}
