import Counting
import Rendering
import Storage
import SubscriptionModel
import Tables

/// What started subscriptions have brought in, on the page: METRICS.md 11.3, by price.
extension ReportData {
  /// What the subscriptions of some start months and a currency have brought in by an age.
  private struct Brought {
    let started: Int
    let paying: Int
    let net: Int128

    /// Adds up rows of one age; `nil` without rows or with one whose amount is not known.
    init?(_ rows: [Row], _ column: String) {
      let amounts = rows.compactMap { $0.cell(column).milliunits }
      started = rows.reduce(0) { $0 + ($1["started"] ?? 0) }
      guard amounts.count == rows.count, started > 0 else { return nil }
      paying = rows.reduce(0) { $0 + ($1["paying"] ?? 0) }
      net = amounts.reduce(0, +)
    }

    var perStart: Int128 { net.dividedHalfUp(by: Int128(started)) }
  }

  /// The rows of the first source that has any, in the currency in which most began, or converted.
  private var lifetimes: (source: Source, currency: String, column: String, rows: [Row])? {
    let all = (content.tables.whole(.lifetime)?.namedRows ?? [])
      .filter { $0.text("basis") == "price" && !$0.text("currency").isEmpty }
    let source = maker.sourceOrder.first { source in all.contains { $0.source == source.rawValue } }
    guard let source else { return nil }
    let own = all.filter { $0.source == source.rawValue }
    if let target = content.target { return (source, target, "net_\(target)", own) }
    let sizes = own.filter { $0["months"] == 0 && $0.text("start_month") != "all" }
      .reduce(into: [String: Int]()) { $0[$1.text("currency"), default: 0] += $1["started"] ?? 0 }
    let main = sizes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    return main.map { main in (source, main, "net", own.filter { $0.text("currency") == main }) }
  }

  /// What a subscription has brought in after the longest time, at most a year, that enough starts have had; `nil`
  /// without one.
  var lifetimeLead: Phrase? {
    guard let (_, currency, column, rows) = lifetimes else { return nil }
    let ages = (1...12).reversed().lazy.compactMap { age -> (age: Int, sum: Brought)? in
      let all = rows.filter { $0["months"] == age && $0.text("start_month") == "all" }
      return Brought(all, column).map { (age, $0) }
    }
    guard let (age, sum) = ages.first(where: { $0.sum.started >= Self.fewest }) else { return nil }
    let starts = finalRows(rows, age).compactMap { months.month(named: $0.text("start_month")) }
    guard let first = starts.min(), let last = starts.max() else { return nil }
    let span =
      first == last
      ? "in \(PageText.long(first, months))"
      : "from \(PageText.long(first, months)) to \(PageText.long(last, months))"
    return Phrase(
      "Of \(PageText.counted(sum.started, "subscription")) started \(span)\(content.target == nil ? " in \(currency)" : ""), \(PageText.percent(Double(sum.paying) / Double(sum.started))) have paid; after \(NumberWord.text(age)) \(age == 1 ? "month" : "months") each has brought in \(PageText.exact(sum.perStart, currency)) \(currency) net of refunds (realised, not a forecast)."
    )
  }

  private func finalRows(_ rows: [Row], _ age: Int) -> [Row] {
    rows.filter {
      $0["months"] == age && $0.text("start_month") != "all" && $0.text("state") == "final"
    }
  }

  /// The ages of the table, in months.
  private static let shownAges = [1, 3, 6, 12, 24]

  /// The net amount of a start by start quarter, newest first; `nil` without any.
  ///
  /// An age has a value only where all of the quarter have had the time. The last row adds up the start months that are
  /// final at that age.
  var lifetimeTable: Fold.Table? {
    guard months == .calendar, let (source, currency, column, rows) = lifetimes else { return nil }
    let start = { (row: Row) in months.month(named: row.text("start_month")) }
    let quarter = { (month: Month) in month - (month.monthOfYear - 1) % 3 }
    let quarters = Set(rows.compactMap(start).map(quarter)).sorted(by: >)
    // Months without a start have no row, so an age that a later month has had counts.
    let newest = Self.shownAges.map { age in
      rows.filter { $0["months"] == age }.compactMap(start).max()
    }
    let cells = { (chosen: (Row) -> Bool, last: Month?) -> [String] in
      zip(Self.shownAges, newest).map { age, newest in
        let own = rows.filter { $0["months"] == age && chosen($0) }
        guard last.map({ last in newest.map { last <= $0 } ?? false }) ?? true,
          let sum = Brought(own, column)
        else { return "" }
        return PageText.exact(sum.perStart, currency)
      }
    }
    let lines = quarters.prefix(SideTable.mostRows).map { first -> [String] in
      let isOwn = { (row: Row) in start(row).map(quarter) == first }
      let began = rows.filter { $0["months"] == 0 && isOwn($0) }
        .reduce(0) { $0 + ($1["started"] ?? 0) }
      let isFinal = rows.allSatisfy { !isOwn($0) || $0.text("state") == "final" }
      let lacksDays = report(source)?.completeness.missingDays.contains {
        $0 >= months.firstDay(of: first)
      }
      let standing = lacksDays ?? false ? Standing.incomplete : .notAllSeen
      return ["\(PageText.shortest(first, months))–\(PageText.short(first + 2, months))"]
        + [PageText.count(began)] + cells(isOwn, first + 2)
        + [isFinal ? "" : AnswerLines.words(standing)]
    }
    let all = ["All", ""] + cells({ $0.text("start_month") == "all" }, nil) + [""]
    guard all.contains(where: { !$0.isEmpty && $0 != "All" }) else { return nil }
    return Fold.Table(
      caption:
        "Brought in by each subscription after … months, less refunds, by start, \(currency) (\(Self.words(source)))",
      headings: [("began", false), ("subscriptions", true)]
        + Self.shownAges.map { ("\($0)", true) } + [("state", false)], rows: lines + [all]
    ).withoutEmptyColumns
  }
}
