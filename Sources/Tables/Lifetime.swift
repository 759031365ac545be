import Counting
import Storage
import SubscriptionModel

extension Definition {
  /// `lifetime`: METRICS.md 11.3.
  static func lifetime(_ words: SourceWording) -> Definition {
    Definition(
      table: .lifetime, title: "Lifetime value",
      sentence:
        "Lifetime value after n months = what the subscriptions that started in a month have paid less what they got back, by n months after the start of each, divided by all that started, trials included.",
      caveat:
        words.text(
          "It is realised, not forecast: a row exists only when every subscription of it has had the time. Month 12 ends two days before the 13th monthly charge and holds 12 monthly payments or one yearly one. Rows of start_month `all` add up the start months that are final at that age, so each age has its own population.",
          receipts:
            "Charges of `receipts` without a price are counted, and have no money."),
      sources: [.receipts, .subscribers], rowIs: "basis × start month × cohort × currency × months",
      keys: (["source", "basis", "start_month"], ["currency"]), sizes: ["started"],
      columns: [
        .count("months", nil, rank: 2, "Full months since the start; 0 is its day."),
        .count(
          "started", .counts([.lifetime(.started)]), rank: 3,
          "Subscriptions with a known start in the month, trials included."),
        .count("paying", .counts([.lifetime(.paying)]), rank: 4, "Of these: have paid by then."),
        .count(
          "charges", .counts([.lifetime(.charge)]), "Paid charges in the currency of the first one."
        ),
        .money("gross", .money([.lifetime(.charge)], .value), "Σ of these charges."),
        .money(
          "refunded", .money([.lifetime(.refund)], .value),
          "Σ given back of these charges by then."),
        .money(
          "net", .sum(["gross", "refunded"], minus: ["refunded"]), rank: 5, "`gross - refunded`."),
        .money(
          "net_per_start", .model(["gross", "refunded", "started"]), rank: 1,
          "`net / started`, rounded half up."),
        state(rank: 6),
      ])
  }
}

/// What a group of chains has paid by one age.
private struct Lifetime {
  var (started, paying, charges) = (0, 0, 0)
  var (gross, refunded) = (Int128(0), Int128(0))
  /// The same in the currency to convert to, of charges of all currencies.
  var (convertedGross, convertedRefunded) = (Int128(0), Int128(0))
  /// The first month with an amount that has no rate; the converted sums are then not known.
  var missing: Month?
  var unseen = 0

  static func += (sum: inout Lifetime, other: Lifetime) {
    sum.started += other.started
    sum.paying += other.paying
    sum.charges += other.charges
    sum.gross += other.gross
    sum.refunded += other.refunded
    sum.convertedGross += other.convertedGross
    sum.convertedRefunded += other.convertedRefunded
    if let month = other.missing { sum.missing = min(sum.missing ?? month, month) }
    sum.unseen += other.unseen
  }
}

extension TableMaker {
  private struct Place: Hashable {
    var cohort: Int32
    var currency: Symbol
    /// `nil` for the rows of all start months.
    var start: Month?
  }

  /// Makes the rows of `lifetime`, in no order; amounts without a rate are empty unless their start month needs one.
  ///
  /// - Throws: ``ConversionError`` for the first month without a rate.
  func lifetimeRows(
    _ report: SourceReport, _ view: Int, needsRate: (Month) -> Bool
  ) throws(ConversionError) -> [KeyedRow] {
    if views[view].contains(.startMonth) { return [] }
    var rows = try lifetimeRows(report, view, "price", \.price, needsRate)
    if report.source.hasProceeds {
      rows += try lifetimeRows(report, view, "proceeds", \.proceeds, needsRate)
    }
    return rows
  }

  private func lifetimeRows(
    _ report: SourceReport, _ view: Int, _ basis: String,
    _ amount: KeyPath<LifetimeGrid.Amounts, Amount>, _ needsRate: (Month) -> Bool
  ) throws(ConversionError) -> [KeyedRow] {
    let tally = report.tally.views[view]
    guard let grid = tally.lifetime else { return [] }
    let amounts = grid.amounts.map { $0[keyPath: amount] }
    let cells = RowCells(.lifetime, report.source)
    let noAges = [Lifetime](repeating: Lifetime(), count: LifetimeWindow.months.count)
    var (added, before) = ([Place: [Lifetime]](), Set<Place>())
    for (key, count) in grid.entries where count != 0 {
      let currency = amounts[Int(key.first)].currency
      let place = Place(cohort: key.cohort, currency: currency, start: key.start)
      if key.kind == .before {
        before.insert(place)
        continue
      }
      var own = Lifetime()
      switch key.kind {
      case .started: own.started = count
      case .paying: own.paying = count
      case .unseen: own.unseen = count
      case .before: break
      case .charge, .refund:
        let paid = amounts[Int(key.amounts)]
        let isCharge = key.kind == .charge
        if paid.currency == currency {
          own.charges = isCharge ? count : 0
          let sum = Int128(count) * Int128(paid.milliunits)
          if isCharge { own.gross = sum } else { own.refunded = sum }
        }
        let rate = converted(paid, in: key.month, report)
        if rate == nil { own.missing = key.month }
        let converted = (rate ?? 0) * Int128(count)
        if isCharge { own.convertedGross = converted } else { own.convertedRefunded = converted }
      }
      added[place, default: noAges][Int(key.place)] += own
    }
    var all: [Place: [Lifetime]] = [:]
    var firstMissing: Month?
    var rows: [KeyedRow] = []
    for (place, ages) in added {
      guard let start = place.start else { continue }
      var sum = Lifetime()
      let whole = Place(cohort: place.cohort, currency: place.currency, start: nil)
      for (age, own) in ages.enumerated() {
        sum += own
        let end = LifetimeWindow.end(age, from: start.lastDay)
        guard sum.started > 0, end - 1 <= report.completeness.lastFullDay else { break }
        let isPartial =
          before.contains(place) || start.lastDay < report.completeness.firstDay || sum.unseen > 0
          || report.completeness.leftOut != nil
          || report.completeness.lacksDay(from: start.firstDay, to: end - 1)
        if needsRate(start), report.source.hasPrice(in: place.currency) {
          if let month = sum.missing { firstMissing = min(firstMissing ?? month, month) }
        }
        rows.append(
          row(age, sum, place, isPartial ? .partial : .final, basis, report, tally, cells))
        if !isPartial {
          all[whole, default: noAges][age] += sum
        }
      }
    }
    if let firstMissing, let conversion {
      let currencies = grid.entries.compactMap { key, count -> String? in
        guard count != 0, key.month == firstMissing, key.amounts >= 0 else { return nil }
        let paid = amounts[Int(key.amounts)]
        return converted(paid, in: key.month, report) == nil ? names.text(paid.currency) : nil
      }
      throw .missingRate(
        from: currencies.inByteOrder().first ?? "", to: conversion.target,
        month: report.name(firstMissing))
    }
    for (place, ages) in all {
      for (age, sum) in ages.enumerated() where sum.started > 0 {
        rows.append(row(age, sum, place, .final, basis, report, tally, cells))
      }
    }
    return rows
  }

  /// Returns an amount in the currency to convert to: 0 without a conversion and for a charge without a price, `nil`
  /// without a rate.
  private func converted(_ amount: Amount, in month: Month, _ report: SourceReport) -> Int128? {
    guard let conversion, report.source.hasPrice(in: amount.currency) else { return 0 }
    return conversion.convert(
      Int128(amount.milliunits), from: names.text(amount.currency), in: month)
  }

  private func row(
    _ age: Int, _ sum: Lifetime, _ place: Place, _ state: SourceReport.State, _ basis: String,
    _ report: SourceReport, _ tally: ViewTally, _ row: RowCells
  ) -> KeyedRow {
    let hasMoney = report.source.hasPrice(in: place.currency)
    let perStart = { (net: Int128) -> ReportTable.Cell in
      .money(milliunits: net.dividedHalfUp(by: Int128(sum.started)))
    }
    var cells = row.cells(state) { counted, measure -> Int128? in
      guard case .lifetime(let kind) = counted else { return nil }
      if measure.isMoney {
        guard hasMoney else { return nil }
        return kind == .charge ? sum.gross : sum.refunded
      }
      return switch kind {
      case .started: Int128(sum.started)
      case .paying: Int128(sum.paying)
      default: Int128(sum.charges)
      }
    } other: { name, _ in
      name == "net_per_start" && hasMoney ? perStart(sum.gross - sum.refunded) : .missing
    }
    if conversion != nil {
      let net = sum.convertedGross - sum.convertedRefunded
      let columns = Definition.definition(of: .lifetime).columns
      cells = zip(columns, cells).flatMap { column, cell -> [ReportTable.Cell] in
        guard column.column.kind == .money else { return [cell] }
        guard hasMoney, sum.missing == nil else { return [cell, .missing] }
        switch column.column.name {
        case "gross": return [cell, .money(milliunits: sum.convertedGross)]
        case "refunded": return [cell, .money(milliunits: sum.convertedRefunded)]
        case "net": return [cell, .money(milliunits: net)]
        default: return [cell, perStart(net)]
        }
      }
    }
    let keys: [KeyedRow.Key] = [
      .text(report.source.rawValue), .text(basis), .text(place.start?.description ?? "all"),
    ]
    return KeyedRow(
      keys: keys + cohortKeys(Int(place.cohort), tally)
        + [.text(names.text(place.currency)), .number(LifetimeWindow.months[age])],
      // The first column is the number of months, which is a key.
      cells: Array(cells.dropFirst()))
  }
}

extension ReportTable {
  /// The ages in months at which a terminal shows `lifetime`.
  package static let shownAges = [0, 1, 3, 6, 12, 24]

  /// Returns the rows of ``shownAges``, which a terminal shows: beside `all` the newest start months, or all of them.
  package func atShownAges(newest count: Int?) -> ReportTable {
    let all = namedRows
    let starts = Set(all.compactMap { Month($0.text("start_month")) }).sorted()
    let kept = Set(count.map(starts.suffix) ?? starts[...])
    var table = self
    table.rows = zip(rows, all).filter { _, row in
      Self.shownAges.contains(row["months"] ?? -1)
        && Month(row.text("start_month")).map(kept.contains) ?? true
    }.map(\.0)
    return table
  }
}

extension SourceReport {
  /// How many charges `lifetime` leaves out because the first charge of their subscription has another currency: METRICS.md
  /// 11.3.
  ///
  /// - Parameter isOfProceeds: Whether to look at the currencies of the proceeds.
  /// - Returns: The number of charges.
  package func chargesInOtherCurrencies(isOfProceeds: Bool) -> Int {
    guard let view = tally.views.first(where: { $0.index.dimensions.isEmpty }),
      let grid = view.lifetime
    else { return 0 }
    let currencies = grid.amounts.map { (isOfProceeds ? $0.proceeds : $0.price).currency }
    return grid.entries.reduce(0) { sum, entry in
      guard entry.key.kind == .charge, entry.key.amounts >= 0 else { return sum }
      let own = currencies[Int(entry.key.amounts)]
      let isOther = own != .blank && own != currencies[Int(entry.key.first)]
      return sum + (isOther ? entry.count : 0)
    }
  }
}
