package import Scanning
import Storage
package import SubscriptionModel

/// Reads a payments CSV, line by line (METRICS.md section 7, "Payments CSV").
///
/// A file has one row for each region and currency, about sixty at most, so lines are read as
/// `String`.
package struct PaymentsReader: ~Copyable {
  private let header: ReportHeader
  private let registries: Registries
  private let regions: FinanceRegions
  private var period: FiscalPeriod?
  private var rows: [PaymentsRow] = []
  private var rejected: [RejectedRow] = []
  /// The sum of the payout lines, in milliunits.
  private var payout: Int64?
  /// Whether the next rows are regions below the payout threshold.
  private var isBelowThreshold = false
  /// The error for the first region and currency that occur twice.
  private var repetition: FinanceError?

  /// Creates a reader of one file.
  ///
  /// - Parameters:
  ///   - header: The header of a payments CSV.
  ///   - registries: The symbols of the run.
  ///   - regions: Apple's regions.
  package init(header: ReportHeader, registries: Registries, regions: FinanceRegions) {
    precondition(header.kind == .payments, "a reader needs a header of its kind of report")
    self.header = header
    self.registries = registries
    self.regions = regions
  }

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - line: The line without its ending.
  ///   - place: Where the line is.
  /// - Returns: The outcome of a row; `nil` if the line is not a row.
  package mutating func read(_ line: Span<UInt8>, _ place: Line) -> RowOutcome<PaymentsRow>? {
    let parsed = PaymentsLine(text(line, line.indices))
    guard place.number > header.headerLine else {
      if let month = paymentsMonth(parsed.cells.joined(separator: " ")), period == nil {
        period = FiscalPeriod(named: month)
      }
      return nil
    }
    guard place.isTooLong || parsed.isRow else {
      // A blank line separates the paid regions from those below the payout threshold.
      if parsed.isBlank, !rows.isEmpty { isBelowThreshold = true }
      if let text = parsed.payout, let amount = Self.amount(text) {
        payout = Int64(clamping: Int128(payout ?? 0) + Int128(amount))
      }
      return nil
    }
    do throws(FieldFault) {
      let row = try paymentsRow(parsed, place)
      keep(row)
      return .row(row)
    } catch {
      let region = place.isTooLong ? nil : region(parsed)
      RejectedRow(line: place.number, currency: region?.currency, region: region?.code)
        .add(to: &rejected)
      return .rejected(reject(error, parsed, place))
    }
  }

  /// Returns the statement of the file.
  ///
  /// - Parameter fileIndex: The file's index among all files of the run.
  /// - Returns: The statement.
  /// - Throws: ``FinanceError/noPeriod(expected:)`` if the title has no month,
  ///   ``FinanceError/repeatedRegion(region:currency:line:)`` if a region and currency occur twice.
  package consuming func finish(fileIndex: Int) throws(FinanceError) -> PaymentsStatement {
    if let repetition { throw repetition }
    guard let period else {
      throw .noPeriod(expected: "a month in the title such as (September, 2014)")
    }
    return PaymentsStatement(
      period: period, fileIndex: fileIndex, isPending: header.field(.proceeds) == nil,
      hasBalanceColumn: header.field(.balance) != nil, rows: rows, payout: payout,
      rejected: rejected)
  }

  /// Stores a row, and the error if its region and currency occur twice.
  private mutating func keep(_ row: PaymentsRow) {
    let isRepeated = rows.contains { $0.region == row.region && $0.currency == row.currency }
    if isRepeated, repetition == nil {
      repetition = .repeatedRegion(
        region: row.region, currency: registries.text(of: row.currency), line: Int(row.line))
    }
    rows.append(row)
  }

  private func paymentsRow(
    _ line: PaymentsLine, _ place: Line
  ) throws(FieldFault) -> PaymentsRow {
    guard !place.isTooLong, let (_, currency) = line.region else {
      throw unknownRegion(expected: "a region and its currency such as Euro-Zone (EUR)")
    }
    guard let region = region(line)?.code else {
      throw unknownRegion(expected: "one of Apple's regions such as Americas (USD)")
    }
    let proceeds = isBelowThreshold ? nil : try optionalAmount(line, .proceeds)
    var row = PaymentsRow(
      region: region, currency: registries.symbol(of: currency),
      earned: try amount(line, .earned),
      inputTax: try optionalAmount(line, .inputTax) ?? 0,
      adjustments: try optionalAmount(line, .adjustments) ?? 0,
      withholdingTax: try optionalAmount(line, .withholdingTax) ?? 0,
      carriedBalance: try optionalAmount(line, .balance) ?? 0,
      totalOwed: try amount(line, .totalOwed), proceeds: proceeds,
      bankCurrency: registries.symbol(of: line.cell(header.fieldOrNone(.bankCurrency))),
      isBelowThreshold: isBelowThreshold, line: Int32(clamping: place.number))
    row.exchangeRate = line.cell(header.fieldOrNone(.exchangeRate))
    return row
  }

  private func unknownRegion(expected: String) -> FieldFault {
    FieldFault(header.fieldOrNone(.regionAndCurrency), .unknownRegion, expected: expected)
  }

  /// Returns the region and currency of a row; `nil` if they cannot be read.
  private func region(_ line: PaymentsLine) -> (code: String, currency: Symbol)? {
    guard let (name, currency) = line.region else { return nil }
    // Without a period, use the regions of today; ``finish(fileIndex:)`` then throws.
    let day = (period ?? FiscalPeriod(fiscalYear: 2099, period: 12)).lastDay
    return regions.region(named: name, currency: currency, on: day).map {
      ($0, registries.symbol(of: currency))
    }
  }

  private func amount(_ line: PaymentsLine, _ column: Column) throws(FieldFault) -> Int64 {
    guard let amount = try optionalAmount(line, column) else {
      throw FieldFault(
        header.fieldOrNone(column), .missingValue, expected: "a decimal such as 9.99")
    }
    return amount
  }

  /// Reads an amount; `nil` if the cell is blank or the column is missing.
  private func optionalAmount(
    _ line: PaymentsLine, _ column: Column
  ) throws(FieldFault) -> Int64? {
    let field = header.fieldOrNone(column)
    let text = line.cell(field)
    if text.isEmpty { return nil }
    guard let amount = Self.amount(text) else {
      throw FieldFault(field, .notADecimal, expected: "a decimal such as 9.99")
    }
    return amount
  }

  /// Reads `3479.64` or `3,479.64` as milliunits.
  private static func amount(_ text: String) -> Int64? {
    let groups = text.split(separator: ",", omittingEmptySubsequences: false)
    let areGroups = groups.dropFirst().allSatisfy { $0.prefix(3).count == 3 }
    guard areGroups else { return nil }
    let bytes = Array(groups.joined().utf8)
    guard case .value(let milliunits) = ByteNumber.milliunits(bytes.span, 0..<bytes.count) else {
      return nil
    }
    return milliunits
  }

  private func reject(_ fault: FieldFault, _ line: PaymentsLine, _ place: Line) -> Reject {
    let found = Array(line.cell(fault.field).utf8)
    return Reject(
      line: place.number, byteOffset: place.byteOffset, field: fault.field + 1,
      column: header.columnNames[fault.field], code: fault.code,
      found: .text(Reject.excerpt(found.span, 0..<found.count)), expected: fault.expected)
  }
}

extension PaymentsLine {
  /// Returns a cell; blank for a missing column.
  fileprivate func cell(_ field: Int) -> String {
    cells.indices.contains(field) ? cells[field] : ""
  }
}
