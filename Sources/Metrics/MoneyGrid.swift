public import SubscriptionModel

/// Money of one cohort, currency and month, exact in milliunits.
public struct MoneyCell: Sendable, Equatable {
  /// Paid charges of the month, and their money.
  public var charges = 0
  /// Σ price of the paid charges.
  public var grossPrice: Int128 = 0
  /// Σ proceeds of the paid charges.
  public var grossProceeds: Int128 = 0
  /// Refunds by their own day.
  public var byRefund = RefundMoney()
  /// The same refunds by the day of the charge they take back.
  public var bySale = RefundMoney()
  /// Whether a charge's customer currency is not the cell's.
  public var hasForeignPrice = false

  /// Adds another cell.
  ///
  /// - Parameter other: A cell of the same key.
  public mutating func merge(_ other: MoneyCell) {
    charges += other.charges
    grossPrice += other.grossPrice
    grossProceeds += other.grossProceeds
    byRefund.merge(other.byRefund)
    bySale.merge(other.bySale)
    hasForeignPrice = hasForeignPrice || other.hasForeignPrice
  }
}

/// Refunds and the money given back.
public struct RefundMoney: Sendable, Equatable {
  /// Refunds of a whole price.
  public var full = 0
  /// Refunds of a part of a price.
  public var partial = 0
  /// Σ price given back.
  public var price: Int128 = 0
  /// Σ proceeds given back.
  public var proceeds: Int128 = 0
  /// Whether a refund's customer currency is not the cell's.
  public var hasForeignPrice = false

  mutating func add(price: Amount, proceeds: Amount, isFull: Bool, count: Int) {
    if isFull { full += count } else { partial += count }
    self.price += Int128(price.milliunits) * Int128(count)
    self.proceeds += Int128(proceeds.milliunits) * Int128(count)
    if price.currency != proceeds.currency { hasForeignPrice = true }
  }

  mutating func merge(_ other: RefundMoney) {
    full += other.full
    partial += other.partial
    price += other.price
    proceeds += other.proceeds
    hasForeignPrice = hasForeignPrice || other.hasForeignPrice
  }
}

/// Money by cohort, currency and month.
public struct MoneyGrid: Sendable {
  /// What a cell is the money of.
  public struct Key: Hashable, Sendable {
    /// The cohort's index in its view.
    public var cohort: Int32
    /// The proceeds currency.
    public var currency: Symbol
    /// The month.
    public var month: Month
  }

  private var positions: [Key: Int] = [:]
  private var values: [MoneyCell] = []
  private var lastKey: Key?
  private var lastPosition = 0

  /// Creates an empty grid.
  public init() {}

  /// Every cell with its key, in no order.
  public var cells: some Sequence<(key: Key, cell: MoneyCell)> {
    positions.lazy.map { (key: $0.key, cell: values[$0.value]) }
  }

  /// Changes the cell of a key, new or old.
  mutating func update(
    cohort: Int, currency: Symbol, month: Month, _ change: (inout MoneyCell) -> Void
  ) {
    let key = Key(cohort: Int32(cohort), currency: currency, month: month)
    if key != lastKey {
      lastPosition = positions[key] ?? values.count
      if lastPosition == values.count {
        positions[key] = lastPosition
        values.append(MoneyCell())
      }
      lastKey = key
    }
    change(&values[lastPosition])
  }

  /// Adds a paid charge.
  ///
  /// - Parameters:
  ///   - price: The customer's price per unit.
  ///   - proceeds: The proceeds per unit; their currency is the key's.
  ///   - count: How many units.
  ///   - cohort: The cohort's index in its view.
  ///   - month: The month of the charge.
  public mutating func addCharge(
    price: Amount, proceeds: Amount, count: Int, cohort: Int, month: Month
  ) {
    update(cohort: cohort, currency: proceeds.currency, month: month) { cell in
      cell.charges += count
      cell.grossPrice += Int128(price.milliunits) * Int128(count)
      cell.grossProceeds += Int128(proceeds.milliunits) * Int128(count)
      if price.currency != proceeds.currency { cell.hasForeignPrice = true }
    }
  }

  /// Adds refunds, under their own month and under that of the charge they take back.
  ///
  /// - Parameters:
  ///   - price: The price given back per unit.
  ///   - proceeds: The proceeds given back per unit; their currency is the key's.
  ///   - isFull: Whether the whole price was given back.
  ///   - count: How many units.
  ///   - cohort: The cohort's index in its view.
  ///   - month: The month of the refund.
  ///   - saleMonth: The month of the charge; `nil` when it is outside the input.
  public mutating func addRefund(
    price: Amount, proceeds: Amount, isFull: Bool, count: Int, cohort: Int, month: Month,
    saleMonth: Month?
  ) {
    update(cohort: cohort, currency: proceeds.currency, month: month) {
      $0.byRefund.add(price: price, proceeds: proceeds, isFull: isFull, count: count)
    }
    guard let saleMonth else { return }
    update(cohort: cohort, currency: proceeds.currency, month: saleMonth) {
      $0.bySale.add(price: price, proceeds: proceeds, isFull: isFull, count: count)
    }
  }

  /// Adds every cell of another grid.
  ///
  /// - Parameters:
  ///   - other: The other grid.
  ///   - cohorts: For each cohort of the other grid its index in this one.
  public mutating func merge(_ other: MoneyGrid, cohorts: [Int]) {
    for (key, cell) in other.cells {
      update(cohort: cohorts[Int(key.cohort)], currency: key.currency, month: key.month) {
        $0.merge(cell)
      }
    }
  }
}
