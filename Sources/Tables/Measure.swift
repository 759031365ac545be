/// What a contribution adds to a cell.
package enum Measure: Equatable, Sendable {
  /// 1.
  case count
  /// The customer price that was paid or given back.
  case price
  /// The developer's proceeds of the charge, or those given back.
  case proceeds
  /// The monthly value of the charge, on the basis of the row.
  case value
  /// Days without a subscription; the cell is the value at a rank of all of them, such as the median (50 percent).
  case rank(percent: Int)

  /// Whether it adds an amount.
  package var isMoney: Bool { self == .price || self == .proceeds || self == .value }

  /// The rank in percent; `nil` if the cell is a sum.
  package var percent: Int? {
    if case .rank(let percent) = self { percent } else { nil }
  }
}
