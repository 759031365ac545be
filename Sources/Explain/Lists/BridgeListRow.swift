import Settlement
import SubscriptionModel

/// A row of the list of what a line of a bridge is made of.
struct BridgeListRow {
  /// What adds up to the line.
  let contribution: BridgeContribution
  let amount: Int128
  let count: Int
  /// The rows behind it, by file and line: the settled row first, then those of SALES.
  let places: [BridgeContribution.Place]
  /// The units in the SALES rows of each key of the contribution, without a sign; more than its own if some of them
  /// belong elsewhere.
  let unitsOfRows: [Int]

  /// Makes the list in order.
  ///
  /// - Parameters:
  ///   - contributions: What adds up to the line.
  ///   - sold: The rows of SALES.
  /// - Returns: The rows by file and line of the rows behind each; those without any in the order of the contributions.
  static func all(_ contributions: [BridgeContribution], _ sold: SoldRows) -> [BridgeListRow] {
    let rows = contributions.flatMap { contribution -> [BridgeListRow] in
      guard contribution.reason == .sold else { return [BridgeListRow(contribution, sold)] }
      // All units of the rows count, so that each row stands by itself.
      return contribution.sold.flatMap { units in
        sold[units.sale].map { BridgeListRow(contribution, units.sale, $0) }
      }
    }
    return rows.enumerated().sorted { left, right in
      let (own, other) = (left.element, right.element)
      if own.places != other.places { return own.places.lexicographicallyPrecedes(other.places) }
      // Without rows the order is that of the lines or the products.
      guard !own.places.isEmpty else { return left.offset < right.offset }
      return (own.amount, left.offset) < (other.amount, right.offset)
    }.map(\.element)
  }

  private init(_ contribution: BridgeContribution, _ sold: SoldRows) {
    self.contribution = contribution
    (amount, count) = (contribution.amount, contribution.count)
    let rows = contribution.sold.map { sold[$0.sale] }
    unitsOfRows = rows.map { own in abs(own.reduce(0) { $0 + $1.units }) }
    let others = [contribution.settled?.place, contribution.payment].compactMap(\.self)
    places = others + rows.joined().map { BridgeContribution.Place($0) }.sorted()
  }

  private init(_ contribution: BridgeContribution, _ sale: SaleKey, _ row: SoldRows.Row) {
    self.contribution = contribution
    amount = Int128(sale.proceeds) * Int128(row.units)
    count = row.units
    unitsOfRows = [abs(row.units)]
    places = [BridgeContribution.Place(row)]
  }
}

extension BridgeContribution.Place {
  fileprivate init(_ row: SoldRows.Row) { self.init(fileIndex: row.file, line: row.line) }
}
