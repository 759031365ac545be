package import Storage
package import SubscriptionModel

/// Money by cohort, currency and month.
package struct MoneyGrid: Sendable {
  /// Identifies a cell.
  package struct Key: Hashable, Sendable {
    /// The cohort's index in its view.
    package var cohort: Int32
    /// The proceeds currency.
    package var currency: Symbol
    package var month: Month
  }

  /// The cells of one cohort and currency, month after month; -1 for a month without money.
  private struct Row: Sendable {
    var cohort: Int32
    var currency: Symbol
    var firstMonth: Month
    var cells: [Int32] = []
  }

  /// The slot of each currency: a small number; -1 if it has none yet.
  private var slotOfCurrency: [Int] = []
  private var slotCount = 0
  /// The row of each cohort and currency slot; -1 if there is none yet.
  private var rowOfSlot: [[Int]] = []
  private var rows: [Row] = []
  /// The charges of each cell, stored apart from its refunds so that they stay in the CPU cache.
  ///
  /// Charges are added in no order, and few are refunded.
  private var charges: [ChargeMoney] = []
  /// The refunds of each cell.
  private var refunds: [(byRefund: RefundMoney, bySale: RefundMoney)] = []
  private var lastKey: UInt64?
  private var lastRow = 0

  /// Creates an empty grid.
  package init() {}

  /// Every cell with its key, in no order.
  package var cells: [(key: Key, cell: MoneyCell)] {
    var cells: [(key: Key, cell: MoneyCell)] = []
    cells.reserveCapacity(charges.count)
    forEachCell { cells.append(($0, $1)) }
    return cells
  }

  /// Returns the money of a cohort, a currency and a month; 0 where nothing was added.
  package func cell(cohort: Int, currency: Symbol, month: Month) -> MoneyCell {
    let slot = Int(currency) < slotOfCurrency.count ? slotOfCurrency[Int(currency)] : -1
    guard slot >= 0, cohort < rowOfSlot.count, slot < rowOfSlot[cohort].count else {
      return MoneyCell()
    }
    let place = rowOfSlot[cohort][slot]
    guard place >= 0 else { return MoneyCell() }
    let offset = month - rows[place].firstMonth
    guard rows[place].cells.indices.contains(offset), rows[place].cells[offset] >= 0 else {
      return MoneyCell()
    }
    return cell(Int(rows[place].cells[offset]))
  }

  private func cell(_ number: Int) -> MoneyCell {
    MoneyCell(
      charges: charges[number], byRefund: refunds[number].byRefund, bySale: refunds[number].bySale)
  }

  private func forEachCell(_ body: (Key, MoneyCell) -> Void) {
    for row in rows {
      for (offset, cell) in row.cells.enumerated() where cell >= 0 {
        let key = Key(
          cohort: row.cohort, currency: row.currency, month: row.firstMonth + offset)
        body(key, self.cell(Int(cell)))
      }
    }
  }

  /// Returns the index of a key's cell, adding the cell if new.
  ///
  /// The last row is stored, because most charges of a chain have the same cohort and currency.
  private mutating func place(cohort: Int, currency: Symbol, month: Month) -> Int {
    let key = UInt64(UInt32(truncatingIfNeeded: cohort)) << 32 | UInt64(currency)
    if key != lastKey {
      lastRow = row(cohort: cohort, currency: currency, month: month)
      lastKey = key
    }
    var offset = month - rows[lastRow].firstMonth
    if offset >= 0, offset < rows[lastRow].cells.count, rows[lastRow].cells[offset] >= 0 {
      return Int(rows[lastRow].cells[offset])
    }
    if offset < 0 {
      rows[lastRow].cells.insert(contentsOf: repeatElement(-1, count: -offset), at: 0)
      rows[lastRow].firstMonth = month
      offset = 0
    }
    rows[lastRow].cells.extend(to: offset + 1, with: -1)
    if rows[lastRow].cells[offset] < 0 {
      rows[lastRow].cells[offset] = Int32(charges.count)
      charges.append(ChargeMoney())
      refunds.append((RefundMoney(), RefundMoney()))
    }
    return Int(rows[lastRow].cells[offset])
  }

  private mutating func row(cohort: Int, currency: Symbol, month: Month) -> Int {
    let currencyIndex = Int(currency)
    slotOfCurrency.extend(to: currencyIndex + 1, with: -1)
    if slotOfCurrency[currencyIndex] < 0 {
      slotOfCurrency[currencyIndex] = slotCount
      slotCount += 1
    }
    let slot = slotOfCurrency[currencyIndex]
    rowOfSlot.extend(to: cohort + 1, with: [])
    rowOfSlot[cohort].extend(to: slot + 1, with: -1)
    if rowOfSlot[cohort][slot] < 0 {
      rowOfSlot[cohort][slot] = rows.count
      rows.append(Row(cohort: Int32(cohort), currency: currency, firstMonth: month))
    }
    return rowOfSlot[cohort][slot]
  }

  /// Adds units of a paid charge; the currency of the proceeds is the key's.
  package mutating func addCharge(
    price: Amount, proceeds: Amount, count: Int, cohort: Int, month: Month
  ) {
    let place = place(cohort: cohort, currency: proceeds.currency, month: month)
    charges[place].add(price: price, proceeds: proceeds, count: count)
  }

  /// Adds refunds, under their own month and under that of the refunded charge; `saleMonth` is `nil` if it is outside
  /// the input.
  package mutating func addRefund(
    price: Amount, proceeds: Amount, isFull: Bool, count: Int, cohort: Int, month: Month,
    saleMonth: Month?
  ) {
    let place = place(cohort: cohort, currency: proceeds.currency, month: month)
    refunds[place].byRefund.add(price: price, proceeds: proceeds, isFull: isFull, count: count)
    guard let saleMonth else { return }
    let salePlace = self.place(cohort: cohort, currency: proceeds.currency, month: saleMonth)
    refunds[salePlace].bySale.add(price: price, proceeds: proceeds, isFull: isFull, count: count)
  }

  /// Adds all cells of another grid, or subtracts them; `cohorts` has its cohorts' indices here.
  mutating func merge(_ other: MoneyGrid, cohorts: [Int], _ sign: MergeSign = .plus) {
    other.forEachCell { key, cell in
      merge(
        cell,
        Key(
          cohort: Int32(cohorts[Int(key.cohort)]), currency: key.currency, month: key.month), sign)
    }
  }

  /// Adds a cell, or subtracts it.
  mutating func merge(_ cell: MoneyCell, _ key: Key, _ sign: MergeSign = .plus) {
    let place = place(cohort: Int(key.cohort), currency: key.currency, month: key.month)
    charges[place].merge(cell.charges, sign)
    refunds[place].byRefund.merge(cell.byRefund, sign)
    refunds[place].bySale.merge(cell.bySale, sign)
  }

  /// Writes or reads every cell that is not 0.
  mutating func code<Coder: ValueCoder>(cohorts: Int, with coder: inout Coder) {
    var cells = cells.filter { $0.cell != MoneyCell() }
    let blank = Key(cohort: 0, currency: .blank, month: Month(number: 0))
    coder.list(&cells, blank: (blank, MoneyCell())) { entry, coder in
      coder.integer(&entry.key.cohort)
      coder.symbol(&entry.key.currency)
      coder.month(&entry.key.month)
      entry.cell.code(with: &coder)
    }
    guard coder.isReading else { return }
    self = MoneyGrid()
    for (key, cell) in cells {
      guard (0..<cohorts).contains(Int(key.cohort)) else { return coder.fail() }
      merge(cell, key)
    }
  }
}
