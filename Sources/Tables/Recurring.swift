import Counting
import Storage
package import SubscriptionModel

extension Definition {
  /// `recurring`: METRICS.md 11.2.
  static func recurring(_ words: SourceWording) -> Definition {
    Definition(
      table: .recurring, title: "Recurring revenue",
      sentence:
        "MRR = the sum of the monthly values of all charges whose paid period covers the end of the month; a monthly value is the amount divided by the months that it pays for.",
      caveat:
        words.text(
          "A month is a twelfth of a mean year, so that a weekly plan counts 4.348 times and 12 × MRR is what the same subscriptions pay in a year. Trials, free offers, grace periods and billing retry are out. A yearly plan bought after a monthly one is a contraction. Basis `price` is what customers pay, with tax; basis `proceeds` what the developer gets.",
          receipts:
            "Charges of `receipts` without a price are in rows with an empty currency, which count them and have no money."
        ),
      // Those of `events` are rows of source `snapshot`.
      sources: [.events, .receipts, .subscribers], rowIs: "basis × month × cohort × currency",
      keys: (["source", "basis", "month"], ["currency"]), sizes: ["active"],
      columns: [
        .count(
          "active", .counts([.recurring(.active)]), rank: 4,
          "Paid subscriptions at the end of the month: movement's `close_observed`."),
        value("open", .open, rank: 5, "MRR at the end of the month before."),
        value("new", .new, rank: 6, "Of subscriptions that started or paid after a free period."),
        value("first_seen", .firstSeen, "First seen in the data, start unknown."),
        value(
          "reactivated", .reactivated, "Paid again after more than 60 days, or 90 of an instalment."
        ),
        value(
          "recovered", .recovered,
          "Paid again after a lapse of at most 60 days, or 90 of an instalment."),
        value("expansion_product", .expansionProduct, "More by another product or plan."),
        value(
          "expansion_offer", .expansionOffer, "More by another kind of charge: an offer ended."),
        value("expansion_price", .expansionPrice, "More at another price (`proceeds`: or share)."),
        value(
          "switched_in", .switchedIn,
          "From another cohort or currency, at the value before the change."
        ),
        value("contraction_product", .contractionProduct, "Less by another product or plan."),
        value(
          "contraction_offer", .contractionOffer, "Less by another kind of charge: an offer began."),
        value(
          "contraction_price", .contractionPrice, "Less at another price (`proceeds`: or share)."),
        value(
          "churned", .churned, rank: 7, "Left: the value of the charges behind churn's number."),
        value("entered_retry", .enteredRetry, "Lapsed, and recovered later."),
        value(
          "switched_out", .switchedOut,
          "To another cohort, currency or a free offer, or out of sight."),
        value(
          "mrr", .mrr, rank: 1,
          "The monthly values of `active`: `open` plus the columns up to `switched_in` minus those from `contraction_product` on."
        ),
        .money("arr", .model(["mrr"]), rank: 8, "`12 × mrr`."),
        .money("arpu", .model(["mrr", "active"]), rank: 9, "`mrr / active`, rounded half up."),
        .rate(
          "gross_churn_rate", .model(lost + ["open"]), rank: 2,
          "`(churned + contractions) / open`."),
        .rate(
          "net_churn_rate", .model(lost + gained + ["open"]), rank: 3,
          "`(churned + contractions - expansions - reactivated) / open`; negative when the base grows by itself."
        ),
        state(rank: 10),
      ])
  }

  private static func value(
    _ name: String, _ column: RecurringColumn, rank: Int? = nil, _ meaning: String
  ) -> Column {
    .money(name, .money([.recurring(column)], .value), rank: rank, meaning)
  }

  /// Returns the columns that lead from `open` to `mrr`, in the order of the table; with converted money `fx` is one of
  /// them.
  package static func movements(isConverted: Bool) -> [(column: String, isGain: Bool)] {
    let flows = definition(of: .recurring).columns.compactMap { column -> (String, Bool)? in
      guard case .money(let counted, _) = column.makeup(from: .subscribers),
        case .recurring(let own)? = counted.first, own != .open, own != .mrr
      else { return nil }
      return (column.column.name, own.isGain)
    }
    return (isConverted ? [("fx", true)] : []) + flows
  }

  private static let lost = [
    "churned", "contraction_product", "contraction_offer", "contraction_price",
  ]
  private static let gained = [
    "reactivated", "expansion_product", "expansion_offer", "expansion_price",
  ]
}

/// An amount of money as a row has it: in its own currency and in the one to convert to.
private struct Sum {
  var own = Int128(0)
  /// `nil` without a rate.
  var converted: Int128? = 0

  static func += (sum: inout Sum, other: (own: Int128, converted: Int128?)) {
    sum.own += other.own
    sum.converted = sum.converted.flatMap { sum in other.converted.map { sum + $0 } }
  }
}

/// The amounts of a row, by column.
private struct ColumnSums {
  private(set) var sums = [Sum](repeating: Sum(), count: RecurringColumn.allCases.count)

  subscript(column: RecurringColumn) -> Sum {
    get { sums[Int(column.rawValue)] }
    set { sums[Int(column.rawValue)] = newValue }
  }
}

extension TableMaker {
  /// Charges of one value that a column of `recurring` adds, or subtracts.
  private struct Posting {
    var month: Month
    /// `nil` for a change of the stock.
    var column: RecurringColumn?
    var value: Int32
    var count: Int
  }

  private struct Place: QuickHashable {
    var cohort: Int32
    var currency: Symbol

    var quickHash: UInt32 {
      (UInt64(UInt32(bitPattern: cohort)) << 32 | UInt64(currency)).quickHash
    }
  }

  /// Makes the rows of `recurring`.
  func recurringRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    guard let grid = report.tally.views[view].recurring else { return [] }
    let entries = grid.entriesByMonth
    var rows = recurringRows(
      report, view, "price", entries, report.monthlyValues(of: grid, \.price))
    if report.source.hasProceeds {
      rows += recurringRows(
        report, view, "proceeds", entries, report.monthlyValues(of: grid, \.proceeds))
    }
    return rows
  }

  private func recurringRows(
    _ report: SourceReport, _ view: Int, _ basis: String, _ entries: [RecurringGrid.Entry],
    _ values: [Amount]
  ) -> [KeyedRow] {
    var places = NumberedValues<Place>()
    var postings: [[Posting]] = []
    for (key, count) in entries {
      key.flow.forEachPosting(key.old, key.new, values) { currency, column, value, sign in
        let place = places.number(of: Place(cohort: key.cohort, currency: currency))
        if place == postings.count { postings.append([]) }
        postings[place].append(
          Posting(month: key.month, column: column, value: value, count: sign * count))
      }
    }
    let row = RowCells(.recurring, report.source)
    let stock = Stock(report, view)
    return zip(places.values, postings).flatMap { place, own in
      recurringRows(report, view, basis, values, place, own, row, stock)
    }
  }

  /// Makes the rows of a cohort and a currency, from its postings in the order of their months.
  private func recurringRows(
    _ report: SourceReport, _ view: Int, _ basis: String, _ values: [Amount], _ place: Place,
    _ postings: [Posting], _ row: RowCells, _ stock: Stock
  ) -> [KeyedRow] {
    let tally = report.tally.views[view]
    let cohort = Int(place.cohort)
    guard var month = postings.first?.month else { return [] }
    var next = 0
    let currency = names.text(place.currency)
    let hasMoney = report.source.hasPrice(in: place.currency)
    let lastUnknown = report.source.hasLeftEdge ? report.completeness.firstMonth : nil
    // Counts of charges, which only a conversion needs: each month has its rate.
    var charges: [Int32: Int] = [:]
    var (active, mrr) = (0, Sum())
    var rows: [KeyedRow] = []
    while month <= report.completeness.lastMonth {
      defer { month = month + 1 }
      let worth = { (value: Int32, count: Int) -> (own: Int128, converted: Int128?) in
        let amount = Int128(values[Int(value)].milliunits)
        let converted = conversion?.convert(amount, from: currency, in: month)
        return (Int128(count) * amount, converted.map { Int128(count) * $0 })
      }
      var columns = ColumnSums()
      columns[.open] = mrr
      var atThisRate = Sum()
      for (value, count) in charges { atThisRate += worth(value, count) }
      while next < postings.count, postings[next].month == month {
        let posting = postings[next]
        next += 1
        if let column = posting.column {
          columns[column] += worth(posting.value, posting.count)
          continue
        }
        active += posting.count
        mrr.own += Int128(posting.count) * Int128(values[Int(posting.value)].milliunits)
        guard conversion != nil else { continue }
        let count = charges.removeValue(forKey: posting.value) ?? 0
        if count != -posting.count { charges[posting.value] = count + posting.count }
      }
      if conversion != nil {
        mrr = Sum()
        for (value, count) in charges { mrr += worth(value, count) }
      }
      columns[.mrr] = mrr
      guard active != 0 || hasMoney && columns.sums.contains(where: { $0.own != 0 }) else {
        continue
      }
      let hasOpen = !report.isAfterMonthWithoutFiles(month)
      let isStartKnown =
        !(lastUnknown.map { month <= $0 } ?? false) && stock.before(month, cohort: cohort) != nil
      let number = { (column: RecurringColumn) -> Int128? in
        guard hasMoney, column != .open || hasOpen else { return nil }
        return columns[column].own
      }
      let state = churnState(of: month, cohort: cohort, report, tally)
      let open = isStartKnown && hasOpen ? columns[.open].own : 0
      var cells = row.cells(state) { counted, _ -> Int128? in
        guard case .recurring(let column) = counted else { return nil }
        return column == .active ? Int128(active) : number(column)
      } other: { name, _ in
        guard hasMoney else { return .missing }
        switch name {
        case "arr": return .money(milliunits: 12 * mrr.own)
        case "arpu": return Self.arpu(mrr.own, active)
        default:
          guard open != 0 else { return .missing }
          let signs = name == "net_churn_rate" ? RecurringColumn.netChurn : RecurringColumn.churn
          let lost = signs.reduce(0) { $0 + Int128($1.sign) * columns[$1.column].own }
          return .ratio(numerator: lost, denominator: open)
        }
      }
      if conversion != nil {
        cells = adding(
          columns, atThisRate, arr: mrr.converted.map { 12 * $0 },
          arpu: mrr.converted.map { Self.arpu($0, active) }, to: cells)
      }
      let keys: [KeyedRow.Key] = [
        .text(report.source.rawValue), .text(basis), .text(report.name(month)),
      ]
      rows.append(
        KeyedRow(
          keys: keys + cohortKeys(cohort, tally) + [.text(currency)],
          cells: known(cells, in: month, report)))
    }
    return rows
  }

  /// Returns the revenue of one subscription, rounded half up.
  private static func arpu(_ mrr: Int128, _ active: Int) -> ReportTable.Cell {
    guard active > 0 else { return .missing }
    return .money(milliunits: mrr.dividedHalfUp(by: Int128(active)))
  }

  /// Returns the cells of a row with converted ones after each cell of money: METRICS.md 11.2.
  private func adding(
    _ columns: ColumnSums, _ openAtThisRate: Sum, arr: Int128?,
    arpu: ReportTable.Cell?, to cells: [ReportTable.Cell]
  ) -> [ReportTable.Cell] {
    let money = { (amount: Int128?) -> ReportTable.Cell in
      amount.map { .money(milliunits: $0) } ?? .missing
    }
    return zip(Definition.definition(of: .recurring).columns, cells).flatMap { column, cell in
      guard column.column.kind == .money else { return [cell] }
      let name = column.column.name
      guard cell != .missing else { return name == "open" ? [cell, cell, cell] : [cell, cell] }
      switch (name, column.makeup(from: .subscribers)) {
      case ("open", _):
        let open = columns[.open].converted
        let change = openAtThisRate.converted.flatMap { now in open.map { now - $0 } }
        return [cell, money(open), money(change)]
      case ("arr", _): return [cell, money(arr)]
      case ("arpu", _): return [cell, arpu ?? .missing]
      case (_, .money(let counted, _)?):
        guard case .recurring(let column)? = counted.first else { return [cell, .missing] }
        return [cell, money(columns[column].converted)]
      default: return [cell, .missing]
      }
    }
  }
}

extension SourceReport {
  /// Returns the monthly price or proceeds of each value of a grid, by its number; those with a blank currency are not
  /// known: METRICS.md 11.1.
  func monthlyValues(of grid: RecurringGrid, _ basis: KeyPath<ChargeValue, Amount>) -> [Amount] {
    grid.values.map { $0.monthly(basis, tally.usualTerms).result }
  }
}

extension RecurringColumn {
  /// The columns that the gross churn rate adds up.
  fileprivate static let churn: [(column: RecurringColumn, sign: Int)] = [
    (.churned, 1), (.contractionProduct, 1), (.contractionOffer, 1), (.contractionPrice, 1),
  ]
  /// Those of the net churn rate.
  fileprivate static let netChurn =
    churn + [
      (.reactivated, -1), (.expansionProduct, -1), (.expansionOffer, -1), (.expansionPrice, -1),
    ]
}

extension TableKind {
  /// Whether each charge is converted by itself, so that the maker of the rows adds the converted cells.
  package var convertsCharges: Bool { self == .recurring || self == .lifetime }

  /// Returns the name of the rows with which a source speaks: counts of `events` at the month's end are those of
  /// `snapshot`, but of `definitions` those of events are flows.
  package func name(of source: Source) -> String {
    self == .definitions ? source.rawValue : source.name(in: self)
  }

  /// Whether it needs the values of charges, which only some runs count.
  package var isOfMoney: Bool {
    self == .recurring || self == .lifetime || self == .status || self == .definitions
  }
}

extension CurrencyConversion {
  /// Returns the columns of a table whose charges are converted one by one; after `open_USD` stands `fx_USD`, what its
  /// charges gained by the change of the rate.
  package func columns(
    _ columns: [ReportTable.Column], of kind: TableKind
  ) -> [ReportTable.Column] {
    converted(columns).flatMap { column in
      kind == .recurring && column.name == "open_\(target)"
        ? [column, ReportTable.Column("fx_\(target)", .money)] : [column]
    }
  }
}

extension ReportTable {
  /// Returns the first month in which `open` cannot be converted, because the month before has no rate.
  package func firstMonthWithoutConvertedOpen(_ target: String) -> String? {
    guard columns.contains(where: { $0.name == "open_\(target)" }) else { return nil }
    return namedRows.first {
      $0.cell("open") != .missing && $0.cell("open_\(target)") == .missing
    }?.text("month")
  }
}
