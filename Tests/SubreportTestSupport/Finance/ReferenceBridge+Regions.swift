import Storage
import SubscriptionModel

/// In which region something was sold or settled, looked up again for each unit.
extension ReferenceBridge {
  // MARK: By day

  /// The region by the table alone.
  private func table(_ country: Symbol, _ currency: Symbol, _ day: Day) -> String {
    regions.region(country: texts[Int(country)], currency: texts[Int(currency)], on: day).code
  }

  /// The region of what was sold on a day, in the bridges of a period.
  func region(
    _ country: Symbol, _ currency: Symbol, _ day: Day, _ period: FiscalPeriod
  ) -> String {
    let key = [
      UInt32(bitPattern: period.number), country, currency, UInt32(bitPattern: day.number),
    ]
    if let code = known.regions[key] { return code }
    let code = named(country, currency, period) ?? table(country, currency, day)
    known.regions[key] = code
    return code
  }

  /// The only region of the period whose file has the country and currency, unless the country moves.
  private func named(
    _ country: Symbol, _ currency: Symbol, _ period: FiscalPeriod
  ) -> String? {
    let files = Set(regionFiles(country, currency, period))
    guard files.count == 1, let code = files.first else { return nil }
    let (start, end) = (
      table(country, currency, period.firstDay), table(country, currency, period.lastDay)
    )
    if start != end { return nil }
    let before = table(country, currency, (period - 1).firstDay - 1)
    guard before != start else { return code }
    guard [before, start].contains(code) else { return code }
    if code == before { return nil }
    let rows = statements(period).filter { $0.form == .detail }.flatMap(\.rows)
      .filter { $0.country == country && $0.currency == currency }
    let file = statements(period).filter { $0.form == .region(code) }.flatMap(\.rows)
      .filter { $0.country == country && $0.currency == currency }
    let ofTable = rows.filter { row in
      row.transactionDay.map { table(country, currency, $0) == code } == true
    }
    let sum = { (rows: [FinanceRow]) in rows.reduce(0) { $0 + $1.extendedShare } }
    return rows.isEmpty || sum(ofTable) == sum(file) ? nil : code
  }

  private func regionFiles(
    _ country: Symbol, _ currency: Symbol, _ period: FiscalPeriod
  ) -> [String] {
    statements(period).compactMap { statement in
      guard case .region(let code) = statement.form, has(statement, country, currency) else {
        return nil
      }
      return code
    }
  }

  private func has(_ statement: FinanceStatement, _ country: Symbol, _ currency: Symbol) -> Bool {
    statement.rows.contains { $0.country == country && $0.currency == currency }
  }

  private func detailDays(
    _ country: Symbol, _ currency: Symbol, _ period: FiscalPeriod
  ) -> [Day] {
    statements(period).flatMap(\.rows)
      .filter { $0.country == country && $0.currency == currency }.compactMap(\.transactionDay)
  }

  // MARK: Without a day

  /// The regions that a row without a day may be of.
  func possibleRegions(
    _ country: Symbol, _ currency: Symbol, _ period: FiscalPeriod
  ) -> Set<String> {
    if let code = named(country, currency, period) { return [code] }
    let all = days(period).map { table(country, currency, $0) }
    let settled = detailDays(country, currency, period)
    if !settled.isEmpty { return Set(settled.map { table(country, currency, $0) }) }
    let bought = sold.filter {
      $0.country == country && $0.currency == currency && $0.day >= period.firstDay - 9
        && $0.day <= period.lastDay
    }
    if !bought.isEmpty { return Set(bought.map { table(country, currency, $0.day) }) }
    let own = texts[Int(country)]
    return all.contains(own) ? [own] : Set(all)
  }

  // MARK: The settlement

  /// Rows that the settlement is read from: region files, else the single file, else the detail.
  ///
  /// A country that moves is read from the detail rather than from the single file, and a region file has only the rows
  /// of its region.
  func settlement(_ period: FiscalPeriod) -> [(region: String?, row: FinanceRow)] {
    statements(period).flatMap { statement in
      statement.rows.compactMap { row -> (region: String?, row: FinanceRow)? in
        if case .region(let code) = statement.form { return (code, row) }
        let (country, currency) = (row.country, row.currency)
        let possible = possibleRegions(country, currency, period)
        let isMoving =
          possible.count > 1 && !detailDays(country, currency, period).isEmpty
        let hasFile = !regionFiles(country, currency, period).isEmpty
        guard let day = row.transactionDay else {
          if hasFile || isMoving { return nil }
          return (possible.count == 1 ? possible.first : nil, row)
        }
        let region = region(country, currency, day, period)
        if isMoving {
          let isThere = statements(period).contains { $0.form == .region(region) }
          return hasFile && isThere ? nil : (region, row)
        }
        let isInSingle = statements(period).contains {
          $0.form == .single && has($0, country, currency)
        }
        return hasFile || isInSingle ? nil : (region, row)
      }
    }
  }

  /// Whether the single file has rows that may be of the bridge or of another.
  func isUndated(_ name: Name) -> Bool {
    settlement(name.period).contains { region, row in
      region == nil && row.currency == name.currency
        && possibleRegions(row.country, row.currency, name.period).contains(name.region)
    } && !statements(name.period).contains { $0.form == .region(name.region) }
  }

  /// The regions in which a row counts for line 25.
  func regions(of row: FinanceRow, in statement: FinanceStatement) -> Set<String> {
    let period = statement.period
    if let day = row.transactionDay { return [region(row.country, row.currency, day, period)] }
    if case .region(let code) = statement.form, named(row.country, row.currency, period) == nil,
      isEverMoved(row.country, row.currency)
    {
      return [code]
    }
    return possibleRegions(row.country, row.currency, period)
  }

  private func isEverMoved(_ country: Symbol, _ currency: Symbol) -> Bool {
    let days = regions.all.compactMap(\.validFrom)
    return days.contains {
      table(country, currency, $0 - 1) != table(country, currency, $0)
    }
  }

  /// Whether the table ever puts a country and currency into a region.
  func isEver(_ country: Symbol, _ currency: Symbol, in code: String) -> Bool {
    let days = regions.all.compactMap(\.validFrom)
    return (days + days.map { $0 - 1 }).contains { table(country, currency, $0) == code }
  }
}
