package import Storage
package import SubscriptionModel

/// What the payments CSVs of METRICS.md section 7 say of one region and currency, row by row: slow and obvious.
package struct ReferencePayments {
  /// A line 60.
  package struct Payment: Hashable, Sendable {
    /// In milliunits of the bank's currency; `nil` if there is none.
    package var amount: Int128?
    package var status: String
    package var cause: String
    package var bank: String

    package init(amount: Int128?, status: String, cause: String, bank: String) {
      (self.amount, self.status, self.cause, self.bank) = (amount, status, cause, bank)
    }
  }

  private let files: [PaymentsStatement]
  private let texts: [String]

  package init(_ files: [PaymentsStatement], texts: [String]) {
    self.files = files
    self.texts = texts
  }

  private func row(_ file: PaymentsStatement, _ region: String, _ currency: Symbol) -> PaymentsRow?
  {
    file.rows.first { $0.region == region && $0.currency == currency }
  }

  private func rows(
    _ period: FiscalPeriod, _ region: String, _ currency: Symbol
  ) -> [(file: PaymentsStatement, row: PaymentsRow)] {
    files.filter { $0.period == period }.compactMap { file in
      row(file, region, currency).map { (file, $0) }
    }
  }

  /// Returns the sums of lines 40 to 43 and 50 of all vendors.
  package func sums(_ period: FiscalPeriod, _ region: String, _ currency: Symbol) -> [Int128] {
    var sums: [Int128] = [0, 0, 0, 0, 0]
    for (_, row) in rows(period, region, currency) {
      sums[0] += Int128(row.inputTax)
      sums[1] += Int128(row.adjustments)
      sums[2] += Int128(row.withholdingTax)
      sums[3] += Int128(row.carriedBalance)
      sums[4] += Int128(row.totalOwed)
    }
    return sums
  }

  /// Returns the lines 60, those of one cause and bank currency added up.
  package func payments(
    _ period: FiscalPeriod, _ region: String, _ currency: Symbol
  ) -> Set<Payment> {
    var lines: [Payment] = []
    for (file, row) in rows(period, region, currency) {
      var line = Payment(
        amount: row.proceeds.map { Int128($0) }, status: "exact", cause: "",
        bank: texts[Int(row.bankCurrency)])
      if file.isPending {
        (line.status, line.cause) = ("estimate", "not paid yet")
      } else if row.isBelowThreshold {
        (line.amount, line.cause) = (nil, "below threshold")
      } else if row.proceeds == nil {
        line.cause = "no exchange rate"
      }
      if line.amount == nil { line.status = "unknown" }
      guard
        let same = lines.firstIndex(where: { $0.cause == line.cause && $0.bank == line.bank })
      else {
        lines.append(line)
        continue
      }
      guard let sum = lines[same].amount, let amount = line.amount else {
        (lines[same].amount, lines[same].status) = (nil, "unknown")
        continue
      }
      lines[same].amount = sum + amount
    }
    return Set(lines)
  }

  /// Returns whether Apple has not paid a region and currency of a period yet, for some vendor.
  package func isPending(_ period: FiscalPeriod, _ region: String, _ currency: Symbol) -> Bool {
    rows(period, region, currency).contains { $0.file.isPending }
  }

  /// Returns whether a vendor whose file of the period is pending has a paid one of a later period.
  package func isOutdated(_ period: FiscalPeriod) -> Bool {
    files.contains { file in
      file.period == period && file.isPending
        && files.contains { $0.period > period && $0.vendor == file.vendor && !$0.isPending }
    }
  }

  /// Returns the comparison of the balances carried into a period: `ok`, `failed`, or `missing`; `nil` without one.
  package func carried(_ period: FiscalPeriod, _ region: String, _ currency: Symbol) -> String? {
    var (left, found): (Int128, Int128) = (0, 0)
    var isCompared = false
    var isKnown = true
    for (file, row) in rows(period, region, currency) {
      let own = files.filter { $0.vendor == file.vendor }
      guard own.contains(where: { $0.period == period - 1 }) else { continue }
      isCompared = true
      if !file.hasBalanceColumn { isKnown = false }
      found += Int128(row.carriedBalance)
      if let unpaid = unpaid(own, before: period, region, currency) {
        left += unpaid
      } else {
        isKnown = false
      }
    }
    guard isCompared else { return nil }
    return !isKnown ? "missing" : left == found ? "ok" : "failed"
  }

  private func unpaid(
    _ own: [PaymentsStatement], before period: FiscalPeriod, _ region: String, _ currency: Symbol
  ) -> Int128? {
    guard let file = own.first(where: { $0.period == period - 1 }), !file.isPending else {
      return nil
    }
    guard let row = row(file, region, currency) else {
      return unpaid(own, before: period - 1, region, currency)
    }
    return row.isBelowThreshold || row.proceeds == nil ? Int128(row.totalOwed) : 0
  }
}

/// Makes payments CSVs of one or two vendors, some from before the payment.
package struct RandomPayments: Sendable {
  private var random: SeededGenerator

  /// Creates a maker; the same seed makes the same files.
  package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Returns a world with payments CSVs of some periods and nothing else.
  package mutating func make() -> FinanceWorldBuilder {
    var world = FinanceWorldBuilder()
    let vendors = isLikely(1, of: 2) ? ["80012345"] : ["80012345", "80099999"]
    let first = FiscalPeriod(fiscalYear: 2026, period: 2)
    var index = 0
    for vendor in vendors {
      for offset in 0..<4 where !isLikely(1, of: 6) {
        var file = statement(&world, first + offset, index)
        file.vendor = vendor
        world.pay(file)
        index += 1
      }
    }
    return world
  }

  private mutating func statement(
    _ world: inout FinanceWorldBuilder, _ period: FiscalPeriod, _ index: Int
  ) -> PaymentsStatement {
    let isPending = isLikely(1, of: 3)
    var rows: [PaymentsRow] = []
    for (region, currency) in [("US", "USD"), ("EU", "EUR"), ("WW", "USD")]
    where !isLikely(1, of: 4) {
      let isBelow = !isPending && isLikely(1, of: 4)
      let owed = amount()
      let (tax, balance) = (isLikely(1, of: 3) ? amount() : 0, isLikely(1, of: 3) ? amount() : 0)
      rows.append(
        PaymentsRow(
          region: region, currency: world.symbol(currency), earned: owed - tax - balance,
          inputTax: tax, adjustments: 0, withholdingTax: 0, carriedBalance: balance,
          totalOwed: owed, proceeds: isBelow || isLikely(1, of: 6) ? nil : amount(),
          bankCurrency: world.symbol(isLikely(1, of: 3) ? "EUR" : "USD"),
          isBelowThreshold: isBelow, line: Int32(rows.count + 4)))
    }
    return PaymentsStatement(
      period: period, fileIndex: index, isPending: isPending,
      hasBalanceColumn: !isLikely(1, of: 4), rows: rows)
  }

  /// Few different amounts, so that balances are often those left before.
  private mutating func amount() -> Int64 { Int64.random(in: 1...2, using: &random) * 10_000 }

  private mutating func isLikely(_ times: Int, of all: Int) -> Bool {
    Int.random(in: 0..<all, using: &random) < times
  }
}
