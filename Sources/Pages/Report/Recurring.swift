import Counting
import Pipeline
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

  // MARK: In words

  /// What recurring revenue was at the month's end: CLI.md, "Words for people"; `nil` where `recurring` has no value in the
  /// month.
  private var revenueSentence: String? {
    guard let (revenue, currency, now) = mainRevenue else { return nil }
    let count = revenue.subscriptions(currency, month)
    let each =
      count > 0
      ? ", \(PageText.exact(now.dividedHalfUp(by: Int128(count)), currency)) each" : ""
    let day = dayOfCounts(revenue.source).map {
      "on \(PageText.day($0)), the day of the last report"
    }
    return
      "MRR \(PageText.exact(now, currency)) \(currency) \(day ?? "at the end of \(PageText.long(month, months))") (\(PageText.counted(count, "subscription"))\(each); ARR \(PageText.exact(12 * now, currency)))."
  }

  /// ``revenueSentence`` with the change since the month before, above a table of all currencies.
  var revenueLead: Phrase? {
    guard let sentence = revenueSentence, let revenue = content.revenue else { return nil }
    let currency = revenue.currencies[0]
    let others = revenue.currencies.count - 1
    let clauses = [
      revenueChange(revenue, currency),
      others > 0
        ? "\(PageText.moreCurrencies(others)) below" : nil,
    ].compactMap(\.self).joined(separator: "; ")
    return Phrase(clauses.isEmpty ? sentence : "\(sentence) \(clauses.capitalizedFirst).")
  }

  /// Returns how recurring revenue changed, such as `3.0% less than in August`; `nil` where it cannot be compared.
  private func revenueChange(_ revenue: RevenueHeadlines, _ currency: String) -> String? {
    let isCompared = [month, month - 1].allSatisfy {
      revenue.state(currency, $0).map { $0 != .partial } ?? false
    }
    guard isCompared, let now = revenue.amount(["mrr"], currency, month),
      let then = revenue.amount(["mrr"], currency, month - 1),
      let share = PageText.change(now, since: then)
    else { return nil }
    return now == then
      ? "as in \(name(month - 1))"
      : "\(share) \(now > then ? "more" : "less") than in \(name(month - 1))"
  }

  /// The parts of ``revenueSentence``, its movements and the subscriptions that it leaves out, a line each.
  var revenueDetails: [String] {
    guard let (revenue, currency, _) = mainRevenue else { return [] }
    return [
      revenueBasis(currency), revenueMovements(currency), revenueAtLeftEdge(currency),
      unknownPrices(revenue),
    ].compactMap(\.self)
  }

  /// ``revenueSentence``, ``revenueDetails`` and ``lifetimeLead`` as Markdown.
  var revenueNotes: [String] {
    let details = revenueDetails
    let first = ([revenueSentence].compactMap(\.self) + details.prefix(1)).joined(separator: " ")
    let all = [first] + details.dropFirst() + [lifetimeLead?.plain].compactMap(\.self)
    return all.filter { !$0.isEmpty }.map(MarkdownText.escaped)
  }

  /// Returns one of ``revenueNotes`` in the words of the page: PAGE.md, "Numbers and words".
  static func inPageWords(_ note: String) -> String {
    note.replacing("in billing retry", with: "with a failing payment")
      .replacing("billing retry", with: "failing payments")
  }

  private func revenueBasis(_ currency: String) -> String {
    let proceeds = content.revenueByProceeds?.amount(["mrr"], currency, month)
      .map { "; by proceeds \(PageText.exact($0, currency))" }
    return
      "By customer price, before tax and Apple’s commission\(proceeds ?? ""). A yearly plan counts a twelfth, a weekly one 4.35 times. Trials, grace and billing retry are not in it\(unpaid)."
  }

  /// The number of subscriptions in each unpaid state, such as `: 11 trials, 1 in grace`.
  private var unpaid: String {
    let rows = content.tables.whole(.status)?.namedRows ?? []
    let own = ["snapshot", "receipts", "subscribers"].lazy.compactMap { source in
      rows.first { $0.source == source && $0.text("month") == months.name(month) }
    }.first
    guard let own else { return "" }
    let counts = [
      own["free_trials"].map { ($0, PageText.counted($0, "trial")) },
      own["grace"].map { ($0, "\(PageText.count($0)) in grace") },
      own["billing_retry"].map { ($0, "\(PageText.count($0)) in billing retry") },
    ].compactMap(\.self).filter { $0.0 > 0 }
    return counts.isEmpty
      ? "" : ": \(counts.map(\.1).joined(separator: ", ")) (all currencies, \(words(own.source)))"
  }

  /// Returns a source of `recurring` or `status` in words.
  private func words(_ source: String) -> String {
    source == "snapshot" ? "Apple’s snapshot" : Source(rawValue: source).map(Self.words) ?? source
  }

  /// Returns what moved recurring revenue, from the first source that follows subscriptions.
  private func revenueMovements(_ currency: String) -> String? {
    guard let moved = content.movedRevenue else {
      return
        "The snapshot says how much there is, not what moved it: that needs SUBSCRIBER reports."
    }
    let parts = Self.movementWords.compactMap { columns, sign, words -> String? in
      guard let amount = moved.amount(columns, currency, month), amount != 0 else { return nil }
      let causes =
        sign < 0 || columns.count == 1
        ? []
        : columns.compactMap { column in
          moved.amount([column], currency, month).flatMap { part in
            part == 0
              ? nil : "\(PageText.exact(part, currency)) \(Self.causeWords[column] ?? column)"
          }
        }
      let end = causes.isEmpty ? "" : " (\(causes.joined(separator: ", ")))"
      return "\(PageText.signedExact(sign * amount, currency)) \(words)\(end)"
    }
    guard !parts.isEmpty else { return nil }
    let text = parts.joined(separator: ", ") + "."
    guard moved.source != content.revenue?.source,
      let open = moved.amount(["open"], currency, month),
      let end = moved.amount(["mrr"], currency, month)
    else { return "It moved: \(text)" }
    let state = AnswerLines.words(standing(moved, currency, month))
    return
      "\(words(moved.source).capitalizedFirst), which follow single subscriptions, went from \(PageText.exact(open, currency)) to \(PageText.exact(end, currency)) \(currency)\(state.isEmpty ? "" : " (\(state))"): \(text)"
  }

  /// Returns until when yearly customers who have not paid yet are not in recurring revenue of Subscriber reports.
  private func revenueAtLeftEdge(_ currency: String) -> String? {
    let own = Source.subscribers.rawValue
    let all = [content.revenue, content.movedRevenue].compactMap(\.self)
    guard let revenue = all.first(where: { $0.source == own }),
      let amount = revenue.amount(["mrr"], currency, month),
      standing(revenue, currency, month) == .notAllSeen, let report = report(.subscribers),
      let view = result.plan.views.firstIndex(of: []),
      let edge = report.tally.views[view].edge(cohort: 0)
    else { return nil }
    let around = months.month(of: edge)
    let until = months.firstDay(of: around) == edge ? around : around + 1
    let term = (1...12).lazy.map { Term(months: $0) }
      .first { report.completeness.firstDay.adding($0) == edge }
    let customers = term.map { "\(Self.words(ofDuration: $0.name)) customers" } ?? "customers"
    let others = content.headlines.flatMap {
      RevenueHeadlines(content.tables, $0, from: ["snapshot"], convertedTo: content.target)
    }
    let snapshot = others?.amount(["mrr"], currency, month)
      .map { "; Apple’s snapshot says \(PageText.exact($0, currency))" }
    return
      "\(words(own).capitalizedFirst): \(PageText.exact(amount, currency)) \(currency) is not all seen until \(PageText.long(until, months)): \(customers) who have not paid since the first file are not in it\(snapshot ?? "")."
  }

  private func unknownPrices(_ revenue: RevenueHeadlines) -> String? {
    let unknown = revenue.unknown(month)
    guard unknown > 0 else { return nil }
    let active = PageText.counted(revenue.active(month) + unknown, "active subscription")
    let which = revenue.source == "snapshot" ? " (pay-up-front offers in the snapshot)" : ""
    return
      "\(PageText.count(unknown)) of \(active) have no known price\(which): not in MRR."
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
    (["fx"], 1, "by exchange rates"),
  ]

  private static let causeWords = [
    "expansion_product": "another product", "expansion_offer": "end of an offer",
    "expansion_price": "another price",
  ]

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

  // MARK: Tables

  /// Recurring revenue month by month, with its movements; those of another source, which follows single subscriptions,
  /// where the first does not.
  var revenueTables: [Fold.Table] {
    guard let revenue = content.revenue else { return [] }
    let moved = revenue.source == "snapshot" ? content.movedRevenue : nil
    return [revenue, moved].compactMap(\.self).compactMap { own in
      movements(own, revenue.currencies[0], isNamed: moved != nil)
    }
  }

  private func movements(
    _ revenue: RevenueHeadlines, _ currency: String, isNamed: Bool
  ) -> Fold.Table? {
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
        } + [isNamed ? AnswerLines.words(standing(revenue, currency, month)) : ""]
    }
    guard !rows.isEmpty else { return nil }
    let source = isNamed ? " (\(words(revenue.source)))" : ""
    return Fold.Table(
      caption: "Recurring revenue by month, \(currency)\(source)",
      headings: [("month", false)] + groups.map { ($0.0, true) } + [("state", false)], rows: rows
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
