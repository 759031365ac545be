package import Storage

/// A country and currency in the bridges of one fiscal period.
package struct SettledPair: Hashable, Sendable {
  /// The fiscal period.
  package var period: FiscalPeriod
  /// The storefront.
  package var country: Symbol
  /// The currency of the proceeds.
  package var currency: Symbol

  package init(period: FiscalPeriod, country: Symbol, currency: Symbol) {
    (self.period, self.country, self.currency) = (period, country, currency)
  }
}

/// Finds the region of a country and currency by the day of a sale: METRICS.md section 7, "Region".
///
/// The day is the Begin Date in SALES and the Transaction Date in FINANCE_DETAIL. If exactly one region has a file with
/// the country and currency, that region is used for its whole period, so that sales and settlement are in one bridge;
/// but not in a period in which the country moves to another region.
package struct RegionLookup: Sendable {
  private struct Storefront: Hashable {
    var country: Symbol
    var currency: Symbol
  }

  private let regions: FinanceRegions
  private let text: @Sendable (Symbol) -> String
  private var tables: [Storefront: [FinanceRegions.Span]] = [:]
  /// The regions of each pair so far; one span where the region does not depend on the day.
  private var spans: [SettledPair: [FinanceRegions.Span]] = [:]
  /// The shares in FINANCE_DETAIL of the pairs that the table moves, by the table's region.
  private var details: [SettledPair: [String: Int128]] = [:]
  /// The days on which SALES has countries that the table moves.
  private var soldDays: [Storefront: Set<Day>] = [:]
  /// The countries and currencies that no region lists, with the assumed region, such as `ZQ USD: put into WW`.
  package private(set) var guessed: Set<String> = []

  /// Creates a lookup.
  ///
  /// - Parameters:
  ///   - regions: The region of each country and currency.
  ///   - records: The data of the finance files and the daily SALES reports.
  ///   - text: Returns the text of a symbol.
  package init(
    _ regions: FinanceRegions, _ records: FinanceData,
    text: @escaping @Sendable (Symbol) -> String
  ) {
    self.regions = regions
    self.text = text
    // The shares of each pair by the region of their file.
    var named: [SettledPair: [String: Int128]] = [:]
    for statement in records.statements {
      switch statement.form {
      case .region(let code):
        for row in statement.rows {
          named[statement.pair(row), default: [:]][code, default: 0] += Int128(row.extendedShare)
        }
      case .single: break
      case .detail:
        for row in statement.rows {
          let pair = statement.pair(row)
          let table = table(pair)
          guard table.count > 1, let day = row.transactionDay else { continue }
          details[pair, default: [:]][table.span(on: day).code, default: 0] += Int128(
            row.extendedShare)
        }
      }
    }
    for (sale, units) in records.sales where units != 0 {
      let storefront = Storefront(country: sale.country, currency: sale.currency)
      if table(storefront).count > 1 { soldDays[storefront, default: []].insert(sale.day) }
    }
    for (pair, shares) in named {
      guard shares.count == 1, let (code, share) = shares.first, !isMove(pair, code, share) else {
        continue
      }
      spans[pair] = [FinanceRegions.Span(firstDay: .first, code: code, isListed: true)]
    }
  }

  /// Returns whether the table, and not the only region file of a pair, has its region, because the country moves.
  ///
  /// It moves within the period; or it moved within the period before, so that the file of its former region has what
  /// was sold before, and that of its new region does not, as FINANCE_DETAIL tells.
  private mutating func isMove(_ pair: SettledPair, _ code: String, _ share: Int128) -> Bool {
    let table = table(pair)
    let (first, last) = (pair.period.firstDay, pair.period.lastDay)
    let moves = table.dropFirst().map(\.firstDay)
    if moves.contains(where: { first < $0 && $0 <= last }) { return true }
    guard moves.contains(where: { (pair.period - 1).firstDay <= $0 && $0 <= first }),
      table.contains(where: { $0.code == code })
    else { return false }
    guard table.span(on: first).code == code, let shares = details[pair] else { return true }
    return shares[code, default: 0] == share
  }

  private mutating func table(_ pair: SettledPair) -> [FinanceRegions.Span] {
    table(Storefront(country: pair.country, currency: pair.currency))
  }

  private mutating func table(_ storefront: Storefront) -> [FinanceRegions.Span] {
    if let known = tables[storefront] { return known }
    let found = regions.spans(
      country: text(storefront.country), currency: text(storefront.currency))
    tables[storefront] = found
    return found
  }

  private mutating func spans(_ pair: SettledPair) -> [FinanceRegions.Span] {
    if let known = spans[pair] { return known }
    let found = table(pair)
    spans[pair] = found
    return found
  }

  /// Returns the region of the sales of a day.
  ///
  /// - Parameters:
  ///   - pair: The country and currency, and the period of the bridge.
  ///   - day: The day of the sale, which may be in another period.
  /// - Returns: The region's code.
  package mutating func code(_ pair: SettledPair, on day: Day) -> String {
    let span = spans(pair).span(on: day)
    note(span, pair)
    return span.code
  }

  private mutating func note(_ span: FinanceRegions.Span, _ pair: SettledPair) {
    guard !span.isListed else { return }
    guessed.insert("\(text(pair.country)) \(text(pair.currency)): put into \(span.code)")
  }

  /// Returns the region of rows without a day; `nil` if the country moves and rows of both regions are possible.
  ///
  /// - Parameter pair: The country and currency, and the period of the settlement.
  /// - Returns: The region's code.
  package mutating func codeWithoutDay(_ pair: SettledPair) -> String? {
    let codes = codesWithoutDay(pair)
    guard codes.count == 1, let only = codes.first else { return nil }
    for span in spans(pair) where span.code == only { note(span, pair) }
    return only
  }

  /// Returns the regions that rows without a day may belong to.
  ///
  /// FINANCE_DETAIL of the period tells; without it, the sales of the period and of the usual lag before it; without
  /// these, the days of the period. A country that gets a region of its own, with its currency, has no sales in that
  /// currency before.
  ///
  /// - Parameter pair: The country and currency, and the period of the settlement.
  /// - Returns: The codes.
  package mutating func codesWithoutDay(_ pair: SettledPair) -> Set<String> {
    let spans = spans(pair)
    guard spans.count > 1 else { return [spans[0].code] }
    if let shares = details[pair] { return Set(shares.keys) }
    let (first, last) = (pair.period.firstDay, pair.period.lastDay)
    let sold = soldDays[Storefront(country: pair.country, currency: pair.currency)] ?? []
    let codes = Set(
      sold.filter { first - Self.usualLag <= $0 && $0 <= last }.map { spans.span(on: $0).code })
    if !codes.isEmpty { return codes }
    let within = [first] + spans.map(\.firstDay).filter { first < $0 && $0 <= last }
    let possible = Set(within.map { spans.span(on: $0).code })
    let own = text(pair.country)
    return possible.contains(own) ? [own] : possible
  }

  /// The longest usual lag from sale to settlement, in days.
  private static let usualLag = 9

  /// Returns whether the region of a pair depends on the day of the sale.
  ///
  /// - Parameter pair: The country and currency, and the period of the bridge.
  /// - Returns: Whether it does.
  package mutating func moves(_ pair: SettledPair) -> Bool { spans(pair).count > 1 }

  /// Returns whether the table ever moves a country and currency to another region.
  ///
  /// - Parameters:
  ///   - country: The storefront.
  ///   - currency: The currency of the proceeds.
  /// - Returns: Whether it does.
  package mutating func everMoves(country: Symbol, currency: Symbol) -> Bool {
    table(Storefront(country: country, currency: currency)).count > 1
  }

  /// Returns whether the table ever gives a country and currency to a region.
  ///
  /// - Parameters:
  ///   - pair: The country and currency; the period does not matter.
  ///   - code: The region's code.
  /// - Returns: Whether it does.
  package mutating func isEver(_ pair: SettledPair, in code: String) -> Bool {
    table(pair).contains { $0.code == code }
  }
}

extension [FinanceRegions.Span] {
  /// Returns the last span that begins by a day.
  fileprivate func span(on day: Day) -> FinanceRegions.Span {
    last { $0.firstDay <= day } ?? self[0]
  }
}

extension FinanceStatement {
  /// Returns the country and currency of a row in the period of the statement.
  ///
  /// - Parameter row: A row of the statement.
  /// - Returns: The pair.
  package func pair(_ row: FinanceRow) -> SettledPair {
    SettledPair(period: period, country: row.country, currency: row.currency)
  }
}
