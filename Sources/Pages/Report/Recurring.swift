import Counting
import Rendering
import Storage
import SubscriptionModel
import Tables

/// Recurring revenue on the page: METRICS.md 11.2, by price.
extension ReportData {
  /// Recurring revenue in its main currency; `nil` where `recurring` has no value in the month.
  private var mainRevenue: (all: RevenueHeadlines, currency: String, now: Int128)? {
    guard let revenue = content.revenue, let currency = revenue.currencies.first,
      let now = revenue.amount(["mrr"], currency, month)
    else { return nil }
    return (revenue, currency, now)
  }

  /// The tile of recurring revenue; `nil` without it, or where the price of most subscriptions is not known.
  var recurringTile: Tile? {
    guard let (revenue, currency, now) = mainRevenue,
      revenue.unknown(month) <= revenue.active(month)
    else { return nil }
    let amount = { (month: Month) in revenue.amount(["mrr"], currency, month) }
    var tile = Tile(label: "Recurring revenue", number: PageText.amount(now, currency))
    let day = dayOfCounts(revenue.source).map { " on \(PageText.shortDay($0, year: false))" }
    tile.after = currency + (day ?? "")
    tile.line = (0..<13).reversed().map { back in
      amount(month - back).map { Double($0) / 1_000 }
    }
    let state = revenue.state(currency, month)
    tile.row = Tile.Row(
      figure: "mrr", source: revenue.source, month: months.name(month), currency: currency,
      value: .money(milliunits: now), state: state?.rawValue ?? "")
    let isPartial = state == .partial
    tile.standing = standing(revenue, currency, month)
    tile.tag = Self.tag(tile.standing)
    let then = amount(month - 1)
    if let then, !isPartial, revenue.state(currency, month - 1) != .partial,
      let share = PageText.change(now, since: then)
    {
      tile.verdict = verdict(Double(now - then), share, isGoodUp: true)
    }
    if month - 1 >= firstMonth {
      tile.lines.append(
        "\(name(month - 1)) \(then.map { PageText.amount($0, currency) } ?? "no data")")
    }
    if month - 12 >= firstMonth, let year = amount(month - 12) {
      let isKnown = revenue.state(currency, month - 12) != .partial
      let number =
        isKnown
        ? PageText.amount(year, currency) + Self.arrow(now, since: year)
        : AnswerLines.words(standing(revenue, currency, month - 12))
      tile.lines.append("\(PageText.short(month - 12, months)) \(number)")
    }
    let unknown = revenue.unknown(month)
    if unknown > 0 {
      let active = revenue.active(month) + unknown
      tile.lines.append(
        "of \(PageText.part(active - unknown, of: active)) whose price is known")
    }
    let others = revenue.currencies.count - 1
    if others > 0 {
      tile.lines.append(.link(PageText.moreCurrencies(others), "#money"))
    }
    return tile
  }

  /// Returns how far recurring revenue of a month can be trusted.
  private func standing(
    _ revenue: RevenueHeadlines, _ currency: String, _ month: Month
  ) -> Standing {
    let state = revenue.state(currency, month)
    guard state == .partial else { return state == .provisional ? .canStillChange : .settled }
    let report = Source(rawValue: revenue.source).flatMap(report)
    let own = report.map { maker.standing(.churnRate, $0, in: month) } ?? .incomplete
    return own.isCompared ? .incomplete : own
  }

  /// What recurring revenue was at the month's end, with its change; `nil` where `recurring` has no value in the month.
  var revenueLead: Phrase? {
    guard let (revenue, currency, now) = mainRevenue else { return nil }
    var text =
      "Recurring revenue was \(PageText.amount(now, currency)) \(currency) a month \(endInWords(revenue.source))"
    let isCompared = [month, month - 1].allSatisfy {
      revenue.state(currency, $0).map { $0 != .partial } ?? false
    }
    if isCompared, let then = revenue.amount(["mrr"], currency, month - 1),
      let share = PageText.change(now, since: then)
    {
      text +=
        now == then
        ? ", as in \(name(month - 1))"
        : ", \(share) \(now > then ? "more" : "less") than in \(name(month - 1))"
    }
    let others = revenue.currencies.count - 1
    if others > 0 {
      text += "; \(PageText.moreCurrencies(others)) below"
    }
    return Phrase(text + ".")
  }

  /// The lines under ``revenueLead`` on a terminal: the parts of the number, its movements, and the subscriptions without
  /// a known price.
  var revenueDetails: [String] {
    guard let (revenue, currency, now) = mainRevenue else { return [] }
    let text = { PageText.amount($0, currency) }
    let count = revenue.subscriptions(currency, month)
    let each =
      count > 0 ? ", \(text(now.dividedHalfUp(by: Int128(count)))) each" : ""
    var lines = [
      "\(PageText.counted(count, "subscription"))\(each); ARR \(text(12 * now)). By customer price, before tax and Apple’s commission. A yearly plan counts a twelfth, a weekly one 4.35 times. Trials, grace and billing retry are not in it."
    ]
    let movements = Self.movementWords.compactMap { columns, sign, words -> String? in
      guard let amount = revenue.amount(columns, currency, month), amount != 0 else { return nil }
      return "\(PageText.signedAmount(sign * amount, currency)) \(words)"
    }
    if revenue.source == "snapshot" {
      lines.append(
        "The snapshot says how much there is, not what moved it: that needs SUBSCRIBER reports.")
    } else if !movements.isEmpty {
      lines.append(movements.joined(separator: ", ") + ".")
    }
    let unknown = revenue.unknown(month)
    if unknown > 0 {
      lines.append(
        "\(PageText.count(unknown)) of \(PageText.counted(revenue.active(month) + unknown, "active subscription")) have no known price: not in MRR."
      )
    }
    return lines
  }

  /// The movements of recurring revenue with their signs and words.
  private static let movementWords: [(columns: [String], sign: Int128, words: String)] = [
    (["new"], 1, "new"), (["first_seen"], 1, "seen for the first time"),
    (["reactivated"], 1, "came back"), (["recovered"], 1, "recovered"),
    (["expansion_product", "expansion_offer", "expansion_price"], 1, "expansion"),
    (["switched_in"], 1, "from another currency"),
    (["contraction_product", "contraction_offer", "contraction_price"], -1, "contraction"),
    (["churned"], -1, "churned"), (["entered_retry"], -1, "into billing retry"),
    (["switched_out"], -1, "to another currency or a free offer"),
  ]

  /// What a subscription has brought in after the longest time, at most a year, that enough starts have had; `nil`
  /// without one.
  var lifetimeLead: Phrase? {
    let rows = content.tables.whole(.lifetime)?.namedRows ?? []
    let known = rows.filter {
      $0.text("start_month") == "all" && $0.text("basis") == "price"
        && $0.source == source?.rawValue && $0["started"] ?? 0 >= Self.fewest
        && 1...12 ~= $0["months"] ?? 0
    }
    let largest = known.max {
      ($0["months"] ?? 0, $0["started"] ?? 0) < ($1["months"] ?? 0, $1["started"] ?? 0)
    }
    guard let row = largest, let amount = row.cell("net_per_start").milliunits else { return nil }
    let currency = row.text("currency")
    return
      "A subscription brought in \(PageText.amount(amount, currency)) \(currency) in its first \(PageText.counted(row["months"] ?? 0, "month")), less refunds: of \(PageText.counted(row["started"] ?? 0, "start")) in that currency."
  }

  /// How many subscriptions are in each state at the month's end; `nil` without a row.
  var statusLead: Phrase? {
    guard let name = source.map(TableKind.status.name) else { return nil }
    let rows = content.tables.whole(.status)?.namedRows ?? []
    let row = rows.first { $0.source == name && $0.text("month") == months.name(month) }
    guard let row, let paid = row["paid"] else { return nil }
    let others = Self.states.dropFirst().compactMap { column, words -> String? in
      row[column].flatMap { $0 > 0 ? "\(PageText.count($0)) \(words)" : nil }
    }
    let end = others.isEmpty ? "" : "; beside them \(others.inWords())"
    return
      "\(endInWords(name).capitalizedFirst) \(PageText.counted(paid, "subscription")) \(paid == 1 ? "was" : "were") paid\(end)."
  }

  /// The states of subscriptions: columns of `status` with their words.
  private static let states = [
    ("paid", "paid"), ("free_trials", "in a trial"), ("free_offers", "in a free offer"),
    ("grace", "in grace"), ("billing_retry", "payment failing"), ("suspended", "suspended"),
  ]

  /// The movements of recurring revenue, month by month; `nil` without any.
  var revenueTable: Fold.Table? {
    guard let revenue = content.revenue, let currency = revenue.currencies.first else { return nil }
    // Snapshots say how much there is, not what moved it.
    let end = [("end", ["mrr"])]
    let flows: [(String, [String])] = [
      ("start", ["open"]), ("new", ["new", "first_seen"]),
      ("came back", ["reactivated", "recovered"]),
      ("more", ["expansion_product", "expansion_offer", "expansion_price"]),
      ("from another currency", ["switched_in"]),
      ("less", ["contraction_product", "contraction_offer", "contraction_price"]),
      ("left", ["churned", "entered_retry"]),
      ("to another currency or a free offer", ["switched_out"]), ("exchange rates", ["fx"]),
    ]
    let groups = revenue.source == "snapshot" ? end : flows + end
    let besides = groups.filter { ["switched_in", "switched_out", "fx"].contains($0.1[0]) }.map(\.0)
    let rows = lastMonths(13, from: firstMonth).reversed().compactMap { month -> [String]? in
      guard revenue.state(currency, month) != nil else { return nil }
      return [PageText.long(month, months)]
        + groups.map { _, columns in
          revenue.amount(columns, currency, month).map { PageText.amount($0, currency) } ?? ""
        }
    }
    return Fold.Table(
      "Recurring revenue by month, \(currency)", by: "month", numbers: groups.map(\.0), rows: rows
    ).withoutEmptyColumns.withoutZeros(in: besides)
  }

  /// The recurring revenue of each currency; `nil` where there is only one.
  var revenueByCurrency: Fold.Table? {
    guard let revenue = content.revenue, revenue.currencies.count > 1 else { return nil }
    let rows = revenue.currencies.prefix(Self.foldedRows).map { code -> [String] in
      let (now, then) = (
        revenue.amount(["mrr"], code, month), revenue.amount(["mrr"], code, month - 1)
      )
      return [
        code, now.map { PageText.amount($0, code) } ?? "",
        then.map { PageText.amount($0, code) } ?? "",
        now.flatMap { now in then.map { PageText.signedAmount(now - $0, code) } } ?? "",
      ]
    }
    return Fold.Table(
      "Recurring revenue by currency", by: "currency",
      numbers: [name(month), name(month - 1), "change"], rows: rows)
  }

  /// The states of subscriptions at the end of each month; `nil` without any.
  var statusTable: Fold.Table? {
    guard let table = content.tables.whole(.status) else { return nil }
    // Snapshots stand where events stand: they count subscriptions, not changes.
    let own = source.map(TableKind.status.name) ?? ""
    let all = table.namedRows
    let rows = lastMonths(13, from: firstMonth).reversed().compactMap { month -> [String]? in
      let row = all.first { $0.source == own && $0.text("month") == months.name(month) }
      return row.map { row in
        [PageText.long(month, months)] + Self.states.map { row[$0.0].map(PageText.count) ?? "" }
      }
    }
    guard !rows.isEmpty else { return nil }
    return Fold.Table(
      "Subscriptions by state at the month’s end, by \(Source(rawValue: own).map(Self.words) ?? "Apple’s daily counts")",
      by: "month", numbers: Self.states.map(\.1), rows: rows
    ).withoutEmptyColumns
  }
}
