package import Scanning
import Storage
package import SubscriptionModel

/// Reads a FINANCIAL or FINANCE_DETAIL report, line by line (METRICS.md section 7).
///
/// Unlike the readers of daily reports, a reader reads one file only, because it has a preamble and
/// trailers.
package struct FinanceReader: ~Copyable {
  private let headerLine: Int
  private let isDetail: Bool
  private let fields: FinanceFields
  private let regions: FinanceRegions
  private let registries: Registries
  private var row: RowSplitter
  private var symbols: LocalSymbols
  private var totals = FinanceTotals()
  private var rows: [FinanceRow] = []
  private var rejected: [RejectedRow] = []
  /// The Start Date of the preamble.
  private var startDate: Day?
  /// The End Date of the preamble.
  private var endDate: Day?
  /// Start Date and End Date of the first row of FINANCIAL.
  private var dates: ReportPeriod?
  /// Start Date and End Date of the first row with other dates than ``dates``.
  private var otherDates: ReportPeriod?

  /// Creates a reader of one file.
  ///
  /// - Parameters:
  ///   - header: The header of a FINANCIAL or FINANCE_DETAIL report.
  ///   - registries: The symbols of the run.
  ///   - regions: Apple's regions.
  package init(header: ReportHeader, registries: Registries, regions: FinanceRegions) {
    precondition(
      header.kind == .financial || header.kind == .financeDetail,
      "a reader needs a header of its kind of report")
    headerLine = header.headerLine
    isDetail = header.kind == .financeDetail
    fields = FinanceFields(header)
    row = RowSplitter(header)
    symbols = LocalSymbols(registries.symbols)
    self.registries = registries
    self.regions = regions
  }

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - line: The line without its ending.
  ///   - place: Where the line is.
  /// - Returns: The outcome of a row; `nil` if the line is not a row.
  package mutating func read(_ line: Span<UInt8>, _ place: Line) -> RowOutcome<FinanceRow>? {
    guard place.number > headerLine else {
      if place.number < headerLine { readPreamble(line) }
      return nil
    }
    guard place.isTooLong || FinanceLine.isRow(line) else {
      if hasLoneReturn(line) { return .rejected(Reject(lineEndsIn: place)) }
      totals.read(FinanceLine.cells(line))
      return nil
    }
    if let reject = row.split(line, place) {
      keep(RejectedRow(line: place.number))
      return .rejected(reject)
    }
    do throws(FieldFault) {
      let row = try financeRow(line, place)
      totals.add(row)
      rows.append(row)
      return .row(row)
    } catch {
      keep(rejectedRow(line, place))
      return .rejected(row.reject(error, line, place))
    }
  }

  /// Returns the statement of the file.
  ///
  /// - Parameters:
  ///   - name: The file's name, for the region, and for the month of a file without rows.
  ///   - vendor: The vendor number; blank without one.
  ///   - fileIndex: The file's index among all files of the run.
  /// - Returns: The statement and the checks of its trailers.
  /// - Throws: ``FinanceError`` if the file's period or region cannot be determined.
  package consuming func finish(
    name: ReportName, vendor: String, fileIndex: Int
  ) throws(FinanceError) -> CheckedStatement {
    let period = try period(name)
    let form = try form(name, period)
    return CheckedStatement(
      statement: FinanceStatement(
        form: form, period: period, vendor: vendor, fileIndex: fileIndex, rows: rows,
        rejected: rejected),
      checks: totals.checks(registries))
  }

  // MARK: Lines

  private mutating func readPreamble(_ line: Span<UInt8>) {
    let cells = FinanceLine.cells(line)
    guard cells.count == 2 else { return }
    let value = Array(cells[1].utf8)
    switch comparableName(cells[0]) {
    case "start date": startDate = reportDay(value.span, 0..<value.count, .slashed)
    case "end date": endDate = reportDay(value.span, 0..<value.count, .slashed)
    default: break
    }
  }

  private mutating func financeRow(
    _ line: Span<UInt8>, _ place: Line
  ) throws(FieldFault) -> FinanceRow {
    let first = try row.day(line, fields.firstDate)
    let last = try row.day(line, fields.lastDate)
    if isDetail { try checkTransaction(first, settledOn: last) }
    let quantity = try quantity(line)
    let share = try row.amount(line, fields.partnerShare)
    let extended = Int64(try row.amount(line, fields.extendedShare).magnitude)
    let price = try row.amount(line, fields.customerPrice)
    let product = try symbol(line, fields.product, expected: "an Apple Identifier")
    let country = try row.requiredText(line, fields.country, expected: "a country such as US")
    let currency = symbols.symbol(line, row[fields.currency])
    if currency == .blank, extended != 0 {
      throw FieldFault(fields.currency, .missingValue, expected: "a currency such as USD")
    }
    try checkSaleOrReturn(line)
    if !isDetail { note(ReportPeriod(firstDay: first, lastDay: last)) }
    return FinanceRow(
      product: product, productName: symbols.symbol(line, row[fields.title]),
      country: symbols.symbol(countryCode(country)), currency: currency,
      customerPrice: Int64(price.magnitude),
      customerCurrency: symbols.symbol(line, row[fields.customerCurrency]), quantity: quantity,
      partnerShare: Int64(share.magnitude), extendedShare: quantity < 0 ? -extended : extended,
      transactionDay: isDetail ? first : nil,
      settlementDay: isDetail ? last : nil, line: Int32(clamping: place.number))
  }

  private mutating func keep(_ rejected: RejectedRow) {
    totals.add(rejected)
    rejected.add(to: &self.rejected)
  }

  /// Returns the readable fields of a rejected row.
  private mutating func rejectedRow(_ line: Span<UInt8>, _ place: Line) -> RejectedRow {
    let country = countryCode(text(line, row.content(line, fields.country)))
    let currency = text(line, row.content(line, fields.currency))
    return RejectedRow(
      line: place.number,
      country: RejectedRow.isCode(country, letters: 2) ? registries.symbol(of: country) : nil,
      currency: RejectedRow.isCode(currency, letters: 3) ? registries.symbol(of: currency) : nil,
      day: isDetail ? transactionDay(line) : nil)
  }

  /// Returns the day of a rejected transaction; `nil` if it is unreadable or after its period.
  private func transactionDay(_ line: Span<UInt8>) -> Day? {
    let day = reportDay(line, row.content(line, fields.firstDate), row.dateFormat)
    let settled = reportDay(line, row.content(line, fields.lastDate), row.dateFormat)
    guard let day, let limit = lastTransactionDay(settledOn: settled) else { return day }
    return day <= limit ? day : nil
  }

  /// Throws if a transaction is after the end of its settlement period: a spreadsheet has exchanged
  /// month and day.
  private func checkTransaction(_ day: Day, settledOn settled: Day) throws(FieldFault) {
    guard let limit = lastTransactionDay(settledOn: settled), day > limit else { return }
    throw FieldFault(
      fields.firstDate, .rewrittenDate, expected: "a day up to \(limit), the end of its period")
  }

  /// Returns the last day of the period, from the preamble or, without one, from the day of
  /// settlement.
  private func lastTransactionDay(settledOn settled: Day?) -> Day? {
    endDate ?? settled.map { FiscalPeriod(containing: $0).lastDay }
  }

  private func quantity(_ line: Span<UInt8>) throws(FieldFault) -> Int64 {
    guard let quantity = try row.wholeNumber(line, fields.quantity) else {
      throw FieldFault(fields.quantity, .missingValue, expected: "a whole number such as 1")
    }
    guard quantity.magnitude <= FinanceFields.mostUnits else {
      throw FieldFault(
        fields.quantity, .unitsOutOfRange, expected: "at most \(FinanceFields.mostUnits)")
    }
    return Int64(quantity)
  }

  /// Throws if a row is neither a sale nor a return.
  ///
  /// The sign of its Quantity decides between the two.
  private func checkSaleOrReturn(_ line: Span<UInt8>) throws(FieldFault) {
    switch text(line, row.content(line, fields.saleOrReturn)).lowercased() {
    case "s", "r", "": break
    default: throw FieldFault(fields.saleOrReturn, .notASaleOrReturn, expected: "S or R")
    }
  }

  private mutating func symbol(
    _ line: Span<UInt8>, _ field: Int, expected: String
  ) throws(FieldFault) -> Symbol {
    let symbol = symbols.symbol(line, row[field])
    if symbol == .blank { throw FieldFault(field, .missingValue, expected: expected) }
    return symbol
  }

  private mutating func note(_ dates: ReportPeriod) {
    if self.dates == nil {
      self.dates = dates
    } else if self.dates != dates, otherDates == nil {
      otherDates = dates
    }
  }

  // MARK: The file

  private func period(_ name: ReportName) throws(FinanceError) -> FiscalPeriod {
    if isDetail { return try detailPeriod(name) }
    guard let dates else {
      if let month = name.settledMonth { return FiscalPeriod(named: month) }
      throw .noPeriod(expected: "rows, or a month in the name such as 45545510_0914_EU.txt")
    }
    let period = try Self.period(dates.firstDay, dates.lastDay)
    if let otherDates {
      throw .severalPeriods(period, try Self.period(otherDates.firstDay, otherDates.lastDay))
    }
    return period
  }

  /// Returns the period in the preamble or, without one, of all days of settlement.
  private func detailPeriod(_ name: ReportName) throws(FinanceError) -> FiscalPeriod {
    if let startDate, let endDate { return try Self.period(startDate, endDate) }
    let days = rows.compactMap(\.settlementDay)
    guard let first = days.min(), let last = days.max() else {
      if let month = name.settledMonth { return FiscalPeriod(named: month) }
      throw .noPeriod(expected: "a Start Date and an End Date before the rows")
    }
    let period = FiscalPeriod(containing: first)
    guard last <= period.lastDay else {
      throw .severalPeriods(period, FiscalPeriod(containing: last))
    }
    return period
  }

  private static func period(
    _ firstDay: Day, _ lastDay: Day
  ) throws(FinanceError) -> FiscalPeriod {
    guard let period = FiscalPeriod(firstDay: firstDay, lastDay: lastDay) else {
      throw .notAFiscalPeriod(firstDay: firstDay, lastDay: lastDay)
    }
    return period
  }

  /// Returns the form of the report: FINANCE_DETAIL, or FINANCIAL of one or of all regions.
  ///
  /// The region is in the file's name. Without it, all rows of a region's file belong to the same
  /// region.
  private func form(
    _ name: ReportName, _ period: FiscalPeriod
  ) throws(FinanceError) -> FinanceStatement.Form {
    if isDetail { return .detail }
    let pairs = Set(rows.map { [$0.country, $0.currency] }).filter { $0[1] != .blank }
    var codes: Set<String> = []
    for pair in pairs {
      let country = registries.text(of: pair[0])
      let currency = registries.text(of: pair[1])
      let last = regions.region(country: country, currency: currency, on: period.lastDay).code
      codes.insert(last)
      // The rows have no day, so those of a country that moves within the period may be of either region.
      guard last != country else { continue }
      codes.insert(regions.region(country: country, currency: currency, on: period.firstDay).code)
    }
    if let region = name.region {
      if region == "ZZ" { return .single }
      if regions.all.contains(where: { $0.code == region }) { return .region(region) }
      // A region that Apple has retired was a storefront's own.
      if FinanceRegions.isStorefront(region), codes.isEmpty || codes == [region] {
        return .region(region)
      }
      if name.settledMonth != nil { throw .unknownRegion(region) }
    }
    return codes.count == 1 ? .region(codes.first ?? "") : .single
  }
}
