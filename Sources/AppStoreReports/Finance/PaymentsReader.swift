package import Scanning
import Storage
package import SubscriptionModel

/// Reads a payments CSV, line by line (METRICS.md section 7, "Payments CSV").
///
/// A file has one row for each region and currency, about sixty at most, so lines are read as
/// `String`.
package struct PaymentsReader: ~Copyable {
  /// The rows between two headers or after a bank line.
  private struct Block {
    /// Whether a line of the block names the bank account.
    var isPaid = false
    var hasRows = false
    /// Whether the next rows are after a blank line.
    var isAfterBlank = false
  }

  private let headerLine: Int
  /// The header of the current block.
  private var header: ReportHeader
  private let registries: Registries
  private let regions: FinanceRegions
  private var period: FiscalPeriod?
  private var blocks = [Block()]
  private var rows: [PaymentsRow] = []
  /// The rows after a blank line of their block, by index.
  private var rowsAfterBlank: Set<Int> = []
  private var rejected: [RejectedRow] = []
  private var payouts: [PaymentsStatement.Payout] = []
  private var hasBalanceColumn: Bool
  /// The first error that excludes the whole file.
  private var problem: FinanceError?

  /// Creates a reader of one file.
  ///
  /// - Parameters:
  ///   - header: The header of a payments CSV.
  ///   - registries: The symbols of the run.
  ///   - regions: Apple's regions.
  package init(header: ReportHeader, registries: Registries, regions: FinanceRegions) {
    precondition(header.kind == .payments, "a reader needs a header of its kind of report")
    self.header = header
    headerLine = header.headerLine
    self.registries = registries
    self.regions = regions
    hasBalanceColumn = header.field(.balance) != nil
    problem = header.paymentsProblem
  }

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - line: The line without its ending.
  ///   - place: Where the line is.
  /// - Returns: The outcome of a row; `nil` if the line is not a row.
  package mutating func read(_ line: Span<UInt8>, _ place: Line) -> RowOutcome<PaymentsRow>? {
    if place.number > headerLine, hasLoneReturn(line) {
      return .rejected(Reject(lineEndsIn: place))
    }
    let string = text(line, line.indices)
    let parsed = PaymentsLine(string, separator: header.separator)
    guard place.number > headerLine else {
      if period == nil { period = parsed.month.map { FiscalPeriod(named: $0) } }
      guard place.number < headerLine, parsed.hasAmounts else { return nil }
      return rejected(unknownRegion(expected: "the header above all regions"), parsed, place)
    }
    guard place.isTooLong || parsed.isRow else {
      readBetweenRows(parsed, string, place)
      return nil
    }
    if blocks[blocks.count - 1].isPaid { blocks.append(Block()) }
    blocks[blocks.count - 1].hasRows = true
    // Without known columns no amount can be read.
    if header.columns == .unknown { return .ignored(.unusableFile) }
    do throws(FieldFault) {
      let row = try paymentsRow(parsed, place)
      keep(row)
      return .row(row)
    } catch {
      return rejected(error, parsed, place)
    }
  }

  /// Stores the line, region and currency of a rejected row, and returns its reject.
  private mutating func rejected(
    _ fault: FieldFault, _ line: PaymentsLine, _ place: Line
  ) -> RowOutcome<PaymentsRow> {
    let currency = place.isTooLong ? nil : line.region?.currency
    RejectedRow(
      line: place.number, currency: currency.map(registries.symbol(of:)),
      region: currency == nil ? nil : region(line)
    ).add(to: &rejected)
    return .rejected(reject(fault, line, place))
  }

  /// Reads a line that is no row: a blank line, a header, a title, a payout or bank line.
  private mutating func readBetweenRows(_ line: PaymentsLine, _ text: String, _ place: Line) {
    let current = blocks.count - 1
    if line.isBlank {
      if blocks[current].hasRows { blocks[current].isAfterBlank = true }
    } else if let month = line.month {
      let other = FiscalPeriod(named: month)
      if let period, period != other { problem = problem ?? .severalPeriods(period, other) }
    } else if line.isHeader {
      if let next = ReportHeader.payments(text, line: place.number) { header = next }
      problem = problem ?? header.paymentsProblem
      if header.field(.balance) != nil { hasBalanceColumn = true }
      if blocks[current].hasRows || blocks[current].isPaid { blocks.append(Block()) }
    } else if line.isBankLine {
      blocks[current].isPaid = true
      if !payouts.contains(where: { $0.block == current }) {
        payouts.append(.init(block: Int32(current), line: Int32(clamping: place.number)))
      }
    } else if let payout = line.payout, let amount = groupedMilliunits(payout.amount) {
      add(amount, registries.symbol(of: payout.currency), block: current, place)
    }
  }

  /// Adds a payout line to the payout of its block and currency.
  private mutating func add(_ amount: Int64, _ currency: Symbol, block: Int, _ place: Line) {
    let own = payouts.firstIndex { payout in
      payout.block == block && (payout.currency == currency || payout.amount == nil)
    }
    guard let own else {
      return payouts.append(
        .init(
          block: Int32(block), line: Int32(clamping: place.number), amount: amount,
          currency: currency))
    }
    // A bank line above the payout line.
    if payouts[own].amount == nil { payouts[own].line = Int32(clamping: place.number) }
    payouts[own].amount = Int64(clamping: Int128(payouts[own].amount ?? 0) + Int128(amount))
    payouts[own].currency = currency
  }

  /// Ends the file.
  ///
  /// - Parameter fileIndex: The file's index among all files of the run.
  /// - Returns: The statement of the file, and the error that excludes the whole file, if any.
  /// - Throws: ``FinanceError/noPeriod(expected:)`` if the title has no month.
  package consuming func finish(
    fileIndex: Int
  ) throws(FinanceError) -> (statement: PaymentsStatement, problem: FinanceError?) {
    guard let period else {
      if let problem { throw problem }
      throw .noPeriod(
        expected:
          "a month in the title such as (September, 2014); set App Store Connect to English and download it again"
      )
    }
    let isPending = !blocks.contains(where: \.isPaid)
    if !isPending {
      exchangeBlocks()
      for index in rows.indices {
        let isPaid = blocks[Int(rows[index].block)].isPaid && !rowsAfterBlank.contains(index)
        guard !isPaid else { continue }
        rows[index].isBelowThreshold = true
        rows[index].proceeds = nil
      }
    }
    return (
      PaymentsStatement(
        period: period, fileIndex: fileIndex, isPending: isPending,
        hasBalanceColumn: hasBalanceColumn, rows: rows, payouts: payouts, rejected: rejected),
      problem
    )
  }

  /// Gives the payout below two blocks to the rows that it is the sum of.
  ///
  /// Some files list the regions below the payout threshold, under a header of their own, between the
  /// paid ones and the payout line.
  private mutating func exchangeBlocks() {
    for block in blocks.indices.dropFirst() {
      let own = payouts.filter { $0.block == block }
      guard blocks[block].isPaid, !blocks[block - 1].isPaid, own.count == 1,
        let amount = own[0].amount, !payouts.contains(where: { $0.block == block - 1 }),
        sum(block) != amount, sum(block - 1) == amount
      else { continue }
      for index in rows.indices {
        switch Int(rows[index].block) {
        case block: rows[index].block -= 1
        case block - 1: rows[index].block += 1
        default: break
        }
      }
    }
  }

  /// Returns the sum of Proceeds of a block, without rows after a blank line.
  private func sum(_ block: Int) -> Int128 {
    rows.indices.filter { Int(rows[$0].block) == block && !rowsAfterBlank.contains($0) }
      .reduce(0) { $0 + Int128(rows[$1].proceeds ?? 0) }
  }

  /// Stores a row, and the error if its region and currency occur twice or its columns do not add up.
  private mutating func keep(_ row: PaymentsRow) {
    let isRepeated = rows.contains { $0.region == row.region && $0.currency == row.currency }
    if isRepeated, problem == nil {
      problem = .repeatedRegion(
        region: row.region, currency: registries.text(of: row.currency), line: Int(row.line))
    }
    let parts = [row.earned, row.inputTax, row.adjustments, row.withholdingTax]
    if header.columns == .byPosition, problem == nil,
      parts.reduce(0, { $0 + Int128($1) }) != Int128(row.totalOwed)
    {
      problem = .otherColumns(line: Int(row.line))
    }
    if blocks[blocks.count - 1].isAfterBlank { rowsAfterBlank.insert(rows.count) }
    rows.append(row)
  }

  private func paymentsRow(
    _ line: PaymentsLine, _ place: Line
  ) throws(FieldFault) -> PaymentsRow {
    guard !place.isTooLong, let (_, currency) = line.region else {
      throw unknownRegion(expected: "a region and its currency such as Euro-Zone (EUR)")
    }
    guard let region = region(line) else {
      throw unknownRegion(expected: "one of Apple's regions such as Americas (USD)")
    }
    let count = header.columnNames.count
    guard line.cells.dropFirst(count).allSatisfy(\.isEmpty) else {
      throw FieldFault(count - 1, .tooManyFields, expected: "\(count) cells, as the header has")
    }
    let bankCurrency = line.cell(header.fieldOrNone(.bankCurrency))
    guard bankCurrency.isEmpty || RejectedRow.isCode(bankCurrency[...], letters: 3) else {
      throw FieldFault(
        header.fieldOrNone(.bankCurrency), .notACode, expected: "a currency such as USD")
    }
    var row = PaymentsRow(
      region: region, currency: registries.symbol(of: currency),
      earned: try amount(line, .earned),
      inputTax: try optionalAmount(line, .inputTax) ?? 0,
      adjustments: try optionalAmount(line, .adjustments) ?? 0,
      withholdingTax: try optionalAmount(line, .withholdingTax) ?? 0,
      carriedBalance: try optionalAmount(line, .balance) ?? 0,
      totalOwed: try amount(line, .totalOwed), proceeds: try optionalAmount(line, .proceeds),
      bankCurrency: registries.symbol(of: bankCurrency),
      isBelowThreshold: false, line: Int32(clamping: place.number))
    row.exchangeRate = line.cell(header.fieldOrNone(.exchangeRate))
    row.block = Int32(blocks.count - 1)
    return row
  }

  private func unknownRegion(expected: String) -> FieldFault {
    FieldFault(0, .unknownRegion, expected: expected)
  }

  /// Returns the code of a row's region; `nil` if it cannot be read.
  private func region(_ line: PaymentsLine) -> String? {
    guard let (name, currency) = line.region else { return nil }
    // Without a period, use the regions of today; ``finish(fileIndex:)`` then throws.
    let day = (period ?? FiscalPeriod(fiscalYear: 2099, period: 12)).lastDay
    return regions.region(named: name, currency: currency, on: day)
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
    guard let amount = groupedMilliunits(text) else {
      throw FieldFault(field, .notADecimal, expected: "a decimal such as 9.99")
    }
    return amount
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

extension ReportHeader {
  /// Why no row of a payments CSV can be read with the header; `nil` if rows can.
  fileprivate var paymentsProblem: FinanceError? {
    let layout = ReportLayout.payments
    if columns == .unknown { return .unknownColumns(count: columnNames.count) }
    // The first column is that of the region, whatever its name.
    let missing = layout.needed.dropFirst().filter { field($0) == nil }
    if !missing.isEmpty { return .missingColumns(missing.map(\.name)) }
    let repeated = (layout.needed + layout.optional).filter { fields($0).count > 1 }
    return repeated.isEmpty ? nil : .duplicateColumns(repeated.map(\.name))
  }
}
